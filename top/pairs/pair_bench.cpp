#include "top/pairs/pair_bench.h"

#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <stdexcept>

#include "base/stop.h"

namespace heddle {

namespace {

/// Cycles are all that counts.
sc_core::sc_time period() { return {1, sc_core::SC_NS}; }

/// Of the dispatch policy's parts, which are not listed.
hw::Owner hardware_of(const GpuConfig& config) {
  hw::Owner owner;
  owner.timing = config.scheduler.timing;
  owner.clock_fo4 = config.scheduler.clock_fo4;
  return owner;
}

}  // namespace

PairBench::PairBench(const GpuConfig& config, const TimedWorkload& workload, const PairBenchOptions& options)
    : config_(config),
      workload_(workload),
      options_(options),
      alone_beds_(options.plan.repetitions),
      alone_(options.plan.repetitions),
      alone_launches_(options.plan.repetitions),
      results_(planned_results(workload.kernels.size(), options.plan, options.policies, options.arrivals)) {
  if (workload.kernels.size() < options.plan.together) {
    throw std::invalid_argument(
        fmt::format("workload '{}': {} kernels, expected at least the {} to run together", workload.name,
                    workload.kernels.size(), options.plan.together));
  }
  for (const PolicyResult& result : results_) {
    dispatch_.push_back(config.tb_dispatcher);
    dispatch_.back().policy = result.policy;
  }
}

void PairBench::build_alone() {
  TbDispatcherConfig fifo = config_.tb_dispatcher;
  fifo.policy = "fifo";
  for (unsigned repetition = 0; repetition < options_.plan.repetitions; ++repetition) {
    for (std::size_t k = 0; k < workload_.kernels.size(); ++k) {
      alone_beds_[repetition].push_back(std::make_unique<TestBed>(
          fmt::format("alone{}_{}", repetition, k), config_.core, fifo, period(), options_.interference));
    }
  }
}

void PairBench::build_pairs() {
  for (std::size_t result = 0; result < results_.size(); ++result) {
    for (std::size_t pair = 0; pair < results_[result].pairs.size(); ++pair) {
      pair_beds_.push_back(
          {std::make_unique<TestBed>(fmt::format("pair{}_{}", result, pair), config_.core, dispatch_[result],
                                     period(), options_.interference, hardware_of(config_)),
           nullptr, result, pair});
      Bed& bed = pair_beds_.back();
      if (!options_.log_folder.empty())
        bed.log = std::make_unique<TimedLog>(bed.bed->dispatcher(), config_.core);
    }
  }
}

TimedKernel PairBench::kernel_in(unsigned repetition, std::size_t kernel) const {
  TimedKernel drawn = workload_.kernels[kernel];
  const std::uint64_t seed = seed_of_repetition(options_.plan.seed, repetition);
  if (seed == 1) return drawn;
  std::seed_seq sequence{std::uint64_t{drawn.seed}, seed, seed >> 32U};  // it takes 32 bits of each
  std::mt19937_64 generator(sequence);
  drawn.seed = generator();
  return drawn;
}

void PairBench::run() {
  build_alone();
  build_pairs();
  for (unsigned repetition = 0; repetition < options_.plan.repetitions; ++repetition) {
    for (std::size_t k = 0; k < workload_.kernels.size(); ++k) {
      alone_beds_[repetition][k]->run_program(kernel_in(repetition, k), 0, {});
    }
  }
  sc_core::sc_start();
  throw_if_stopped();  // by the bed that heard of it; others have not come to their end
  for (unsigned repetition = 0; repetition < options_.plan.repetitions; ++repetition) {
    for (const auto& bed : alone_beds_[repetition]) {
      bed->rethrow_fault();
      alone_[repetition].push_back(bed->turnarounds().front());
      alone_launches_[repetition].push_back(bed->launch_cycles(0));
    }
  }
  for (const Bed& bed : pair_beds_) launch(bed);
  if (!pair_beds_.empty()) sc_core::sc_start();
  throw_if_stopped();
  for (const Bed& bed : pair_beds_) collect(bed);
  for (PolicyResult& result : results_) result.set_mean();
}

void PairBench::launch(const Bed& bed) {
  PairResult& pair = results_[bed.result].pairs[bed.pair];
  std::vector<std::uint64_t> alone;
  for (const std::size_t kernel : pair.programs) alone.push_back(alone_[pair.repetition][kernel]);
  pair.arrivals = arrivals_of(results_[bed.result].arrival, pair.programs, alone,
                              seed_of_repetition(options_.plan.seed, pair.repetition), 0);
  for (std::size_t p = 0; p < pair.programs.size(); ++p) {
    const std::size_t kernel = pair.programs[p];
    bed.bed->run_program(kernel_in(pair.repetition, kernel), pair.arrivals[p],
                         alone_launches_[pair.repetition][kernel]);
  }
}

PairFigures PairBench::figures() const {
  PairFigures figures = figures_of(workload_, options_.plan.together);
  figures.alone = alone();
  figures.results = results_;
  return figures;
}

void PairBench::collect(const Bed& bed) {
  PolicyResult& result = results_[bed.result];
  PairResult& pair = result.pairs[bed.pair];
  std::string names;
  for (const std::size_t kernel : pair.programs) {
    names += (names.empty() ? "" : " + ") + workload_.kernels[kernel].name;
    pair.alone.push_back(alone_[pair.repetition][kernel]);
  }
  bed.bed->rethrow_fault();
  if (!bed.bed->done()) {
    throw std::runtime_error(
        fmt::format("{} under {}: thread blocks wait that no SM is ever given", names, result.policy));
  }
  pair.shared = bed.bed->turnarounds();
  pair.metrics = multiprogram_metrics(pair.alone, pair.shared);
  DelaySink sink;
  bed.bed->dispatcher().report(sink);
  pair.delays = sink.delays;
  if (bed.log) {
    const std::size_t place = static_cast<std::size_t>(&bed - pair_beds_.data()) + 1;
    bed.log->write((std::filesystem::path(options_.log_folder) / std::to_string(place)).string(),
                   fmt::format("{} {} {} repetition {}", names, result.policy, result.arrival.text(),
                               pair.repetition + 1));
  }
}

}  // namespace heddle
