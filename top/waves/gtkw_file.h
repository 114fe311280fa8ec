#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "top/waves/wave_recorder.h"

namespace heddle {

/// A GTKWave save file for a VCD file of `signals`: a group per block, numbers in decimal, masks in
/// hexadecimal, enumerations by the names of their values.
struct GtkwFile {
  std::string text;
  /// Files that it refers to: contents by name in the VCD's folder, one for each list of value names.
  std::map<std::string, std::string> filters;
};

/// `folder` is where the files will stand (absolute), `stem` the VCD's name without ".vcd", `start` the time
/// at the viewer's left edge, in units of the VCD's time.
GtkwFile make_gtkw(const std::vector<WaveSignal>& signals, const std::string& folder, const std::string& stem,
                   std::uint64_t start);

/// Removes from `folder` the filters that an earlier run wrote for `stem` and `file` does not have: files
/// called STEM-SIGNAL-NUMBER.txt that hold numbered names and no more. Files that can't be removed stay.
void remove_stale_filters(const GtkwFile& file, const std::string& folder, const std::string& stem);

}  // namespace heddle
