#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sc_tests/support/paths.h"
#include "sc_tests/support/pictures.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;
  std::string included;
};

std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/')); }

/// `path` is `folder`, or in it or below it.
bool is_within(const std::string& path, const std::string& folder) {
  return path == folder || path.compare(0, folder.size() + 1, folder + "/") == 0;
}

bool is_within_any(const std::string& path, const std::set<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return is_within(path, folder); });
}

/// Quoted includes of the sources below `floor`, with paths from the repository's folder.
std::vector<Include> includes_below(const std::string& floor) {
  static const std::regex kPattern("^#include \"([^\"]+)\"");
  std::vector<Include> includes;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(test::source_dir()) / floor)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    const std::string file = fs::relative(entry.path(), test::source_dir()).string();
    std::ifstream text(entry.path());
    std::smatch match;
    for (std::string line; std::getline(text, line);) {
      if (std::regex_search(line, match, kPattern)) includes.push_back({file, match[1]});
    }
  }
  EXPECT_FALSE(includes.empty()) << floor;
  return includes;
}

/// The table of docs/architecture.md: floors and what they may include.
std::map<std::string, std::set<std::string>> floors() {
  static const std::regex kRow("^\\| `([a-z_]+)` \\| .* \\| ([^|]*)\\|$");
  static const std::regex kName("`([a-z_/]+)`");
  std::map<std::string, std::set<std::string>> floors;
  std::ifstream text(fs::path(test::source_dir()) / "docs" / "architecture.md");
  std::smatch row;
  for (std::string line; std::getline(text, line);) {
    if (!std::regex_match(line, row, kRow)) continue;
    const std::string allowed = row[2];
    std::set<std::string>& folders = floors[row[1]];
    folders.insert(row[1]);
    for (std::sregex_iterator name(allowed.begin(), allowed.end(), kName), end; name != end; ++name) {
      folders.insert((*name)[1]);
    }
  }
  return floors;
}

TEST(Layers, TheTableNamesEveryFloor) {
  const auto table = floors();
  for (const char* floor : {"base", "hw", "tlm", "workloads", "modules", "top"}) {
    EXPECT_EQ(table.count(floor), 1U) << floor;
  }
}

TEST(Layers, AFloorIncludesOnlyWhatItsRowNames) {
  for (const auto& [floor, allowed] : floors()) {
    for (const Include& include : includes_below(floor)) {
      EXPECT_TRUE(is_within_any(include.included, allowed))
          << include.file << " includes " << include.included;
    }
  }
}

std::string picture_of_layers() {
  std::ostringstream picture;
  picture << std::ifstream(fs::path(test::source_dir()) / "docs" / "pictures" / "layers.dot").rdbuf();
  return picture.str();
}

TEST(Layers, ThePictureHasTheArrowsOfTheTable) {
  std::set<test::Arrow> arrows;
  for (const auto& [floor, allowed] : floors()) {
    for (const std::string& folder : allowed) {
      if (folder != floor) arrows.insert({floor, folder});
    }
  }
  EXPECT_EQ(test::arrows_of_dot(picture_of_layers()), arrows);
}

TEST(Layers, ThePictureNamesTheRoomsOfEachFloor) {
  std::set<std::string> rooms;
  for (const auto& [floor, allowed] : floors()) {
    for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / floor)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory()) rooms.insert(name + "/");
    }
  }
  rooms.erase("launch/");  // a box of its own, workloads/launch
  std::set<std::string> in_picture;
  for (const std::string& word : test::label_words_of_dot(picture_of_layers())) {
    if (word.back() == '/') in_picture.insert(word);
  }
  EXPECT_EQ(in_picture, rooms);
}

TEST(Layers, ATestIncludesOnlyWhatTheTestedFloorMay) {
  for (auto [floor, allowed] : floors()) {
    if (!fs::exists(fs::path(test::source_dir()) / "sc_tests" / floor)) continue;
    allowed.insert("sc_tests/support");
    allowed.insert("sc_tests/" + floor);
    for (const Include& include : includes_below("sc_tests/" + floor)) {
      EXPECT_TRUE(is_within_any(include.included, allowed))
          << include.file << " includes " << include.included;
    }
  }
}

/// Names a folder that includes itself around a corner, or "".
std::string folder_on_a_circle(const std::map<std::string, std::set<std::string>>& arrows) {
  for (const auto& [start, ignored] : arrows) {
    std::set<std::string> reached;
    std::vector<std::string> to_visit{start};
    while (!to_visit.empty()) {
      const std::string folder = to_visit.back();
      to_visit.pop_back();
      const auto found = arrows.find(folder);
      if (found == arrows.end()) continue;
      for (const std::string& next : found->second) {
        if (next == start) return folder + " and " + start;
        if (reached.insert(next).second) to_visit.push_back(next);
      }
    }
  }
  return "";
}

TEST(Layers, NoFolderIncludesItselfAroundACorner) {
  std::map<std::string, std::set<std::string>> arrows;
  for (const auto& [floor, ignored] : floors()) {
    for (const Include& include : includes_below(floor)) {
      const std::string from = folder_of(include.file);
      const std::string to = folder_of(include.included);
      if (from != to) arrows[from].insert(to);
    }
  }
  EXPECT_EQ(folder_on_a_circle(arrows), "");
}

TEST(Layers, ACircleOfThreeFoldersIsFound) {
  EXPECT_EQ(folder_on_a_circle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"d"}}}), "");
  EXPECT_NE(folder_on_a_circle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}}), "");
}

}  // namespace
}  // namespace heddle
