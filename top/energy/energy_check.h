#pragma once

#include "top/energy/energy_table.h"
#include "top/machine/gpu.h"

namespace heddle {

/// Throws ConfigError, with the table's and the event's name, for the first count of the table that no block
/// of the GPU has: its event would cost nothing. Counts of a policy may be those of another one than the
/// GPU's, so that one table will do for all schedulers.
void check_energy_table(const EnergyTable& table, const Gpu& gpu);

}  // namespace heddle
