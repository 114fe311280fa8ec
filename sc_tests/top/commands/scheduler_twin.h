// Twins of warp schedulers as an RTL engineer would write them: they know a policy by its page in docs and
// see nothing but signals of a file of waves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sc_tests/support/vcd_reader.h"

namespace heddle::test {

using Mask = std::uint64_t;

inline bool has(Mask mask, unsigned bit) { return (mask >> bit & 1U) != 0; }
inline std::vector<unsigned> bits_of(Mask mask) {
  std::vector<unsigned> bits;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if (has(mask, bit)) bits.push_back(bit);
  }
  return bits;
}

/// Signals "prefix0", "prefix1", ..
class Column {
 public:
  Column(const VcdReader& vcd, const std::string& prefix) : vcd_(vcd) {
    for (unsigned i = 0; vcd.has(prefix + std::to_string(i)); ++i) {
      handles_.push_back(vcd.find(prefix + std::to_string(i)));
    }
  }
  std::uint64_t operator[](unsigned i) const { return vcd_.value(handles_.at(i)); }
  unsigned size() const { return static_cast<unsigned>(handles_.size()); }

 private:
  const VcdReader& vcd_;
  std::vector<VcdReader::Handle> handles_;
};

/// Runs a twin beside an SM's waves: gives it the inputs of each cycle and holds its choices to the waves'.
///
/// A Twin has
///   begin_cycle()               what happened before the schedulers run
///   choose(scheduler, among)    the warp to issue, one of `among`, which is not empty; or none
///   issued(scheduler, warp)     it issued
///   end_cycle()                 what happened after they have run
class TwinBench {
 public:
  TwinBench(const std::string& waves, unsigned schedulers)
      : vcd(waves),
        age(vcd, "sm0.warps.age.entry"),
        tb_slot(vcd, "sm0.warps.tb_slot.entry"),
        tb_index(vcd, "sm0.tbs.index.entry"),
        tb_launch(vcd, "sm0.tbs.launch.entry"),
        tb_warps(vcd, "sm0.tbs.num_warps.entry"),
        first_(vcd.find("sm0.first_scheduler")) {
    for (unsigned s = 0; s < schedulers; ++s) {
      const std::string scope = "sm0.scheduler" + std::to_string(s) + ".";
      ports_.push_back({vcd.find(scope + "qualified"), vcd.find(scope + "stale"), vcd.find(scope + "flushed"),
                        vcd.find(scope + "selected"), vcd.find(scope + "selected_warp"),
                        vcd.find(scope + "issued"), vcd.find(scope + "issue_lanes")});
    }
  }

  unsigned schedulers() const { return static_cast<unsigned>(ports_.size()); }
  Mask signal(const std::string& name) const { return vcd.value(vcd.find("sm0." + name)); }
  Mask event(const std::string& name) const { return signal("events." + name); }
  unsigned lanes(unsigned scheduler) const {
    return static_cast<unsigned>(__builtin_popcountll(vcd.value(ports_[scheduler].lanes)));
  }
  /// Warps that started in this cycle, the oldest first.
  std::vector<unsigned> started() const {
    std::vector<unsigned> warps = bits_of(event("warp_start"));
    std::sort(warps.begin(), warps.end(), [this](unsigned a, unsigned b) { return age[a] < age[b]; });
    return warps;
  }

  template <class Twin>
  void run(Twin& twin) {
    while (difference.empty() && vcd.next()) {
      twin.begin_cycle();
      unsigned s = static_cast<unsigned>(vcd.value(first_));
      for (unsigned turn = 0; turn < schedulers(); ++turn, s = (s + 1) % schedulers()) run(twin, s);
      twin.end_cycle();
    }
  }

  VcdReader vcd;
  const Column age;
  const Column tb_slot;
  const Column tb_index;
  const Column tb_launch;
  const Column tb_warps;
  std::uint64_t contested = 0;  ///< cycles of a scheduler with several warps to choose from
  std::string difference;       ///< the first choice that was another one

 private:
  struct Ports {
    VcdReader::Handle qualified, stale, flushed, selected, selected_warp, issued, lanes;
  };

  template <class Twin>
  void run(Twin& twin, unsigned s) {
    const Ports& port = ports_[s];
    const Mask stale = vcd.value(port.stale);
    Mask among = vcd.value(port.qualified) | stale;
    contested += (among & (among - 1)) != 0;
    Mask flushed = 0;
    std::optional<unsigned> chosen;
    while (among != 0) {
      chosen = twin.choose(s, among);
      if (!chosen || !has(stale, *chosen)) break;
      flushed |= Mask{1} << *chosen;
      among &= ~flushed;
      chosen.reset();
    }
    const Mask one_hot = chosen ? Mask{1} << *chosen : 0;
    const bool same = vcd.value(port.issued) == (chosen ? 1U : 0U) && vcd.value(port.flushed) == flushed &&
                      vcd.value(port.selected) == one_hot &&
                      (!chosen || vcd.value(port.selected_warp) == *chosen);
    if (!same && difference.empty()) {
      difference = "cycle " + std::to_string(vcd.cycle()) + ", scheduler " + std::to_string(s) + ": chose " +
                   (chosen ? std::to_string(*chosen) : "none") + ", the waves show " +
                   (vcd.value(port.issued) != 0 ? std::to_string(vcd.value(port.selected_warp)) : "none");
    }
    if (!chosen) return;
    twin.issued(s, *chosen);
  }

  VcdReader::Handle first_;
  std::vector<Ports> ports_;
};

}  // namespace heddle::test
