#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "modules/config/gpu_config.h"
#include "modules/memory_partition/dram_policy.h"
#include "modules/memory_partition/dram_timing.h"

namespace heddle {

enum class RowCommand : std::uint8_t { kNone, kActivate, kPrecharge };

/// What one clock put on the command bus: at most one column and one row command.
struct DramCommands {
  DramRequest* column = nullptr;   ///< one burst of it
  DramRequest* row_for = nullptr;  ///< on whose behalf `row` was issued
  RowCommand row = RowCommand::kNone;
};

/// The banks of a channel and what may be issued to them when (gtx480.md, "DRAM"). Plain: the channel calls
/// step() at its clock edges; nothing can happen between cycles that next_step() leaves out.
///
/// A request is served in accesses: each sector or group of sectors of a read is one, a write is one. One
/// bank a clock is given its next access, the first in turn among those that have none. Then banks are looked
/// at in turn: the first that has a column command ready issues it; the first that has a row command ready
/// issues it too, unless a bank ahead of it has just issued the column command. The turn moves on by one with
/// each access given, and to the bank after that of a row command.
class DramController {
 public:
  static constexpr Cycle kNever = ~Cycle{0};
  static constexpr unsigned kMaxBanks = 64;
  static constexpr int kNoPush = -1;
  static constexpr int kAnyPush = std::numeric_limits<int>::max();

  struct Counts {
    std::uint64_t activates = 0, precharges = 0, read_bursts = 0, write_bursts = 0;
    /// Requests by what they found when their first command was issued: their row open, no row, another row.
    std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
  };

  /// Throws std::invalid_argument when banks or groups are not powers of two that divide, or over 64.
  explicit DramController(const DramConfig& config);

  /// Enters `request`, which must stay where it is until its last burst was issued. Call before step(now).
  void push(DramRequest& request);
  /// Issues the commands of cycle `now`; with `hold_reads` no read burst. At now + 1 a request is pushed only
  /// if at most `queued_for_push` accesses are queued by then (kNoPush: none): if not, the access that a bank
  /// is given in that cycle is known now and needs no step of its own.
  DramCommands step(Cycle now, bool hold_reads, int queued_for_push = kAnyPush);
  /// The earliest cycle after `now` at which a command can be issued, unless push() comes first.
  Cycle next_step(Cycle now) const { return next_check_ > now ? next_check_ : now + 1; }

  bool empty() const { return waiting_ == 0; }
  /// Requests whose last burst was not issued yet.
  unsigned waiting() const { return waiting_; }
  /// Accesses that no bank has been given at the beginning of cycle `now`, the present one or a later one.
  unsigned queued(Cycle now) const { return queued_ + (given_at_ >= now ? 1 : 0); }
  /// queued(), summed over the cycles from `since` + 1, which is later than the last step, to `until`.
  std::uint64_t queued_sum(Cycle since, Cycle until) const {
    const Cycle ahead = given_at_ < until ? given_at_ : until;
    return queued_ * (until - since) + (ahead > since ? ahead - since : 0);
  }
  const DramTiming& timing() const { return timing_; }
  const DramPolicy& policy() const { return *policy_; }
  const Counts& counts() const { return counts_; }
  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  bool row_open(unsigned bank) const { return banks_[bank].open; }
  std::uint64_t open_row(unsigned bank) const { return banks_[bank].row; }

 private:
  struct Bank {
    DramRequestList queue;
    DramRequest* current = nullptr;
    std::uint64_t row = 0;
    bool open = false;
    Cycle activate_from = 0;
    Cycle precharge_from = 0;
    Cycle read_from = 0;
    Cycle write_from = 0;
  };

  static std::uint64_t bit(unsigned bank) { return std::uint64_t{1} << bank; }
  /// One bank that has none gets its next access.
  void give_access();
  /// Notes which command `bank`'s request needs next.
  void classify(unsigned bank);
  /// Banks whose request has its row open and may move data: in order, and reads not held.
  std::uint64_t column_candidates(bool hold_reads) const;
  /// When the bank's column command is legal by the rules of bank and group; the channel's are apart.
  Cycle column_from(unsigned number) const {
    const Cycle group = group_column_from_[number & group_mask_];
    return own_from_[number] > group ? own_from_[number] : group;
  }
  Cycle read_column_from() const { return column_from_ > read_from_ ? column_from_ : read_from_; }
  Cycle write_column_from() const { return column_from_ > write_from_ ? column_from_ : write_from_; }
  /// Places (in_turn) of the first banks with a legal column and row command; kMaxBanks: none.
  unsigned column_place(Cycle now, bool hold_reads, unsigned from = 0) const;
  unsigned row_place(Cycle now, unsigned column_place) const;
  /// When the first of the commands that banks need next may be issued, from `soonest` on.
  Cycle earliest_command(bool hold_reads, Cycle soonest) const;
  void issue_column(unsigned number, Cycle now);
  void issue_row(unsigned number, Cycle now, DramCommands& commands);
  void count_start(DramRequest& request, std::uint64_t& as);
  /// Banks of `set` in their turn: bit i stands for bank (turn_ + i) mod banks.
  std::uint64_t in_turn(std::uint64_t set) const {
    return turn_ == 0 ? set : (set >> turn_ | set << (bank_mask_ + 1 - turn_)) & all_;
  }
  unsigned bank_at(unsigned place) const { return (turn_ + place) & bank_mask_; }

  DramTiming timing_;
  std::unique_ptr<DramPolicy> policy_;
  bool in_order_;
  unsigned group_mask_;
  unsigned bank_mask_;
  std::uint64_t all_;
  std::vector<Bank> banks_;
  std::vector<Cycle> group_column_from_;
  std::uint64_t free_with_work_ = 0;  ///< banks without an access, for which there is one
  /// Banks by the command that their request needs next.
  std::uint64_t reading_ = 0;
  std::uint64_t writing_ = 0;
  std::uint64_t activating_ = 0;
  std::uint64_t precharging_ = 0;
  std::array<Cycle, kMaxBanks> own_from_{};  ///< when it is legal by the rules of its bank alone
  unsigned turn_ = 0;
  unsigned waiting_ = 0;
  unsigned queued_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::uint64_t served_sequence_ = 0;  ///< in order: the request whose bursts may be issued
  Cycle column_from_ = 0;
  Cycle read_from_ = 0;
  Cycle write_from_ = 0;
  Cycle activate_from_ = 0;
  Cycle next_check_ = kNever;
  Cycle given_at_ = 0;  ///< the cycle to which the last access that was given ahead belongs
  bool reads_held_ = false;
  Counts counts_;
};

}  // namespace heddle
