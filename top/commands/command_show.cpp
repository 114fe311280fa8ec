#include <fmt/format.h>

#include "top/commands/commands.h"
#include "top/config/config_print.h"
#include "top/config/config_schema.h"
#include "top/options/command_config.h"
#include "top/text/table.h"

namespace heddle {

namespace {

/// As a configuration file has it, for people; else as JSON has it, of a choice its name.
Table::Cell value_of(const ConfigKey& key, const GpuConfig& config, OutputFormat format) {
  const ConfigValue value = key.get(config);
  if (format == OutputFormat::kMarkdown || key.kind == ConfigKey::Kind::kChoice) return key.format(value);
  return std::visit([](const auto& held) { return Table::Cell(held); }, value);
}

Table key_table(const GpuConfig& config, OutputFormat format) {
  using Column = TableColumn;
  Table table({{"key", "key", Column::Kind::kText, Column::Rank::kKey},
               {"value", "value", Column::Kind::kText, Column::Rank::kKey},
               {"unit", "unit"},
               {"default", "default"},
               {"range", "range"},
               {"description", "meaning"}});
  const GpuConfig defaults;
  for (const ConfigKey& key : config_schema()) {
    table.add({key.path, value_of(key, config, format), key.unit, value_of(key, defaults, format),
               key.range(), key.description});
  }
  return table;
}

}  // namespace

ExitCode show_command(const ShowOptions& options) {
  const LoadedConfig loaded = load_command_config(options.config);
  if (options.format == OutputFormat::kText) {
    fmt::print("{}", print_config(loaded, {options.describe}));
  } else {
    fmt::print("{}", key_table(loaded.config, options.format).print(options.format));
  }
  return ExitCode::kOk;
}

}  // namespace heddle
