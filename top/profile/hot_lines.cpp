#include "top/profile/hot_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/utf8.h"
#include "top/support/output/text_format.h"

namespace heddle {

namespace {

constexpr std::size_t kLines = 10;

struct HotLine {
  const KernelProfile* kernel;
  std::size_t index;
  std::uint64_t cycles;

  const LineCounts& counts() const { return kernel->lines[index]; }
  const KernelText::Line& text() const { return kernel->text.lines[index]; }
};

std::vector<HotLine> hottest(const ProfileCounts& counts) {
  std::vector<HotLine> lines;
  for (const KernelProfile& kernel : counts.kernels) {
    for (std::size_t i = 0; i < kernel.lines.size(); ++i) {
      lines.push_back({&kernel, i, resident_cycles(kernel.lines[i].cycles)});
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const HotLine& a, const HotLine& b) { return a.cycles > b.cycles; });
  if (lines.size() > kLines) lines.resize(kLines);
  return lines;
}

/// The state in which most of its warp cycles go by, issuing aside: "memory 91.0%".
std::string held_up_by(const HotLine& line) {
  const StateCycles& cycles = line.counts().cycles;
  const auto* const most = std::max_element(cycles.begin() + 1, cycles.begin() + kNumResidentStates);
  if (*most == 0) return "-";
  const double share = static_cast<double>(*most) / static_cast<double>(line.cycles);
  return fmt::format("{} {}", info(static_cast<WarpState>(most - cycles.begin())).label, percent(share));
}

std::string place_of(const HotLine& line) {
  const KernelText& kernel = line.kernel->text;
  return fmt::format("{}:{}", as_utf8(std::filesystem::path(kernel.file).filename().string()),
                     line.text().line);
}

std::optional<double> quotient(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> lines_per_access(const LineCounts& counts) {
  const std::uint64_t lines = counts.accesses + counts.texture_lines;
  if (lines == 0) return std::nullopt;
  return quotient(lines, counts.issued);
}

/// Of what it looked up in the L1D or the texture cache.
std::optional<double> hit_rate(const LineCounts& counts) {
  const std::uint64_t hits = counts.l1d_hits + counts.texture_hits;
  return quotient(
      hits, hits + counts.l1d_merged + counts.l1d_misses + counts.texture_pending + counts.texture_misses);
}

}  // namespace

Table hot_lines(const ProfileCounts& counts) {
  using Kind = TableColumn::Kind;
  using Rank = TableColumn::Rank;
  Table table({{"line", "PTX", Kind::kText, Rank::kKey},
               {"warp_cycles", "warp cycles", Kind::kPercent},
               {"issued", "issued", Kind::kWhole},
               {"held_up_by", "warps held up by", Kind::kText},
               {"lines_per_access", "lines per access", Kind::kTenths, Rank::kDetail},
               {"hit_rate", "hits", Kind::kPercent, Rank::kDetail},
               {"instruction", "instruction", Kind::kText}});
  for (const HotLine& line : hottest(counts)) {
    if (line.cycles == 0) break;
    table.add({place_of(line), cell(quotient(line.cycles, counts.gpu.resident())), line.counts().issued,
               held_up_by(line), cell(lines_per_access(line.counts())), cell(hit_rate(line.counts())),
               as_utf8(line.text().text)});
  }
  return table;
}

}  // namespace heddle
