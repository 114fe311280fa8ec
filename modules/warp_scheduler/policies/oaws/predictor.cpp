#include "modules/warp_scheduler/policies/oaws/predictor.h"

#include <algorithm>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

namespace {

/// OAWS 4.4: "each warp can have two instructions".
constexpr unsigned kBufferedInstructions = 2;

hw::CounterArrayShape stored_shape(const GpuConfig& gpu) {
  hw::CounterArrayShape shape;
  shape.entries = gpu.core.warps * kBufferedInstructions;
  shape.bits = hw::index_bits(gpu.l1d.mshr.entries);  // 32 entries: 5 bits
  shape.overflow = hw::Overflow::kSaturate;
  shape.read_ports = gpu.core.schedulers;  // what a load that issues takes along
  shape.write_ports = 1;
  shape.adders = 0;
  return shape;
}

/// The share of missing lanes in 4096ths, cut off: of up to 32 lanes it is off by less than 1/100 of a lane,
/// so that rounded up it is exact for every whole per cent.
constexpr unsigned kShareBits = 12;

unsigned share_factor(const OawsParameters& config) { return (config.miss_percent << kShareBits) / 100; }

unsigned partial_products(unsigned factor) { return static_cast<unsigned>(__builtin_popcount(factor)); }

hw::TimingPath share_path(unsigned products) {
  constexpr unsigned kProductBits = kShareBits + 6;
  hw::TimingPath path;
  path.through("active lanes counted", hw::gates::popcount_fo4(kWarpSize));
  for (unsigned terms = products; terms > 1; terms = (terms + 1) / 2) {
    path.through("partial products", hw::gates::adder_fo4(kProductBits, kProductBits));
  }
  return path;
}

/// What follows the share and the rank.
hw::TimingPath need_path(unsigned bits) {
  hw::TimingPath path;
  return path.through("rank added", hw::gates::adder_fo4(bits + 1, bits + 1))
      .through("cut at the MSHRs", hw::gates::comparator_fo4(bits + 1))
      .through("enable", hw::gates::enable_fo4());
}

hw::MultiplexerShape operands_shape(const GpuConfig& gpu) {
  return {gpu.core.warps, DivergentLoadClassifier::kPcBits + kWarpSize, 1};
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
      stored_(owner, "predictions", stored_shape(context.gpu), hw::PaperCount::kBits),
      lane_counter_(owner, "lane_counter", kWarpSize),
      share_factor_(share_factor(config_)),
      share_adders_(share_adders(owner, share_factor_)),
      adder_(owner, "prediction_adder", {stored_.bits() + 2, hw::Overflow::kSaturate}),
      next_(owner, "prediction_selector", context.gpu.core.warps, hw::SelectorForm::kRotating),
      operands_(owner, "prediction_operands", operands_shape(context.gpu)) {
  if (kind == OawsPrediction::kDynamic) {
    locality_.emplace(owner, "locality_warp",
                      hw::ComparatorShape{hw::index_bits(context.gpu.core.warps + 1)});
  }
  cycles_ = prediction_cycles(owner);
}

unsigned MissPredictor::prediction_cycles(const hw::Owner& owner) const {
  const hw::TimingPath selected = next_.structure().path;
  const hw::TimingPath read = hw::TimingPath(selected).then(operands_.structure().path);
  const hw::TimingPath need = need_path(stored_.bits());
  const hw::TimingPath lanes =
      hw::TimingPath(read).then(share_path(partial_products(share_factor_))).then(need);
  const hw::TimingPath divergence = hw::TimingPath(read).then(classifier_.lookup_path());
  owner.declare_path("predict", lanes);
  owner.declare_path("predict_divergence", divergence);
  unsigned cycles = std::max(owner.cycles(lanes), owner.cycles(divergence));
  if (order_ != nullptr) {
    const hw::TimingPath rank = hw::TimingPath(selected).then(order_->rank_path()).then(need);
    owner.declare_path("predict_rank", rank);
    cycles = std::max(cycles, owner.cycles(rank));
  }
  return cycles;
}

void MissPredictor::forget(unsigned warp) {
  known_ &= ~warp_bit(warp);
  stale_ |= warp_bit(warp);
  for (Pending& pending : pending_) {
    if (pending.warp == warp) pending.warp = kNoWarp;
  }
}

std::uint64_t MissPredictor::update(hw::Cycle cycle) {
  store_ready(cycle);
  const WarpTable& table = context_.table;
  if ((stale_ & table.valid & table.needs[static_cast<unsigned>(Unit::kLdst)]) == 0) {
    return pending_.empty() ? kNever : pending_.front().ready;
  }
  WarpMask wanted = table.l1d_loads(stale_ & table.valid);
  if (order_ != nullptr) wanted &= order_->ranked();
  if (cycles_ != 0) return begin_one(cycle, wanted);
  for (; wanted != 0; wanted &= wanted - 1) {
    const unsigned warp = lowest_warp(wanted);
    store(cycle, warp, predict(cycle, warp));
    stale_ &= ~warp_bit(warp);
  }
  return kNever;
}

std::uint64_t MissPredictor::begin_one(hw::Cycle cycle, WarpMask wanted) {
  const WarpMask unknown = wanted & ~known_;
  const unsigned warp = next_.select_from(unknown != 0 ? unknown : wanted, after_last_);
  if (warp == hw::kNoInput) return pending_.empty() ? kNever : pending_.front().ready;
  after_last_ = (warp + 1) % kMaxWarps;
  stale_ &= ~warp_bit(warp);
  pending_.push_back({warp, predict(cycle, warp), cycle + cycles_});
  return cycle + 1;
}

void MissPredictor::store_ready(hw::Cycle cycle) {
  std::size_t done = 0;
  for (; done < pending_.size() && pending_[done].ready <= cycle; ++done) {
    if (pending_[done].warp != kNoWarp) store(cycle, pending_[done].warp, pending_[done].value);
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
}

unsigned MissPredictor::entry(unsigned warp) const {
  const auto index = context_.host->next_pc(warp) / Instruction::kBytes;
  return warp * kBufferedInstructions + static_cast<unsigned>(index % kBufferedInstructions);
}

void MissPredictor::store(hw::Cycle cycle, unsigned warp, std::uint64_t value) {
  entry_of_[warp] = static_cast<std::uint8_t>(entry(warp));
  stored_.write(cycle, entry_of_[warp], value);
  known_ |= warp_bit(warp);
}

std::uint64_t MissPredictor::predict(hw::Cycle cycle, unsigned warp) {
  if (!takes_mshr(*context_.table.next[warp], context_.gpu) || config_.miss_percent == 0) return 0;
  operands_.read(cycle);
  const unsigned rank = order_ != nullptr ? order_->rank(cycle, warp) : 0;
  const bool divergent = classifier_.divergent(cycle, context_.host->next_pc(warp));
  if (locality_ && locality_->less(cycle, rank, ocw_->ocw())) return 0;
  if (!divergent) return 1;
  const unsigned share = share_of(cycle, lane_counter_.count(context_.host->next_lanes(warp)));
  // More than all entries could never be free at once.
  return std::min<std::uint64_t>(adder_.add(cycle, share, rank), context_.gpu.l1d.mshr.entries);
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
