#include "top/config/config_builders.h"
#include "top/config/config_sections.h"

namespace heddle::config {

namespace {

template <unsigned DramConfig::*Timing>
void timing(std::vector<ConfigKey>& keys, const char* name, const char* description) {
  keys.push_back(whole<&GpuConfig::dram, Timing>(std::string("dram.") + name + "_cycles", 1, 1024,
                                                 "DRAM command clocks", description));
}

void add_organisation_keys(std::vector<ConfigKey>& keys) {
  keys.push_back(whole<&GpuConfig::dram, &DramConfig::channels>(
      "dram.channels", 1, 64, "channels", "DRAM channels, each with its own controller"));
  keys.push_back(choice<&GpuConfig::dram, &DramConfig::scheduling>(
      "dram.scheduling", {"fr_fcfs", "fcfs"}, "Order of requests: open rows first, or as they came"));
  keys.push_back(
      power_of_two<&GpuConfig::dram, &DramConfig::banks>("dram.banks", 1, 64, "banks", "Banks of a channel"));
  keys.push_back(power_of_two<&GpuConfig::dram, &DramConfig::bank_groups>(
      "dram.bank_groups", 1, 64, "groups", "Bank groups (low bits of the bank)"));
  keys.push_back(power_of_two<&GpuConfig::dram, &DramConfig::bus_bytes>("dram.bus_bytes", 1, 128, "bytes",
                                                                        "Width of a channel's data bus"));
  keys.push_back(power_of_two<&GpuConfig::dram, &DramConfig::burst_length>(
      "dram.burst_length", 1, 64, "transfers", "Transfers of a burst"));
  keys.push_back(power_of_two<&GpuConfig::dram, &DramConfig::data_rate>(
      "dram.data_rate", 1, 16, "transfers/clock", "Transfers per command clock"));
  keys.push_back(power_of_two<&GpuConfig::dram, &DramConfig::access_bytes>(
      "dram.access_bytes", 32, 128, "bytes", "What one fetch of the L2 moves; it takes whole bursts"));
  keys.push_back(whole<&GpuConfig::dram, &DramConfig::queue>("dram.queue", 4, 4096, "requests",
                                                             "Requests that the controller chooses from"));
  keys.push_back(whole<&GpuConfig::dram, &DramConfig::return_queue>(
      "dram.return_queue", 4, 4096, "requests", "Finished requests that wait for the L2"));
  keys.push_back(whole<&GpuConfig::dram, &DramConfig::fixed_latency_core_cycles>(
      "dram.fixed_latency_core_cycles", 0, 4096, "core cycles",
      "On-chip path of a request before the controller"));
  keys.push_back(
      power_of_two<&GpuConfig::dram, &DramConfig::rows>("dram.rows", 1, 1048576, "rows", "Rows of a bank"));
  keys.push_back(power_of_two<&GpuConfig::dram, &DramConfig::row_bytes>("dram.row_bytes", 128, 65536, "bytes",
                                                                        "Row of a bank, across the channel"));
}

}  // namespace

void add_dram_keys(std::vector<ConfigKey>& keys) {
  add_organisation_keys(keys);
  timing<&DramConfig::tCL>(keys, "t_cl", "tCL: read command to data");
  timing<&DramConfig::tRP>(keys, "t_rp", "tRP: precharge to activate");
  timing<&DramConfig::tRC>(keys, "t_rc", "tRC: activate to activate, same bank");
  timing<&DramConfig::tRAS>(keys, "t_ras", "tRAS: activate to precharge");
  timing<&DramConfig::tRCD>(keys, "t_rcd", "tRCD: activate to read");
  timing<&DramConfig::tRRD>(keys, "t_rrd", "tRRD: activate to activate, other bank");
  timing<&DramConfig::tCDLR>(keys, "t_cdlr", "tCDLR: last written data to read");
  timing<&DramConfig::tWR>(keys, "t_wr", "tWR: last written data to precharge");
  timing<&DramConfig::tCCD>(keys, "t_ccd", "tCCD: column command to column command");
  timing<&DramConfig::tCCDL>(keys, "t_ccdl", "tCCDL: likewise, same bank group");
  timing<&DramConfig::tRTPL>(keys, "t_rtpl", "tRTPL: read to precharge");
  timing<&DramConfig::tWL>(keys, "t_wl", "tWL: write command to data");
  timing<&DramConfig::tRCDWR>(keys, "t_rcdwr", "tRCDWR: activate to write");
}

}  // namespace heddle::config
