#include "top/machine/gpu_builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "modules/warp_scheduler/policy_registry.h"
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
  EXPECT_EQ(build({"interconnect.flit_bytes=16", "interconnect.input_buffer_flits=4"}),
            "--set interconnect.input_buffer_flits=4: interconnect.input_buffer_flits: expected at least 12, "
            "the flits of the largest packet, found 4");
}

/// Of a file gpu.yaml with this text, and options.
std::string build_error(const std::string& text, const std::vector<std::string>& assignments = {}) {
  ConfigLoader loader;
  loader.read_text(text, "gpu.yaml");
  for (const std::string& assignment : assignments) loader.set(assignment);
  try {
    build_gpu(loader.finish());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Not where another key is set that the message names, or whose name is a part of it.
TEST(GpuBuilder, WhatABlockRefusesNamesThePlaceOfThatVeryKey) {
  EXPECT_EQ(build_error("name: channel\n"
                        "dram:\n"
                        "  banks: 4\n"
                        "l2:\n"
                        "  slices_per_channel: 8\n"),
            "gpu.yaml:5:23: l2.slices_per_channel: expected at most dram.banks (4), found 8");
  EXPECT_EQ(build_error("interconnect: {flit_bytes: 16, input_buffer_flits: 4}\n"),
            "gpu.yaml:1:52: interconnect.input_buffer_flits: expected at least 12, the flits of the largest "
            "packet, "
            "found 4");
  EXPECT_EQ(
      build_error("scheduler:\n"
                  "  name: ccws+gto\n"
                  "  ccws:\n"
                  "    vta_entries: 24\n"),
      "gpu.yaml:4:18: scheduler.ccws.vta_entries: expected a power of two times scheduler.ccws.vta_ways "
      "(8), found 24");
  EXPECT_EQ(build_error("scheduler:\n"
                        "  ipaws:\n"
                        "    greedy: gtx\n"
                        "  name: ipaws\n")
                .rfind("gpu.yaml:3:13: scheduler.ipaws.greedy: warp scheduler 'gtx': ", 0),
            0U);
  EXPECT_EQ(build_error("tb_dispatcher:\n  sampling_sm: 3\ncore:\n  sms: 2\n"),
            "gpu.yaml:2:16: tb_dispatcher.sampling_sm: expected less than core.sms (2), found 3");
}

TEST(GpuBuilder, WhatDoesNotFitADefaultNamesThePlaceOfTheOther) {
  // l2.slices_per_channel has its default, 2.
  EXPECT_EQ(build_error("dram:\n  bank_groups: 1\n  banks: 1\n"),
            "gpu.yaml:3:10: l2.slices_per_channel: expected at most dram.banks (1), found 2");
  EXPECT_EQ(
      build_error("scheduler: {name: oaws_dynamic, oaws: {cnt_max: 100}}\n"),
      "gpu.yaml:1:49: scheduler.oaws.cnt_start: expected at most scheduler.oaws.cnt_max (100), found 128");
}

TEST(GpuBuilder, AnOptionIsNamedInsteadOfTheFileThatItOverrides) {
  EXPECT_EQ(build_error("dram: {banks: 4}\nl2:\n  slices_per_channel: 2\n", {"l2.slices_per_channel=8"}),
            "--set l2.slices_per_channel=8: l2.slices_per_channel: expected at most dram.banks (4), found 8");
  EXPECT_EQ(build_error("l2:\n  slices_per_channel: 8\n", {"dram.banks=4"}),
            "gpu.yaml:2:23: l2.slices_per_channel: expected at most dram.banks (4), found 8");
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

/// Assignments that make the machine use what `key` sets: a scheduler with that parameter.
std::vector<std::vector<std::string>> users_of(const ConfigKey& key) {
  std::vector<std::vector<std::string>> users;
  const auto add = [&](const auto& entry, const std::string& rest) {
    if (entry.parameters == nullptr) return;
    if (key.path.rfind("scheduler." + entry.parameters->section() + ".", 0) != 0) return;
    users.push_back({"scheduler.name=" + std::string(entry.name) + rest});
  };
  for (const PrioritizerEntry* entry : prioritizers()) add(*entry, "");
  for (const QualifierEntry* entry : qualifiers()) add(*entry, "+lrr");
  if (users.empty()) users.emplace_back();
  return users;
}

TEST(GpuBuilder, EveryKeyAtItsLimitsIsBuiltOrRefused) {
  unsigned built = 0;
  for (const ConfigKey& key : config_schema()) {
    if (std::holds_alternative<std::string>(key.get(GpuConfig{}))) continue;
    std::vector<std::string> values = key.choices;
    if (key.kind == ConfigKey::Kind::kFlag) {
      values = {"false", "true"};
    } else if (key.choices.empty()) {
      values = {fmt::format("{:.0f}", key.low), fmt::format("{:.0f}", key.high)};
    }
    for (const std::string& value : values) {
      for (std::vector<std::string> assignments : users_of(key)) {
        assignments.push_back(key.path + "=" + value);
        const std::string message = build(assignments);
        built += message.empty() ? 1 : 0;
        EXPECT_TRUE(message.empty() || message.find("--set " + key.path + "=") == 0)
            << key.path << ": " << message;
      }
    }
  }
  EXPECT_GT(built, config_schema().size());
}

/// What an end of a key's range needs of others: those that bound it by theirs.
std::vector<std::string> companions_of(const std::string& assignment) {
  static const std::map<std::string, std::vector<std::string>> kCompanions{
      {"core.warps=1", {"core.threads=32", "core.tb_slots=1", "core.schedulers=1"}},
      {"core.threads=2048", {"core.warps=64"}},
      {"core.tb_slots=64", {"core.warps=64"}},
      {"tb_dispatcher.sampling_sm=255", {"core.sms=256"}},
      {"scheduler.pro.tb_comparators=16", {"core.tb_slots=32"}},
      {"scheduler.pro.warp_comparators=32", {"core.warps=64"}},
      {"scheduler.ccws.vta_entries=1", {"scheduler.ccws.vta_ways=1"}},
      {"scheduler.ccws.vta_ways=64", {"scheduler.ccws.vta_entries=64"}},
      {"scheduler.oaws.ocw_min=64", {"core.warps=64"}},
      {"scheduler.oaws.cnt_start=65535", {"scheduler.oaws.cnt_max=65535"}},
      {"scheduler.oaws.cnt_max=1", {"scheduler.oaws.cnt_start=0"}},
      {"scheduler.mascar.free_entries=1024", {"l1d.mshr.entries=1024"}},
      {"scheduler.mascar.free_queue=1024", {"l1d.mshr.miss_queue=1024"}},
      {"fetch.ibuffer_entries=1", {"fetch.fetch_bytes=8"}},
      {"fetch.fetch_bytes=64", {"fetch.ibuffer_entries=8"}},
      {"interconnect.flit_bytes=8", {"interconnect.header_bytes=0"}},
      {"interconnect.header_bytes=64", {"interconnect.flit_bytes=128"}},
      {"address_map.channel_interleave_bytes=65536", {"dram.row_bytes=65536"}},
      {"address_map.column_low_bits=10", {"address_map.channel_interleave_bytes=1024"}},
      {"dram.banks=1", {"dram.bank_groups=1", "l2.slices_per_channel=1"}},
      {"dram.bank_groups=64", {"dram.banks=64"}},
      {"dram.burst_length=1", {"dram.data_rate=1"}},
      {"dram.data_rate=16", {"dram.burst_length=16"}},
      {"dram.row_bytes=128", {"address_map.channel_interleave_bytes=128"}},
      {"dram.t_rc_cycles=1", {"dram.t_ras_cycles=1"}},
      {"dram.t_ras_cycles=1024", {"dram.t_rc_cycles=1024"}},
      {"dram.t_ccd_cycles=1024", {"dram.t_ccdl_cycles=1024"}},
      {"dram.t_ccdl_cycles=1", {"dram.t_ccd_cycles=1"}}};
  const auto found = kCompanions.find(assignment);
  return found == kCompanions.end() ? std::vector<std::string>{} : found->second;
}

// A range that promises what no machine can have is wrong in the pages that are made of it.
TEST(GpuBuilder, EachEndOfEachRangeIsBuiltWithSomeOtherValues) {
  for (const ConfigKey& key : config_schema()) {
    const bool number = key.kind == ConfigKey::Kind::kWhole || key.kind == ConfigKey::Kind::kPowerOfTwo ||
                        key.kind == ConfigKey::Kind::kReal;
    if (!number) continue;
    for (const double end : {key.low, key.high}) {
      const std::string assignment = fmt::format("{}={:.0f}", key.path, end);
      std::vector<std::string> assignments{"core.sms=1", "dram.channels=1"};
      const std::vector<std::vector<std::string>> users = users_of(key);
      for (const std::string& more : users.front()) assignments.push_back(more);
      for (const std::string& more : companions_of(assignment)) assignments.push_back(more);
      assignments.push_back(assignment);
      EXPECT_EQ(build(assignments), "") << assignment;
    }
  }
}

}  // namespace
}  // namespace heddle
