// The blocks of a GPU as processes of the SystemC kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "top/config/config_loader.h"
#include "top/machine/gpu_builder.h"

namespace heddle {
namespace {

/// Names of the method processes below `objects`.
std::set<std::string> processes(const std::vector<sc_core::sc_object*>& objects) {
  std::set<std::string> names;
  for (sc_core::sc_object* object : objects) {
    const sc_core::sc_process_handle process(object);
    if (process.valid() && process.proc_kind() == sc_core::SC_METHOD_PROC_) names.insert(process.name());
    names.merge(processes(object->get_child_objects()));
  }
  return names;
}

TEST(GpuProcesses, EachBlockHasOneUnderItsName) {
  const auto gpu = build_gpu(load_config("", {"core.sms=2", "dram.channels=2", "l2.slices_per_channel=2"}),
                             {true, false, 1, true});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::set<std::string> ticks;
  for (const std::string& name : processes(sc_core::sc_get_top_level_objects())) {
    if (name.substr(name.rfind('.')) == ".tick") ticks.insert(name.substr(name.find('.') + 1));
  }
  std::set<std::string> blocks{"tb_dispatcher", "put_off_steps", "interconnect"};
  for (const std::string& sm : {"sm0", "sm1"}) {
    for (const char* block : {"fetch", "fetch.icache", "issue", "collector", "sp0", "sp1", "sfu0", "ldst",
                              "ldst.constant_cache", "l1d", "mshr", "texture", "memory_port"}) {
      blocks.insert(sm + "." + block);
    }
  }
  for (const std::string& partition : {"partition0", "partition1"}) {
    for (const char* block : {"dram", "slice0", "slice1"}) blocks.insert(partition + "." + block);
  }
  std::set<std::string> expected;
  for (const std::string& block : blocks) expected.insert(block + ".tick");
  EXPECT_EQ(ticks, expected);
}

TEST(GpuProcesses, ThreadsAreRefused) {
  EXPECT_THROW(Gpu("gpu", GpuConfig(), {true, false, 2, true}), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
