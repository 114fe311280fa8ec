#include "top/config/config_loader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sc_tests/support/paths.h"

namespace heddle {
namespace {

std::string load_error(const std::string& text) {
  try {
    ConfigLoader loader;
    loader.read_text(text, "gpu.yaml");
    loader.finish();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_set(const std::string& assignment) {
  try {
    load_config("", {assignment});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConfigLoader, AppliesWhatTheFileSays) {
  ConfigLoader loader;
  loader.read_text(
      "name: small\n"
      "core:\n"
      "  sms: 2\n"
      "  rotate_schedulers: false\n"
      "l1d:\n"
      "  cache: {sets: 64, set_index: linear}\n"
      "  mshr: {entries: 32}\n"
      "clock: {core_mhz: 700.5}\n"
      "execution: {fp32_add: {latency_cycles: 9}}\n",
      "gpu.yaml");
  const GpuConfig config = loader.finish().config;
  EXPECT_EQ(config.name, "small");
  EXPECT_EQ(config.core.sms, 2U);
  EXPECT_FALSE(config.core.rotate_schedulers);
  EXPECT_EQ(config.l1d.cache.sets, 64U);
  EXPECT_EQ(config.l1d.cache.set_index, SetIndex::kLinear);
  EXPECT_EQ(config.l1d.mshr.entries, 32U);
  EXPECT_EQ(config.clock.core_mhz, 700.5);
  EXPECT_EQ(config.execution.timing[static_cast<unsigned>(OpClass::kFp32Add)].latency_cycles, 9U);
  EXPECT_EQ(config.core.warps, 48U);
}

TEST(ConfigLoader, UnknownKeyNamesPlaceAndNearestKey) {
  EXPECT_EQ(load_error("core:\n  smss: 4\n"),
            "gpu.yaml:2:3: unknown key 'core.smss'; did you mean 'core.sms'?");
  EXPECT_EQ(load_error("coer:\n  sms: 4\n"), "gpu.yaml:1:1: unknown key 'coer'; did you mean 'core'?");
  EXPECT_EQ(load_error("scheduler:\n  swl:\n    limit: 4\n"),
            "gpu.yaml:3:5: unknown key 'scheduler.swl.limit'; keys of 'scheduler.swl': warps");
  EXPECT_EQ(load_error("sms: 4\n"), "gpu.yaml:1:1: unknown key 'sms'; did you mean 'core.sms'?");
  EXPECT_EQ(load_error("colour: 4\n"),
            "gpu.yaml:1:1: unknown key 'colour'; `heddle config show` prints every key");
}

TEST(ConfigLoader, WrongValueNamesPlaceFoundAndExpected) {
  EXPECT_EQ(load_error("core:\n  sms: 0\n"),
            "gpu.yaml:2:8: core.sms: expected a whole number from 1 to 256, found '0'");
  EXPECT_EQ(load_error("core: {sms: many}"),
            "gpu.yaml:1:13: core.sms: expected a whole number from 1 to 256, found 'many'");
  EXPECT_EQ(load_error("core: {sms: 2.5}"),
            "gpu.yaml:1:13: core.sms: expected a whole number from 1 to 256, found '2.5'");
  EXPECT_EQ(load_error("core: {sms: -1}"),
            "gpu.yaml:1:13: core.sms: expected a whole number from 1 to 256, found '-1'");
  EXPECT_EQ(load_error("core: {sms: [1, 2]}"),
            "gpu.yaml:1:13: core.sms: expected a whole number from 1 to 256, found a list");
  EXPECT_EQ(load_error("l1d: {cache: {sets: 48}}"),
            "gpu.yaml:1:21: l1d.cache.sets: expected a power of two from 1 to 65536, found '48'");
  EXPECT_EQ(load_error("clock: {core_mhz: .nan}"),
            "gpu.yaml:1:19: clock.core_mhz: expected a number from 1 to 100000, found '.nan'");
  EXPECT_EQ(load_error("dram: {scheduling: lifo}"),
            "gpu.yaml:1:20: dram.scheduling: expected one of fr_fcfs, fcfs, found 'lifo'");
  EXPECT_EQ(load_error("l1d: {enabled: 1}"), "gpu.yaml:1:16: l1d.enabled: expected true or false, found '1'");
  EXPECT_EQ(load_error("core: 5"), "gpu.yaml:1:7: core: expected a map of its keys, found '5'");
  EXPECT_EQ(load_error("- 5"), "gpu.yaml:1:1: expected a map of configuration keys, found a list");
  EXPECT_EQ(load_error(""), "gpu.yaml: expected a map of configuration keys, found nothing");
}

TEST(ConfigLoader, KeyThatStandsTwiceIsAnError) {
  EXPECT_EQ(load_error("core:\n  sms: 4\n  sms: 5\n"), "gpu.yaml:3:3: key 'core.sms' stands twice");
}

TEST(ConfigLoader, TextThatIsNotYamlNamesPlace) {
  EXPECT_EQ(load_error("core: {sms: 4\n").substr(0, 14), "gpu.yaml:2:1: ");
}

TEST(ConfigLoader, ConflictNamesThePlaceOfTheValueThatWasGiven) {
  EXPECT_EQ(load_error("core:\n  warps: 8\n"),
            "gpu.yaml:2:10: core.threads: expected at most 32 x core.warps (256), found 1536");
  EXPECT_EQ(load_error("core: {warps: 8, threads: 257}"),
            "gpu.yaml:1:27: core.threads: expected at most 32 x core.warps (256), found 257");
  EXPECT_EQ(load_error("core: {warps: 8, threads: 256}"), "no error");
}

TEST(ConfigLoader, OptionErrorsNameTheOption) {
  EXPECT_EQ(error_of_set("core.sms=0"),
            "--set core.sms=0: core.sms: expected a whole number from 1 to 256, found '0'");
  EXPECT_EQ(error_of_set("core.smss=4"),
            "--set core.smss=4: unknown key 'core.smss'; did you mean 'core.sms'?");
  EXPECT_EQ(error_of_set("core.sms"), "--set core.sms: expected KEY=VALUE");
}

TEST(ConfigLoader, OptionOverridesFile) {
  ConfigLoader loader;
  loader.read_text("core: {sms: 2}", "gpu.yaml");
  loader.set("core.sms=3");
  const LoadedConfig loaded = loader.finish();
  EXPECT_EQ(loaded.config.core.sms, 3U);
  EXPECT_EQ(loaded.origins.at("core.sms"), "--set core.sms=3");
}

class ConfigFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("heddle-config-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::filesystem::path folder_;
};

TEST_F(ConfigFiles, BaseIsAppliedFirst) {
  write("base.yaml", "core: {sms: 2, warps: 32, threads: 1024}\n");
  const std::string file = write("derived.yaml", "base: base.yaml\ncore: {sms: 5}\n");
  const LoadedConfig loaded = load_config(file, {});
  EXPECT_EQ(loaded.config.core.sms, 5U);
  EXPECT_EQ(loaded.config.core.warps, 32U);
  EXPECT_EQ(loaded.file, file);
  EXPECT_EQ(loaded.origins.at("core.warps"), (folder_ / "base.yaml").string() + ":1:23");
}

TEST_F(ConfigFiles, MissingBaseNamesTheFile) {
  const std::string file = write("derived.yaml", "base: none.yaml\n");
  EXPECT_THROW(
      {
        try {
          load_config(file, {});
        } catch (const ConfigError& error) {
          EXPECT_EQ(std::string(error.what()), file + ":1:7: base: " + (folder_ / "none.yaml").string() +
                                                   ": can't be read: No such file or directory");
          throw;
        }
      },
      ConfigError);
}

TEST_F(ConfigFiles, FileThatBuildsOnItselfIsAnError) {
  const std::string file = write("loop.yaml", "base: loop.yaml\n");
  EXPECT_THROW(load_config(file, {}), ConfigError);
}

TEST_F(ConfigFiles, UnreadableFileNamesThePath) {
  const std::string missing = (folder_ / "missing.yaml").string();
  try {
    load_config(missing, {});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()), missing + ": can't be read: No such file or directory");
  }
}

TEST(ShippedConfigs, Gtx480RestatesTheDefaults) {
  const LoadedConfig loaded = load_config(test::source_dir() + "/configs/gtx480.yaml", {});
  EXPECT_EQ(loaded.config.name, "gtx480");
  for (const char* path : {"core.sms", "clock.dram_mhz", "dram.t_rcd_cycles", "l1d.mshr.entries"}) {
    EXPECT_EQ(loaded.origins.count(path), 1U) << path;
  }
}

}  // namespace
}  // namespace heddle
