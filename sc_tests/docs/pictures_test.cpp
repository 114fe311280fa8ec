// The pictures of docs/ are those that `make pictures` draws of their texts.
#include "sc_tests/support/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sc_tests/support/paths.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Pictures, AreDrawnFromTheirTexts) {
  unsigned pictures = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(source_dir()) / "docs" / "pictures")) {
    if (entry.path().extension() != ".dot") continue;
    ++pictures;
    const std::string text = file_text(entry.path());
    const std::string drawing = file_text(fs::path(entry.path()).replace_extension(".svg"));
    const std::set<Arrow> arrows = arrows_of_dot(text);
    EXPECT_FALSE(arrows.empty()) << entry.path();
    EXPECT_EQ(arrows_of_svg(drawing), arrows) << entry.path() << ": run make pictures";
    for (const std::string& word : label_words_of_dot(text)) {
      EXPECT_NE(drawing.find(word), std::string::npos)
          << entry.path() << ", " << word << ": run make pictures";
    }
  }
  EXPECT_GE(pictures, 2U);
}

TEST(Pictures, LabelsAreRead) {
  EXPECT_THAT(label_words_of_dot("a [label=<<b>B_c</b><br/>d, e/>]\nf -> g [label=\"  h\\l i\"]"),
              testing::UnorderedElementsAre("B_c", "d", "e/", "h", "i"));
}

TEST(Pictures, ArrowsAreRead) {
  EXPECT_THAT(arrows_of_dot("digraph a {\n  b -> \"c/d\"\n  // e -> f\n  g -> h [style=dashed]\n}"),
              testing::UnorderedElementsAre(Arrow("b", "c/d"), Arrow("g", "h")));
  EXPECT_THAT(arrows_of_svg("<g>\n<title>b&#45;&gt;c/d</title>\n<title>b</title>"),
              testing::UnorderedElementsAre(Arrow("b", "c/d")));
}

}  // namespace
}  // namespace heddle::test
