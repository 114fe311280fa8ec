#pragma once

#include <string>

namespace heddle {

/// A workload as the command line names it, "atax" or "atax:large".
struct SizedWorkload {
  std::string workload;  ///< path or name
  std::string size;      ///< "" = not given

  /// A file whose name is all of `text` comes first, colon and all.
  static SizedWorkload of(const std::string& text);

  /// "atax:large", of a path the file's name without folder and extension.
  std::string name() const;
};

}  // namespace heddle
