#include "sc_tests/fuzz/runs/generated_run.h"

#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "workloads/description/workload_loader.h"

namespace heddle::fuzz {

Workload workload_of(const test::GeneratedKernel& kernel) {
  const ScratchFolder& folder = ScratchFolder::get();
  folder.write("kernel.ptx", kernel.ptx);
  const auto text = [](std::uint64_t number) { return std::to_string(number); };
  const std::string inputs = text(test::GeneratedKernel::kInputWords);
  return load_workload_text(
      "ptx: kernel.ptx\nbuffers:\n  in: {type: u32, count: " + inputs +
          ", init: {formula: hash(i)}}\n  out: {type: u32, count: " + text(kernel.output_words()) +
          "}\n  sums: {type: u32, count: " + text(test::GeneratedKernel::kSums) + "}\n" +
          test::textures_of(kernel.ptx) + "launches:\n  - {kernel: k, grid: " + text(kernel.blocks) +
          ", block: " + text(kernel.threads_per_block) + ", args: [in, out, sums, " + inputs + "]}\n",
      folder.file("kernel.yaml"));
}

std::string outputs_of(const HostProgram& program) {
  std::string all;
  for (const char* const name : {"out", "sums"}) {
    const DeviceMemory::Buffer* const buffer = program.memory().find(std::string(name));
    all.append(reinterpret_cast<const char*>(program.memory().host(buffer->address)), buffer->bytes);
  }
  return all;
}

}  // namespace heddle::fuzz
