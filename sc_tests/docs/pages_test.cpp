// What the pages of docs/ and the texts that cite them name is there: pages, sections, links, files.
#include "sc_tests/docs/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "sc_tests/support/paths.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Paths of the repository's files and folders, relative to it; what builds and runs leave is not among them.
const std::vector<fs::path>& repository() {
  static const std::vector<fs::path> kPaths = [] {
    std::vector<fs::path> paths;
    const fs::path root = source_dir();
    for (const auto& entry : fs::directory_iterator(root)) {
      const std::string name = entry.path().filename().string();
      if (name[0] == '.' || name.compare(0, 5, "build") == 0 || name.compare(0, 10, "heddle-out") == 0)
        continue;
      paths.push_back(fs::relative(entry.path(), root));
      if (!entry.is_directory()) continue;
      for (const auto& below : fs::recursive_directory_iterator(entry.path())) {
        paths.push_back(fs::relative(below.path(), root));
      }
    }
    return paths;
  }();
  return kPaths;
}

std::vector<fs::path> files_ending_in(const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  std::copy_if(
      repository().begin(), repository().end(), std::back_inserter(files), [&](const fs::path& path) {
        return extensions.count(path.extension().string()) != 0 && fs::is_regular_file(source_dir() / path);
      });
  EXPECT_FALSE(files.empty());
  return files;
}

/// The page that `file` calls `name`, in docs/, beside the file or in the repository's folder; empty if there
/// is none.
fs::path find_page(const std::string& name, const fs::path& file) {
  const fs::path root = source_dir();
  for (const fs::path& page : {root / "docs" / name, root / file.parent_path() / name, root / name}) {
    if (fs::is_regular_file(page)) return page;
  }
  return {};
}

/// What `text`, the content of `file`, cites in vain.
std::vector<std::string> false_citations(const std::string& text, const fs::path& file) {
  std::vector<std::string> missing;
  for (const Citation& citation : citations(text)) {
    const fs::path page = find_page(citation.page, file);
    if (page.empty()) {
      missing.push_back(citation.page);
      continue;
    }
    const std::set<std::string> there = headings(read(page));
    for (const std::string& section : citation.sections) {
      if (there.count(section) == 0) missing.push_back(citation.page + ", \"" + section + '"');
    }
  }
  return missing;
}

bool is_false_link(const std::string& target, const fs::path& page) {
  const std::string file = target.substr(0, target.find('#'));
  const fs::path path = file.empty() ? source_dir() / page : source_dir() / page.parent_path() / file;
  if (!fs::exists(path)) return true;
  if (file.size() == target.size()) return false;
  const std::string anchor = target.substr(file.size() + 1);
  const std::set<std::string> there = headings(read(path));
  return std::none_of(there.begin(), there.end(),
                      [&](const std::string& h) { return anchor_of(h) == anchor; });
}

/// A path below a folder of the repository, or the name of a source.
bool names_a_file(const std::string& word) {
  const std::size_t slash = word.find('/');
  if (slash != std::string::npos) {
    const auto& paths = repository();
    return std::find(paths.begin(), paths.end(), word.substr(0, slash)) != paths.end();
  }
  static const std::regex kSource("[a-z0-9_<>*]+\\.(h|cpp)");
  return std::regex_match(word, kSource);
}

bool is_in_repository(std::string word) {
  if (word.back() == '/') word.pop_back();
  const bool bare = word.find('/') == std::string::npos;
  const std::regex pattern(path_pattern(word));
  return std::any_of(repository().begin(), repository().end(), [&](const fs::path& path) {
    return std::regex_match(bare ? path.filename().string() : path.string(), pattern);
  });
}

TEST(Pages, WhatTextsCiteIsThere) {
  std::size_t sections = 0;
  for (const fs::path& file :
       files_ending_in({".h", ".cpp", ".cu", ".yaml", ".md", ".sh", ".cmake", ".txt", ""})) {
    if (file.parent_path() == "sc_tests/docs") continue;  // cites in vain, to see that it is found
    const std::string text = read(source_dir() / file);
    EXPECT_THAT(false_citations(text, file), IsEmpty()) << file;
    for (const Citation& citation : citations(text)) sections += citation.sections.size();
  }
  EXPECT_GT(sections, 80U);  // the reader of citations finds them
}

TEST(Pages, LinksLeadSomewhere) {
  for (const fs::path& page : files_ending_in({".md"})) {
    for (const std::string& target : relative_links(read(source_dir() / page))) {
      EXPECT_FALSE(is_false_link(target, page)) << page << ": " << target;
    }
  }
}

/// The page says what stands in the file, which its reader makes: a fence with a language and the file's
/// name.
bool is_made_from(const std::string& text, const std::string& word) {
  return text.find("\n```cpp " + word + "\n") != std::string::npos;
}

TEST(Pages, FilesNamedInCodeAreThere) {
  for (const fs::path& page : files_ending_in({".md"})) {
    const std::string text = read(source_dir() / page);
    for (const std::string& word : code_words(text)) {
      EXPECT_TRUE(!names_a_file(word) || is_in_repository(word) || is_made_from(text, word))
          << page << ": " << word;
    }
  }
}

// The citations in the strings below are put together, so that the test above does not find them in this
// file.
const std::string kPage = std::string("gtx480") + ".md";

TEST(Pages, ACitationOfAMissingSectionIsFound) {
  EXPECT_THAT(false_citations("see gtx480.md, \"DRAM\" and \"L2\".", "x.h"), IsEmpty());
  EXPECT_THAT(false_citations("see gtx480.md, \"DRAM\" and \"L3\".", "x.h"),
              ElementsAre("gtx480.md, \"L3\""));
  EXPECT_THAT(false_citations("see gtx481.md.", "x.h"), ElementsAre("gtx481.md"));
}

TEST(Pages, ACitationMayBeBrokenOverCommentLines) {
  const auto found = citations("/// (gtx480.md,\n  /// \"Clocks, size,\n  /// occupancy\", \"L2\")");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].page, "gtx480.md");
  EXPECT_THAT(found[0].sections, ElementsAre("Clocks, size, occupancy", "L2"));
}

TEST(Pages, ACitationMayBeALink) {
  EXPECT_THAT(citations("[gtx480.md](gtx480.md), \"L2\"")[1].sections, ElementsAre("L2"));
}

TEST(Pages, AnArgumentAfterAPageIsNoSection) {
  EXPECT_THAT(citations("f(\"gtx480.md\", \"text\")")[0].sections, IsEmpty());
}

TEST(Pages, HeadingsInCodeBlocksDoNotCount) {
  EXPECT_THAT(headings("# A b\ntext\n```\n# c\n```\n## D"), ElementsAre("A b", "D"));
}

TEST(Pages, AFalseLinkIsFound) {
  EXPECT_TRUE(is_false_link("no_such_page.md", "docs/gtx480.md"));
  EXPECT_TRUE(is_false_link("#no-such-section", "docs/gtx480.md"));
  EXPECT_FALSE(is_false_link("#sm-pipeline", "docs/gtx480.md"));
  EXPECT_THAT(relative_links("[a](b.md) `[c](d)` [e](https://f)"), ElementsAre("b.md"));
}

TEST(Pages, AFalsePathIsFound) {
  EXPECT_TRUE(names_a_file("docs/no_such_file"));
  EXPECT_FALSE(is_in_repository("docs/no_such_file"));
  EXPECT_FALSE(is_in_repository("no_such_file.cpp"));
  EXPECT_TRUE(is_in_repository("sc_tests/docs/<name>_test.{h,cpp}"));
  EXPECT_FALSE(is_in_repository("sc_tests/docs/<name>_tset.{h,cpp}"));
  EXPECT_TRUE(is_in_repository("configs/NAME.yaml"));
  EXPECT_FALSE(names_a_file("sm0/pro"));
  EXPECT_THAT(code_words("a `b c,\nd` e\n\n    f g\n"), ElementsAre("b", "c", "d", "f", "g"));
}

}  // namespace
}  // namespace heddle::test
