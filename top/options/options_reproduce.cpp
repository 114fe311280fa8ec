// Options of `heddle reproduce`.
#include <fmt/format.h>

#include "top/options/cluster_options.h"
#include "top/options/option_parser.h"

namespace heddle {

using namespace option_parser;

po::options_description reproduce_options_table() {
  po::options_description options = new_table();
  options.add_options()(
      "figure", po::value<Arguments>()->value_name("N,...")->composing(),
      "figures and tables, as 4, table_iii or 'table III'; may be given several times; all when not "
      "given")("quick", "smaller sizes: minutes instead of hours")(
      "out", po::value<std::string>()->value_name("DIR"),
      "folder for the page, its pictures and numbers; heddle-out/reproduction when not given")(
      "db", po::value<std::string>()->value_name("FILE"),
      "database of results, which has what was run before; heddle-out/results.sqlite when not given")(
      "jobs", po::value<std::string>()->value_name("N"),
      "runs at once; as many as processors when not given")(
      "retry-failed", "run points again that have failed")("no-run",
                                                           "run nothing: show what the database has")(
      "redraw", "run nothing and ask no database: write the pages anew from DIR/PAPER.json")(
      "against", po::value<std::string>()->value_name("DIR"),
      "show which numbers differ from those of this folder of pages, with exit code 1 when some do or "
      "nothing could be compared")("quiet", "no progress");
  add_cluster_options(options);
  add_format_option(options);
  return options;
}

CommandLine parse_reproduce(const Arguments& arguments) {
  const po::variables_map values = parse("reproduce", arguments, reproduce_options_table(), "paper");
  CommandLine line;
  ReproduceOptions reproduce;
  const std::vector<std::string> papers = list_of(values, "paper");
  if (papers.size() != 1) {
    throw UsageError(
        "heddle reproduce: expected one of pro, warpman, srtf, ipaws, oaws and study; see `heddle reproduce "
        "--help`");
  }
  reproduce.paper = papers.front();
  reproduce.figures = values_of("reproduce", values, "figure");
  reproduce.quick = values.count("quick") != 0;
  reproduce.out = text_of(values, "out");
  reproduce.database = text_of(values, "db");
  reproduce.jobs = jobs_option("reproduce", values);
  reproduce.retry_failed = values.count("retry-failed") != 0;
  reproduce.no_run = values.count("no-run") != 0;
  reproduce.redraw = values.count("redraw") != 0;
  reproduce.against = text_of(values, "against");
  reproduce.cluster = cluster_options("reproduce", values);
  reproduce.quiet = values.count("quiet") != 0;
  reproduce.format = format_option("reproduce", values);
  line.limits = limit_options("reproduce", values);
  line.reproduce = reproduce;
  return line;
}

}  // namespace heddle
