#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "top/machine/gpu.h"
#include "top/options/options.h"
#include "top/waves/wave_recorder.h"
#include "top/waves/wave_window.h"

namespace heddle {

/// The files of waves of a run: VCD or FST, and a GTKWave save file.
class RunWaves {
 public:
  /// The files go to `folder`. Throws UsageError when no signal is wanted, or a converter that is not there.
  RunWaves(Gpu& gpu, const RunOptions& options, const std::string& folder);

  /// What was to be written so far could not be.
  bool failed() const { return window_->failed(); }
  /// Closes the VCD, converts it if that is wanted, and writes the save file. Throws OutputError.
  void finish();
  /// "waves.vcd" and "waves.gtkw"; nothing when the run ended before the window.
  std::vector<std::string> names() const;

 private:
  std::string path_of(const std::string& ending) const;
  std::string waves_ending() const;

  const std::string folder_;
  const std::string converter_;  ///< to FST; "": none
  const std::string shown_in_;   ///< where who looks finds the files
  const std::uint64_t from_;     ///< first core cycle of the window
  WaveRecorder recorder_;
  std::vector<WaveClock> clocks_;
  std::optional<WaveWindow> window_;
};

}  // namespace heddle
