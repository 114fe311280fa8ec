#include "top/machine/gpu_builder.h"

#include <stdexcept>

#include "modules/config/setting_error.h"
#include "top/config/config_origin.h"

namespace heddle {

std::unique_ptr<Gpu> build_gpu(const LoadedConfig& loaded, const GpuBuild& build, const std::string& name) {
  try {
    // `heddle check` builds several: the processes of those that are gone keep their names.
    return std::make_unique<Gpu>(sc_core::sc_gen_unique_name(name.c_str(), true), loaded.config, build);
  } catch (const SettingError& error) {
    throw ConfigError(origin_of(loaded, error.keys()) + error.what());
  } catch (const std::invalid_argument& error) {
    throw ConfigError(error.what());
  }
}

}  // namespace heddle
