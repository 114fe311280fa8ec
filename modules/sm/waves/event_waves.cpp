#include "modules/sm/waves/event_waves.h"

#include <string>

#include "hw/pricing/bits.h"

namespace heddle {

namespace {

constexpr unsigned kWarpBits = 6;
constexpr unsigned kIdBits = 48;
constexpr unsigned kAddressBits = 48;
constexpr unsigned kSetBits = 16;
constexpr unsigned kLaunchBits = 32;
constexpr unsigned kCountBits = 16;
/// Accesses of an instruction, AccessList::kCapacity of them at most.
constexpr unsigned kLinesBits = 8;
constexpr unsigned kPlaceBits = 6;

const std::vector<std::string>& outcome_names() {
  static const std::vector<std::string> names{"hit", "merged", "miss", "queued", "refused"};
  return names;
}

const std::vector<std::string>& origin_names() {
  static const std::vector<std::string> names{"same_warp", "same_sm", "other_sm", "nobody"};
  return names;
}

const std::vector<std::string>& refusals() {
  static const std::vector<std::string> names = refusal_names();
  return names;
}

std::uint64_t bit(unsigned slot) { return std::uint64_t{1} << slot; }

}  // namespace

template <unsigned kFields, unsigned kPorts>
void EventWaves::trace_ports(WaveSink& sink, const Ports<kFields, kPorts>& ports, const char* name,
                             const std::array<FieldName, kFields>& fields) {
  for (unsigned p = 0; p < kPorts; ++p) {
    const WaveScope scope(sink, name + std::to_string(p));
    sink.signal(ports.port[p][0], 1, "valid");
    sink.signal(ports.port[p][1], kPlaceBits, "place");
    for (unsigned f = 0; f < kFields; ++f) {
      const std::uint64_t& field = ports.port[p][f + 2];
      if (fields[f].names == nullptr) {
        sink.signal(field, fields[f].bits, fields[f].name);
      } else {
        sink.enumeration(field, fields[f].name, *fields[f].names);
      }
    }
  }
}

void EventWaves::trace_tbs(WaveSink& sink) const {
  const WaveScope scope(sink, "tbs", version_);
  const unsigned slots = gpu_.core.tb_slots;
  const auto column = [&](const char* name, unsigned bits, std::uint64_t Tb::*member) {
    const WaveScope inner(sink, name);
    for (unsigned t = 0; t < slots; ++t) sink.signal(tbs_[t].*member, bits, "entry" + std::to_string(t));
  };
  column("index", kIdBits, &Tb::index);
  column("launch", kLaunchBits, &Tb::launch);
  column("num_warps", hw::index_bits(kMaxWarps + 1), &Tb::num_warps);
}

void EventWaves::trace_events(WaveSink& sink, EventSet told) {
  trace_tbs(sink);
  const WaveScope scope(sink, "events", version_);
  const unsigned warps = gpu_.core.warps;
  sink.signal(masks_.warp_start, warps, "warp_start");
  sink.signal(masks_.warp_finish, warps, "warp_finish");
  sink.signal(masks_.warp_retire, warps, "warp_retire");
  sink.signal(masks_.barrier_arrive, warps, "barrier_arrive");
  sink.signal(masks_.barrier_release, warps, "barrier_release");
  sink.signal(masks_.tb_start, gpu_.core.tb_slots, "tb_start");
  sink.signal(masks_.tb_end, gpu_.core.tb_slots, "tb_end");
  sink.signal(missed_, kCountBits, "missed");
  const auto tells = [told](EventSet kind) { return (told & kind) != 0; };
  const FieldName launch{"launch", kLaunchBits};
  const FieldName warp{"warp", kWarpBits};
  const FieldName pc{"pc", kAddressBits};
  const FieldName id{"id", kIdBits};
  const FieldName address{"address", kAddressBits};
  const FieldName set{"set", kSetBits};
  const FieldName lines{"lines", kLinesBits};
  if (tells(event::KernelStart::kBit)) trace_ports<1>(sink, kernel_start_, "kernel_start", {launch});
  if (tells(event::GridDispatched::kBit)) trace_ports<1>(sink, grid_dispatched_, "grid_dispatched", {launch});
  if (tells(event::Result::kBit)) trace_ports<3>(sink, result_, "result", {warp, id, {"direct", 1}});
  if (tells(event::LoadCoalesced::kBit)) {
    trace_ports<6>(sink, load_coalesced_, "load_coalesced",
                   {warp, pc, id, {"lanes", kWarpSize}, {"bypasses_l1d", 1}, lines});
  }
  if (tells(event::L1dAccess::kBit)) {
    trace_ports<10>(sink, l1d_access_, "l1d_access",
                    {{{"outcome", 0, &outcome_names()},
                      {"refusal", 0, &refusals()},
                      {"last", 1},
                      {"replayed", 1},
                      warp,
                      {"line_warp", kWarpBits},
                      pc,
                      id,
                      address,
                      set}});
  }
  if (tells(event::L1dEviction::kBit)) {
    trace_ports<4>(sink, l1d_eviction_, "l1d_eviction",
                   {{{"filled_by", kWarpBits}, {"evicted_by", kWarpBits}, address, set}});
  }
  if (tells(event::L1dStore::kBit)) {
    trace_ports<6>(sink, l1d_store_, "l1d_store", {warp, pc, {"local", 1}, {"invalidated", 1}, address, set});
  }
  if (tells(event::LoadLookedUp::kBit)) {
    trace_ports<7>(
        sink, load_looked_up_, "load_looked_up",
        {warp, pc, id, lines, {"hits", kLinesBits}, {"merged", kLinesBits}, {"misses", kLinesBits}});
  }
  if (tells(event::LoadReturned::kBit)) trace_ports<3>(sink, load_returned_, "load_returned", {warp, pc, id});
  if (tells(event::MshrRoom::kBit)) {
    trace_ports<2>(sink, mshr_room_, "mshr_room",
                   {{{"free_entries", kCountBits}, {"free_queue", kCountBits}}});
  }
  if (tells(event::L2Reply::kBit)) {
    trace_ports<2>(sink, l2_reply_, "l2_reply", {{warp, {"origin", 0, &origin_names()}}});
  }
  trace_ports<2>(sink, note_, "note", {{{"kind", kCountBits}, {"value", kLaunchBits}}});
}

template <unsigned kFields, unsigned kPorts>
void EventWaves::clear(Ports<kFields, kPorts>& ports) {
  for (; ports.used != 0; --ports.used) ports.port[ports.used - 1][0] = 0;
}

void EventWaves::clear() {
  ++version_;
  masks_ = {};
  place_ = 0;
  clear(kernel_start_);
  clear(grid_dispatched_);
  clear(result_);
  clear(load_coalesced_);
  clear(l1d_access_);
  clear(l1d_eviction_);
  clear(l1d_store_);
  clear(load_looked_up_);
  clear(load_returned_);
  clear(mshr_room_);
  clear(l2_reply_);
  clear(note_);
  showing_ = false;
}

void EventWaves::note() {
  const Cycle now = clock_.cycle();
  if (showing_ && cycle_ != now) clear();
  ++version_;
  cycle_ = now;
  showing_ = true;
}

bool EventWaves::end_tick() {
  if (showing_ && cycle_ != clock_.cycle()) clear();
  return showing_;
}

template <unsigned kFields, unsigned kPorts>
void EventWaves::put(Ports<kFields, kPorts>& ports, const std::array<std::uint64_t, kFields>& fields) {
  note();
  if (ports.used == kPorts) {
    ++missed_;
    return;
  }
  auto& port = ports.port[ports.used++];
  port[0] = 1;
  port[1] = place_++;
  for (unsigned f = 0; f < kFields; ++f) port[f + 2] = fields[f];
}

void EventWaves::on_kernel_start(const KernelEvent& event) { put<1>(kernel_start_, {event.launch_id}); }

void EventWaves::on_grid_dispatched(const GridDispatched& event) {
  put<1>(grid_dispatched_, {event.launch_id});
}

void EventWaves::on_tb_start(const TbEvent& event) {
  note();
  masks_.tb_start |= bit(event.slot);
  tbs_[event.slot] = {event.tb, event.launch_id, event.num_warps};
}

void EventWaves::on_tb_end(const TbEvent& event) {
  note();
  masks_.tb_end |= bit(event.slot);
}

void EventWaves::on_warp_start(const WarpEvent& event) {
  note();
  masks_.warp_start |= warp_bit(event.warp);
}

void EventWaves::on_warp_finish(const WarpEvent& event) {
  note();
  masks_.warp_finish |= warp_bit(event.warp);
}

void EventWaves::on_warp_retire(const WarpEvent& event) {
  note();
  masks_.warp_retire |= warp_bit(event.warp);
}

void EventWaves::on_barrier_arrive(const BarrierEvent& event) {
  note();
  masks_.barrier_arrive |= event.warps;
}

void EventWaves::on_barrier_release(const BarrierEvent& event) {
  note();
  masks_.barrier_release |= event.warps;
}

void EventWaves::on_result(const ResultEvent& event) {
  put<3>(result_, {event.warp, event.id, event.direct});
}

void EventWaves::on_load_coalesced(const LoadCoalesced& event) {
  put<6>(load_coalesced_,
         {event.warp, event.pc, event.instruction, event.lanes, event.bypasses_l1d, event.lines});
}

void EventWaves::on_l1d_access(const L1dAccess& event) {
  put<10>(l1d_access_, {static_cast<std::uint64_t>(event.outcome), static_cast<std::uint64_t>(event.refusal),
                        event.last, event.replayed, event.warp, event.line_warp, event.pc, event.instruction,
                        event.line.address, event.line.set});
}

void EventWaves::on_eviction(const L1dEviction& event) {
  put<4>(l1d_eviction_, {event.filled_by, event.evicted_by, event.line.address, event.line.set});
}

void EventWaves::on_store(const L1dStore& event) {
  put<6>(l1d_store_,
         {event.warp, event.pc, event.local, event.invalidated, event.line.address, event.line.set});
}

void EventWaves::on_load_looked_up(const LoadLookedUp& event) {
  put<7>(load_looked_up_,
         {event.warp, event.pc, event.instruction, event.lines, event.hits, event.merged, event.misses});
}

void EventWaves::on_load_returned(const LoadReturned& event) {
  put<3>(load_returned_, {event.warp, event.pc, event.instruction});
}

void EventWaves::on_mshr_room(const MshrRoom& event) {
  put<2>(mshr_room_, {event.free_entries, event.free_queue});
}

void EventWaves::on_l2_reply(const L2Reply& event) {
  put<2>(l2_reply_, {event.warp, static_cast<std::uint64_t>(event.origin)});
}

void EventWaves::on_note(const PolicyNote& note) { put<2>(note_, {note.kind, note.value}); }

}  // namespace heddle
