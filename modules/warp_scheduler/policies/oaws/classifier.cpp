#include "modules/warp_scheduler/policies/oaws/classifier.h"

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

namespace {

// OAWS 4.4: "40 bits for PC, 7 bits for #inst, 10 bits for #acc, and 10 bits for #set": 9 bytes.
constexpr unsigned kFieldBits[] = {7, 10, 10};

hw::TableShape table_shape(const OawsParameters& config, DivergentLoadClassifier::History history) {
  hw::TableShape shape = hw::TableShape::cam(config.dlc_entries, DivergentLoadClassifier::kPcBits, {});
  if (history == DivergentLoadClassifier::History::kKept) {
    shape.fields = {{"instances", kFieldBits[0]}, {"accesses", kFieldBits[1]}, {"sets", kFieldBits[2]}};
  }
  // In a cycle: a prediction asks, a load is coalesced, another leaves the L1D, of which a history is kept.
  // The last two read and write.
  shape.lookup_ports = shape.fields.empty() ? 2 : 3;
  shape.read_ports = shape.fields.empty() ? 0 : 2;
  shape.write_ports = shape.fields.empty() ? 1 : 2;
  return shape;
}

}  // namespace

DivergentLoadClassifier::DivergentLoadClassifier(const hw::Owner& owner, const OawsParameters& config,
                                                 History history)
    : keeps_history_(history == History::kKept),
      merges_(owner.timing == hw::Timing::kHardware),
      coherent_lines_(config.coherent_lines),
      table_(owner, "dlc", table_shape(config, history), hw::PaperCount::kBytes),
      threshold_(owner, "divergence_threshold",
                 {hw::index_bits(kWarpSize + 1), history == History::kKept ? 2U : 1U}) {
  owner.declare_path("classify", table_.touch_path());
  if (!keeps_history_) return;
  adder_ = std::make_unique<hw::Adder>(owner, "dlc_adders",
                                       hw::AdderShape{kFieldBits[kAccesses], hw::Overflow::kSaturate, 4});
  ratio_ =
      std::make_unique<hw::Comparator>(owner, "dlc_ratio", hw::ComparatorShape{kFieldBits[kAccesses] + 1});
  if (!merges_) return;
  constexpr unsigned kAllBits = kFieldBits[kInstances] + kFieldBits[kAccesses] + kFieldBits[kSets];
  full_ = std::make_unique<hw::Comparator>(owner, "dlc_full", hw::ComparatorShape{kFieldBits[kAccesses], 2});
  halving_ = std::make_unique<hw::Multiplexer>(owner, "dlc_halving", hw::MultiplexerShape{2, kAllBits, 2});
}

bool DivergentLoadClassifier::divergent(hw::Cycle cycle, std::uint64_t pc) {
  ++asked_;
  const bool known = table_.lookup(cycle, 0, pc) != hw::Table::kNoLine;
  known_ += known;
  return known;
}

bool DivergentLoadClassifier::record(hw::Cycle cycle, std::uint64_t pc, unsigned accesses) {
  unsigned line = table_.lookup(cycle, 0, pc);
  const bool known = line != hw::Table::kNoLine;
  if (known) {
    table_.touch(line);
  } else {
    replaced_ += table_.valid(table_.victim(0));
    ++inserted_;
    line = table_.insert(cycle, 0, pc);
    last_ = {};
    if (counted_.line == line) counted_.line = hw::Table::kNoLine;
  }
  if (keeps_history_) add(cycle, line, {1, accesses, 0});
  return !known;
}

bool DivergentLoadClassifier::record_sets(hw::Cycle cycle, std::uint64_t pc, unsigned sets) {
  count_sets(cycle, pc, sets);
  return sensitive(cycle);
}

void DivergentLoadClassifier::count_sets(hw::Cycle cycle, std::uint64_t pc, unsigned sets) {
  const unsigned line = table_.lookup(cycle, 0, pc);
  counted_ = {};
  if (!keeps_history_ || line == hw::Table::kNoLine) return;
  add(cycle, line, {0, 0, sets});
  counted_ = {cycle, line, true, table_.value(line, kAccesses), table_.value(line, kSets)};
}

bool DivergentLoadClassifier::sensitive(hw::Cycle cycle) {
  if (!counted_.known) return false;
  // A sum that saturates is not less than a count of the same width either.
  const std::uint64_t bound = adder_->add(cycle, counted_.sets, counted_.sets / 2);
  return ratio_->less(cycle, bound, counted_.accesses);
}

hw::TimingPath DivergentLoadClassifier::count_path() const {
  hw::TimingPath path = lookup_path();
  return path.through("entry read", hw::gates::one_hot_mux_fo4(table_.lines()))
      .through("too much", hw::gates::comparator_fo4(kFieldBits[kAccesses]))
      .through("halved", hw::gates::enable_fo4())
      .through("added", hw::gates::adder_fo4(kFieldBits[kAccesses], kFieldBits[kAccesses]))
      .through("written", hw::gates::enable_fo4());
}

void DivergentLoadClassifier::add(hw::Cycle cycle, unsigned line, const Amounts& amounts) {
  const Addition before = last_;
  // Another load counts at the entry in this cycle: both together, in front of the entry's port.
  const bool merged = merges_ && before.cycle == cycle && before.line == line;
  last_ = {cycle, line, {}, amounts, false};
  for (unsigned f = 0; f < kFields; ++f) {
    last_.old[f] = merged ? before.old[f] : table_.read(cycle, line, f);
    if (merged) last_.amounts[f] += before.amounts[f];
    last_.halved |= last_.old[f] + last_.amounts[f] > hw::low_bits(kFieldBits[f]);
  }
  for (unsigned f = 0; f < kFields; ++f) {
    if (last_.amounts[f] == 0 && !last_.halved) continue;
    const std::uint64_t kept = last_.halved ? last_.old[f] / 2 : last_.old[f];
    const bool written = merged && (before.amounts[f] != 0 || before.halved);
    const std::uint64_t sum =
        amounts[f] != 0 ? adder_->add(cycle, kept, last_.amounts[f]) : kept + last_.amounts[f];
    if (written) {
      table_.preset(line, f, sum);
    } else {
      table_.write(cycle, line, f, sum);
    }
  }
  if (counted_.line == line && counted_.cycle == cycle) {
    counted_.accesses = table_.value(line, kAccesses);
    counted_.sets = table_.value(line, kSets);
  }
}

std::uint64_t DivergentLoadClassifier::inspect(std::uint64_t pc, Field field) const {
  for (unsigned line = 0; line < table_.lines(); ++line) {
    if (table_.valid(line) && table_.tag(line) == pc) return table_.value(line, field);
  }
  return 0;
}

void DivergentLoadClassifier::report(StatSink& sink) const {
  sink.count("dlc_lookups", asked_, "lookups", "predictions that asked the divergent load classifier");
  sink.count("dlc_hits", known_, "lookups", "of these, loads known to diverge");
  sink.count("dlc_insertions", inserted_, "entries", "loads seen to diverge that were not known");
  sink.count("dlc_replacements", replaced_, "entries", "of these, that took the place of another load");
}

void DivergentLoadClassifier::trace(WaveSink& sink) const {
  sink.signal(known_, 32, "dlc_hits");
  table_.trace(sink);
}

}  // namespace heddle
