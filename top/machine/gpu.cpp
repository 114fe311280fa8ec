#include "top/machine/gpu.h"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/memory_budget.h"
#include "base/stop.h"
#include "modules/cache/tag_array.h"
#include "modules/memory_partition/sectors.h"
#include "modules/warp_scheduler/note_link.h"
#include "top/machine/clock_period.h"

namespace heddle {

namespace {

/// Strands are what moves from a thread that has more to do to another: at least so many a thread, and none
/// of more SMs than that. More strands would be better shared out, and a domain's edge costs a tenth of what
/// the blocks of one SM do.
constexpr unsigned kStrandsPerThread = 2;
constexpr unsigned kMostSmsOfStrand = 5;

unsigned strands_of(unsigned sms, unsigned threads) {
  return std::min(sms,
                  std::max(kStrandsPerThread * threads, (sms + kMostSmsOfStrand - 1) / kMostSmsOfStrand));
}

/// Of the host's memory, for the tags of all caches: the machine's largest arrays.
std::uint64_t cache_bytes(const GpuConfig& config) {
  const std::uint64_t sm = TagArray::bytes_of(config.l1d.cache) + TagArray::bytes_of(config.fetch.cache) +
                           TagArray::bytes_of(config.ldst.constant_cache) +
                           TagArray::bytes_of(config.texture.cache);
  const std::uint64_t slices = std::uint64_t{config.dram.channels} * config.l2.slices_per_channel;
  return config.core.sms * sm + slices * TagArray::bytes_of(config.l2.cache);
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const GpuConfig& config, const GpuBuild& build)
    : sc_module(name),
      config_(config),
      map_(config.address_map, config.l2, config.dram),
      clock_tree_("clock_tree"),
      policy_board_(config.core.sms, note_way(config.scheduler)),
      sms_(config.core.sms),
      partitions_(config.dram.channels) {
  if (build.processes) {
    if (build.threads > 1) throw std::invalid_argument("blocks tick by processes on one thread only");
    clock_tree_.tick_by_processes();
  }
  require_memory(cache_bytes(config_), "tags of the caches");
  build_clocks(build);
  put_off_ = std::make_unique<PutOffSteps>("put_off_steps", *core_clock_, sm_clocks_.size());
  build_blocks(build);
  list_blocks();
  bind(*build.hops);
  if (sms_.front()->issue.feed.heard<event::L2Reply>()) keep_l2_owners();
}

void Gpu::build_clocks(const GpuBuild& build) {
  const ClockConfig& clocks = config_.clock;
  std::set<double> checked;
  const auto check = [&checked](const char* key, double mhz) {
    if (checked.insert(mhz).second) check_rounding(key, mhz);
  };
  check("clock.core_mhz", clocks.core_mhz);
  check("clock.interconnect_mhz", clocks.interconnect_mhz);
  check("clock.l2_mhz", clocks.l2_mhz);
  if (!build.external_memory) check("clock.dram_mhz", clocks.dram_mhz);
  const bool one_thread = build.threads == 1;
  if (one_thread) {
    core_clock_ = clock("core_clock", clocks.core_mhz, build.sleeping);
    sm_clocks_ = {core_clock_};
  }
  interconnect_clock_ = clock("interconnect_clock", clocks.interconnect_mhz, build.sleeping);
  l2_clock_ = clock("l2_clock", clocks.l2_mhz, build.sleeping);
  dram_clock_ = clock("dram_clock", clocks.dram_mhz, build.sleeping);
  if (one_thread) return;
  // At one time first the memory side and the SMs tick, then the dispatcher and the host, which see what all
  // of them have done.
  const unsigned strands = strands_of(config_.core.sms, build.threads);
  for (unsigned strand = 0; strand < strands; ++strand) {
    sm_clocks_.push_back(own_clock("sm_clock" + std::to_string(strand), clocks.core_mhz, build.sleeping));
  }
  policy_board_.put_off();
  clock_tree_.make_strands(sm_clocks_, build.threads, [this] {
    policy_board_.publish();
    put_off_->finish();
  });
  core_clock_ = own_clock("core_clock", clocks.core_mhz, build.sleeping);
}

ClockDomain* Gpu::own_clock(const std::string& name, double mhz, bool sleeping) {
  clocks_.push_back(std::make_unique<ClockDomain>(name.c_str(), clock_period(mhz), sleeping, &clock_tree_));
  return clocks_.back().get();
}

ClockDomain* Gpu::clock(const char* name, double mhz, bool sleeping) {
  // Edges of equal clocks coincide: one domain does for all of them.
  ClockDomain* const same = domain_of(mhz);
  return same != nullptr ? same : own_clock(name, mhz, sleeping);
}

ClockDomain* Gpu::domain_of(double mhz) const {
  const sc_core::sc_time period = clock_period(mhz);
  const auto same = std::find_if(clocks_.begin(), clocks_.end(),
                                 [&period](const auto& clock) { return clock->period() == period; });
  return same != clocks_.end() ? same->get() : nullptr;
}

void Gpu::build_blocks(const GpuBuild& build) {
  std::vector<std::function<void()>> steps;
  steps.emplace_back([this] {
    hw::Owner owner;
    owner.inventory = &dispatch_inventory_;
    owner.timing = config_.scheduler.timing;
    owner.clock_fo4 = config_.scheduler.clock_fo4;
    dispatcher_ = std::make_unique<TbDispatcher>("tb_dispatcher", *core_clock_, config_.core,
                                                 config_.tb_dispatcher, owner);
  });
  for (unsigned i = 0; i < config_.core.sms; ++i) {
    steps.emplace_back([this, i, &build] {
      const std::size_t strand = strand_of(i);
      sms_[i] = std::make_unique<Sm>(("sm" + std::to_string(i)).c_str(), *sm_clocks_[strand], config_, i,
                                     &policy_board_, *build.hops);
      sms_[i]->issue.issuer.put_off(put_off_->of_strand(strand),
                                    sm_clocks_.size() == 1 ? put_off_.get() : nullptr);
    });
  }
  steps.emplace_back([this] {
    interconnect_ = std::make_unique<Interconnect>("interconnect", *interconnect_clock_, config_.interconnect,
                                                   config_.core.sms, map_);
  });
  for (unsigned i = 0; i < config_.dram.channels; ++i) {
    steps.emplace_back([this, i, &build] {
      partitions_[i] = std::make_unique<MemoryPartition>(
          ("partition" + std::to_string(i)).c_str(), *l2_clock_, *dram_clock_, config_.l2, config_.dram, map_,
          i, core_clock_->period(), nullptr, build.external_memory, *build.hops);
    });
  }
  if (build.reverse_construction) {
    std::reverse(steps.begin(), steps.end());
  }
  for (const auto& step : steps) {
    throw_if_stopped();
    step();
  }
}

void Gpu::list_blocks() {
  blocks_.add(*dispatcher_);
  for (const auto& sm : sms_) blocks_.add(*sm);
  blocks_.add(*interconnect_);
  for (const auto& partition : partitions_) blocks_.add(*partition);
}

void Gpu::bind(HopBinder& hops) {
  std::vector<std::size_t> strands;
  for (unsigned i = 0; i < config_.core.sms; ++i) strands.push_back(strand_of(i));
  dispatcher_->count_apart(std::move(strands));
  for (unsigned i = 0; i < config_.core.sms; ++i) {
    sms_[i]->follow_launches(*dispatcher_);
    dispatcher_->sm[i].bind(sms_[i]->tb());
    hops.bind(sms_[i]->network(), interconnect_->sm_ports[i].socket);
    if (sm_clocks_.front() == core_clock_) continue;
    sms_[i]->memory_port.network.hand_over();
    interconnect_->sm_ports[i].hand_over();
  }
  for (unsigned i = 0; i < dispatcher_->issue_counts.size(); ++i) dispatcher_->issue_counts[i].bind(*sms_[i]);
  for (unsigned slice = 0; slice < map_.slices(); ++slice) {
    MemoryPartition& partition = *partitions_[slice / map_.slices_per_channel()];
    hops.bind(interconnect_->partition_ports[slice].socket,
              partition.sockets[slice % map_.slices_per_channel()]);
  }
}

hw::Owner l2_slice_hardware(hw::Inventory& inventory, const GpuConfig& config, unsigned slice) {
  hw::Owner owner;
  owner.inventory = &inventory;
  owner.path = "l2_slice" + std::to_string(slice);
  owner.timing = config.scheduler.timing;
  owner.clock_fo4 = config.scheduler.clock_fo4;
  return owner;
}

void Gpu::keep_l2_owners() {
  unsigned index = 0;
  for (const auto& partition : partitions_) {
    for (L2Slice& slice : partition->slices) {
      slice.keep_owners(l2_slice_hardware(memory_inventory_, config_, index++),
                        LineOwnersShape::of_l2(config_));
    }
  }
}

MemoryInitiatorSocket& Gpu::memory(unsigned channel) {
  ExternalChannel* external = partitions_.at(channel)->memory.get();
  if (external == nullptr) throw std::logic_error("the GPU was built with memories of its own");
  return external->memory.socket;
}

void Gpu::launch(std::unique_ptr<KernelLaunch> kernel, std::uint64_t launch_id, const LaunchTerms& terms) {
  KernelLaunch& launched = *kernel;
  kernels_[launch_id] = std::move(kernel);
  dispatcher_->launch(launched, launch_id, terms);
}

void Gpu::take_host() {
  if (has_host_)
    throw std::logic_error(name() + std::string(": the GPU has a Host already, expected one for each GPU"));
  has_host_ = true;
}

void Gpu::install(std::uint64_t address, std::uint64_t bytes) {
  const CacheConfig& cache = config_.l2.cache;
  const std::uint64_t line_bytes = cache.line_bytes;
  // So many bytes bring every set at least three times as many lines as it has ways. Of a longer copy only
  // the end stays in the L2, whatever was there before.
  constexpr std::uint64_t kFills = 4;
  constexpr std::uint64_t kBlocks = 2;
  const std::uint64_t enough =
      map_.slices() * (kFills * cache.sets * cache.ways * line_bytes + kBlocks * map_.interleave_bytes());
  if (bytes > enough) {
    address += bytes - enough;
    bytes = enough;
  }
  for (std::uint64_t line = address / line_bytes * line_bytes; line < address + bytes; line += line_bytes) {
    throw_if_stopped();
    partitions_[map_.slice_of(line) / map_.slices_per_channel()]->install(line);
  }
}

void Gpu::warm(std::uint64_t address, unsigned sectors, bool writes) {
  static_assert(MemoryWatch::kBlockBytes == kLineBytes);
  constexpr unsigned kAll = (1U << kSectorsPerLine) - 1;
  partitions_[map_.slice_of(address) / map_.slices_per_channel()]->warm(
      address, static_cast<SectorMask>(writes ? sectors : kAll), writes);
}

Cycle Gpu::last_progress() const {
  Cycle last = 0;
  for (const auto& sm : sms_) {
    last = std::max(last, sm->last_progress());
  }
  return last;
}

std::uint64_t Gpu::tbs_ended() const {
  std::uint64_t tbs = 0;
  for (const auto& sm : sms_) {
    tbs += sm->issue.statistics().tbs;
  }
  return tbs;
}

std::uint64_t Gpu::warp_instructions() const {
  std::uint64_t instructions = 0;
  for (const auto& sm : sms_) {
    instructions += sm->warp_instructions();
  }
  return instructions;
}

std::string Gpu::describe_waiting() const {
  std::string text = dispatcher_->describe_waiting();
  for (const auto& sm : sms_) {
    text += sm->describe_waiting();
  }
  return text;
}

std::string Gpu::describe_held_back() const {
  std::string text;
  for (const auto& sm : sms_) text += sm->describe_held_back();
  return text.empty() ? dispatcher_->describe_held_back() : text;
}

void Gpu::look_for_starved() {
  const Cycle cycle = core_clock_->cycle();
  for (const auto& sm : sms_) sm->issue.issuer.look_for_starved(cycle);
}

std::string Gpu::describe_starved(Cycle cycles) const {
  unsigned warps = 0;
  unsigned sms = 0;
  std::string first;
  for (const auto& sm : sms_) {
    const WarpMask starved = sm->issue.issuer.starved(cycles);
    if (starved == 0) continue;
    warps += static_cast<unsigned>(__builtin_popcountll(starved));
    if (sms++ == 0) first = sm->issue.issuer.describe_starved(starved);
  }
  if (warps == 0) return "";
  return std::to_string(warps) + " warp(s) on " + std::to_string(sms) +
         " SM(s) could issue and have not for more than " + std::to_string(cycles) +
         " core cycles, while others have, under scheduler.name " + config_.scheduler.name +
         "; if those wait for what these have to do, the scheduler starves the program:\n" + first;
}

std::uint64_t Gpu::ticks_executed() const {
  std::uint64_t ticks = 0;
  for (const auto& clock : clocks_) {
    ticks += clock->ticks_executed();
  }
  return ticks;
}

std::vector<const hw::Inventory*> Gpu::inventories() const {
  std::vector<const hw::Inventory*> inventories;
  for (const auto& sm : sms_) {
    inventories.push_back(&sm->issue.inventory());
  }
  inventories.push_back(&dispatch_inventory_);
  inventories.push_back(&memory_inventory_);
  return inventories;
}

void Gpu::trace_state(WaveSink& sink) {
  for (const auto& sm : sms_) {
    const WaveScope scope(sink, sm->basename());
    sm->trace_state(sink);
  }
}

std::vector<Gpu::NamedClock> Gpu::clocks() const {
  return {
      {"core", core_clock_}, {"interconnect", interconnect_clock_}, {"l2", l2_clock_}, {"dram", dram_clock_}};
}

std::string_view Gpu::clock_of(std::string_view scope) {
  const auto begins_with = [scope](std::string_view name) { return scope.substr(0, name.size()) == name; };
  if (begins_with("interconnect")) return "interconnect";
  if (!begins_with("partition")) return "core";
  return scope.find(".dram") == std::string_view::npos ? "l2" : "dram";
}

std::vector<const Clocked*> Gpu::changers(std::string_view scope) const {
  const std::string_view block = scope.substr(0, scope.find('.'));
  const std::string_view inside = block == scope ? std::string_view() : scope.substr(block.size() + 1);
  if (block == "interconnect") return {interconnect_.get()};
  if (block == "tb_dispatcher") {
    std::vector<const Clocked*> blocks{dispatcher_.get()};
    constexpr std::string_view kKernel = TbDispatcher::kKernelScope;
    if (inside.empty() || inside.substr(0, kKernel.size()) == kKernel) return blocks;
    for (const auto& sm : sms_) blocks.push_back(&sm->issue);  // its policies hear of the SMs' TBs at once
    return blocks;
  }
  for (const auto& sm : sms_) {
    if (block != sm->basename()) continue;
    std::vector<const Clocked*> blocks = sm->changers(inside);
    if (blocks.front() == &sm->issue) blocks.push_back(dispatcher_.get());  // it gives TBs
    return blocks;
  }
  for (const auto& partition : partitions_) {
    if (block == partition->basename()) return partition->changers(inside);
  }
  return {};
}

}  // namespace heddle
