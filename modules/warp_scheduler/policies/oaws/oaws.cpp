#include "modules/warp_scheduler/policies/oaws/oaws.h"

#include <algorithm>
#include <utility>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {

Oaws::Oaws(const SmContext& context, OawsPrediction kind)
    : context_(context),
      served_(context.share),
      config_(context.values_of(oaws_parameters)),
      classifier_(context.hardware, config_,
                  kind == OawsPrediction::kDynamic ? DivergentLoadClassifier::History::kKept
                                                   : DivergentLoadClassifier::History::kNone),
      locality_(kind == OawsPrediction::kDynamic
                    ? std::make_unique<LocalityWarps>(context, classifier_, GtoOrder::Use::kRanks)
                    : nullptr),
      predictor_(context.hardware, context, kind, classifier_, locality_ ? &locality_->order : nullptr,
                 locality_ ? &locality_->ocw : nullptr),
      forecast_(context.hardware, context.gpu, predictor_.bits()) {
  hw::TimingPath path;
  const unsigned entries = context.gpu.l1d.mshr.entries;
  const unsigned bits = hw::index_bits(2 * entries + 1);
  path.through("subtract", hw::gates::adder_fo4(bits, bits))
      .through("to each warp", hw::gates::fan_out_fo4(context.gpu.core.warps))
      .through("compare", hw::gates::comparator_fo4(hw::index_bits(entries + 1)))
      .through("kept", hw::gates::enable_fo4());
  context.hardware.declare_path("occlude", path);
  decision_cycles_ = context.hardware.cycles(path);
  if (decision_cycles_ != 0) {
    fits_ = std::make_unique<hw::BitVector>(context.hardware, "fits", context.gpu.core.warps);
    context.hardware.note("fits", "the loads that may issue, as a register of the hardware timing");
  }
}

void Oaws::on_kernel_start(const KernelEvent& /*event*/) {
  classifier_.clear();  // OAWS 4.4: "DLC is cleared at each kernel invocation"
  make_again();
}

void Oaws::make_again() {
  predictor_.make_again();
  calls_for_run_ = true;
}

void Oaws::on_warp_start(const WarpEvent& event) {
  const bool is_served = served_.start(event);
  predictor_.forget(event.warp);
  if (locality_ && is_served) locality_->order.start(event.cycle, event.warp);
}

void Oaws::on_warp_finish(const WarpEvent& event) {
  predictor_.forget(event.warp);
  if (!locality_ || !served_.has(event.warp)) return;
  locality_->order.finish(event.warp);
  make_again();  // younger warps move up
}

void Oaws::on_issue(const IssueEvent& event) {
  const unsigned w = event.warp;
  if (event.is_l1d_load() && takes_mshr(*event.instruction, context_.gpu)) {
    const unsigned need = (predictor_.known() >> w & 1U) != 0 ? predictor_.take(event.cycle, w) : 0;
    forecast_.issued(event.cycle, event.id, need);
    ++counters_.loads;
    counters_.predicted += need;
  }
  if ((held_ >> w & 1U) != 0) counters_.held_cycles += event.cycle - held_since_[w];
  held_ &= ~warp_bit(w);
  predictor_.forget(w);
  decision_ &= ~warp_bit(w);
  if (fits_) fits_->clear_bits(warp_bit(w));
}

void Oaws::on_load_coalesced(const LoadCoalesced& event) {
  if (!classify(classifier_, event)) return;
  make_again();
}

void OawsDynamic::on_l1d_access(const L1dAccess& event) { locality()->access(event); }

void Oaws::on_load_looked_up(const LoadLookedUp& event) {
  const bool was_full = !forecast_.can_follow();
  const unsigned need = forecast_.left(event.instruction);
  counters_.misses += event.misses;
  counters_.too_low += need < event.misses ? event.misses - need : 0;
  counters_.too_high += need > event.misses ? need - event.misses : 0;
  calls_for_run_ |= need != 0 || was_full;
  if (wave_) update_wave();
  if (!locality_ || !locality_->looked_up(event)) return;
  make_again();
}

bool Oaws::calls_for_run() {
  const bool any = std::exchange(calls_for_run_, false);
  return any || fits_ != nullptr;
}

void Oaws::on_mshr_room(const MshrRoom& event) {
  forecast_.set_available(event.cycle, event.free_entries);
  calls_for_run_ |= !asked_.have(forecast_.entries_left());
  if (wave_) update_wave();
}

std::uint64_t Oaws::update(std::uint64_t cycle) {
  std::uint64_t next = kNever;
  asked_ = {};
  if (locality_) {
    if (locality_->update(cycle)) predictor_.make_again();
    next = locality_->next_time(cycle);
  }
  forecast_.update(cycle);
  next = std::min(next, predictor_.update(cycle));
  if (fits_) next = std::min(next, decide(cycle));
  if (wave_) update_wave();
  return next;
}

std::uint64_t Oaws::decide(std::uint64_t cycle) {
  if (decided_at_ <= cycle) {
    fits_->load(decision_);
    decided_at_ = kNever;
  }
  if (decided_at_ != kNever) return decided_at_;
  Look none;
  const WarpMask now = fitting(cycle, predictor_.known(), none);
  if (now == fits_->value()) return kNever;
  decision_ = now;
  return decided_at_ = cycle + decision_cycles_;
}

void Oaws::Rooms::narrow(const Rooms& other) {
  least = std::max(least, other.least);
  too_many = std::min(too_many, other.too_many);
}

WarpMask Oaws::fitting(std::uint64_t cycle, WarpMask loads, Look& last) {
  if (loads == 0) return 0;
  const unsigned room = forecast_.room(cycle);
  forecast_.count_comparisons(cycle, static_cast<unsigned>(__builtin_popcountll(loads)));
  const bool same = loads == last.loads && predictor_.version() == last.predictions && last.rooms.have(room);
  if (!same) look(loads, room, last);
  asked_.narrow(last.rooms);
  return last.fit;
}

void Oaws::look(WarpMask loads, unsigned room, Look& look) const {
  look = {loads, 0, predictor_.version(), {}};
  for (WarpMask left = loads; left != 0; left &= left - 1) {
    const unsigned need = predictor_.need(lowest_warp(left));
    if (need <= room) {
      look.fit |= left & -left;
      look.rooms.least = std::max(look.rooms.least, need);
    } else {
      look.rooms.too_many = std::min(look.rooms.too_many, need);
    }
  }
}

WarpMask Oaws::qualify(std::uint64_t cycle, WarpMask issuable, Look& last) {
  const WarpMask known = issuable & predictor_.known();
  const WarpMask loads = known | context_.table.l1d_loads(issuable & ~known);
  if (loads == 0) return issuable;
  WarpMask fit = 0;
  if (forecast_.can_follow()) fit = fits_ ? known & fits_->value() : fitting(cycle, known, last);
  const WarpMask held = loads & ~fit;
  for (WarpMask left = held & ~held_; left != 0; left &= left - 1) {
    held_since_[lowest_warp(left)] = cycle;
    ++counters_.held;
  }
  held_ |= held;
  return issuable & ~held;
}

/// Also where nothing calls for a run, which would count uses of the parts.
void Oaws::update_wave() {
  const WarpTable& table = context_.table;
  const WarpMask loads = table.l1d_loads(table.ready_for_scoreboard() & ~table.blocked);
  wave_->occlude = 0;
  const unsigned spoken_for = forecast_.in_flight();
  const unsigned room = forecast_.available() > spoken_for ? forecast_.available() - spoken_for : 0;
  for (WarpMask left = loads; left != 0; left &= left - 1) {
    const unsigned w = lowest_warp(left);
    const bool fits = fits_ ? fits_->test(w) : predictor_.need(w) <= room;
    if ((predictor_.known() >> w & 1U) == 0 || !fits) wave_->occlude |= warp_bit(w);
  }
  if (locality_) wave_->locality = locality_->order.first(locality_->ocw.ocw(), 0);
}

void Oaws::report(StatSink& sink) const {
  sink.count("loads", counters_.loads, "instructions", "loads issued that look for their lines in the L1D");
  sink.count("predicted_misses", counters_.predicted, "entries",
             "MSHR entries that they were predicted to take");
  sink.count("misses", counters_.misses, "entries", "MSHR entries that they took");
  sink.count("predicted_too_low", counters_.too_low, "entries", "entries taken beyond a load's prediction");
  sink.count("predicted_too_high", counters_.too_high, "entries",
             "entries predicted and not taken by a load");
  sink.count("held_loads", counters_.held, "instructions", "loads held back for want of MSHR entries");
  sink.count("held_cycles", counters_.held_cycles, "cycles",
             "from first held back to issued, all loads added up");
  classifier_.report(sink);
  if (locality_) locality_->report(sink);
}

void Oaws::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  sink.signal(wave_->occlude, context_.gpu.core.warps, "occlude");
  if (locality_) sink.signal(wave_->locality, context_.gpu.core.warps, "locality_warps");
  forecast_.trace(sink);
  if (locality_) locality_->trace(sink);
  predictor_.trace(sink);
  classifier_.trace(sink);
}

void Oaws::trace_state(WaveSink& sink) {
  forecast_.trace(sink);
  if (locality_) locality_->ocw.trace(sink);
}

namespace {

class OawsQualifier final : public Qualifier {
 public:
  explicit OawsQualifier(const PolicyContext& context) : oaws_(context.shared_as<Oaws>()) {}
  WarpMask qualify(std::uint64_t cycle, WarpMask issuable) override {
    return oaws_.qualify(cycle, issuable, last_);
  }

 private:
  Oaws& oaws_;
  Oaws::Look last_;
};

std::unique_ptr<Qualifier> create_oaws(const PolicyContext& context) {
  return std::make_unique<OawsQualifier>(context);
}

constexpr SharedPolicyEntry kStaticShared = shared_policy<OawsStatic>("oaws_static");
constexpr SharedPolicyEntry kDynamicShared = shared_policy<OawsDynamic>("oaws_dynamic");

}  // namespace

const ParametersOf<OawsParameters> oaws_parameters{
    "oaws",
    {parameter::whole(
         &OawsParameters::miss_percent, "miss_percent", 0, 100, "%",
         "Active lanes of a divergent load predicted to miss (oaws_dynamic: of thrashing warps); 0 "
         "holds nothing back"),
     parameter::whole(&OawsParameters::coherent_lines, "coherent_lines", 1, 32, "lines",
                      "A load of more lines is divergent"),
     parameter::whole(&OawsParameters::dlc_entries, "dlc_entries", 1, 1024, "loads",
                      "Entries of the divergent load classifier"),
     parameter::whole(
         &OawsParameters::ocw_min, "ocw_min", 1, 64, "warps",
         "Estimated optimal number of cached warps (OCW): its start and least value, if that is not less "
         "than core.schedulers; the most is core.warps"),
     parameter::whole(&OawsParameters::cnt_start, "cnt_start", 0, 65535, "loads",
                      "Start of the counter of fully cached loads"),
     parameter::whole(&OawsParameters::cnt_max, "cnt_max", 1, 65535, "loads", "Its end, at which OCW rises"),
     parameter::choice(
         &OawsParameters::delta, "delta", {"by_load", "one", "half"},
         "What a partly cached load takes off it: by the load's sensitivity to associativity, 1, or "
         "half")}};

extern const QualifierEntry oaws_static_entry;
extern const QualifierEntry oaws_dynamic_entry;
const QualifierEntry oaws_static_entry{
    "oaws_static", "loads may issue while the MSHRs have room for a fixed share of their lanes (OAWS)",
    &create_oaws, &kStaticShared, &oaws_parameters};
const QualifierEntry oaws_dynamic_entry{
    "oaws_dynamic", "likewise, by the warp's rank and the estimated number of cached warps (OAWS)",
    &create_oaws, &kDynamicShared, &oaws_parameters};

}  // namespace heddle
