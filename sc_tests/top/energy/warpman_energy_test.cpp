#include "sc_tests/top/commands/command_line_fixture.h"

namespace heddle {
namespace {

class WarpManEnergy : public BuiltProgram {
 protected:
  /// Metrics of the kernel of WarpMan's figure 1 on two SMs, in a folder named after the management.
  nlohmann::json metrics_under(const std::string& management) {
    const ProgramOutcome made = run(
        {"run", "long_warp", "--param", "tbs=48", "--param", "rounds=200", "--config", "warpman", "--set",
         "core.sms=2", "--set", "core.resources.management=" + management, "--quiet", "--out", management});
    EXPECT_EQ(made.code, 0) << made.err;
    return stats(management).at("metrics");
  }
};

// WarpMan 6.2: "little change in dynamic energy", and savings of static energy by the shorter time.
TEST_F(WarpManEnergy, ItsSavingIsStaticEnergyOfTheTimeSaved) {
  const nlohmann::json by_tb = metrics_under("tb");
  const nlohmann::json by_warp = metrics_under("warp_temporal");
  const auto energy = [](const nlohmann::json& of) { return of.at("energy").get<double>(); };
  const auto fixed = [&](const nlohmann::json& of) {
    return energy(of) * of.at("energy_static_share").get<double>();
  };
  const double time = by_warp.at("cycles").get<double>() / by_tb.at("cycles").get<double>();
  ASSERT_LT(time, 0.8);
  const double dynamic = energy(by_tb) - fixed(by_tb);
  EXPECT_NEAR(energy(by_warp) - fixed(by_warp), dynamic, 0.01 * dynamic);
  const double saved = 1 - energy(by_warp) / energy(by_tb);
  EXPECT_NEAR(saved, by_tb.at("energy_static_share").get<double>() * (1 - time), 0.01);
  EXPECT_GT(saved, 0.1);
}

}  // namespace
}  // namespace heddle
