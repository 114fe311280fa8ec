#include "base/limits.h"

namespace heddle::limits {

const std::vector<Limit>& all() {
  static const std::vector<Limit> kAll{
      {"bytes of a YAML file", kYamlBytes},
      {"values, lists and maps of a YAML file, those that aliases repeat counted each time", kYamlNodes},
      {"lists and maps in each other in a YAML file", kYamlDepth},
      {"bytes of a file of run times alone (`--alone`)", kAloneBytes},
      {"bytes of a file of results that `heddle report` reads", kResultBytes},
      {"files that a configuration builds on, one on the other (`base`)", kConfigBases},
      {"characters of an expression", kExpressionCharacters},
      {"parentheses in each other, and intermediate values, of an expression", kExpressionDepth},
      {"PTX files of a workload", kPtxFiles},
      {"parameters of a workload", kParameters},
      {"buffers of a workload", kBuffers},
      {"textures of a workload", kTextures},
      {"streams of a workload", kStreams},
      {"elements of a buffer", kElements},
      {"bytes of all buffers", kDeviceBytes},
      {"steps of the host (statements, rounds of loops, and what is filled and copied) without a launch",
       kHostSteps},
      {"elements that are filled or copied in one such step", kHostElements},
      {"core cycle of an arrival", kArrivalCycles},
      {"thread blocks of a grid in x", kGridX},
      {"thread blocks of a grid in y and z", kGridYZ},
      {"threads of a block in x and y", kBlockXY},
      {"threads of a block in z", kBlockZ},
      {"threads of a block", kBlockThreads},
      {"`shared_bytes` of a launch", kSharedBytes},
      {"`registers` of a launch", kRegisters},
      {"thread blocks of a kernel of kind `timed`", kTimedTbs},
      {"mean cycles of its thread blocks", kTimedCycles},
      {"launches of a kernel of kind `timed`", kTimedLaunches},
  };
  return kAll;
}

}  // namespace heddle::limits
