#include "top/machine/gpu_builder.h"

#include <gtest/gtest.h>

#include "sc_tests/support/paths.h"
#include "top/config/config_schema.h"
#include "top/support/project_files.h"

namespace heddle {
namespace {

/// "" when the GPU was built, else the message of the ConfigError; anything else fails the test.
std::string build(const std::vector<std::string>& assignments, const std::string& file = "") {
  try {
    build_gpu(load_config(file, assignments));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(GpuBuilder, BuildsTheDefaults) { EXPECT_EQ(build({}), ""); }

TEST(GpuBuilder, WhatABlockRefusesNamesTheOption) {
  EXPECT_EQ(build({"l2.queue=1"}).find("--set l2.queue=1: l2.queue must hold the 4 sectors of a line"), 0U)
      << build({"l2.queue=1"});
}

TEST(GpuBuilder, BuildsButterfliesClustersAndOtherSizes) {
  EXPECT_EQ(build({"interconnect.topology=butterfly", "core.sms=30", "interconnect.sms_per_cluster=2",
                   "interconnect.latency_cycles=8"}),
            "");
  EXPECT_EQ(build({"core.sms=14", "dram.channels=3", "l2.slices_per_channel=1"}), "");
  EXPECT_EQ(build({"l1d.cache.line_bytes=64", "l1d.cache.ways=8", "l1d.allocate=on_fill"}), "");
}

TEST(GpuBuilder, BuildsEveryConfigurationOfTheProject) {
  const ProjectFiles files(test::source_dir());
  const std::vector<std::string> names = files.config_names();
  for (const std::string& name : names) {
    EXPECT_EQ(build({}, files.config(name)), "");
    EXPECT_EQ(load_config(files.config(name), {}).config.name, name);
  }
  EXPECT_GE(names.size(), 6U);
}

TEST(GpuBuilder, EveryKeyAtItsLimitsIsBuiltOrRefused) {
  unsigned built = 0;
  for (const ConfigKey& key : config_schema()) {
    if (key.kind == ConfigKey::Kind::kText || key.kind == ConfigKey::Kind::kName) {
      continue;
    }
    std::vector<std::string> values = key.choices;
    if (key.kind == ConfigKey::Kind::kFlag) {
      values = {"false", "true"};
    } else if (key.choices.empty()) {
      values = {key.range().substr(0, key.range().find(' ')), key.range().substr(key.range().rfind(' ') + 1)};
    }
    for (const std::string& value : values) {
      const std::string message = build({key.path + "=" + value});
      built += message.empty() ? 1 : 0;
      EXPECT_TRUE(message.empty() || message.find("--set " + key.path + "=") == 0)
          << key.path << ": " << message;
    }
  }
  EXPECT_GT(built, config_schema().size());
}

}  // namespace
}  // namespace heddle
