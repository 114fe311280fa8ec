// Gives one target the inputs that libFuzzer thinks up:
//   heddle_fuzz --target=NAME [libFuzzer's options] [folders of inputs]
// At its end it says how many inputs it has run and how many were loaded.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "base/memory_budget.h"
#include "sc_tests/fuzz/inputs/text_changer.h"
#include "sc_tests/fuzz/target.h"

// Of libFuzzer, which has no header for them.
extern "C" {
int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*run)(const std::uint8_t* data, std::size_t size));
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
const char* __asan_default_options();
const char* __ubsan_default_options();
const char* __lsan_default_suppressions();
}

namespace {

/// As a run has one (docs/security.md), below campaign.sh's gigabyte.
constexpr std::uint64_t kMemoryBudget = std::uint64_t{900} << 20U;

const heddle::fuzz::Target* target = nullptr;
std::uint64_t inputs = 0;
std::uint64_t loaded = 0;

std::string change_bytes(const std::string& text, std::size_t most) {
  std::string bytes = text;
  bytes.resize(most);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), text.size(), most));
  return bytes;
}

/// What corpus/ has of the target, in the order of names.
const std::vector<std::string>& seeds() {
  static const std::vector<std::string> read = [] {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const auto& file :
         fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "sc_tests/fuzz/corpus" / target->name))
      files.push_back(file.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> contents;
    for (const fs::path& file : files) {
      std::ostringstream bytes;
      bytes << std::ifstream(file, std::ios::binary).rdbuf();
      contents.push_back(bytes.str());
    }
    return contents;
  }();
  return read;
}

/// A seed with a few bytes changed.
std::string near_seed(std::mt19937& random) {
  constexpr unsigned kMostChanges = 4;
  std::string bytes = seeds()[random() % seeds().size()];
  for (unsigned changes = 1 + random() % kMostChanges; changes > 0; --changes)
    bytes[random() % bytes.size()] = static_cast<char>(random());
  return bytes;
}

// What leaves it is a finding, even where libFuzzer or SystemC would catch it.
int run_input(const std::uint8_t* data, std::size_t size) noexcept {
  ++inputs;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (target->run(input) == heddle::fuzz::Verdict::kLoaded) ++loaded;
  return 0;
}

void print_counts() {
  std::fprintf(stderr, "heddle_fuzz: %s: %llu inputs, %llu loaded\n", target->name,
               static_cast<unsigned long long>(inputs), static_cast<unsigned long long>(loaded));
}

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::string text;
  if (target->near_its_seeds) {
    std::mt19937 random(seed);
    if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, most);
    text = near_seed(random);
    text.resize(std::min(text.size(), most));
  } else if (target->fresh == nullptr) {
    return LLVMFuzzerMutate(data, size, most);
  } else {
    heddle::fuzz::TextChanger changer(*target, &change_bytes, seed);
    text = changer.change({reinterpret_cast<const char*>(data), size}, most);
  }
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

// Containers are handed to libraries that are built without sanitizers.
const char* __asan_default_options() {
  return "detect_container_overflow=0:max_allocation_size_mb=1024:quarantine_size_mb=64:allocator_may_return_"
         "null=0";
}
const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

// SystemC keeps its events in memory of its own for ever.
const char* __lsan_default_suppressions() { return "leak:libsystemc\n"; }

int sc_main(int argc, char** argv) {
  constexpr std::string_view kOption = "--target=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--list") {
      for (const auto& one : heddle::fuzz::targets()) std::printf("%s %zu\n", one.name, one.most_bytes);
      return 0;
    }
    if (argument.substr(0, kOption.size()) == kOption) {
      target = heddle::fuzz::find_target(argument.substr(kOption.size()));
    }
  }
  if (target == nullptr) {
    std::fprintf(stderr, "heddle_fuzz: expected --target=NAME with a name that --list prints\n");
    return 2;
  }
  heddle::set_memory_budget(kMemoryBudget);
  std::atexit(&print_counts);
  return LLVMFuzzerRunDriver(&argc, &argv, &run_input);
}
