// A scheduler from outside the library, added by registration alone, is known wherever schedulers are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/reports/cost_json.h"
#include "hw/storage/register.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/commands/commands.h"
#include "top/config/config_loader.h"
#include "top/config/config_print.h"
#include "top/config/config_schema.h"
#include "top/machine/gpu_builder.h"
#include "top/report/cost/scheduler_cost.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

struct StickyValues {
  unsigned patience_cycles = 20;
  std::string other = "lrr";
};
const ParametersOf<StickyValues> sticky_parameters{
    "sticky",
    {parameter::whole(&StickyValues::patience_cycles, "patience_cycles", 1, 60, "core cycles",
                      "How long it stays"),
     parameter::scheduler(&StickyValues::other, "other", "Who comes then")}};

/// Built of one register per scheduler, whose width is its parameter.
class Sticky final : public Prioritizer {
 public:
  explicit Sticky(const PolicyContext& context)
      : register_(context.hardware.child("sticky"), "since" + std::to_string(context.scheduler),
                  {context.values_of(sticky_parameters).patience_cycles, hw::Overflow::kWrap, 0}) {}
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override { return lowest_warp(issuable); }

 private:
  hw::Register register_;
};

const PrioritizerEntry sticky_entry{"sticky", "for tests: stays where it is",
                                    [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
                                      return std::make_unique<Sticky>(context);
                                    },
                                    nullptr, &sticky_parameters};
const PolicyRegistration registration{sticky_entry};

std::string key_error(const std::string& text, const std::vector<std::string>& assignments = {}) {
  try {
    ConfigLoader loader;
    loader.read_text(text, "gpu.yaml");
    for (const std::string& assignment : assignments) loader.set(assignment);
    loader.finish();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PolicyKeys, AreReadFromFilesAndOptions) {
  ConfigLoader loader;
  loader.read_text("scheduler:\n  name: swl+sticky\n  sticky: {patience_cycles: 7}\n", "gpu.yaml");
  loader.set("scheduler.sticky.other=gto");
  const LoadedConfig loaded = loader.finish();
  EXPECT_EQ(loaded.config.scheduler.settings.of(sticky_parameters).patience_cycles, 7U);
  EXPECT_EQ(loaded.config.scheduler.settings.of(sticky_parameters).other, "gto");
  EXPECT_EQ(loaded.origins.at("scheduler.sticky.patience_cycles"), "gpu.yaml:3:29");
  EXPECT_NO_THROW(build_gpu(loaded));
}

TEST(PolicyKeys, AreCheckedAgainstTheirDeclaredRange) {
  EXPECT_EQ(
      key_error("scheduler:\n  sticky:\n    patience_cycles: 61\n"),
      "gpu.yaml:3:22: scheduler.sticky.patience_cycles: expected a whole number from 1 to 60, found '61'");
  EXPECT_EQ(
      key_error("name: x\n", {"scheduler.sticky.patience_cycles=0"}),
      "--set scheduler.sticky.patience_cycles=0: scheduler.sticky.patience_cycles: expected a whole number "
      "from 1 to 60, found '0'");
  EXPECT_EQ(key_error("scheduler: {sticky: {patience_cycle: 4}}\n"),
            "gpu.yaml:1:22: unknown key 'scheduler.sticky.patience_cycle'; did you mean "
            "'scheduler.sticky.patience_cycles'?");
  EXPECT_THAT(
      key_error("scheduler:\n  name: stickey\n"),
      HasSubstr("gpu.yaml:2:9: scheduler.name: warp scheduler 'stickey': 'stickey' is unknown; did you "
                "mean 'sticky'?"));
}

TEST(PolicyKeys, ArePrintedAfterTheOthersOfTheirSection) {
  const std::string text =
      print_config(load_config("", {"scheduler.sticky.patience_cycles=3"}), {/*descriptions=*/true});
  EXPECT_THAT(text, HasSubstr("  sticky:\n"
                              "    # How long it stays (core cycles, 1 to 60)\n"
                              "    patience_cycles: 3  # default: 20\n"
                              "    # Who comes then (a warp scheduler)\n"
                              "    other: lrr\n"));
  EXPECT_LT(text.find("\n  oaws:\n"), text.find("\n  sticky:\n"));
  EXPECT_LT(text.find("\n  sticky:\n"), text.find("\nfetch:\n"));
  ConfigLoader again;
  again.read_text(print_config(load_config("", {"scheduler.sticky.patience_cycles=3"})), "printed.yaml");
  EXPECT_EQ(again.finish().config.scheduler.settings.of(sticky_parameters).patience_cycles, 3U);
}

TEST(PolicyKeys, TheSchedulerIsPricedAndListed) {
  const auto bits = [](const std::string& cycles) {
    return scheduler_cost(
               load_config("", {"scheduler.name=sticky", "scheduler.sticky.patience_cycles=" + cycles}),
               std::nullopt)
        .totals.bits_per_sm;
  };
  EXPECT_EQ(bits("5"), 2U * 5);
  EXPECT_EQ(bits("6"), 2U * 6);
  ListOptions options;
  options.what = "schedulers";
  ::testing::internal::CaptureStdout();
  list_command(options);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(),
              ::testing::ContainsRegex("\nsticky +prioritizer +for tests: stays where it is\n"));
}

TEST(PolicyKeys, APolicyAddedLaterIsKnownToo) {
  const std::size_t before = config_schema().size();
  const ConfigKey* const known = find_config_key("scheduler.sticky.other");
  ASSERT_NE(known, nullptr);
  struct LateValues {
    bool on = true;
  };
  static const ParametersOf<LateValues> late{"late", {parameter::flag(&LateValues::on, "on", "whether")}};
  static const PrioritizerEntry entry{"late", "test", sticky_entry.create, nullptr, &late};
  add_policy(entry);
  EXPECT_EQ(find_config_key("scheduler.late.on")->format(GpuConfig{}), "true");
  EXPECT_EQ(config_schema().size(), before + 1);
  EXPECT_EQ(find_config_key("scheduler.sticky.other"), known);  // keys stay where they are
}

TEST(PolicyKeys, ParametersThatTwoPoliciesDeclareAreRefused) {
  const std::size_t before = config_schema().size();
  static const ParametersOf<StickyValues> same{
      "swl", {parameter::whole(&StickyValues::patience_cycles, "warps", 1, 2, "", "whatever")}};
  static const PrioritizerEntry entry{"same_section", "test", sticky_entry.create, nullptr, &same};
  add_policy(entry);
  EXPECT_THROW(config_schema(), std::invalid_argument);
  EXPECT_EQ(config_schema().size(), before);
}

TEST(PolicyKeys, NamesThatAreTakenAreRefused) {
  static const PrioritizerEntry gto{"gto", "test", sticky_entry.create};
  EXPECT_THROW(add_policy(gto), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
