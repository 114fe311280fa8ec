#include "sc_tests/fuzz/inputs/config_writer.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/config/config_loader.h"
#include "top/config/config_print.h"

namespace heddle::fuzz {

namespace {

/// What is printed of a loaded one is the same one.
Verdict run_config(std::string_view input) {
  return verdict_of([input] {
    ConfigLoader loader;
    loader.read_text(std::string(input), "input.yaml");
    const LoadedConfig loaded = loader.finish();
    const std::string printed = print_config(loaded);
    ConfigLoader again;
    try {
      again.read_text(printed, "printed.yaml");
      if (print_config(again.finish()) != printed) finding("the printed configuration is another one");
    } catch (const ConfigError& error) {
      finding(std::string("the printed configuration is refused: ") + error.what());
    }
  });
}

}  // namespace

Target config_target() {
  return {"config", "configuration files", 2048, &run_config, &write_config, &write_config_line};
}

}  // namespace heddle::fuzz
