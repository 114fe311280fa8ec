#include "top/reproduction/pages/index_page.h"

#include <fmt/format.h>

#include "top/reproduction/pages/paper_page.h"

namespace heddle {

namespace {

constexpr double kSecondsPerMinute = 60;
constexpr double kSecondsPerHour = 3600;

double seconds_of(const PaperResults& results, const char* size) {
  double seconds = 0;
  for (const auto& [experiment, sizes] : results.experiments) {
    const auto found = sizes.find(size);
    if (found != sizes.end()) seconds += found->second.cpu_seconds;
  }
  return seconds;
}

/// A link to its page, when it has one.
std::string name_of(const ReproducedPaper& paper) {
  if (!paper.has_page) return paper.definition.paper;
  return fmt::format("[{}]({}.md)", paper.definition.paper, paper.definition.id);
}

}  // namespace

std::string index_page(const std::vector<ReproducedPaper>& papers) {
  std::string text =
      "# Reproduction of the papers\n\n"
      "What the papers' experiments come to here, a page a paper. This page and theirs are written by\n\n"
      "    heddle reproduce PAPER --out docs/reproduction           # pro, warpman, srtf, ipaws or oaws\n"
      "    heddle reproduce PAPER --quick --out docs/reproduction   # smaller sizes\n\n"
      "from `experiments/` and the results; [reproduction.md](../"
      "reproduction.md) says how. No number is tuned by "
      "hand. Aimed at is a third of the paper's gain, or of its number where it is no gain; where ours is "
      "further off, "
      "the paper's page says what was investigated.\n\n## Headline figures\n\n" +
      headline_heading(true);
  for (const ReproducedPaper& paper : papers)
    text += headline_rows(paper.definition, paper.results, true, name_of(paper));
  text +=
      "\n`here` is of full size where that was run, else of the quick sizes.\n\n## Processor time\n\n"
      "Of the points that were run so far, added up; they run side by side, so that N processors take about "
      "an N-th of "
      "it.\n\n| paper | quick | full size |\n| --- | ---: | ---: |\n";
  for (const ReproducedPaper& paper : papers) {
    text += fmt::format("| {} | {:.1f} min | {:.2f} h |\n", name_of(paper),
                        seconds_of(paper.results, kQuickSize) / kSecondsPerMinute,
                        seconds_of(paper.results, kFullSize) / kSecondsPerHour);
  }
  return text;
}

}  // namespace heddle
