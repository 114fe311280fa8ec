// The pages in docs/ name every configuration key, metric and signal that there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <systemc>

#include "modules/warp_scheduler/policy_registry.h"
#include "sc_tests/support/paths.h"
#include "top/config/config_schema.h"
#include "top/energy/energy_metrics.h"
#include "top/machine/gpu.h"
#include "top/machine/stat_registry.h"
#include "top/options/options.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/support/processes/exit_code.h"
#include "top/support/project_files.h"

namespace heddle {
namespace {

std::string page(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(test::source_dir() + "/docs/" + name).rdbuf();
  return text.str();
}

/// Names in code style, as patterns: <anything> stands for a part of a name.
std::vector<std::regex> documented_names(const std::string& text) {
  std::vector<std::regex> names;
  const std::regex quoted("`([a-z][a-z0-9_.<> N]*)`");
  for (auto match = std::sregex_iterator(text.begin(), text.end(), quoted); match != std::sregex_iterator();
       ++match) {
    const std::string name = std::regex_replace((*match)[1].str(), std::regex("\\."), "\\.");
    names.emplace_back(std::regex_replace(name, std::regex("<[^>]*>"), "[a-z0-9_]+"));
  }
  return names;
}

bool is_documented(const std::vector<std::regex>& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(),
                     [&name](const std::regex& pattern) { return std::regex_match(name, pattern); });
}

TEST(Documentation, GivesEveryConfigurationKeyWithDefaultRangeAndUnit) {
  const std::string text = page("configuration.md");
  const GpuConfig defaults;
  for (const ConfigKey& key : config_schema()) {
    const auto section_of = [&key](const char* policy) {
      return key.path.rfind(std::string("scheduler.") + policy, 0) == 0;
    };
    if (section_of("sticky.") || section_of("late.")) continue;  // registered by other tests of this program
    const std::string row = "| `" + key.path + "` | " + key.format(defaults) + " | " + key.range() + " | " +
                            key.unit + " | " + key.description + " |\n";
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

TEST(Documentation, DefinesEveryMetric) {
  const auto names = documented_names(page("statistics.md"));
  for (const DerivedMetric& metric : derived_metrics()) {
    EXPECT_TRUE(is_documented(names, metric.name)) << metric.name;
  }
  const Gpu gpu("gpu", GpuConfig{});
  StatRegistry registry;
  registry.begin();
  gpu.report(registry);
  registry.end();
  const EnergyTable table = load_energy_table(ProjectFiles().energy_table("gf100"));
  const EnergyAccount account = energy_of_gpu(
      table, [](const std::string&) { return 0; }, 0, gpu.config());
  for (const EnergyMetric& metric : energy_metrics(account)) {
    EXPECT_TRUE(is_documented(names, metric.name)) << metric.name;
  }
  for (const Metric& metric : registry.total_metrics()) {
    EXPECT_TRUE(is_documented(names, metric.full_name())) << metric.full_name();
  }
}

TEST(Documentation, CommandLinePageNamesEveryOption) {
  const std::string text = page("command-line.md");
  std::string help;
  for (const char* command : {"run", "cost", "compare", "sweep", "report"}) {
    help += parse_command_line({command, "--help"}).help;
  }
  const std::regex option("--[a-z][a-z-]+");
  for (auto match = std::sregex_iterator(help.begin(), help.end(), option); match != std::sregex_iterator();
       ++match) {
    EXPECT_NE(text.find(match->str()), std::string::npos) << match->str();
  }
}

TEST(Documentation, CommandLinePageAndHelpGiveEveryExitCode) {
  const std::string text = page("command-line.md");
  const std::string help = parse_command_line({"--help"}).help;
  for (const ExitCode code :
       {ExitCode::kOk, ExitCode::kCheckFailed, ExitCode::kUsage, ExitCode::kBadInput, ExitCode::kProgramFault,
        ExitCode::kDeadlock, ExitCode::kNoOutput, ExitCode::kCycleLimit, ExitCode::kUnpriced,
        ExitCode::kOutOfMemory, ExitCode::kMemoryLimit, ExitCode::kTimeLimit, ExitCode::kPolicyDeadlock,
        ExitCode::kTwinDiffers, ExitCode::kInternal, ExitCode::kInterrupted}) {
    const std::string number = std::to_string(static_cast<int>(code));
    EXPECT_NE(text.find("\n| " + number + " | "), std::string::npos) << number;
    EXPECT_NE(help.find("\n  " + number + " "), std::string::npos) << number;
  }
}

TEST(Documentation, TheIndexOfSchedulersNamesEveryOneWithItsPage) {
  const std::string text = page("schedulers.md");
  const auto check = [&text](const std::string& name) {
    const std::regex row("\\| \\[`" + name + "`\\]\\(((schedulers/)?[a-z_]+\\.md)\\) \\|");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(text, match, row)) << name << " is not in the index";
    const std::string file = match[2].matched ? match[1].str() : "schedulers/" + match[1].str();
    EXPECT_NE(page(file).find("`" + name + "`"), std::string::npos) << file << " does not name " << name;
  };
  // Those of tests in this program are described as such.
  const auto shipped = [](const auto& entry) {
    return std::string(entry.description).find("test") == std::string::npos;
  };
  unsigned named = 0;
  for (const PrioritizerEntry* entry : prioritizers()) {
    if (!shipped(*entry)) continue;
    check(entry->name);
    ++named;
  }
  for (const QualifierEntry* entry : qualifiers()) {
    if (!shipped(*entry)) continue;
    check(entry->name);
    ++named;
  }
  EXPECT_EQ(named, 17U);
}

}  // namespace
}  // namespace heddle
