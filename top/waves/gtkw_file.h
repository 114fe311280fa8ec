#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "top/waves/vcd_file.h"

namespace heddle {

/// The text of a GTKWave save file for a file of waves with `clocks` and `signals`: the clocks, then a group
/// per block, those of warp schedulers first. Numbers are in decimal, masks in hexadecimal, enumerations are
/// names; groups of arrays (registers of a part, rows of a table, columns of warps) are folded.
///
/// `folder` is where the files will stand (absolute), `waves` the name of the file of waves in it and `stem`
/// the save file's without ".gtkw"; `cycle` is at the viewer's left edge.
std::string gtkw_text(const std::vector<WaveClock>& clocks, const std::vector<WaveSignal>& signals,
                      const std::string& folder, const std::string& waves, const std::string& stem,
                      std::uint64_t cycle);

}  // namespace heddle
