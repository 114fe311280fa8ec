#include "top/config/config_schema.h"

#include <gtest/gtest.h>

#include <set>

#include "top/config/config_loader.h"
#include "top/config/config_print.h"

namespace heddle {
namespace {

/// A value of the key other than its default.
ConfigValue another_value(const ConfigKey& key, const ConfigValue& value) {
  switch (key.kind) {
    case ConfigKey::Kind::kFlag:
      return !std::get<bool>(value);
    case ConfigKey::Kind::kReal:
      return std::get<double>(value) + 0.3;
    case ConfigKey::Kind::kScheduler:
    case ConfigKey::Kind::kText:
      return std::get<std::string>(value) + "_2";
    case ConfigKey::Kind::kName:
      return key.choices.front() == std::get<std::string>(value) ? key.choices.back() : key.choices.front();
    case ConfigKey::Kind::kChoice:
      return (std::get<std::uint64_t>(value) + 1) % key.choices.size();
    case ConfigKey::Kind::kPowerOfTwo: {
      const auto whole = std::get<std::uint64_t>(value);
      return static_cast<double>(2 * whole) <= key.high ? 2 * whole : whole / 2;
    }
    default: {
      const auto whole = std::get<std::uint64_t>(value);
      return static_cast<double>(whole) < key.high ? whole + 1 : whole - 1;
    }
  }
}

TEST(ConfigSchema, PathsAreUnique) {
  std::set<std::string> paths;
  for (const ConfigKey& key : config_schema()) {
    EXPECT_TRUE(paths.insert(key.path).second) << key.path;
    EXPECT_FALSE(key.description.empty()) << key.path;
  }
}

TEST(ConfigSchema, DefaultsAreInRange) {
  const GpuConfig defaults;
  for (const ConfigKey& key : config_schema()) {
    const auto parsed = key.parse(key.format(defaults));
    ASSERT_TRUE(parsed.has_value()) << key.path << " " << key.format(defaults) << ": " << key.expected();
    EXPECT_EQ(*parsed, key.get(defaults)) << key.path;
  }
}

TEST(ConfigSchema, EachKeyReachesAMemberOfItsOwn) {
  const GpuConfig defaults;
  for (const ConfigKey& changed : config_schema()) {
    GpuConfig config;
    const ConfigValue value = another_value(changed, changed.get(defaults));
    changed.set(config, value);
    for (const ConfigKey& key : config_schema()) {
      EXPECT_EQ(key.get(config), &key == &changed ? value : key.get(defaults))
          << changed.path << " changes " << key.path;
    }
  }
}

TEST(ConfigSchema, DefaultsAreTheReferenceMachine) {
  const GpuConfig defaults;
  EXPECT_EQ(find_config_key("core.sms")->format(defaults), "15");
  EXPECT_EQ(find_config_key("l1d.mshr.entries")->format(defaults), "64");
  EXPECT_EQ(find_config_key("dram.t_rcd_cycles")->format(defaults), "12");
  EXPECT_EQ(find_config_key("execution.fp32_mad.latency_cycles")->format(defaults), "5");
  EXPECT_EQ(find_config_key("execution.fp64_div.initiation_cycles")->format(defaults), "130");
  EXPECT_EQ(find_config_key("l1d.cache.set_index")->format(defaults), "hashed");
  EXPECT_EQ(find_config_key("dram.scheduling")->format(defaults), "fr_fcfs");
  EXPECT_EQ(find_config_key("core.smss"), nullptr);
}

TEST(ConfigSchema, DefaultsFitEachOther) { EXPECT_NO_THROW(load_config("", {})); }

TEST(ConfigPrint, EveryKeyIsReadBack) {
  ConfigLoader loader;
  LoadedConfig changed;
  for (const ConfigKey& key : config_schema()) {
    if (key.kind == ConfigKey::Kind::kPowerOfTwo && key.low == key.high) continue;  // has no other value
    key.set(changed.config, another_value(key, key.get(GpuConfig{})));
  }
  const std::string text = print_config(changed, {true});
  // Changed at random, the values need not fit each other: read without the checks across keys.
  GpuConfig read;
  ConfigLoader reader;
  reader.read_text(text, "printed.yaml");
  const LoadedConfig back = reader.loaded();
  for (const ConfigKey& key : config_schema()) {
    EXPECT_EQ(key.get(back.config), key.get(changed.config)) << key.path;
  }
}

TEST(ConfigPrint, MarksWhatDiffersFromTheDefaults) {
  const std::string text = print_config(load_config("", {"core.sms=4", "core.warps=48"}));
  EXPECT_NE(text.find("\n  sms: 4  # default: 15\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  warps: 48\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("# default"), text.rfind("# default"));
}

TEST(ConfigPrint, DescriptionsGiveUnitAndRange) {
  const std::string text = print_config(load_config("", {}), {true});
  EXPECT_NE(text.find("  # Streaming multiprocessors (SMs, 1 to 256)\n  sms: 15\n"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace heddle
