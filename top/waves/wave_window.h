#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "tlm/clock_tree.h"
#include "tlm/clocked.h"
#include "top/support/cycle_window.h"
#include "top/waves/vcd_file.h"

namespace heddle {

/// Writes signals to a VCD file during a window of simulated time: the file is created when the window
/// begins and closed at its end, so that nothing is sampled outside of it. The value shown at the time of an
/// edge is the one that the blocks have left at it.
class WaveWindow : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(WaveWindow);

  /// In whose ticks the signals of a scope change; none: in any block's.
  using Changers = std::function<std::vector<const Clocked*>(const std::string& scope)>;

  /// `signals` change in ticks of blocks of `tree`. It, and their variables, must outlive this module.
  /// `clocks` as VcdFile's.
  WaveWindow(const sc_core::sc_module_name& name, const std::string& path,
             const std::vector<WaveSignal>& signals, std::vector<WaveClock> clocks, CycleWindow window,
             ClockTree& tree, const Changers& changers);

  /// Whether the window has begun, that is, whether there is a file.
  bool started() const { return started_; }
  /// Something could not be written: there will be no file.
  bool failed() const { return !problem_.empty() || (file_ && file_->failed()); }
  /// Ends the file now, if it is open. Throws OutputError when it could not be written.
  void close();

 private:
  void start_of_simulation() override;
  void open();
  /// Called after each edge of the tree.
  void look();
  void end();
  Ticks time_of(std::uint64_t cycle) const;
  std::vector<std::size_t> group(const std::vector<WaveSignal>& signals, const Changers& changers);
  void find_blocks();
  void watch(const Clocked& block, std::size_t group);
  void find_due(Ticks now);
  void sample(Ticks now);

  const std::vector<WaveClock> clocks_;
  const Ticks from_;  ///< the window's begin
  const Ticks to_;    ///< its end
  ClockTree& tree_;
  sc_core::sc_event event_;
  struct Group {
    std::vector<const Clocked*> blocks;      ///< they change in ticks of these
    const std::uint64_t* version;            ///< and only when this does; nullptr: that is not known
    std::uint64_t seen = ~std::uint64_t{0};  ///< version
    /// May have, since this was asked last.
    bool changed() {
      if (version == nullptr) return true;
      const bool other = *version != seen;
      seen = *version;
      return other;
    }
  };
  std::vector<Group> groups_;
  /// Groups of a word of a mask of all.
  struct GroupMask {
    std::size_t word;
    std::uint64_t groups;
  };
  /// Up to 64 blocks of a domain, a word of a mask of them.
  struct Watched {
    const ClockDomain* domain;
    std::size_t word;
    std::uint64_t blocks;  ///< a mask: those that may change something
    std::size_t first;     ///< in changed_by_
  };
  std::vector<Watched> watched_;
  std::vector<std::vector<GroupMask>> changed_by_;  ///< by block of watched_, 64 of each, what it may change
  std::vector<std::uint64_t> always_;  ///< a mask of the groups that are looked at after every edge
  std::vector<std::uint64_t> due_;     ///< likewise, after this edge
  std::optional<VcdFile> file_;
  bool started_ = false;
  std::string problem_;  ///< why there is no file
};

}  // namespace heddle
