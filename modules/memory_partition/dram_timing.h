#pragma once

#include "modules/config/gpu_config.h"
#include "modules/messages/memory_request.h"

namespace heddle {

/// DRAM timing rules in command clocks, with the derived ones (gtx480.md, "DRAM"). "a to b" is the least
/// distance between two commands: b is legal at exactly that many clocks after a.
struct DramTiming {
  unsigned atom_bytes;  ///< moved by one column command
  unsigned bursts_per_access;
  unsigned sectors_per_access;
  unsigned sectors_per_write;  ///< those of an atom within a line, at least one
  unsigned bursts_per_write;
  unsigned burst_cycles;                    ///< data bus time of one column command
  unsigned column_to_column;                ///< any two column commands: tCCD, never less than a burst
  unsigned column_to_column_same_group;     ///< tCCDL
  unsigned activate_to_activate;            ///< different banks: tRRD
  unsigned activate_to_activate_same_bank;  ///< tRC
  unsigned activate_to_read;                ///< tRCD
  unsigned activate_to_write;               ///< tRCDWR
  unsigned activate_to_precharge;           ///< tRAS
  unsigned precharge_to_activate;           ///< tRP
  unsigned read_to_precharge;               ///< tRTPL
  unsigned write_to_precharge;              ///< write data and recovery: tWL + burst + tWR
  unsigned read_to_write;                   ///< bus turnaround: tCL + burst + 2 - tWL
  unsigned write_to_read;                   ///< tWL + burst + tCDLR
  unsigned read_latency;                    ///< command to the end of the last data beat: tCL + burst
  unsigned write_latency;                   ///< tWL + burst

  /// Throws std::invalid_argument naming the key when a width, length or rate is 0.
  explicit DramTiming(const DramConfig& config);

  /// Accesses that read the sectors `mask` of a line: every one moves dram.access_bytes and takes whole
  /// atoms, so sector reads waste half an atom unless accesses are as large as atoms.
  unsigned read_accesses(unsigned sector_mask) const { return groups(sector_mask, sectors_per_access); }
  /// Column commands that write the sectors `mask` of a line, one for each atom with such a sector. A
  /// write-back hands over a line's dirty sectors together, as one access.
  unsigned write_bursts(unsigned sector_mask) const {
    return groups(sector_mask, sectors_per_write) * bursts_per_write;
  }

 private:
  /// Groups of `sectors` neighbours that `mask` touches.
  static unsigned groups(unsigned mask, unsigned sectors);
};

}  // namespace heddle
