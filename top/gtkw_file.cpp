#include "top/gtkw_file.h"

#include <fmt/format.h>

namespace heddle {

namespace {

// GTKWave's trace flags (its analyzer.h): format, justification, group markers, file filter.
constexpr unsigned kDecimal = 0x4;
constexpr unsigned kBinary = 0x8;
constexpr unsigned kRightJustify = 0x20;
constexpr unsigned kBlank = 0x200;
constexpr unsigned kTranslated = 0x2000;
constexpr unsigned kGroupBegin = 0x800000;
constexpr unsigned kGroupEnd = 0x1000000;

/// sc_trace's own VCD writer puts every name below this scope.
constexpr const char* kVcdRoot = "SystemC.";

/// The name that GTKWave gives a VCD variable.
std::string trace_name(const WaveSignal& signal) {
  const std::string name = kVcdRoot + signal.full_name();
  return signal.bits == 1 ? name : fmt::format("{}[{}:0]", name, signal.bits - 1);
}

/// Wide masks (a bit per warp) read best as bits when they are few and as a number when they are counts; the
/// blocks give masks more than 16 bits.
bool is_mask(const WaveSignal& signal) { return signal.bits == 1 || signal.bits > 16; }

}  // namespace

GtkwFile make_gtkw(const std::vector<WaveSignal>& signals, const std::string& folder,
                   const std::string& stem) {
  GtkwFile file;
  std::map<std::vector<std::string>, std::string> filter_of;
  file.text = fmt::format("[dumpfile] \"{}/{}.vcd\"\n[savefile] \"{}/{}.gtkw\"\n[timestart] 0\n", folder,
                          stem, folder, stem);
  file.text += fmt::format("@{:x}\n{}core_cycle[63:0]\n", kDecimal | kRightJustify, kVcdRoot);
  const std::string* scope = nullptr;
  const auto end_group = [&] {
    if (scope != nullptr) {
      file.text += fmt::format("@{:x}\n-{}\n", kGroupEnd | kBlank, *scope);
    }
  };
  for (const WaveSignal& signal : signals) {
    if (scope == nullptr || *scope != signal.scope) {
      end_group();
      scope = &signal.scope;
      file.text += fmt::format("@{:x}\n-{}\n", kGroupBegin | kBlank, *scope);
    }
    unsigned flags = kRightJustify | (is_mask(signal) ? kBinary : kDecimal);
    if (!signal.values.empty()) {
      const auto [entry, is_new] = filter_of.emplace(signal.values, "");
      if (is_new) {
        entry->second = fmt::format("{}-{}-{}.txt", stem, signal.name, file.filters.size());
        std::string& text = file.filters[entry->second];
        for (std::size_t value = 0; value < signal.values.size(); ++value) {
          text += fmt::format("{} {}\n", value, signal.values[value]);
        }
      }
      flags = kRightJustify | kDecimal | kTranslated;
      file.text += fmt::format("@{:x}\n^{} {}/{}\n", flags, 1, folder, entry->second);
    } else {
      file.text += fmt::format("@{:x}\n", flags);
    }
    file.text += trace_name(signal) + "\n";
  }
  end_group();
  return file;
}

}  // namespace heddle
