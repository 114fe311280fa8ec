// The fuzz targets without libFuzzer: the inputs that are kept, and what the inputs that are made up are
// worth.
#include <gtest/gtest.h>

#include <algorithm>
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

/// Bytes as libFuzzer would give, for tests that need some.
class DrawnBytes {
 public:
  std::string draw(std::size_t count) {
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_());
    return bytes;
  }
  std::uint32_t number() { return random_(); }

 private:
  std::mt19937 random_{20};
};

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
  if (GetParam().fresh == nullptr) GTEST_SKIP() << "its inputs are choices";
  constexpr unsigned kInputs = 60;
  DrawnBytes drawn;
  const auto change_bytes = [&drawn](const std::string& text, std::size_t /*most*/) {
    std::string changed = text;
    if (!changed.empty()) changed[drawn.number() % changed.size()] = static_cast<char>(drawn.number());
    return changed;
  };
  std::vector<std::string> kept = {""};
  unsigned loaded = 0;
  for (unsigned i = 0; i < kInputs; ++i) {
    const std::string& parent = kept[drawn.number() % kept.size()];
    kept.push_back(
        TextChanger(GetParam(), change_bytes, drawn.number()).change(parent, GetParam().most_bytes));
    if (GetParam().run(kept.back()) == Verdict::kLoaded) ++loaded;
  }
  EXPECT_GE(3 * loaded, kInputs);
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
