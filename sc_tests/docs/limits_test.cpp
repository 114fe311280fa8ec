// docs/security.md lists the limits that inputs have.
#include "base/limits.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

TEST(Limits, ThePageListsAllOfThemAndNoOthers) {
  std::ifstream page(std::filesystem::path(test::source_dir()) / "docs" / "security.md");
  std::ostringstream listed;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## ", 0) == 0) in_table = line == "## Limits";
    if (in_table && line.rfind("| ", 0) == 0 && line.rfind("| --- ", 0) != 0) listed << line << '\n';
  }
  std::ostringstream expected;
  expected << "| greatest number of | |\n";
  for (const limits::Limit& limit : limits::all()) {
    expected << "| " << limit.of << " | " << limit.value << " |\n";
  }
  EXPECT_EQ(listed.str(), expected.str());
}

}  // namespace
}  // namespace heddle
