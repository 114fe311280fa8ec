#include "top/pairs/pair_bench.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace heddle {

std::uint64_t Arrival::cycles(std::uint64_t first_alone) const {
  return static_cast<std::uint64_t>(
      std::llround(percent ? value / 100 * static_cast<double>(first_alone) : value));
}

std::string Arrival::text() const { return fmt::format("{}{}", value, percent ? "%" : ""); }

Arrival Arrival::parse(const std::string& text) {
  Arrival arrival;
  arrival.percent = !text.empty() && text.back() == '%';
  const char* end = text.data() + text.size() - (arrival.percent ? 1 : 0);
  const auto [rest, error] = std::from_chars(text.data(), end, arrival.value);
  if (error != std::errc() || rest != end || !(arrival.value >= 0) || arrival.value > 1e9) {
    throw std::invalid_argument("arrival: found '" + text +
                                "', expected core cycles (100) or a share of the first " +
                                "kernel's run time alone (25%)");
  }
  return arrival;
}

PairBench::PairBench(const GpuConfig& config, const TimedWorkload& workload,
                     const std::vector<std::string>& policies, const std::vector<Arrival>& arrivals)
    : config_(config), workload_(workload) {
  const sc_core::sc_time period(1, sc_core::SC_NS);  // cycles are all that counts
  TbDispatcherConfig fifo = config.tb_dispatcher;
  fifo.policy = "fifo";
  for (std::size_t k = 0; k < workload.kernels.size(); ++k) {
    alone_beds_.push_back(std::make_unique<TestBed>("alone" + std::to_string(k), config.core, fifo, period));
  }
  for (const Arrival& arrival : arrivals) {
    for (const std::string& policy : policies) {
      TbDispatcherConfig dispatch = config.tb_dispatcher;
      dispatch.policy = policy;
      dispatch_.push_back(dispatch);
      results_.push_back({policy, arrival, {}, {}});
    }
  }
  build_pairs(period);
}

void PairBench::build_pairs(const sc_core::sc_time& period) {
  const std::size_t count = workload_.kernels.size();
  for (std::size_t result = 0; result < results_.size(); ++result) {
    for (std::size_t first = 0; first < count; ++first) {
      for (std::size_t second = 0; second < count; ++second) {
        if (first == second) continue;
        const std::string name = fmt::format("pair{}_{}_{}", result, first, second);
        pair_beds_.push_back({std::make_unique<TestBed>(name, config_.core, dispatch_[result], period),
                              result, first, second});
      }
    }
  }
}

void PairBench::run() {
  for (std::size_t k = 0; k < alone_beds_.size(); ++k) alone_beds_[k]->launch(workload_.kernels[k], 0, 0);
  sc_core::sc_start();
  for (const auto& bed : alone_beds_) {
    bed->rethrow_fault();
    alone_.push_back(bed->turnarounds().front());
  }
  for (const Bed& pair : pair_beds_) {
    const Arrival& arrival = results_[pair.result].arrival;
    pair.bed->launch(workload_.kernels[pair.first], 0, alone_[pair.first]);
    pair.bed->launch(workload_.kernels[pair.second], arrival.cycles(alone_[pair.first]), alone_[pair.second]);
  }
  sc_core::sc_start();
  for (const Bed& pair : pair_beds_) collect(pair);
  for (PolicyResult& result : results_) result.set_mean();
}

PairFigures PairBench::figures() const {
  PairFigures figures{workload_.name, {}, alone_, results_, workload_.published};
  for (const TimedKernel& kernel : workload_.kernels) figures.names.push_back(kernel.name);
  return figures;
}

void PolicyResult::set_mean() {
  std::vector<MultiprogramMetrics> values;
  for (const PairResult& pair : pairs) {
    if (pair.failure.empty()) values.push_back(pair.metrics);
  }
  mean = geometric_mean(values);
}

void PairBench::collect(const Bed& pair) {
  PolicyResult& result = results_[pair.result];
  const std::string& first = workload_.kernels[pair.first].name;
  const std::string& second = workload_.kernels[pair.second].name;
  pair.bed->rethrow_fault();
  if (!pair.bed->done()) {
    throw std::runtime_error(fmt::format("{} and {} under {}: thread blocks wait that no SM is ever given",
                                         first, second, result.policy));
  }
  PairResult outcome{pair.first, pair.second, pair.bed->turnarounds(), {}};
  outcome.metrics = multiprogram_metrics({alone_[pair.first], alone_[pair.second]}, outcome.shared);
  result.pairs.push_back(outcome);
}

}  // namespace heddle
