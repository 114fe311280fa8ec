#pragma once

#include <string>

namespace heddle {

/// Whether the FST file is there to its end: its blocks follow each other up to the file's end, the geometry
/// and the hierarchy, which are written last, among them. vcd2fst does not say when the disk is full.
bool is_whole_fst(const std::string& path);

}  // namespace heddle
