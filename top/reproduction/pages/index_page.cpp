#include "top/reproduction/pages/index_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/reproduction/pages/paper_page.h"
#include "top/reproduction/pages/shown_time.h"

namespace heddle {

namespace {

/// Processor time of a paper's points of one size.
struct Work {
  double seconds = 0;
  double longest_seconds = 0;  ///< of one of them
  bool any = false;            ///< some have ended
  bool all = true;             ///< none is missing

  void add(const Work& more) {
    seconds += more.seconds;
    longest_seconds = std::max(longest_seconds, more.longest_seconds);
    any = any || more.any;
    all = all && more.any && more.all;
  }
  /// No more than this, whatever the order: until the last point begins all processors are at work (Graham).
  /// When points are missing no less than what there is takes.
  double seconds_on(unsigned processors) const {
    const double share = seconds / processors;
    return all ? share + longest_seconds * (processors - 1) / processors : std::max(share, longest_seconds);
  }
  std::string shown(double part) const { return shown_time(part, any, all); }
};

Work work_of(const ReproducedPaper& paper, const char* size) {
  Work work;
  std::set<std::string> missing;
  if (const auto defined = paper.experiments.find(size); defined != paper.experiments.end())
    missing = defined->second;
  for (const auto& [experiment, sizes] : paper.results.experiments) {
    const auto found = sizes.find(size);
    if (found == sizes.end()) continue;
    const RanExperiment& ran = found->second;
    missing.erase(experiment);
    work.seconds += ran.cpu_seconds;
    work.longest_seconds = std::max(work.longest_seconds, ran.longest_seconds);
    work.any = work.any || ran.complete != 0;
    work.all = work.all && ran.complete == ran.points;
  }
  work.all = work.all && missing.empty();
  return work;
}

std::string work_row(const std::string& name, const Work& quick, const Work& full) {
  constexpr unsigned kFew = 2;
  constexpr unsigned kMany = 64;
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, quick.shown(quick.seconds),
                     quick.shown(quick.seconds_on(kFew)), full.shown(full.seconds),
                     full.shown(full.longest_seconds), full.shown(full.seconds_on(kMany)));
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
      "ran: in one in which memory was slow they took half as long again. `-` is where none was run, `at "
      "least` "
      "where points are missing.\n\n"
      "| paper | quick | on 2 processors | full size | longest point | on 64 processors |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  Work quick;
  Work full;
  for (const ReproducedPaper& paper : papers) {
    const Work paper_quick = work_of(paper, kQuickSize);
    const Work paper_full = work_of(paper, kFullSize);
    text += work_row(name_of(paper), paper_quick, paper_full);
    if (paper.definition.headlines.empty()) continue;  // of no paper
    quick.add(paper_quick);
    full.add(paper_full);
  }
  text += work_row("the papers", quick, full);
  return text;
}

}  // namespace heddle
