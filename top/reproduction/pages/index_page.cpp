#include "top/reproduction/pages/index_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/reproduction/pages/paper_page.h"

namespace heddle {

namespace {

constexpr double kSecondsPerMinute = 60;

/// Processor time of a paper's points of one size.
struct Work {
  double seconds = 0;
  double longest_seconds = 0;  ///< of one of them

  void add(double more_seconds, double one_seconds) {
    seconds += more_seconds;
    longest_seconds = std::max(longest_seconds, one_seconds);
  }
  /// No more than this, whatever the order: until the last point begins all processors are at work (Graham).
  double seconds_on(unsigned processors) const {
    return seconds / processors + longest_seconds * (processors - 1) / processors;
  }
};

Work work_of(const PaperResults& results, const char* size) {
  Work work;
  for (const auto& [experiment, sizes] : results.experiments) {
    const auto found = sizes.find(size);
    if (found != sizes.end()) work.add(found->second.cpu_seconds, found->second.longest_seconds);
  }
  return work;
}

std::string work_row(const std::string& name, const Work& quick, const Work& full) {
  constexpr unsigned kFew = 2;
  constexpr unsigned kMany = 64;
  return fmt::format("| {} | {:.1f} min | {:.1f} min | {:.1f} min | {:.1f} min | {:.1f} min |\n", name,
                     quick.seconds / kSecondsPerMinute, quick.seconds_on(kFew) / kSecondsPerMinute,
                     full.seconds / kSecondsPerMinute, full.longest_seconds / kSecondsPerMinute,
                     full.seconds_on(kMany) / kSecondsPerMinute);
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
      "Of the points that were run so far, added up; one of several experiments counts once, and what pairs "
      "need to know of each program alone is left out. On several processors, which points share as they "
      "come, the time is the share of each and the longest point. It is that of the hour in which the points "
      "ran: in one in which memory was slow they took half as long again.\n\n"
      "| paper | quick | on 2 processors | full size | longest point | on 64 processors |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  Work quick;
  Work full;
  for (const ReproducedPaper& paper : papers) {
    const Work paper_quick = work_of(paper.results, kQuickSize);
    const Work paper_full = work_of(paper.results, kFullSize);
    text += work_row(name_of(paper), paper_quick, paper_full);
    if (paper.definition.headlines.empty()) continue;  // of no paper
    quick.add(paper_quick.seconds, paper_quick.longest_seconds);
    full.add(paper_full.seconds, paper_full.longest_seconds);
  }
  text += work_row("the papers", quick, full);
  return text;
}

}  // namespace heddle
