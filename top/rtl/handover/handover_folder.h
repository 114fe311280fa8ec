#pragma once

#include <optional>
#include <string>

#include "top/rtl/twin_design.h"
#include "top/rtl/twin_sources.h"
#include "top/support/output/output_folder.h"

namespace heddle {

/// The folder that a twin is handed over in: all of it works without Heddle. docs/rtl-handover.md tells what
/// is where. It is made in a folder `unfinished` in it: until finish() an earlier handover stays as it is.
class HandoverFolder {
 public:
  /// Creates and locks it. Throws OutputError, also for a folder with something else in it.
  explicit HandoverFolder(const std::string& path);
  /// Without finish() or keep() nothing is left of what was written.
  ~HandoverFolder();
  HandoverFolder(const HandoverFolder&) = delete;
  HandoverFolder& operator=(const HandoverFolder&) = delete;

  /// While it is made.
  std::string path_of(const std::string& file) const;
  /// When it is finished.
  std::string final_path_of(const std::string& file) const { return folder_->path_of(file); }
  void write(const std::string& file, const std::string& text) const;

  /// The twin's SystemVerilog and what is generated for it, the testbench, the scripts for proofs and
  /// synthesis. Throws RtlError for a source that is not there.
  void write_sources(const TwinDesign& design, const TwinSources& sources) const;
  /// Puts everything in the place of an earlier handover, last the file that says so.
  void finish(const TwinDesign& design);
  /// What was written stays where it is, for who looks for a mistake: path_of("").
  void keep() { kept_ = true; }

 private:
  bool is_new_;                         ///< it was not there before
  std::optional<OutputFolder> folder_;  ///< until it is unlocked
  bool kept_ = false;
};

/// The run's results, in the folder.
constexpr const char* kHandoverRun = "run";

}  // namespace heddle
