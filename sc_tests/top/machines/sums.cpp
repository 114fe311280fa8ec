#include "sc_tests/top/machines/sums.h"

#include <cstdint>
#include <map>

#include "modules/messages/memory_request.h"
#include "top/support/stats_file.h"

namespace heddle::test {

namespace {

class Checker {
 public:
  explicit Checker(const nlohmann::json& stats) {
    for_each_instance(stats.at("instances"), [this](const std::string& name, const nlohmann::json& value) {
      if (value.is_number_integer()) values_[name] = value.get<std::uint64_t>();
    });
  }

  bool has(const std::string& name) const { return values_.count(name) != 0; }
  std::uint64_t value(const std::string& name) const { return values_.at(name); }
  /// All whose name begins with `prefix`, but for those that end with `but`.
  std::uint64_t sum(const std::string& prefix) const {
    std::uint64_t sum = 0;
    for (auto at = values_.lower_bound(prefix); at != values_.end() && at->first.rfind(prefix, 0) == 0;
         ++at) {
      sum += at->second;
    }
    return sum;
  }
  /// Names that end with `suffix`, without it.
  std::vector<std::string> owners(const std::string& suffix) const {
    std::vector<std::string> owners;
    for (const auto& [name, value] : values_) {
      if (name.size() > suffix.size() &&
          name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
        owners.push_back(name.substr(0, name.size() - suffix.size()));
      }
    }
    return owners;
  }
  void equal(const std::string& what, std::uint64_t got, std::uint64_t expected) {
    ++sums_.checked;
    if (got != expected) {
      sums_.open += what + ": " + std::to_string(got) + ", expected " + std::to_string(expected) + "\n";
    }
  }
  const Sums& sums() const { return sums_; }

 private:
  std::map<std::string, std::uint64_t> values_;
  Sums sums_;
};

/// Every cycle of a scheduler has one cause, and every cause its class.
void check_schedulers(Checker& check, std::uint64_t cycles) {
  for (const std::string& scheduler : check.owners(".idle_no_warp")) {
    const auto of = [&](const char* name) { return check.value(scheduler + "." + name); };
    check.equal(scheduler + ": classes", of("issued") + of("idle") + of("scoreboard") + of("pipeline"),
                of("cycles"));
    check.equal(scheduler + ": cycles", of("cycles"), cycles);
    for (const char* kind : {"idle", "scoreboard", "pipeline"}) {
      check.equal(scheduler + ": causes of " + kind, check.sum(scheduler + "." + kind + "_"), of(kind));
    }
  }
}

void check_sm(Checker& check, const std::string& sm, std::uint64_t cycles) {
  const auto of = [&](const std::string& name) { return check.value(sm + "." + name); };
  std::uint64_t issued = 0;
  for (unsigned s = 0; check.has(sm + ".scheduler" + std::to_string(s) + ".issued"); ++s) {
    issued += of("scheduler" + std::to_string(s) + ".issued");
  }
  check.equal(sm + ": issued", issued, of("warp_instructions"));
  check.equal(sm + ": instructions by unit",
              of("sp_instructions") + of("sfu_instructions") + of("ldst_instructions"),
              of("warp_instructions"));
  check.equal(sm + ": instructions by lanes", check.sum(sm + ".lanes_"), of("warp_instructions"));
  if (check.has(sm + ".loads.age0.issued")) {
    std::uint64_t by_age = 0;
    for (unsigned age = 0; check.has(sm + ".loads.age" + std::to_string(age) + ".issued"); ++age) {
      by_age += of("loads.age" + std::to_string(age) + ".issued");
    }
    check.equal(sm + ": instructions by age", by_age, of("warp_instructions"));
  }
  check.equal(sm + ": cycles of the LD/ST unit", check.sum(sm + ".ldst.cycles."), cycles);
  check.equal(sm + ": lines of textures",
              of("texture.hits") + of("texture.pending_hits") + of("texture.misses"),
              of("ldst.texture_lines"));
  for (const char* unit : {"sp", "sfu"}) {
    for (unsigned u = 0; check.has(sm + "." + unit + std::to_string(u) + ".busy"); ++u) {
      const std::string own = sm + "." + unit + std::to_string(u);
      check.equal(own + ": cycles",
                  check.value(own + ".busy") + check.value(own + ".idle") + check.sum(own + ".blocked_"),
                  cycles);
    }
  }
}

/// Every cycle of a request is spent at one place.
void check_requests(Checker& check) {
  for (const std::string& kind : check.owners(".lifetime")) {
    std::uint64_t stages = 0;
    for (unsigned s = 0; s < kNumStages; ++s)
      stages += check.value(kind + "." + to_string(static_cast<Stage>(s)));
    check.equal(kind + ": stages", stages, check.value(kind + ".lifetime"));
  }
}

void check_memory(Checker& check) {
  for (const std::string& slice : check.owners(".cycles_line_reserved")) {
    check.equal(slice + ": cycles", check.sum(slice + ".cycles_"), check.value(slice + ".cycles"));
    const auto of = [&](const char* name) { return check.value(slice + "." + name); };
    check.equal(slice + ": lookups", of("hits") + of("misses") + of("merged"),
                of("loads") + of("stores") + of("atomics") + of("instruction_reads") + of("constant_reads") +
                    of("texture_reads"));
  }
  for (const std::string& dram : check.owners(".cycles_busy")) {
    check.equal(dram + ": cycles", check.sum(dram + ".cycles_"), check.value(dram + ".cycles"));
  }
}

void check_ends(Checker& check) {
  std::uint64_t tbs = 0;
  for (const std::string& sm : check.owners(".warp_instructions")) tbs += check.value(sm + ".tbs");
  check.equal("TBs that ended on SMs", tbs, check.value("tb_dispatcher.tbs_ended"));
  check.equal("TBs", check.value("tb_dispatcher.tbs_dispatched"), check.value("tb_dispatcher.tbs_ended"));
  check.equal("packets", check.value("interconnect.request.packets"),
              check.value("interconnect.reply.packets"));
}

/// The cycles of an account or a line, by state.
std::vector<std::uint64_t> cycles_of(const nlohmann::json& entry) {
  return entry.at("cycles").get<std::vector<std::uint64_t>>();
}

/// What accounts or lines add up to, by name; the states' cycles as "cycles 0" and so on.
using Totals = std::map<std::string, std::uint64_t>;

void add(Totals& totals, const nlohmann::json& entry) {
  for (const auto& [name, value] : entry.items()) {
    if (value.is_number_integer()) totals[name] += value.get<std::uint64_t>();
    if (name != "memory") continue;
    for (const auto& [figure, count] : value.items()) {
      if (count.is_number_integer()) totals["memory." + figure] += count.get<std::uint64_t>();
    }
  }
  const std::vector<std::uint64_t> cycles = cycles_of(entry);
  for (std::size_t s = 0; s < cycles.size(); ++s) totals["cycles " + std::to_string(s)] += cycles[s];
}

void check_account(Checker& check, const std::string& name, const nlohmann::json& account,
                   const nlohmann::json& states) {
  const std::vector<std::uint64_t> cycles = cycles_of(account);
  std::uint64_t resident = 0;
  for (std::size_t s = 0; s < cycles.size(); ++s) {
    if (states.at(s).at("resident")) resident += cycles[s];
  }
  check.equal(name + ": states of resident warps", resident, account.at("warp_cycles"));
  check.equal(name + ": selected", cycles[0], account.at("warp_instructions"));
}

/// Both have what `names` names, and the states.
void check_same(Checker& check, const std::string& what, const Totals& got, const Totals& expected,
                std::vector<std::string> names) {
  for (const auto& [name, value] : expected) {
    if (name.rfind("cycles ", 0) == 0) names.push_back(name);
  }
  for (const std::string& name : names) check.equal(what + ": " + name, got.at(name), expected.at(name));
}

void check_profiled_sm(Checker& check, const nlohmann::json& sm, const nlohmann::json& profile,
                       const std::string& management) {
  const std::string name = "sm" + std::to_string(sm.at("sm").get<unsigned>());
  const nlohmann::json& states = profile.at("states");
  check_account(check, name, sm, states);
  check.equal(name + ": resident warp cycles", sm.at("warp_cycles"), check.value(name + ".warp_cycles"));
  check.equal(name + ": instructions", sm.at("warp_instructions"), check.value(name + ".warp_instructions"));
  Totals schedulers;
  for (std::size_t s = 0; s < sm.at("schedulers").size(); ++s) {
    const nlohmann::json& scheduler = sm.at("schedulers").at(s);
    const std::string own = name + ".scheduler" + std::to_string(s);
    check_account(check, own, scheduler, states);
    check.equal(own + ": instructions", scheduler.at("warp_instructions"), check.value(own + ".issued"));
    check.equal(own + ": cycles", scheduler.at("scheduler_cycles"), check.value(name + ".active_cycles"));
    add(schedulers, scheduler);
  }
  Totals whole;
  add(whole, sm);
  check_same(check, name + ": schedulers", schedulers, whole,
             {"warp_cycles", "warp_instructions", "scheduler_cycles", "no_eligible_cycles"});
  // A slot that is given back with its warp is nobody's; a TB that has not ended is not counted yet.
  const bool keeps_slots = management == "tb";
  if (keeps_slots && profile.at("status") == "complete") {
    check.equal(name + ": ended", whole.at("cycles " + std::to_string(states.size() - 1)),
                check.value(name + ".unused_warp_cycles"));
  }
}

/// Lines of all kernels against the GPU's account and what its blocks count.
void check_lines(Checker& check, const nlohmann::json& profile, const Totals& gpu) {
  Totals lines;
  for (const nlohmann::json& kernel : profile.at("kernels")) {
    for (const nlohmann::json& line : kernel.at("lines")) add(lines, line);
  }
  check_same(check, "lines", lines, gpu, {});
  const auto of_sms = [&](const std::string& name) {
    std::uint64_t sum = 0;
    for (const std::string& sm : check.owners(".warp_instructions")) sum += check.value(sm + "." + name);
    return sum;
  };
  const std::vector<std::pair<const char*, const char*>> counts{
      {"issued", "warp_instructions"},
      {"lanes", "thread_instructions"},
      {"path_lanes", "path_lanes"},
      {"memory.accesses", "ldst.accesses"},
      {"memory.results", "ldst.results"},
      {"memory.result_cycles", "ldst.result_latency"},
      {"memory.l1d_hits", "l1d.hits"},
      {"memory.l1d_merged", "l1d.pending_hits"},
      {"memory.l1d_misses", "l1d.misses"},
      {"memory.texture_lines", "ldst.texture_lines"},
      {"memory.texture_hits", "texture.hits"},
      {"memory.texture_pending_hits", "texture.pending_hits"},
      {"memory.texture_misses", "texture.misses"}};
  for (const auto& [name, total] : counts) {
    check.equal(std::string("lines: ") + name, lines[name], of_sms(total));
  }
  if (profile.at("status") == "complete") {
    check.equal("lines: bank conflict cycles", lines["memory.bank_conflict_cycles"],
                of_sms("ldst.cycles.shared_conflict"));
  }
}

}  // namespace

Sums check_profile(const nlohmann::json& profile, const nlohmann::json& stats) {
  Checker check(stats);
  const auto management = stats.at("config").at("values").at("core.resources.management").get<std::string>();
  Totals sms;
  for (const nlohmann::json& sm : profile.at("sms")) {
    check_profiled_sm(check, sm, profile, management);
    add(sms, sm);
  }
  Totals gpu;
  add(gpu, profile.at("gpu"));
  check_same(check, "SMs", sms, gpu,
             {"warp_cycles", "warp_instructions", "scheduler_cycles", "no_eligible_cycles"});
  Totals launches;
  for (const nlohmann::json& launch : profile.at("launches")) {
    check_account(check, "launch", launch, profile.at("states"));
    add(launches, launch);
  }
  check_same(check, "launches", launches, gpu, {"warp_cycles", "warp_instructions"});
  check_lines(check, profile, gpu);
  return check.sums();
}

Sums check_sums(const nlohmann::json& stats) {
  Checker check(stats);
  const auto cycles = stats.at("metrics").at("cycles").get<std::uint64_t>();
  check_schedulers(check, cycles);
  for (const std::string& sm : check.owners(".warp_instructions")) check_sm(check, sm, cycles);
  check_requests(check);
  check_memory(check);
  if (stats.at("status") == "complete") check_ends(check);
  return check.sums();
}

}  // namespace heddle::test
