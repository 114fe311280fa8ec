#include "modules/sm/sm.h"

namespace heddle {

namespace {

/// Edges of an L1D hit after the tag look-up: to the LD/ST unit, and its write-back slot. Part of
/// ldst.l1_latency_cycles, since the reference's hits write back from the pipe's exit (gtx480.md, "LD/ST
/// unit").
constexpr unsigned kReturnHops = 2;

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
      texture("texture", domain, config.texture, static_cast<std::uint16_t>(index)),
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
  list_blocks();
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

void Sm::list_blocks() {
  blocks_.add_without_scope(issue);
  blocks_.add(fetch);
  blocks_.add(collector);
  for (const auto& unit : sp) blocks_.add(*unit);
  for (const auto& unit : sfu) blocks_.add(*unit);
  blocks_.add(ldst);
  blocks_.add(l1d);
  blocks_.add(mshr);
  blocks_.add(texture);
  blocks_.add(memory_port);
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
  hops.bind(ldst.texture.socket, texture.cpu.socket);
  hops.bind(texture.memory.socket, memory_port.texture.socket);
  hops.bind(ldst.constant_cache.memory.socket, memory_port.constant.socket);
}

std::vector<const Clocked*> Sm::changers(std::string_view scope) const {
  const std::string_view block = scope.substr(0, scope.find('.'));
  if (block == "fetch") return {&fetch, &fetch.icache};
  if (block == "collector") return {&collector};
  if (block == "ldst") return {&ldst, &ldst.constant_cache};
  if (block == "l1d") return {&l1d, &ldst};  // an access enters it in the tick of who sends it
  if (block == "mshr") return {&mshr, &l1d};
  if (block == "texture") return {&texture};
  if (block == "memory_port") return {&memory_port};
  for (const auto* units : {&sp, &sfu}) {
    for (const auto& unit : *units) {
      if (block == unit->basename()) return {unit.get()};
    }
  }
  std::vector<const Clocked*> blocks{&issue};
  if (replays_misses_) blocks.push_back(&l1d);  // by a queue of the policy's
  return blocks;
}

void Sm::report(StatSink& sink) const {
  blocks_.report(sink);
  if (load_statistics_) {
    const StatScope scope(sink, "loads");
    load_statistics_->report(sink);
  }
}

}  // namespace heddle
