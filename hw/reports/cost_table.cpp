#include "hw/reports/cost_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::hw {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "sm12/pro" -> {"sm12", "pro"}; no SM: {"", path}.
std::pair<std::string, std::string> split_sm(const std::string& path) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const bool numbered =
      end > 2 && std::all_of(path.begin() + 2, path.begin() + static_cast<std::ptrdiff_t>(end), is_digit);
  if (path.compare(0, 2, "sm") != 0 || !numbered) return {"", path};
  return {path.substr(0, end), end == path.size() ? "" : path.substr(end + 1)};
}

/// Final numbers of the components replaced: "scheduler1/gto" -> "scheduler*/gto".
std::string without_numbers(const std::string& path) {
  std::string result;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!is_digit(path[i])) {
      result += path[i];
      continue;
    }
    std::size_t end = i;
    while (end < path.size() && is_digit(path[end])) ++end;
    const bool final_number = end == path.size() || path[end] == '/';
    result += final_number ? "*" : path.substr(i, end - i);
    i = end - 1;
  }
  return result;
}

/// Parts that share a row agree in all of this.
std::string signature(const Part& part, const Structure& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{:.3f}", row.kind, static_cast<int>(row.storage),
                     row.entries, row.bits_per_entry, row.hidden_bits, row.read_ports, row.write_ports,
                     row.comparators, row.adders, row.selector_inputs, row.cycles_per_operation,
                     static_cast<int>(part.paper_count()), row.area.total());
}

void add(Area& sum, const Area& area, double times) {
  sum.storage += times * area.storage;
  sum.read_muxes += times * area.read_muxes;
  sum.writes += times * area.writes;
  sum.comparators += times * area.comparators;
  sum.adders += times * area.adders;
  sum.selection += times * area.selection;
}

void add(Activity& sum, const Activity& activity) {
  sum.reads += activity.reads;
  sum.writes += activity.writes;
  sum.compares += activity.compares;
  sum.adds += activity.adds;
  sum.selects += activity.selects;
  sum.overflows += activity.overflows;
  sum.port_conflicts += activity.port_conflicts;
}

struct Group {
  CostRow row;
  std::string exact_block;
  std::string exact_name;
  std::uint64_t paper_bits = 0;  ///< of one instance
  unsigned members = 0;
  std::set<std::string> sms;
};

std::optional<Estimate> area_of(const Area& area, const Structure& one, unsigned instances,
                                const std::optional<Technology>& technology) {
  if (!technology || !technology->nand2_area_um2) return std::nullopt;
  Estimate sum = estimate(area.total(), kAreaUncertainty, *technology->nand2_area_um2);
  if (one.storage != StorageKind::kRam) return sum;
  if (!technology->sram_bit_area_um2) return std::nullopt;
  const Estimate ram =
      estimate(static_cast<double>(one.declared_bits() * instances), 1, *technology->sram_bit_area_um2);
  return Estimate{sum.value + ram.value, sum.low + ram.low, sum.high + ram.high};
}

/// One access goes through the logic of one port of each kind; a fraction of its gates switches.
std::optional<Estimate> energy_of(const Structure& one, const std::optional<Technology>& technology) {
  if (!technology || !technology->nand2_switch_energy_fj || !technology->switching_fraction)
    return std::nullopt;
  const auto share = [](double area, unsigned ports) { return area / std::max(1U, ports); };
  const double gates = share(one.area.read_muxes, one.read_ports) + share(one.area.writes, one.write_ports) +
                       share(one.area.comparators, one.comparators) + share(one.area.adders, one.adders) +
                       one.area.selection;
  const Figure& fraction = *technology->switching_fraction;
  Estimate sum = estimate(gates * fraction.value, kAreaUncertainty * fraction.uncertainty,
                          *technology->nand2_switch_energy_fj);
  if (one.storage != StorageKind::kRam) return sum;
  if (!technology->sram_bit_access_energy_fj) return std::nullopt;
  const Estimate ram = estimate(one.bits_per_entry, 1, *technology->sram_bit_access_energy_fj);
  return Estimate{sum.value + ram.value, sum.low + ram.low, sum.high + ram.high};
}

std::optional<Estimate> run_energy_of(const CostRow& row, const CostContext& context) {
  if (context.cycles == 0 || !row.energy_fj) return std::nullopt;
  constexpr double kFemtoPerNano = 1e6;
  const double times = static_cast<double>(row.activity.accesses()) / kFemtoPerNano;
  return Estimate{row.energy_fj->value * times, row.energy_fj->low * times, row.energy_fj->high * times};
}

void finish_row(Group& group, const CostContext& context, bool one_sm_stands_for_all) {
  CostRow& row = group.row;
  const auto sms = static_cast<unsigned>(group.sms.size());
  row.instances = row.in_sm ? (group.members + sms - 1) / sms : group.members;
  row.instances_per_gpu = row.in_sm && one_sm_stands_for_all ? group.members * context.sms : group.members;
  row.paper_bits = group.paper_bits * row.instances;
  row.bits = row.structure.total_bits() * row.instances;
  row.bits_per_gpu = row.structure.total_bits() * row.instances_per_gpu;
  add(row.area, row.structure.area, row.instances);
  const auto share = [&row](std::uint64_t of) {
    return of == 0 ? 0.0 : static_cast<double>(row.bits) / static_cast<double>(of);
  };
  if (row.in_sm) {
    row.register_file_share = share(context.register_file_bits);
    row.l1d_share = share(context.l1d_bits);
  }
  if (context.cycles > 0) {
    row.accesses_per_kilocycle = 1000.0 * static_cast<double>(row.activity.accesses()) /
                                 static_cast<double>(context.cycles) / (row.in_sm ? sms : 1);
  }
  row.area_um2 = area_of(row.area, row.structure, row.instances, context.technology);
  row.energy_fj = energy_of(row.structure, context.technology);
  row.run_energy_nj = run_energy_of(row, context);
}

CostPath make_path(std::string block, std::string name, const TimingPath& path, const CostContext& context) {
  CostPath result{std::move(block), std::move(name), path, path.fo4(), path.cycles(context.clock_fo4), {}};
  if (context.technology && context.technology->fo4_ps) {
    result.picoseconds = estimate(result.fo4, kAreaUncertainty, *context.technology->fo4_ps);
  }
  return result;
}

/// The sum of estimates, as long as all of them are known.
class EstimateSum {
 public:
  void add(const std::optional<Estimate>& part) {
    any_ = true;
    known_ = known_ && part.has_value();
    if (!part) return;
    sum_.value += part->value;
    sum_.low += part->low;
    sum_.high += part->high;
  }
  std::optional<Estimate> sum() const {
    return any_ && known_ ? std::optional<Estimate>(sum_) : std::nullopt;
  }

 private:
  bool any_ = false;
  bool known_ = true;
  Estimate sum_;
};

CostTotals sum_up(const CostTable& table) {
  CostTotals totals;
  EstimateSum area;
  EstimateSum energy;
  for (const CostRow& row : table.rows) {
    totals.bits_per_gpu += row.bits_per_gpu;
    totals.nand2_per_gpu += row.structure.area.total() * row.instances_per_gpu;
    energy.add(row.run_energy_nj);
    if (!row.in_sm) continue;
    totals.paper_bits_per_sm += row.paper_bits;
    totals.bits_per_sm += row.bits;
    add(totals.area_per_sm, row.area, 1);
    totals.accesses_per_kilocycle += row.accesses_per_kilocycle;
    area.add(row.area_um2);
  }
  totals.area_um2_per_sm = area.sum();
  totals.run_energy_nj = energy.sum();
  return totals;
}

std::vector<const Part*> parts_of(const std::vector<const Inventory*>& inventories) {
  std::vector<const Part*> parts;
  for (const Inventory* inventory : inventories) {
    parts.insert(parts.end(), inventory->parts().begin(), inventory->parts().end());
  }
  return parts;
}

/// Paths that blocks declare; that of the same block on every SM is one.
void add_declared_paths(const std::vector<const Inventory*>& inventories, CostTable& table) {
  std::set<std::string> seen;
  for (const Inventory* inventory : inventories) {
    for (const Inventory::BlockPath& declared : inventory->paths()) {
      const std::string block = without_numbers(split_sm(declared.owner).second);
      if (!seen.insert(fmt::format("{}|{}|{:.3f}", block, declared.name, declared.path.fo4())).second)
        continue;
      table.paths.push_back(make_path(block, declared.name, declared.path, table.context));
    }
  }
}

/// By block and part, both as rows name them.
std::map<std::string, std::string> notes_of(const std::vector<const Inventory*>& inventories) {
  std::map<std::string, std::string> notes;
  for (const Inventory* inventory : inventories) {
    for (const Inventory::Note& note : inventory->notes()) {
      notes.emplace(without_numbers(split_sm(note.owner).second) + "|" + note.part, note.text);
    }
  }
  return notes;
}

}  // namespace

CostTable make_cost_table(const Inventory& inventory, const CostContext& context) {
  return make_cost_table(std::vector<const Inventory*>{&inventory}, context);
}

CostTable make_cost_table(const std::vector<const Inventory*>& inventories, const CostContext& context) {
  CostTable table;
  table.context = context;
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index;
  std::set<std::string> all_sms;
  for (const Part* part : parts_of(inventories)) {
    const auto [sm, block] = split_sm(part->owner());
    const Structure structure = part->structure();
    const std::string key = fmt::format("{}|{}|{}|{}", sm.empty() ? "gpu" : "sm", without_numbers(block),
                                        without_numbers(part->name()), signature(*part, structure));
    const auto [place, is_new] = index.emplace(key, groups.size());
    if (is_new) {
      Group group;
      group.row.block = group.exact_block = block;
      group.row.name = group.exact_name = part->name();
      group.row.in_sm = !sm.empty();
      group.row.structure = structure;
      group.paper_bits = structure.paper_bits(part->paper_count());
      groups.push_back(std::move(group));
    }
    Group& group = groups[place->second];
    if (block != group.exact_block) group.row.block = without_numbers(block);
    if (part->name() != group.exact_name) group.row.name = without_numbers(part->name());
    ++group.members;
    group.sms.insert(sm);
    if (!sm.empty()) all_sms.insert(sm);
    add(group.row.activity, part->activity());
  }
  const std::map<std::string, std::string> notes = notes_of(inventories);
  for (Group& group : groups) {
    const auto note =
        notes.find(without_numbers(group.exact_block) + "|" + without_numbers(group.exact_name));
    if (note != notes.end()) group.row.note = note->second;
    finish_row(group, context, all_sms.size() == 1);
    if (!group.row.structure.path.empty()) {
      table.paths.push_back(make_path(group.row.block, group.row.name, group.row.structure.path, context));
    }
    table.rows.push_back(std::move(group.row));
  }
  add_declared_paths(inventories, table);
  table.totals = sum_up(table);
  return table;
}

}  // namespace heddle::hw
