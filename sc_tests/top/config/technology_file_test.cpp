#include "top/config/technology_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "sc_tests/support/paths.h"
#include "top/config/config_error.h"

namespace heddle {
namespace {

const std::string kProjectFile = test::source_dir() + "/configs/technology/estimates.yaml";

std::string technology_error(const std::string& text) {
  const std::string path = ::testing::TempDir() + "heddle_technology_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
  std::ofstream(path) << text;
  std::string message;
  try {
    load_technologies(path);
  } catch (const ConfigError& error) {
    message = error.what();
  }
  std::remove(path.c_str());
  return message.compare(0, path.size(), path) == 0 ? message.substr(path.size()) : message;
}

TEST(TechnologyFile, EveryFigureOfTheProjectHasASourceAndAnUncertainty) {
  const auto technologies = load_technologies(kProjectFile);
  ASSERT_EQ(technologies.size(), 3U);
  EXPECT_EQ(technologies[0].name, "osu018");
  for (const hw::Technology& technology : technologies) {
    for (const auto& figure : {technology.nand2_area_um2, technology.fo4_ps,
                               technology.nand2_switch_energy_fj, technology.switching_fraction}) {
      ASSERT_TRUE(figure.has_value()) << technology.name;
      EXPECT_FALSE(figure->source.empty());
      EXPECT_GE(figure->uncertainty, 1);
    }
  }
}

TEST(TechnologyFile, FindsATechnologyByName) {
  EXPECT_DOUBLE_EQ(load_technology(kProjectFile, "osu018").fo4_ps->value, 99);
  EXPECT_FALSE(load_technology(kProjectFile, "osu018").sram_bit_area_um2.has_value());
  try {
    load_technology(kProjectFile, "n7");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()),
              kProjectFile + ": found no technology 'n7', expected one of osu018, generic45, scaled40");
  }
}

TEST(TechnologyFile, SaysWhereAFileIsWrong) {
  EXPECT_EQ(technology_error("technologies: {a: {fo4_ps: {value: -1, source: x}}}"),
            ":1:36: fo4_ps.value: found '-1', expected a number above 0");
  EXPECT_EQ(technology_error("technologies:\n  a:\n    fo4_ps: {value: 9, uncertainty: 0.5, source: x}"),
            ":3:37: fo4_ps.uncertainty: found '0.5', expected a number of at least 1");
  EXPECT_EQ(technology_error("technologies:\n  a:\n    fo4_ps: {value: 9}"),
            ":3:13: fo4_ps: expected a value and its source");
  EXPECT_NE(technology_error("technologies:\n  a:\n    fo4: {value: 9}")
                .find(":3:5: unknown key 'fo4', expected one of"),
            std::string::npos);
  EXPECT_EQ(technology_error("technology: {}"), ":1:1: unknown key 'technology', expected technologies");
  EXPECT_NE(technology_error("- a").find("expected a map"), std::string::npos);
  EXPECT_EQ(technology_error("a: [").substr(0, 3), ":1:");
}

/// A file beside the test's temporary files; removed with it.
class TechnologyChoice : public ::testing::Test {
 protected:
  TechnologyChoice()
      : path_(::testing::TempDir() + "heddle_technology_choice_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml") {}
  ~TechnologyChoice() override { std::remove(path_.c_str()); }
  void write(const std::string& text) const { std::ofstream(path_) << text; }
  std::string error_of_choice(const std::string& choice) const {
    try {
      choose_technology(choice, kProjectFile);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  std::string path_;
};

TEST_F(TechnologyChoice, TakesANameAFileOrBoth) {
  write("technologies: {a: {fo4_ps: {value: 7, source: x}}}");
  EXPECT_EQ(choose_technology("", kProjectFile)->name, "scaled40");
  EXPECT_EQ(choose_technology("osu018", kProjectFile)->name, "osu018");
  EXPECT_EQ(choose_technology(path_, kProjectFile)->fo4_ps->value, 7);
  EXPECT_EQ(choose_technology(kProjectFile + ":generic45", "")->name, "generic45");
  EXPECT_FALSE(choose_technology("", "/nonexistent.yaml").has_value());
}

TEST_F(TechnologyChoice, SaysWhichFileItIsReadFrom) {
  write("technologies: {a: {fo4_ps: {value: 7, source: x}}}");
  EXPECT_EQ(technology_path("", kProjectFile), kProjectFile);
  EXPECT_EQ(technology_path("osu018", kProjectFile), kProjectFile);
  EXPECT_EQ(technology_path(path_, kProjectFile), path_);
  EXPECT_EQ(technology_path(path_ + ":a", kProjectFile), path_);
  EXPECT_EQ(technology_path("./none.yaml", kProjectFile), "./none.yaml");
}

TEST_F(TechnologyChoice, SaysWhatThereIsToChooseFrom) {
  EXPECT_EQ(error_of_choice("n7"),
            kProjectFile + ": found no technology 'n7', expected one of osu018, generic45, scaled40");
  EXPECT_EQ(error_of_choice(kProjectFile), kProjectFile +
                                               ": found 3 technologies, expected one, or FILE:NAME with one "
                                               "of osu018 generic45 scaled40");
  EXPECT_EQ(error_of_choice("./none.yaml"), "./none.yaml: can't be read: No such file or directory");
  write("technologies: {}");
  EXPECT_EQ(error_of_choice(path_).find(path_ + ": found 0 technologies"), 0U);
}

TEST_F(TechnologyChoice, MissingFiguresAreNamedWithWhatTheyLeaveOut) {
  write("technologies: {a: {fo4_ps: {value: 7, source: x}, nand2_area_um2: {value: 7, source: x}}}");
  const auto missing = missing_figures(*choose_technology(path_, kProjectFile));
  ASSERT_EQ(missing.size(), 4U);
  EXPECT_EQ(missing[0].key, "sram_bit_area_um2");
  EXPECT_EQ(missing[1].key, "nand2_switch_energy_fj");
  EXPECT_EQ(missing[1].effect, "energy");
}

TEST(TechnologyFile, SaysThatAFileCannotBeRead) {
  EXPECT_THROW(load_technologies("/nonexistent.yaml"), ConfigError);
}

}  // namespace
}  // namespace heddle
