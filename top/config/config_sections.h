#pragma once

#include <vector>

#include "top/config/config_key.h"

/// The parts of the schema; config_schema() joins them.
namespace heddle::config {

void add_core_keys(std::vector<ConfigKey>& keys);
void add_execution_keys(std::vector<ConfigKey>& keys);
void add_memory_keys(std::vector<ConfigKey>& keys);
void add_dram_keys(std::vector<ConfigKey>& keys);

}  // namespace heddle::config
