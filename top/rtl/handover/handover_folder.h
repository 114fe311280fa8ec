#pragma once

#include <string>

#include "top/rtl/twin_design.h"
#include "top/rtl/twin_sources.h"
#include "top/support/output/output_folder.h"

namespace heddle {

/// The folder that a twin is handed over in: all of it works without Heddle. docs/rtl-handover.md tells what
/// is where.
class HandoverFolder {
 public:
  /// Creates and locks it; removes what an earlier handover left. Throws OutputError, also for a folder with
  /// something else in it.
  explicit HandoverFolder(const std::string& path);

  std::string path_of(const std::string& file) const { return folder_.path_of(file); }
  void write(const std::string& file, const std::string& text) const;

  /// The twin's SystemVerilog and what is generated for it, the testbench, the scripts for proofs and
  /// synthesis. Throws RtlError for a source that is not there.
  void write_sources(const TwinDesign& design, const TwinSources& sources) const;
  /// The last file: it says that all the others are there.
  void finish(const TwinDesign& design) const;

 private:
  OutputFolder folder_;
};

/// The run's results, in the folder.
constexpr const char* kHandoverRun = "run";

}  // namespace heddle
