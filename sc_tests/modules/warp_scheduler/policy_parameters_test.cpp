#include "modules/config/policy_parameters.h"

#include <gtest/gtest.h>

#include <limits>

#include "modules/config/setting_error.h"

namespace heddle {
namespace {

enum class Shape : std::uint8_t { kRound, kSquare };
struct Values {
  unsigned warps = 4;
  double share = 0.25;
  Shape shape = Shape::kSquare;
  bool eager = false;
  std::string inner = "gto";
};
const ParametersOf<Values> parameters{
    "toy",
    {parameter::whole(&Values::warps, "warps", 1, 8, "warps", "how many"),
     parameter::fraction(&Values::share, "share", 0, 1, "", "how much"),
     parameter::choice(&Values::shape, "shape", {"round", "square"}, "what form"),
     parameter::flag(&Values::eager, "eager", "whether"),
     parameter::scheduler(&Values::inner, "inner", "who")}};

TEST(PolicyParametersTest, WhatIsNotGivenHasTheDefaultOfTheStruct) {
  const PolicySettings settings;
  EXPECT_EQ(settings.of(parameters).warps, 4U);
  EXPECT_EQ(std::get<std::uint64_t>(parameters.get(settings, 0)), 4U);
  EXPECT_EQ(std::get<double>(parameters.get(settings, 1)), 0.25);
  EXPECT_EQ(std::get<std::uint64_t>(parameters.get(settings, 2)), 1U);
  EXPECT_FALSE(std::get<bool>(parameters.get(settings, 3)));
  EXPECT_EQ(std::get<std::string>(parameters.get(settings, 4)), "gto");
  EXPECT_NO_THROW(parameters.check(settings));
}

TEST(PolicyParametersTest, SettingOneLeavesTheOthersAndOtherCopiesAlone) {
  PolicySettings settings;
  const PolicySettings before = settings;
  parameters.set(settings, 2, std::uint64_t{0});
  const PolicySettings copy = settings;
  settings.edit(parameters).warps = 7;
  EXPECT_EQ(settings.of(parameters).shape, Shape::kRound);
  EXPECT_EQ(settings.of(parameters).warps, 7U);
  EXPECT_EQ(settings.of(parameters).inner, "gto");
  EXPECT_EQ(copy.of(parameters).warps, 4U);
  EXPECT_EQ(copy.of(parameters).shape, Shape::kRound);
  EXPECT_EQ(before.of(parameters).shape, Shape::kSquare);
}

TEST(PolicyParametersTest, ListsOfOneStructAreKeptApart) {
  const ParametersOf<Values> others{"others", {}};
  PolicySettings settings;
  settings.edit(parameters).warps = 2;
  EXPECT_EQ(settings.of(others).warps, 4U);
}

std::string error_of(const Values& values) {
  PolicySettings settings;
  settings.edit(parameters) = values;
  try {
    parameters.check(settings);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(PolicyParametersTest, EveryKindIsCheckedAtItsLimits) {
  const auto with = [](auto member, auto value) {
    Values values;
    values.*member = value;
    return error_of(values);
  };
  EXPECT_EQ(with(&Values::warps, 1U), "");
  EXPECT_EQ(with(&Values::warps, 8U), "");
  EXPECT_EQ(with(&Values::warps, 0U), "scheduler.toy.warps: expected a whole number from 1 to 8, found 0");
  EXPECT_EQ(with(&Values::warps, 9U), "scheduler.toy.warps: expected a whole number from 1 to 8, found 9");
  EXPECT_EQ(with(&Values::share, 1.0), "");
  EXPECT_EQ(with(&Values::share, 1.5), "scheduler.toy.share: expected a number from 0 to 1, found 1.5");
  EXPECT_NE(with(&Values::share, std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_EQ(with(&Values::shape, static_cast<Shape>(2)),
            "scheduler.toy.shape: expected one of round, square, found 2");
  EXPECT_EQ(with(&Values::eager, true), "");
  EXPECT_EQ(with(&Values::inner, std::string()), "scheduler.toy.inner: expected a warp scheduler, found ");
}

}  // namespace
}  // namespace heddle
