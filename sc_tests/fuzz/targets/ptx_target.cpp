#include <cstring>

#include "sc_tests/fuzz/runs/bounded_launch.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "sc_tests/support/kernel_generator.h"
#include "workloads/host/functional_run.h"
#include "workloads/ptx/execution/execute.h"
#include "workloads/ptx/load.h"

namespace heddle::fuzz {

namespace {

constexpr std::uint64_t kMostSteps = 20'000;
constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 16U;
constexpr std::size_t kMostKernels = 4;

/// A parameter block in which what may be a pointer is one.
std::vector<std::uint8_t> some_parameters(const ptx::Code& kernel, std::uint64_t buffer) {
  std::vector<std::uint8_t> block(kernel.program.param_bytes);
  for (const ptx::Code::Param& param : kernel.params) {
    if (param.bytes == sizeof(buffer)) {
      std::memcpy(&block[param.offset], &buffer, sizeof(buffer));
    } else if (param.bytes > 0) {
      block[param.offset] = 100;
    }
  }
  return block;
}

/// What the module's texture references are bound to: what each dimension can be read by, in turn.
std::vector<Texture> some_textures(const ptx::Module& module, std::uint64_t buffer) {
  Texture line;
  line.type = TexelType::kU32;
  line.size = {64, 1, 1};
  Texture plane;
  plane.memory = TextureMemory::kPitched;
  plane.dimensions = 2;
  plane.size = {16, 9, 1};
  plane.pitch_bytes = 128;
  plane.linear_filter = true;
  Texture box;
  box.memory = TextureMemory::kArray;
  box.dimensions = 3;
  box.size = {5, 6, 7};
  box.type = TexelType::kI16;
  box.components = 2;
  box.pitch_bytes = 20;
  box.normalized = true;
  box.normalized_read = true;
  box.mode = {AddressMode::kWrap, AddressMode::kMirror, AddressMode::kBorder};
  std::vector<Texture> textures;
  for (std::size_t i = 0; i < module.texture_references.size(); ++i) {
    Texture& texture = textures.emplace_back(i % 3 == 0 ? line : i % 3 == 1 ? plane : box);
    texture.address = texture.cached_address = buffer;
  }
  return textures;
}

/// Runs the kernel for a while; that it faults or deadlocks is its own affair.
void execute(const ptx::LoadedModule& module, const ptx::Code& kernel, std::uint64_t buffer,
             std::uint64_t& steps_left) {
  ptx::LoadedModule::LaunchSpec spec;
  spec.entry = kernel.program.name;
  spec.grid.x = 2;
  spec.block.x = 40;
  spec.dynamic_shared_bytes = 1024;
  spec.params = some_parameters(kernel, buffer);
  spec.textures = some_textures(module.module(), buffer);
  try {
    const std::unique_ptr<KernelLaunch> launch = module.launch(spec);
    BoundedLaunch bounded(*launch, steps_left);
    run_functionally(bounded);
  } catch (const ExecutionFault&) {
  } catch (const std::invalid_argument&) {  // a block of another size is required
  }
}

/// Loaded when a kernel of the text can be launched.
Verdict run_ptx(std::string_view input) {
  bool launched = false;
  const Verdict verdict = verdict_of([input, &launched] {
    ptx::Module text = ptx::load_text(input, "input.ptx");
    DeviceMemory memory;
    const std::uint64_t buffer = memory.allocate("buffer", kBufferBytes).address;
    const ptx::LoadedModule module(std::move(text), memory);
    std::uint64_t steps_left = kMostSteps;
    const std::vector<ptx::Code>& kernels = module.module().kernels;
    for (std::size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i) {
      execute(module, kernels[i], buffer, steps_left);
      launched = true;
    }
  });
  return launched ? verdict : Verdict::kRefused;
}

std::string fresh_kernel(test::ChoiceStream& choices) { return test::generate_kernel(choices).ptx; }

}  // namespace

Target ptx_target() {
  return {"ptx",         "PTX files, and their kernels executed",
          16384,         &run_ptx,
          &fresh_kernel, &test::generate_instruction};
}

}  // namespace heddle::fuzz
