#include "top/config/config_builders.h"
#include "top/config/config_sections.h"

namespace heddle::config {

namespace {

void add_ldst_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(power_of_two<&GpuConfig::ldst, &LdstConfig::shared_banks>(
      "ldst.shared_banks", 1, 64, "banks", "Banks of the shared memory"));
  keys.push_back(power_of_two<&GpuConfig::ldst, &LdstConfig::shared_bank_bytes>(
      "ldst.shared_bank_bytes", 4, 8, "bytes", "Width of a shared-memory bank"));
  keys.push_back(whole<&GpuConfig::ldst, &LdstConfig::shared_latency_cycles>(
      "ldst.shared_latency_cycles", 1, 1024, "core cycles", "Shared-memory access without a conflict"));
  keys.push_back(flag<&GpuConfig::ldst, &LdstConfig::shared_atomic_turns>(
      "ldst.shared_atomic_turns",
      "Lanes whose atomics update one word of shared memory take turns; false: they share it as loads do"));
  keys.push_back(whole<&GpuConfig::ldst, &LdstConfig::replay_entries>(
      "ldst.replay_entries", 1, 1024, "accesses",
      "Re-execution queue beside the L1D, of warp schedulers that have one (mascar)"));
  keys.push_back(whole<&GpuConfig::ldst, &LdstConfig::l1_latency_cycles>(
      "ldst.l1_latency_cycles", 3, 1024, "core cycles",
      "From access generation to the write-back of an L1D hit"));
  cache<&GpuConfig::ldst, &LdstConfig::constant_cache>(keys, "ldst.constant_cache", 128);
  keys.push_back(flag<&GpuConfig::ldst, &LdstConfig::constant_word_turns>(
      "ldst.constant_word_turns",
      "Lanes that read different words of one line of constants take turns; false: they share it"));
  keys.push_back(whole<&GpuConfig::ldst, &LdstConfig::constant_mshr_entries>(
      "ldst.constant_mshr_entries", 1, 64, "lines", "Outstanding misses of the constant cache"));
  keys.push_back(whole<&GpuConfig::ldst, &LdstConfig::constant_mshr_merges>(
      "ldst.constant_mshr_merges", 1, 1024, "reads",
      "Reads of constants per outstanding line, the first included"));
}

void add_l1d_keys(std::vector<ConfigKey>& keys) {
  cache<&GpuConfig::l1d, &L1dConfig::cache>(keys, "l1d.cache", 128);
  keys.push_back(choice<&GpuConfig::l1d, &L1dConfig::allocate>(
      "l1d.allocate", {"on_miss", "on_fill"},
      "When a missed line takes its way: at the miss, or when it has come"));
  keys.push_back(flag<&GpuConfig::l1d, &L1dConfig::enabled>("l1d.enabled",
                                                            "false: every global access bypasses the L1D"));
  keys.push_back(flag<&GpuConfig::l1d, &L1dConfig::flush_at_kernel_end>(
      "l1d.flush_at_kernel_end", "Invalidated when its SM has no live thread"));
  keys.push_back(whole<&GpuConfig::l1d, &L1dConfig::mshr, &MshrConfig::entries>(
      "l1d.mshr.entries", 1, 1024, "lines", "Lines that may be outstanding"));
  keys.push_back(whole<&GpuConfig::l1d, &L1dConfig::mshr, &MshrConfig::merges>(
      "l1d.mshr.merges", 1, 1024, "requests", "Requests per outstanding line, the first included"));
  keys.push_back(whole<&GpuConfig::l1d, &L1dConfig::mshr, &MshrConfig::miss_queue>(
      "l1d.mshr.miss_queue", 1, 1024, "requests", "Misses and stores waiting for the interconnect"));
}

void add_texture_keys(std::vector<ConfigKey>& keys) {
  cache<&GpuConfig::texture, &TextureConfig::cache>(keys, "texture.cache", 128);
  keys.push_back(power_of_two<&GpuConfig::texture, &TextureConfig::lanes_per_cycle>(
      "texture.lanes_per_cycle", 1, 32, "lanes", "Lanes of a warp whose texels are addressed in a cycle"));
  keys.push_back(whole<&GpuConfig::texture, &TextureConfig::latency_cycles>(
      "texture.latency_cycles", 2, 1024, "core cycles",
      "From the addressing of a line's texels to the write-back of a hit"));
  keys.push_back(whole<&GpuConfig::texture, &TextureConfig::fifo_entries>(
      "texture.fifo_entries", 1, 1024, "lines", "Lines looked up whose texels were not read yet"));
  keys.push_back(whole<&GpuConfig::texture, &TextureConfig::request_queue>(
      "texture.request_queue", 1, 1024, "requests", "Misses waiting for the SM's memory port"));
  keys.push_back(whole<&GpuConfig::texture, &TextureConfig::reorder_entries>(
      "texture.reorder_entries", 1, 1024, "lines", "Misses whose line was not read yet"));
}

void add_interconnect_keys(std::vector<ConfigKey>& keys) {
  using Net = InterconnectConfig;
  keys.push_back(choice<&GpuConfig::interconnect, &Net::topology>(
      "interconnect.topology", {"crossbar", "butterfly"}, "Shape of the request and reply networks"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::flit_bytes>(
      "interconnect.flit_bytes", 8, 1024, "bytes", "Bytes that a link moves per cycle"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::header_bytes>("interconnect.header_bytes", 0, 64,
                                                                     "bytes", "Header of a packet"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::input_buffer_flits>(
      "interconnect.input_buffer_flits", 4, 4096, "flits", "Buffer of a switch's input port"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::injection_queue_packets>(
      "interconnect.injection_queue_packets", 1, 1024, "packets", "Queue before a network input"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::ejection_queue_packets>(
      "interconnect.ejection_queue_packets", 1, 1024, "packets", "Queue behind a network output"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::latency_cycles>(
      "interconnect.latency_cycles", 1, 1024, "interconnect cycles",
      "Least latency of a packet of one flit, injection to ejection"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::speedup>(
      "interconnect.speedup", 1, 16, "steps",
      "Steps that a switch makes in a cycle of its links; a packet takes one more than it has flits"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::sms_per_cluster>(
      "interconnect.sms_per_cluster", 1, 16, "SMs", "SMs that share a network port"));
  keys.push_back(whole<&GpuConfig::interconnect, &Net::butterfly_radix>(
      "interconnect.butterfly_radix", 2, 64, "ports", "Ports per side of a butterfly's switches"));
}

void add_l2_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(power_of_two<&GpuConfig::l2, &L2Config::slices_per_channel>(
      "l2.slices_per_channel", 1, 16, "slices", "L2 slices in front of a DRAM channel"));
  cache<&GpuConfig::l2, &L2Config::cache>(keys, "l2.cache", 128, 128);
  keys.push_back(whole<&GpuConfig::l2, &L2Config::mshr_entries>("l2.mshr_entries", 4, 4096, "entries",
                                                                "Outstanding misses of a slice"));
  keys.push_back(whole<&GpuConfig::l2, &L2Config::mshr_merges>(
      "l2.mshr_merges", 1, 255, "requests", "Requests per outstanding miss, the first included"));
  keys.push_back(whole<&GpuConfig::l2, &L2Config::miss_queue>(
      "l2.miss_queue", 2, 1024, "requests", "Misses and write-backs that wait for the DRAM"));
  keys.push_back(whole<&GpuConfig::l2, &L2Config::input_delay_cycles>(
      "l2.input_delay_cycles", 0, 4096, "L2 cycles",
      "Delay of every request before the slice's queue (ROP)"));
  keys.push_back(whole<&GpuConfig::l2, &L2Config::queue>(
      "l2.queue", 4, 4096, "requests", "Each queue between network, slice and DRAM controller, both ways"));
  keys.push_back(whole<&GpuConfig::l2, &L2Config::hit_latency_cycles>("l2.hit_latency_cycles", 1, 1024,
                                                                      "L2 cycles", "Lookup of a hit"));
  keys.push_back(power_of_two<&GpuConfig::l2, &L2Config::port_bytes>("l2.port_bytes", 32, 128, "bytes/cycle",
                                                                     "Data port of a slice"));
}

}  // namespace

void add_memory_keys(std::vector<ConfigKey>& keys) {
  add_ldst_keys(keys);
  add_l1d_keys(keys);
  add_texture_keys(keys);
  add_interconnect_keys(keys);
  keys.push_back(power_of_two<&GpuConfig::address_map, &AddressMapConfig::channel_interleave_bytes>(
      "address_map.channel_interleave_bytes", 128, 65536, "bytes",
      "Consecutive bytes that go to one DRAM channel before the next"));
  keys.push_back(whole<&GpuConfig::address_map, &AddressMapConfig::column_low_bits>(
      "address_map.column_low_bits", 5, 10, "bits",
      "Address bits below the bank bits: log2 of a DRAM atom's bytes"));
  add_l2_keys(keys);
}

}  // namespace heddle::config
