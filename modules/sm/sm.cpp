#include "modules/sm/sm.h"

#include <algorithm>

namespace heddle {

namespace {

/// Edges of an L1D hit after the tag look-up: to the LD/ST unit, and its write-back slot. Part of
/// ldst.l1_latency_cycles, since the reference's hits write back from the pipe's exit (gtx480.md, "LD/ST
/// unit").
constexpr unsigned kReturnHops = 2;

/// Calls `visit` with the scope name and the block, for each execution unit.
template <class Units, class Visit>
void for_each_unit(const Units& units, const char* kind, Visit visit) {
  for (std::size_t u = 0; u < units.size(); ++u) visit(kind + std::to_string(u), *units[u]);
}

}  // namespace

Sm::Sm(const sc_core::sc_module_name& name, ClockDomain& domain, const GpuConfig& config, unsigned index,
       PolicyBoard* board, HopBinder& hops)
    : sc_module(name),
      pipeline_(domain, index),
      fetch("fetch", domain, config.fetch, index, config.core.warps),
      issue("issue", domain, config, SmId(index), fetch, *this, board),
      collector("collector", domain, config.operand_collector, config.execution, config.core.schedulers),
      result_bus_(config.execution),
      ldst("ldst", domain, config, index, payloads_),
      l1d("l1d", domain, config.l1d, config.ldst.l1_latency_cycles - kReturnHops,
          static_cast<std::uint16_t>(index)),
      mshr("mshr", domain, config.l1d.mshr, config.l1d.cache.line_bytes),
      memory_port("memory_port", domain),
      index_(index) {
  unsigned port = 0;  // SFUs go before SPs on the result bus
  for (unsigned u = 0; u < config.execution.sfu_units; ++u) {
    sfu.push_back(std::make_unique<ExecutionUnit>(("sfu" + std::to_string(u)).c_str(), domain,
                                                  config.execution, result_bus_, port++));
  }
  for (unsigned u = 0; u < config.execution.sp_units; ++u) {
    sp.push_back(std::make_unique<ExecutionUnit>(("sp" + std::to_string(u)).c_str(), domain, config.execution,
                                                 result_bus_, port++));
  }
  domain.end_pipeline();
  bind_pipeline();
  bind_memory(hops);
  connect_policies(config);
  if (config.core.load_statistics) {
    load_statistics_ = std::make_unique<LoadStatistics>(config.core.warps);
    connect_load_statistics();
  }
  if (config.l1d.flush_at_kernel_end) {
    issue.residency.emptied.bind([this](Cycle /*cycle*/) { l1d.flush(); });
  }
}

void Sm::bind_pipeline() {
  for (unsigned s = 0; s < issue.issuer.schedulers(); ++s) {
    issue.issuer.scheduler(s).issue.bind(collector.issue[s]);
    issue.issuer.scheduler(s).ready.bind(collector);
  }
  for (std::size_t u = 0; u < sp.size(); ++u) collector.sp[u].bind(sp[u]->dispatch);
  for (std::size_t u = 0; u < sfu.size(); ++u) collector.sfu[u].bind(sfu[u]->dispatch);
  collector.mem.bind(ldst.dispatch);
  ldst.set_store_ack_listener(this);
}

void Sm::bind_memory(HopBinder& hops) {
  hops.bind(ldst.l1d.socket, l1d.cpu.socket);
  hops.bind(l1d.mshr.socket, mshr.cache.socket);
  hops.bind(mshr.memory.socket, memory_port.l1d.socket);
  hops.bind(fetch.icache.memory.socket, memory_port.l1i.socket);
  hops.bind(ldst.constant_cache.memory.socket, memory_port.constant.socket);
}

bool Sm::idle() const {
  const auto unit_idle = [](const auto& unit) { return unit->idle(); };
  return !busy() && collector.idle() && std::all_of(sp.begin(), sp.end(), unit_idle) &&
         std::all_of(sfu.begin(), sfu.end(), unit_idle) && ldst.idle() && l1d.idle() && mshr.idle() &&
         memory_port.idle() && fetch.icache.idle() && ldst.constant_cache.idle();
}

void Sm::settle() {
  fetch.settle();
  issue.settle();
  collector.settle();
  for (const auto& unit : sp) unit->settle();
  for (const auto& unit : sfu) unit->settle();
  ldst.settle();
  l1d.settle();
  mshr.settle();
  memory_port.settle();
}

void Sm::report(StatSink& sink) const {
  issue.report(sink);
  const auto report_scoped = [&](const std::string& scope_name, const auto& block) {
    StatScope scope(sink, scope_name);
    block.report(sink);
  };
  report_scoped("fetch", fetch);
  report_scoped("collector", collector);
  for_each_unit(sp, "sp", report_scoped);
  for_each_unit(sfu, "sfu", report_scoped);
  report_scoped("ldst", ldst);
  report_scoped("l1d", l1d);
  report_scoped("mshr", mshr);
  report_scoped("memory_port", memory_port);
  if (load_statistics_) report_scoped("loads", *load_statistics_);
}

void Sm::trace(WaveSink& sink) {
  issue.trace(sink);
  const auto trace_scoped = [&](const std::string& scope_name, auto& block) {
    WaveScope scope(sink, scope_name);
    block.trace(sink);
  };
  trace_scoped("fetch", fetch);
  trace_scoped("collector", collector);
  for_each_unit(sp, "sp", trace_scoped);
  for_each_unit(sfu, "sfu", trace_scoped);
  trace_scoped("ldst", ldst);
  trace_scoped("l1d", l1d);
  trace_scoped("mshr", mshr);
  trace_scoped("memory_port", memory_port);
}

}  // namespace heddle
