// The fuzz targets without libFuzzer: the inputs that are kept, and what the inputs that are made up are
// worth. HEDDLE_FUZZ_INPUTS=100000 makes so many up for each target, from HEDDLE_FUZZ_SEED on, and prints how
// many were loaded (docs/testing.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "sc_tests/fuzz/inputs/text_changer.h"
#include "sc_tests/fuzz/target.h"
#include "sc_tests/support/paths.h"

namespace heddle::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs_in(const std::string& folder, const Target& target) {
  std::vector<fs::path> files;
  const fs::path path = fs::path(test::source_dir()) / "sc_tests/fuzz" / folder / target.name;
  if (!fs::exists(path)) return files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

unsigned from_environment(const char* name, unsigned standard) {
  const char* const text = std::getenv(name);
  return text == nullptr ? standard : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// Bytes as libFuzzer would give, for tests that need some.
class DrawnBytes {
 public:
  explicit DrawnBytes(std::uint32_t seed = 20) : random_(seed) {}
  std::string draw(std::size_t count) {
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_());
    return bytes;
  }
  std::uint32_t number() { return random_(); }

 private:
  std::mt19937 random_;
};

/// One input, of which more than five seconds are a finding.
Verdict run_in_time(const Target& target, const std::string& input) {
  constexpr double kMostSeconds = 5;
  const auto began = std::chrono::steady_clock::now();
  const Verdict verdict = target.run(input);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  EXPECT_LE(taken.count(), kMostSeconds) << input;
  return verdict;
}

class FuzzTarget : public testing::TestWithParam<Target> {};

TEST_P(FuzzTarget, TakesEveryInputThatIsKept) {
  for (const std::string folder : {"corpus", "regressions"}) {
    for (const fs::path& file : inputs_in(folder, GetParam())) {
      const std::string input = contents(file);
      EXPECT_LE(input.size(), GetParam().most_bytes) << file;
      EXPECT_NO_THROW(GetParam().run(input)) << file;
    }
  }
}

TEST_P(FuzzTarget, LoadsMostOfItsSeeds) {
  const std::vector<fs::path> seeds = inputs_in("corpus", GetParam());
  ASSERT_FALSE(seeds.empty());
  const auto loaded = std::count_if(seeds.begin(), seeds.end(), [](const fs::path& file) {
    return GetParam().run(contents(file)) == Verdict::kLoaded;
  });
  EXPECT_GE(2 * loaded, static_cast<std::ptrdiff_t>(seeds.size()));
}

/// A fuzzer that keeps what it has made and changes it again.
TEST_P(FuzzTarget, LoadsAThirdOfWhatIsMadeUp) {
  constexpr std::size_t kMostKept = 1000;
  const unsigned inputs = from_environment("HEDDLE_FUZZ_INPUTS", 60);
  DrawnBytes drawn(from_environment("HEDDLE_FUZZ_SEED", 20));
  const auto change_bytes = [&drawn](const std::string& text, std::size_t /*most*/) {
    std::string changed = text;
    if (!changed.empty()) changed[drawn.number() % changed.size()] = static_cast<char>(drawn.number());
    return changed;
  };
  const bool is_text = GetParam().fresh != nullptr;
  std::vector<std::string> kept;
  if (is_text) kept.emplace_back();
  for (const fs::path& file : inputs_in("corpus", GetParam())) kept.push_back(contents(file));
  unsigned loaded = 0;
  for (unsigned i = 0; i < inputs; ++i) {
    std::string input = kept[drawn.number() % kept.size()];
    if (is_text) {
      input = TextChanger(GetParam(), change_bytes, drawn.number()).change(input, GetParam().most_bytes);
    } else {
      for (unsigned changes = 1 + drawn.number() % 4; changes > 0; --changes) input = change_bytes(input, 0);
    }
    const bool is_loaded = run_in_time(GetParam(), input) == Verdict::kLoaded;
    if (is_loaded) ++loaded;
    if (!is_loaded && !is_text) continue;
    if (kept.size() < kMostKept) {
      kept.push_back(std::move(input));
    } else {
      kept[drawn.number() % kMostKept] = std::move(input);
    }
  }
  if (std::getenv("HEDDLE_FUZZ_INPUTS") != nullptr)
    std::printf("%s: %u inputs, %u loaded\n", GetParam().name, inputs, loaded);
  EXPECT_GE(3 * loaded, inputs);
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTarget, testing::ValuesIn(targets()),
                         [](const testing::TestParamInfo<Target>& target) { return target.param.name; });

TEST(TextChanger, MakesTheSameChangeOfTheSameSeed) {
  const Target* const target = find_target("ptx");
  const auto keep = [](const std::string& text, std::size_t /*most*/) { return text; };
  const auto changed = [&](std::uint32_t seed) { return TextChanger(*target, keep, seed).change("", 16384); };
  EXPECT_EQ(changed(7), changed(7));
  EXPECT_NE(changed(7), changed(8));
}

}  // namespace
}  // namespace heddle::fuzz
