#include "top/commands/run/run_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "top/support/output/atomic_file.h"
#include "top/waves/fst_check.h"
#include "top/waves/fst_file.h"
#include "top/waves/gtkw_file.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr const char* kStem = "waves";

std::string converter_for(const RunOptions& options) {
  if (!options.record.waves.fst) return "";
  std::string converter = find_vcd2fst();
  if (converter.empty()) {
    throw UsageError(
        "heddle run: --fst: vcd2fst is not on the PATH; it comes with GTKWave (Debian package gtkwave)");
  }
  return converter;
}

/// The core's clock, and those of the other signals.
std::vector<WaveClock> clocks_of(const Gpu& gpu, const std::vector<WaveSignal>& signals) {
  std::vector<WaveClock> clocks;
  for (const Gpu::NamedClock& clock : gpu.clocks()) {
    const bool shown = clocks.empty() ||
                       std::any_of(signals.begin(), signals.end(),
                                   [&](const WaveSignal& s) { return gpu.clock_of(s.scope) == clock.name; });
    if (shown) clocks.push_back({clock.name, clock.domain->period_ticks()});
  }
  return clocks;
}

}  // namespace

RunWaves::RunWaves(Gpu& gpu, const RunOptions& options, const std::string& folder)
    : folder_(folder),
      converter_(converter_for(options)),
      shown_in_(fs::absolute(options.shown_in.empty() ? folder : options.shown_in).string()),
      from_(options.record.waves.window.from),
      recorder_(options.record.waves.scopes) {
  gpu.trace(recorder_);
  if (recorder_.signals().empty()) {
    std::string scopes;
    for (const std::string& scope : options.record.waves.scopes) {
      scopes += fmt::format("{}'{}'", scopes.empty() ? "" : ", ", scope);
    }
    throw UsageError(fmt::format(
        "heddle run: --vcd-scope: no signal matches {}; names are such as 'sm0.scheduler0.ready'", scopes));
  }
  clocks_ = clocks_of(gpu, recorder_.signals());
  window_.emplace("waves", path_of(".vcd"), recorder_.signals(), clocks_, options.record.waves.window,
                  gpu.clock_tree(), [&gpu](const std::string& scope) { return gpu.changers(scope); });
}

std::string RunWaves::path_of(const std::string& ending) const {
  return (fs::path(folder_) / (kStem + ending)).string();
}

void RunWaves::finish() {
  window_->close();
  if (!window_->started()) return;
  if (!converter_.empty()) {
    const std::string fst = path_of(".fst");
    // Absolute, as a folder's name may begin with what the converter takes for an option.
    convert_to_fst(converter_, fs::absolute(path_of(".vcd")).string(), fs::absolute(fst + ".tmp").string());
    if (!is_whole_fst(fst + ".tmp")) {
      std::remove((fst + ".tmp").c_str());
      throw OutputError(fmt::format("{}: can't write: {} has cut it off", fst, converter_));
    }
    if (std::rename((fst + ".tmp").c_str(), fst.c_str()) != 0) {
      throw OutputError(fmt::format("{}: can't write: {}", fst, std::strerror(errno)));
    }
  }
  write_file_atomically(path_of(".gtkw"), gtkw_text(clocks_, recorder_.signals(), shown_in_,
                                                    kStem + waves_ending(), kStem, from_));
}

std::string RunWaves::waves_ending() const { return converter_.empty() ? ".vcd" : ".fst"; }

std::vector<std::string> RunWaves::names() const {
  if (!window_->started()) return {};
  return {kStem + waves_ending(), std::string(kStem) + ".gtkw"};
}

}  // namespace heddle
