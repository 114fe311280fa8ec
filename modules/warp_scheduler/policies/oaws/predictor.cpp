#include "modules/warp_scheduler/policies/oaws/predictor.h"

#include <algorithm>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

namespace {

/// Of less than all MSHR entries: 5 of 32.
unsigned mshr_bits(const GpuConfig& gpu) { return hw::index_bits(gpu.l1d.mshr.entries); }

/// The share of missing lanes in 4096ths, cut off: of up to 32 lanes it is off by less than 1/100 of a lane,
/// so that rounded up it is exact for every whole per cent.
constexpr unsigned kShareBits = 12;
constexpr unsigned kCountBits = 6;  // of up to 32 lanes

/// Of a prediction: less when no share of a count and no rank, by their widths, come to as many entries.
unsigned stored_bits(const GpuConfig& gpu, unsigned factor, bool ranks) {
  const std::uint64_t share = (hw::low_bits(kCountBits) * factor + hw::low_bits(kShareBits)) >> kShareBits;
  const std::uint64_t rank = ranks ? hw::low_bits(hw::index_bits(gpu.core.warps)) : 0;
  return std::min(mshr_bits(gpu), hw::index_bits(static_cast<unsigned>(share + rank) + 1));
}

hw::CounterArrayShape stored_shape(const GpuConfig& gpu, unsigned factor, bool ranks) {
  hw::CounterArrayShape shape;
  shape.entries = gpu.core.warps * MissPredictor::kBufferedInstructions;
  shape.bits = stored_bits(gpu, factor, ranks);
  shape.overflow = hw::Overflow::kSaturate;
  shape.read_ports = 0;  // those of the warps' next instructions are read by wires
  shape.write_ports = 1;
  shape.adders = 0;
  return shape;
}

constexpr unsigned kFlags = 3;   // of a prediction, beside its lanes
constexpr unsigned kStages = 3;  // that read, count and weigh
constexpr unsigned kGroups = 4;  // of lanes that are counted in one of them

unsigned share_in_4096ths(const OawsParameters& config) { return (config.miss_percent << kShareBits) / 100; }

unsigned partial_products(unsigned factor) { return static_cast<unsigned>(__builtin_popcount(factor)); }

/// In stages lanes are counted by groups in the second one.
hw::TimingPath share_path(unsigned products, bool in_stages) {
  constexpr unsigned kProductBits = kShareBits + 6;
  const hw::Depth counted = hw::gates::popcount_fo4(kWarpSize);
  const hw::Depth in_group = hw::gates::popcount_fo4(kWarpSize / kGroups);
  hw::TimingPath path;
  if (in_stages) {
    path.held().through("active lanes of a group counted", in_group).held();
    path.through("groups added", counted - in_group);
  } else {
    path.through("active lanes counted", counted);
  }
  for (unsigned terms = products; terms > 1; terms = (terms + 1) / 2) {
    path.through("partial products", hw::gates::adder_fo4(kProductBits, kProductBits));
  }
  return path;
}

/// Of the adder of share and rank: when the MSHR entries are few, both may be more than these, and are added
/// whole before the sum is cut at the entries.
unsigned adder_bits(const GpuConfig& gpu, bool ranks) {
  const unsigned rank_bits = ranks ? hw::index_bits(gpu.core.warps) : 0;
  return std::max({mshr_bits(gpu) + 2, kCountBits, rank_bits});
}

/// What follows the share, and the rank if there is one: else it is rounded up.
hw::TimingPath need_path(unsigned bits, bool ranks) {
  hw::TimingPath path;
  return path.through(ranks ? "rank added" : "rounded up", hw::gates::adder_fo4(bits, ranks ? bits : 1))
      .through("cut at the MSHRs", hw::gates::comparator_fo4(bits))
      .through("enable", hw::gates::enable_fo4());
}

hw::MultiplexerShape operands_shape(const GpuConfig& gpu) {
  return {gpu.core.warps, DivergentLoadClassifier::kPcBits + kWarpSize, 1, true};
}

/// The rank is added with the share, which is rounded up by the carry.
hw::AdderShape need_adder(const GpuConfig& gpu, bool ranks) {
  return {adder_bits(gpu, ranks), hw::Overflow::kSaturate, 1, 0, ranks ? 0U : 1U};
}

/// A tree over the partial products.
std::unique_ptr<hw::Adder> share_adders(const hw::Owner& owner, unsigned factor) {
  if (partial_products(factor) < 2) return nullptr;
  return std::make_unique<hw::Adder>(
      owner, "share_adders",
      hw::AdderShape{kShareBits + 6, hw::Overflow::kWrap, partial_products(factor) - 1, 1});
}

}  // namespace

MissPredictor::MissPredictor(const hw::Owner& owner, const SmContext& context, OawsPrediction kind,
                             DivergentLoadClassifier& classifier, GtoOrder* order, const OcwEstimator* ocw)
    : context_(context),
      config_(context.values_of(oaws_parameters)),
      classifier_(classifier),
      order_(order),
      ocw_(ocw),
      share_factor_(share_in_4096ths(config_)),
      stored_(owner, "predictions", stored_shape(context.gpu, share_factor_, order != nullptr),
              hw::PaperCount::kBits),
      lane_counter_(owner, "lane_counter", kWarpSize),
      share_adders_(share_adders(owner, share_factor_)),
      adder_(owner, "prediction_adder", need_adder(context.gpu, order != nullptr)),
      next_(owner, "prediction_selector", context.gpu.core.warps, hw::SelectorForm::kRotating),
      operands_(owner, "prediction_operands", operands_shape(context.gpu)),
      of_warps_(owner, "prediction_of_warp", {kBufferedInstructions, stored_.bits(), context.gpu.core.warps}),
      taken_(owner, "prediction_taken",
             {context.gpu.core.warps, stored_.bits(),
              std::min(context.gpu.core.schedulers, context.gpu.operand_collector.mem_issue_slots), true}) {
  if (kind == OawsPrediction::kDynamic) {
    locality_.emplace(owner, "locality_warp",
                      hw::ComparatorShape{hw::index_bits(context.gpu.core.warps + 1)});
  }
  cycles_ = prediction_cycles(owner);
  if (cycles_ != 0) {
    stages_ = std::make_unique<Stages>(owner, context.gpu.core.warps, cycles_, order != nullptr);
    for (const char* part : {"predicted", "to_predict", "prediction_entry", "prediction_start", "predicting*",
                             "prediction_read", "prediction_counted"}) {
      owner.note(part, "a register of the hardware timing");
    }
  }
}

MissPredictor::Stages::Stages(const hw::Owner& owner, unsigned warps_of_sm, unsigned cycles, bool ranks)
    : next_new(owner, "prediction_selector_new", warps_of_sm, hw::SelectorForm::kRotating),
      known(owner, "predicted", warps_of_sm),
      stale(owner, "to_predict", warps_of_sm),
      entry(owner, "prediction_entry", warps_of_sm),
      after_last(owner, "prediction_start", {hw::index_bits(warps_of_sm)}),
      // Lanes; whether it diverges, and looks for lines in the L1D; which of the two entries it is for.
      operands(owner, "prediction_read",
               {kWarpSize + kFlags + (ranks ? hw::index_bits(warps_of_sm) : 0), 1}) {
  for (unsigned stage = 0; stage + 1 < cycles; ++stage) {
    warps.emplace_back(owner, "predicting" + std::to_string(stage), warps_of_sm);
  }
  const unsigned counts = kGroups * hw::index_bits(kWarpSize / kGroups + 1);
  if (cycles > 3) {
    counted = std::make_unique<hw::Pipeline>(
        owner, "prediction_counted",
        hw::PipelineShape{counts + kFlags + (ranks ? hw::index_bits(warps_of_sm) : 0), cycles - 3});
  }
}

unsigned MissPredictor::prediction_cycles(const hw::Owner& owner) {
  const hw::TimingPath selected =
      hw::TimingPath(next_.structure().path).through("new ones first", 2 * hw::gates::kGateFo4);
  const hw::TimingPath read = operands_.structure().path;
  const hw::TimingPath need = need_path(adder_bits(context_.gpu, order_ != nullptr) - 1, order_ != nullptr);
  const auto lanes = [&](bool in_stages) {
    return hw::TimingPath(read).then(share_path(partial_products(share_factor_), in_stages)).then(need);
  };
  const hw::TimingPath divergence = hw::TimingPath(read).then(classifier_.lookup_path());
  const auto rank = [&](bool in_stages) {
    hw::TimingPath path;
    if (order_ == nullptr) return path;
    path.then(order_->rank_path());
    return (in_stages ? path.held() : path).then(need);
  };
  const unsigned cycles =
      std::max({owner.cycles(lanes(false)), owner.cycles(divergence), owner.cycles(rank(false))});
  owner.declare_path("select", selected);
  owner.declare_path("predict", lanes(cycles == kStages));
  owner.declare_path("predict_divergence", divergence);
  if (order_ != nullptr) owner.declare_path("predict_rank", rank(cycles == kStages));
  select_cycles_ = owner.cycles(selected);
  weigh_cycles_ = select_cycles_ + std::min(cycles - 1, 1U);
  return select_cycles_ + cycles;
}

void MissPredictor::forget(unsigned warp) {
  known_ &= ~warp_bit(warp);
  stale_ |= warp_bit(warp);
  for (Pending& pending : pending_) {
    if (pending.of.warp == warp) pending.of.warp = kNoWarp;
  }
}

std::uint64_t MissPredictor::update(hw::Cycle cycle) {
  if (!pending_.empty()) {
    ask_begun(cycle);
    store_ready(cycle);
  }
  const WarpTable& table = context_.table;
  if ((stale_ & table.valid & table.needs[static_cast<unsigned>(Unit::kLdst)]) == 0) return next_time();
  WarpMask wanted = table.l1d_loads(stale_ & table.valid);
  if (order_ != nullptr) wanted &= order_->ranked();
  if (cycles_ != 0) return begin_one(cycle, wanted);
  for (; wanted != 0; wanted &= wanted - 1) {
    const unsigned warp = lowest_warp(wanted);
    const std::uint64_t pc = context_.host->next_pc(warp);
    Pending pending{{cycle, warp, pc, context_.host->next_lanes(warp)}};
    ask(cycle, pending);
    weigh(cycle, pending);
    store(cycle, warp, pc, pending.value);
    stale_ &= ~warp_bit(warp);
  }
  return kNever;
}

std::uint64_t MissPredictor::begin_one(hw::Cycle cycle, WarpMask wanted) {
  const unsigned any = next_.select_from(wanted, after_last_);
  if (any == hw::kNoInput) return next_time();
  const unsigned unknown = stages_->next_new.select_from(wanted & ~known_, after_last_);
  const unsigned warp = unknown != hw::kNoInput ? unknown : any;
  after_last_ = (warp + 1) % kMaxWarps;
  stale_ &= ~warp_bit(warp);
  stages_->warps.front().load(warp_bit(warp));
  begun_ = {cycle, warp, context_.host->next_pc(warp), context_.host->next_lanes(warp)};
  pending_.push_back({begun_});
  return cycle + 1;
}

/// When what has been begun goes on.
std::uint64_t MissPredictor::next_time() const {
  if (pending_.empty()) return kNever;
  const hw::Cycle ready = pending_.front().of.cycle + cycles_;
  for (const Pending& pending : pending_) {
    if (!pending.asked) return std::min(ready, pending.of.cycle + select_cycles_);
    if (!pending.weighed) return std::min(ready, pending.of.cycle + weigh_cycles_);
  }
  return ready;
}

void MissPredictor::ask_begun(hw::Cycle cycle) {
  for (Pending& pending : pending_) {
    const bool forgotten = pending.of.warp == kNoWarp;
    if (!pending.asked && pending.of.cycle + select_cycles_ <= cycle) {
      pending.asked = true;
      if (!forgotten) {
        ask(cycle, pending);
        stages_->operands.enter(cycle);
      }
    }
    if (!pending.weighed && pending.of.cycle + weigh_cycles_ <= cycle) {
      pending.weighed = true;
      if (!forgotten) weigh(cycle, pending);
    }
  }
}

void MissPredictor::store_ready(hw::Cycle cycle) {
  std::size_t done = 0;
  for (; done < pending_.size() && pending_[done].of.cycle + cycles_ <= cycle; ++done) {
    const Begun& of = pending_[done].of;
    if (of.warp != kNoWarp) store(cycle, of.warp, of.pc, pending_[done].value);
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
}

unsigned MissPredictor::entry(unsigned warp, std::uint64_t pc) {
  const auto index = pc / Instruction::kBytes;
  return warp * kBufferedInstructions + static_cast<unsigned>(index % kBufferedInstructions);
}

void MissPredictor::store(hw::Cycle cycle, unsigned warp, std::uint64_t pc, std::uint64_t value) {
  const unsigned before = need(warp);
  entry_of_[warp] = static_cast<std::uint8_t>(entry(warp, pc));
  stored_.write(cycle, entry_of_[warp], value);
  if (need(warp) != before) ++version_;
  known_ |= warp_bit(warp);
}

bool MissPredictor::needs_some(unsigned warp) const {
  return takes_mshr(*context_.table.next[warp], context_.gpu) && config_.miss_percent != 0;
}

void MissPredictor::ask(hw::Cycle cycle, Pending& pending) {
  const unsigned warp = pending.of.warp;
  if (!needs_some(warp)) return;
  operands_.read(cycle);
  pending.rank = order_ != nullptr ? order_->rank(cycle, warp) : 0;
  pending.divergent = classifier_.divergent(cycle, pending.of.pc);
}

void MissPredictor::weigh(hw::Cycle cycle, Pending& pending) {
  const unsigned warp = pending.of.warp;
  if (!needs_some(warp)) return;
  if (locality_ && locality_->less(cycle, pending.rank, ocw_->ocw())) return;
  if (!pending.divergent) {
    pending.value = 1;
    return;
  }
  const unsigned share = share_of(cycle, lane_counter_.count(pending.of.lanes));
  // More than all entries could never be free at once.
  pending.value =
      std::min<std::uint64_t>(adder_.add(cycle, share, pending.rank), context_.gpu.l1d.mshr.entries);
}

unsigned MissPredictor::share_of(hw::Cycle cycle, unsigned lanes) {
  std::uint64_t product = 0;
  for (unsigned left = share_factor_; left != 0; left &= left - 1) {
    const std::uint64_t term = std::uint64_t{lanes} << static_cast<unsigned>(__builtin_ctz(left));
    product = product == 0 ? term : share_adders_->add(cycle, product, term);
  }
  return static_cast<unsigned>((product + (1U << kShareBits) - 1) >> kShareBits);
}

}  // namespace heddle
