#pragma once

#include <array>
#include <cstdint>
#include <tlm>
#include <vector>

#include "modules/cache/tag_array.h"
#include "modules/config/gpu_config.h"
#include "modules/messages/memory_request.h"

namespace heddle {

/// What came of offering an access to the tags and MSHRs of an L2 slice.
enum class L2Result : std::uint8_t {
  kHit,   ///< done
  kWait,  ///< waits for sectors from DRAM
  // Refused, nothing changed:
  kLineReserved,  ///< every way of the set waits for a fill
  kMshrEntries,
  kMshrMerges,
  kMissQueue,  ///< no room for the fetch and the write-back that it causes
};

/// One access to a line.
struct L2Access {
  std::uint64_t address = 0;
  SectorMask touched = 0;
  SectorMask covered = 0;  ///< sectors of which a write replaces every byte
  bool reads = false;
  bool writes = false;                         ///< with reads: an atomic
  std::uint32_t filler = TagArray::kNoFiller;  ///< who asks, noted with the lines that it brings in
};

struct L2Outcome {
  L2Result result = L2Result::kHit;
  unsigned line = 0;
  SectorMask fetch = 0;                        ///< sectors to be fetched from DRAM
  std::uint64_t writeback_address = 0;         ///< line address
  SectorMask writeback = 0;                    ///< dirty sectors of the line that had to leave
  std::uint32_t filler = TagArray::kNoFiller;  ///< who had brought in the line that was found
  bool given = false;                          ///< the line was given, or is fetched for, who asks
};

/// Tags, sector states and MSHRs of an L2 slice, no timing (gtx480.md, "L2"): write-back, write-validate.
///
/// A write never fetches. A sector of which only a part was written is dirty, but can't be read before it has
/// been fetched, which the next read of it causes. An MSHR entry stands for a sector being fetched;
/// `mshr_merges` requests can wait for it, the first included. Since a line with a fetch under way keeps its
/// way, the entries of a line are kept with the way.
class L2Cache {
 public:
  struct Waiter {
    tlm::tlm_generic_payload* payload = nullptr;
    SectorMask touched = 0;
    SectorMask missing = 0;
    bool writes = false;
    bool fetched = false;  ///< its own fetch is among those it waits for
    Waiter* next = nullptr;
  };

  /// Throws std::invalid_argument naming the key for sizes that do not work.
  explicit L2Cache(const L2Config& config);

  /// `set_address` is the address that sets are indexed by. `free_misses` is the room of the miss queue; a
  /// fetch and a write-back take one place each. `payload` is handed back by fill() when the access waits.
  L2Outcome access(const L2Access& access, std::uint64_t set_address, unsigned free_misses,
                   tlm::tlm_generic_payload& payload);
  /// `sectors` of `line` have come. Moves the waiters that have everything now to the end of the list of
  /// completed ones, in the order in which they came.
  void fill(unsigned line, SectorMask sectors);
  Waiter* completed() const { return completed_.head; }
  /// The end of that list, or nullptr when it is empty.
  Waiter* last_completed() const { return completed_.head == nullptr ? nullptr : completed_.tail; }
  void pop_completed();

  /// All sectors can be read, without changing anything.
  bool holds(std::uint64_t address, std::uint64_t set_address, SectorMask sectors) const;
  /// Puts the whole line in, clean, dropping what it replaces; nothing happens when the set has no free way.
  /// Returns the line, or TagArray::kNoLine.
  unsigned install(std::uint64_t address, std::uint64_t set_address);

  /// Leaves the line as an access of `sectors` does in the end, dropping what it replaces; nothing happens
  /// when the line waits for sectors or the set has no free way. Returns the line, or TagArray::kNoLine.
  unsigned warm(std::uint64_t address, std::uint64_t set_address, SectorMask sectors, bool writes);

  unsigned mshr_entries_used() const { return entries_used_; }

 private:
  struct List {
    Waiter* head = nullptr;
    Waiter* tail = nullptr;
    void push(Waiter& waiter);
  };
  struct LineExtra {
    SectorMask partial = 0;  ///< written in part: valid and dirty in the tags, but unreadable
    std::array<std::uint8_t, kSectorsPerLine> waiting{};
    List waiters;
  };

  L2Outcome read(const L2Access& access, unsigned set, unsigned free_misses,
                 tlm::tlm_generic_payload& payload);
  L2Outcome write(const L2Access& access, unsigned set, unsigned free_misses);
  void mark_written(unsigned line, const L2Access& access);
  bool merges_full(unsigned line, SectorMask missing) const;
  void add_waiter(unsigned line, const L2Access& access, SectorMask missing, bool fetched,
                  tlm::tlm_generic_payload& payload);
  void complete(unsigned line, Waiter& waiter);

  TagArray tags_;
  unsigned entries_;
  unsigned merges_;
  unsigned entries_used_ = 0;
  std::vector<LineExtra> extra_;
  std::vector<Waiter> pool_;
  List unused_;
  List completed_;
};

}  // namespace heddle
