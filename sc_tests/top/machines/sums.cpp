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
  check.equal(sm + ": cycles of the LD/ST unit", check.sum(sm + ".ldst.cycles."), cycles);
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
                of("loads") + of("stores") + of("atomics") + of("instruction_reads") + of("constant_reads"));
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

}  // namespace

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
