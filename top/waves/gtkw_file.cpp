#include "top/waves/gtkw_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace heddle {

namespace fs = std::filesystem;

namespace {

// GTKWave's trace flags (its analyzer.h): format, justification, group markers, file filter.
constexpr unsigned kHexadecimal = 0x2;
constexpr unsigned kDecimal = 0x4;
constexpr unsigned kBinary = 0x8;
constexpr unsigned kRightJustify = 0x20;
constexpr unsigned kBlank = 0x200;
constexpr unsigned kTranslated = 0x2000;
constexpr unsigned kGroupBegin = 0x800000;
constexpr unsigned kGroupEnd = 0x1000000;

/// GTKWave shows 2^-zoom / 200 time units (1 fs) per pixel: about 30 core cycles in a window.
constexpr double kZoom = -23.0;

/// sc_trace's own VCD writer puts every name below this scope.
constexpr const char* kVcdRoot = "SystemC.";

/// The name that GTKWave gives a VCD variable.
std::string trace_name(const WaveSignal& signal) {
  const std::string name = kVcdRoot + signal.full_name();
  return signal.bits == 1 ? name : fmt::format("{}[{}:0]", name, signal.bits - 1);
}

/// Counts are narrow and masks of warps wide: numbers in decimal, masks in hexadecimal, flags as a bit.
unsigned format_of(const WaveSignal& signal) {
  constexpr unsigned kWidestCount = 32;
  if (signal.bits == 1) {
    return kBinary;
  }
  return signal.bits <= kWidestCount ? kDecimal : kHexadecimal;
}

}  // namespace

GtkwFile make_gtkw(const std::vector<WaveSignal>& signals, const std::string& folder, const std::string& stem,
                   std::uint64_t start) {
  GtkwFile file;
  std::map<std::vector<std::string>, std::string> filter_of;
  file.text = fmt::format("[dumpfile] \"{0}/{1}.vcd\"\n[savefile] \"{0}/{1}.gtkw\"\n[timestart] {2}\n",
                          folder, stem, start);
  file.text += fmt::format("*{} {}\n[size] 1600 1000\n[signals_width] 260\n", kZoom, start);
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
    if (signal.values.empty()) {
      file.text += fmt::format("@{:x}\n", kRightJustify | format_of(signal));
    } else {
      const auto [entry, is_new] = filter_of.emplace(signal.values, "");
      if (is_new) {
        entry->second = fmt::format("{}-{}-{}.txt", stem, signal.name, file.filters.size());
        std::string& text = file.filters[entry->second];
        for (std::size_t value = 0; value < signal.values.size(); ++value) {
          text += fmt::format("{} {}\n", value, signal.values[value]);
        }
      }
      file.text +=
          fmt::format("@{:x}\n^1 {}/{}\n", kRightJustify | kDecimal | kTranslated, folder, entry->second);
    }
    file.text += trace_name(signal) + "\n";
  }
  end_group();
  return file;
}

namespace {

bool is_filter_name(const std::string& name, const std::string& stem) {
  static const std::string kEnd = ".txt";
  const std::size_t signal = stem.size() + 1;
  const std::size_t dash = name.rfind('-');
  if (name.size() < kEnd.size() || dash == std::string::npos || dash <= signal) return false;
  if (name.compare(0, signal, stem + "-") != 0) return false;
  if (name.compare(name.size() - kEnd.size(), kEnd.size(), kEnd) != 0) return false;
  const std::string number = name.substr(dash + 1, name.size() - kEnd.size() - dash - 1);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

/// Every line is its number and a name.
bool holds_numbered_names(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::size_t value = 0;
  for (; std::getline(file, line); ++value) {
    const std::string number = fmt::format("{} ", value);
    if (line.compare(0, number.size(), number) != 0) return false;
  }
  return value != 0;
}

}  // namespace

void remove_stale_filters(const GtkwFile& file, const std::string& folder, const std::string& stem) {
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (file.filters.count(name) != 0 || !is_filter_name(name, stem)) continue;
    if (!fs::is_regular_file(entry->symlink_status(ignored))) continue;
    if (holds_numbered_names(entry->path())) stale.push_back(entry->path());
  }
  for (const fs::path& path : stale) fs::remove(path, ignored);
}

}  // namespace heddle
