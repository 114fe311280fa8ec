#include "top/technology_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "top/config_error.h"

namespace heddle {
namespace {

const std::string kProjectFile = std::string(HEDDLE_SOURCE_DIR) + "/configs/technology/estimates.yaml";

std::string error_of(const std::string& text) {
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
  EXPECT_EQ(error_of("technologies: {a: {fo4_ps: {value: -1, source: x}}}"),
            ":1:36: fo4_ps.value: found '-1', expected a number above 0");
  EXPECT_EQ(error_of("technologies:\n  a:\n    fo4_ps: {value: 9, uncertainty: 0.5, source: x}"),
            ":3:37: fo4_ps.uncertainty: found '0.5', expected a number of at least 1");
  EXPECT_EQ(error_of("technologies:\n  a:\n    fo4_ps: {value: 9}"),
            ":3:13: fo4_ps: expected a value and its source");
  EXPECT_NE(
      error_of("technologies:\n  a:\n    fo4: {value: 9}").find(":3:5: unknown key 'fo4', expected one of"),
      std::string::npos);
  EXPECT_EQ(error_of("technology: {}"), ":1:1: unknown key 'technology', expected technologies");
  EXPECT_NE(error_of("- a").find("expected a map"), std::string::npos);
  EXPECT_EQ(error_of("a: [").substr(0, 3), ":1:");
}

TEST(TechnologyFile, SaysThatAFileCannotBeRead) {
  EXPECT_THROW(load_technologies("/nonexistent.yaml"), ConfigError);
}

}  // namespace
}  // namespace heddle
