#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace heddle {

struct SharedPolicyEntry;

/// What an SM's policy tells the policies of its kind on all SMs, its own included.
struct PolicyNote {
  const SharedPolicyEntry* policy = nullptr;
  unsigned sm = 0;            ///< who tells it
  std::uint64_t cycle = 0;    ///< core cycle at which it was posted
  std::uint64_t kind = 0;     ///< the policy's own
  std::uint64_t value = 0;    ///< likewise
  std::uint64_t read_at = 0;  ///< core cycle from which SMs can read it: the board's
};

/// The place for state of the whole GPU: notes that every SM reads in the same order. A note posted at cycle
/// t is read by all SMs at t + 1, or as much later as its way takes, asleep or not; notes of one cycle are
/// read in the order of their SMs, those of one SM in the order of posting. Where the first to decide decides
/// for all, the first note read is it.
class PolicyBoard {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  /// The way of a note to all SMs.
  struct Way {
    unsigned cycles = 1;       ///< from posting to reading, at least 1
    bool one_a_cycle = false;  ///< a note waits for those posted before it, and for lower SMs' of its cycle
  };

  /// Hears that notes were posted, and has to read them at its next edge.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual void notes_posted() = 0;
    /// Its own SM posts `note`, now.
    virtual void posts(const PolicyNote& /*note*/) {}
  };

  explicit PolicyBoard(unsigned sms) : PolicyBoard(sms, Way()) {}
  PolicyBoard(unsigned sms, Way way) : way_(way), readers_(sms, nullptr), next_(sms, 0), put_off_(sms) {}
  /// The SMs tick on several threads: what is posted at an edge is kept apart by SM until publish(), which
  /// must be called after them, at the same edge.
  void put_off() { puts_off_ = true; }
  void publish();
  /// `reader` reads for `sm` (< sms). An SM without a reader misses the notes.
  void attach(unsigned sm, Reader& reader) { readers_[sm] = &reader; }

  /// Cycles must not decrease.
  void post(const PolicyNote& note);
  /// Appends to `out` the notes that `sm` can read at `cycle` and has not read yet; returns the cycle at
  /// which it can read the next, or kNever.
  std::uint64_t read(unsigned sm, std::uint64_t cycle, std::vector<PolicyNote>& out);

 private:
  void enter(const PolicyNote& note);
  void tell_readers();
  void forget_read();

  Way way_;
  std::vector<Reader*> readers_;
  std::vector<std::size_t> next_;  ///< by SM: first note not read
  std::vector<PolicyNote> notes_;  ///< by cycle, then SM
  bool puts_off_ = false;
  std::vector<std::vector<PolicyNote>> put_off_;  ///< by SM
  std::atomic<bool> any_put_off_{false};          ///< some of them is not empty
};

/// A policy's own end of the board. Without a board (nothing runs) what is posted is dropped.
struct PolicyChannel {
  PolicyBoard* board = nullptr;
  const SharedPolicyEntry* policy = nullptr;
  unsigned sm = 0;

  void post(std::uint64_t cycle, std::uint64_t kind, std::uint64_t value) const {
    if (board != nullptr) board->post({policy, sm, cycle, kind, value});
  }
};

}  // namespace heddle
