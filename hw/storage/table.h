#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/pricing/bits.h"
#include "hw/pricing/part.h"

namespace heddle::hw {

enum class Replacement : std::uint8_t {
  kLru,
  kFifo,
};

/// A named part of an entry.
struct TableField {
  std::string name;
  unsigned bits = 1;                    ///< 1 to 64
  Overflow overflow = Overflow::kWrap;  ///< of written values
};

struct TableShape {
  unsigned sets = 1;      ///< 1: fully associative (a CAM)
  unsigned ways = 1;      ///< 1: direct-mapped
  unsigned tag_bits = 0;  ///< 0 only without associativity: an array that is indexed, nothing to compare
  std::vector<TableField> fields;
  Replacement replacement = Replacement::kLru;
  unsigned lookup_ports = 1;  ///< lookups per cycle, each reads the tags of a set
  unsigned read_ports = 1;    ///< entries whose fields are read, per cycle
  unsigned write_ports = 1;   ///< entries written (fields, insertion), per cycle
  StorageKind storage =
      StorageKind::kFlipFlops;  ///< kFlipFlops or kRam; 1 set of many ways is reported as CAM

  static TableShape direct(unsigned entries, std::vector<TableField> fields, unsigned tag_bits = 0);
  static TableShape set_associative(unsigned sets, unsigned ways, unsigned tag_bits,
                                    std::vector<TableField> fields);
  static TableShape cam(unsigned entries, unsigned tag_bits, std::vector<TableField> fields);
};

/// A table of entries with a tag and named fields, direct-mapped, set-associative or fully associative.
/// Entries are named by line = set * ways + way. Fields are named by their position in the shape; the fields
/// of one line are read or written together by one port in a cycle, so that several calls for a line in a
/// cycle take one port. To write one field twice in a cycle is a port conflict, whatever the ports.
class Table final : public Part {
 public:
  static constexpr unsigned kNoLine = ~0U;

  /// Throws std::invalid_argument for sizes outside their ranges (sets, ways 1 to 1024; sets of an array
  /// without tags up to 2^20).
  Table(const Owner& owner, std::string_view name, TableShape shape, PaperCount paper = PaperCount::kNot);

  unsigned lines() const { return shape_.sets * shape_.ways; }
  bool valid(unsigned line) const { return valid_[line] != 0; }
  std::uint64_t tag(unsigned line) const { return tags_[line]; }

  /// The valid line of `set` with this tag, or kNoLine; does not change the replacement order.
  unsigned lookup(Cycle cycle, unsigned set, std::uint64_t tag);
  /// So many lookups in ideal timing, in sets of which it is known that they do not hold the tag.
  void count_vain_lookups(std::uint64_t lookups) {
    activity_.reads += lookups;
    activity_.compares += lookups * shape_.ways;
  }
  /// Makes `line` the most recently used of its set. Nothing under FIFO.
  void touch(unsigned line);
  /// The line of `set` that insert() would use: the first invalid one, otherwise by the replacement order.
  unsigned victim(unsigned set) const;
  /// Gives victim(set), or `line`, to `tag`; all fields become 0. Returns the line.
  unsigned insert(Cycle cycle, unsigned set, std::uint64_t tag);
  void insert_at(Cycle cycle, unsigned line, std::uint64_t tag);
  /// Drops a line: clears its valid bit.
  void invalidate(unsigned line);
  /// Drops all lines: clears all valid bits at once.
  void clear();

  std::uint64_t read(Cycle cycle, unsigned line, unsigned field);
  void write(Cycle cycle, unsigned line, unsigned field, std::uint64_t value);
  /// Sets a field from outside of simulated time: no port, no count.
  void preset(unsigned line, unsigned field, std::uint64_t value) {
    values_[line * fields_ + field] = value & low_bits(shape_.fields[field].bits);
  }
  /// The flip-flops of a field: no port, no count, for inspection and for logic that is priced elsewhere.
  std::uint64_t value(unsigned line, unsigned field) const { return values_[line * fields_ + field]; }

  Structure structure() const override;
  /// From a lookup of a table that is one set to the order of its replacement: whether the tag is there, and
  /// the ranks behind that of the line which becomes the youngest.
  TimingPath touch_path() const;
  /// Valid bit, tag and fields of every line.
  void trace(WaveSink& sink) const override;

 private:
  /// The line that a port works on, and when: further fields of it are free in that cycle.
  struct Claim {
    Cycle cycle = ~Cycle{0};
    unsigned line = kNoLine;
    std::uint64_t written = 0;  ///< fields, a bit each
  };
  /// The claim, and whether it was there.
  static std::pair<Claim*, bool> claim(std::vector<Claim>& claims, std::size_t& next, Cycle cycle,
                                       unsigned line);
  unsigned rank_bits() const;
  unsigned set_of(unsigned line) const { return line / shape_.ways; }

  TableShape shape_;
  unsigned fields_;
  std::vector<std::uint64_t> valid_;
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> rank_;  ///< per line: 0 is the next to be replaced of its set
  Ports lookup_ports_;
  Ports read_ports_;
  Ports write_ports_;
  std::vector<Claim> read_claims_;
  std::vector<Claim> write_claims_;
  std::size_t next_read_ = 0;
  std::size_t next_write_ = 0;
};

}  // namespace heddle::hw
