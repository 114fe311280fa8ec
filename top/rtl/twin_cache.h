#pragma once

#include <memory>
#include <string>

#include "top/rtl/twin_design.h"
#include "top/rtl/twin_library.h"
#include "top/rtl/twin_sources.h"

namespace heddle {

/// Verilated twins in a folder, by a fingerprint of the sources and of what is generated for a configuration:
/// each is built once, by verilator and the C++ compiler ($CXX, else c++). One that is there needs neither.
class TwinCache {
 public:
  /// `folder`: "" = $XDG_CACHE_HOME/heddle/rtl, or ~/.cache/heddle/rtl. `rtl_folder`: the sources.
  TwinCache(const std::string& folder, const std::string& rtl_folder);

  /// The twin of `design`, built unless it is there. Throws RtlError when a tool is missing or fails, or what
  /// is there is not what was built; OutputError when the folder can't be written; Stopped. Unless `quiet`
  /// stderr says that it is being built.
  std::unique_ptr<TwinLibrary> get(const TwinDesign& design, bool quiet);

  /// Whether get() has built something.
  bool built() const { return built_; }

 private:
  std::string key(const TwinDesign& design) const;
  void build(const TwinDesign& design, const std::string& final_folder);
  std::string runtime(const std::string& include_folder);

  std::string folder_;
  TwinSources sources_;
  bool built_ = false;
};

}  // namespace heddle
