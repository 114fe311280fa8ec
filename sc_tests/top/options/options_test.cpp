#include "top/options/options.h"

#include <gtest/gtest.h>

#include <regex>

namespace heddle {
namespace {

std::string usage_error(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, RunTakesEveryOption) {
  const CommandLine line = parse_command_line(
      {"run",          "atax",       "--config",     "gtx480",        "--scheduler", "lrr",
       "--set",        "core.sms=4", "--set",        "core.warps=16", "--param",     "n=64",
       "--param",      "block=-3",   "--size",       "large",         "--out",       "/tmp/x",
       "--max-cycles", "500",        "--vcd-window", "10:20",         "--vcd-scope", "sm0.*",
       "--vcd-scope",  "sm1.*",      "--no-sleep",   "--quiet",       "--processes"});
  ASSERT_TRUE(line.run.has_value());
  const RunOptions& run = *line.run;
  EXPECT_EQ(run.workload, "atax");
  EXPECT_EQ(run.config.config, "gtx480");
  EXPECT_EQ(run.config.assignments, (std::vector<std::string>{"core.sms=4", "core.warps=16"}));
  EXPECT_EQ(run.scheduler, "lrr");
  EXPECT_EQ(run.on.parameters, (std::map<std::string, std::int64_t>{{"n", 64}, {"block", -3}}));
  EXPECT_EQ(run.on.size, "large");
  EXPECT_EQ(run.out, "/tmp/x");
  EXPECT_EQ(run.on.max_cycles, 500U);
  EXPECT_TRUE(run.record.waves.wanted);
  EXPECT_EQ(run.record.waves.window.from, 10U);
  EXPECT_EQ(run.record.waves.window.to, 20U);
  EXPECT_EQ(run.record.waves.scopes, (std::vector<std::string>{"sm0.*", "sm1.*"}));
  EXPECT_TRUE(run.no_sleep);
  EXPECT_TRUE(run.processes);
  EXPECT_TRUE(run.quiet);
  EXPECT_FALSE(run.functional);
}

TEST(Options, NothingIsComparedTwice) {
  EXPECT_EQ(usage_error({"compare", "atax", "bfs", "atax", "--scheduler", "gto,lrr"}),
            "heddle compare: workload 'atax' stands twice");
  EXPECT_EQ(usage_error({"compare", "atax", "--scheduler", "gto,lrr,gto"}),
            "heddle compare: scheduler 'gto' stands twice");
  EXPECT_EQ(usage_error({"sweep", "atax", "atax", "--set", "core.sms=1,2"}),
            "heddle sweep: workload 'atax' stands twice");
  EXPECT_EQ(usage_error({"sweep", "atax", "--set", "core.sms=1,2,1"}),
            "heddle sweep: --set core.sms: '1' stands twice");
  EXPECT_EQ(usage_error({"sweep", "atax", "--set", "core.sms=1,2", "--scheduler", "gto,gto"}),
            "heddle sweep: scheduler 'gto' stands twice");
  EXPECT_EQ(usage_error({"compare", "atax", "atax:large", "--scheduler", "gto,lrr"}), "no error");
}

TEST(Options, AnOptionIsNoValueOfAnother) {
  EXPECT_EQ(usage_error({"run", "atax", "--out", "--quiet"}),
            "heddle run: --out: expected DIR, found the option --quiet; see `heddle run --help`");
  EXPECT_EQ(usage_error({"run", "atax", "--set", "--size=large"}),
            "heddle run: --set: expected KEY=VALUE, found the option --size=large; see `heddle run --help`");
  EXPECT_EQ(parse_command_line({"run", "atax", "--out=--quiet"}).run->out, "--quiet");
  EXPECT_EQ(parse_command_line({"run", "atax", "--out", "--no-option"}).run->out, "--no-option");
  EXPECT_EQ(parse_command_line({"run", "atax", "--out", "quiet"}).run->out, "quiet");
}

TEST(Options, ModelCommandNamesOnlyWhatDecidesTheResult) {
  const CommandLine line =
      parse_command_line({"run", "atax", "--out", "/tmp/x", "--quiet", "--no-sleep", "--processes", "--vcd",
                          "--set", "core.sms=4", "--param", "n=64", "--scheduler", "lrr"});
  EXPECT_EQ(line.run->model_command(), "heddle run atax --scheduler lrr --set core.sms=4 --param n=64");
}

TEST(Options, CostTakesItsOptions) {
  const CommandLine line =
      parse_command_line({"cost", "--config", "gtx480", "--set", "scheduler.timing=hardware", "--scheduler",
                          "lrr", "--format", "csv", "--technology", "osu018"});
  ASSERT_TRUE(line.cost.has_value());
  EXPECT_EQ(line.cost->config.config, "gtx480");
  EXPECT_EQ(line.cost->config.assignments, (std::vector<std::string>{"scheduler.timing=hardware"}));
  EXPECT_EQ(line.cost->scheduler, "lrr");
  EXPECT_EQ(line.cost->format, OutputFormat::kCsv);
  EXPECT_EQ(line.cost->technology, "osu018");
}

TEST(Options, CompareTakesWorkloadsAndSchedulers) {
  const CommandLine line =
      parse_command_line({"compare", "atax", "bfs", "--scheduler", "gto", "--scheduler", "lrr", "--size",
                          "large", "--param", "n=3", "--max-cycles", "9", "--out", "x", "--format", "json"});
  ASSERT_TRUE(line.compare.has_value());
  EXPECT_EQ(line.compare->workloads, (std::vector<std::string>{"atax", "bfs"}));
  EXPECT_EQ(line.compare->schedulers, (std::vector<std::string>{"gto", "lrr"}));
  EXPECT_EQ(line.compare->on.size, "large");
  EXPECT_EQ(line.compare->on.parameters.at("n"), 3);
  EXPECT_EQ(line.compare->on.max_cycles, 9U);
  EXPECT_EQ(line.compare->out, "x");
  EXPECT_EQ(line.compare->format, OutputFormat::kJson);
  EXPECT_FALSE(line.compare->timing);
  EXPECT_TRUE(parse_command_line({"compare", "atax", "--timing"}).compare->timing);
}

TEST(Options, ListsOfSchedulersMetricsAndPoliciesAreSplit) {
  const std::vector<std::string> three{"gto", "lrr", "swl+pro"};
  EXPECT_EQ(parse_command_line({"compare", "a", "--scheduler", "gto,lrr", "--scheduler", "swl+pro"})
                .compare->schedulers,
            three);
  const SweepOptions sweep =
      *parse_command_line({"sweep", "a", "--set", "k=1,2", "--scheduler", "gto,lrr,swl+pro", "--metric",
                           "rtru,ipc_warp", "--metric", "cycles"})
           .sweep;
  EXPECT_EQ(sweep.schedulers, three);
  EXPECT_EQ(sweep.metrics, (std::vector<std::string>{"rtru", "ipc_warp", "cycles"}));
  const PairsOptions pairs =
      *parse_command_line({"pairs", "a", "b", "--policy", "fifo,srtf", "--arrival", "100,25%"}).pairs;
  EXPECT_EQ(pairs.policies, (std::vector<std::string>{"fifo", "srtf"}));
  EXPECT_EQ(pairs.arrivals, (std::vector<std::string>{"100", "25%"}));
  EXPECT_EQ(pairs.together, 2U);
  EXPECT_EQ(pairs.repetitions, 1U);
  EXPECT_FALSE(pairs.both_orders || pairs.record.tb_log);
  const PairsOptions more =
      *parse_command_line({"pairs", "a", "b", "c", "--together", "3", "--both-orders", "--repetitions", "5",
                           "--seed", "7", "--tb-log", "--interference", "1.5"})
           .pairs;
  EXPECT_EQ(more.together, 3U);
  EXPECT_EQ(more.repetitions, 5U);
  EXPECT_EQ(more.seed, 7U);
  EXPECT_TRUE(more.both_orders && more.record.tb_log);
  EXPECT_DOUBLE_EQ(more.interference, 1.5);
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--together", "1"},
                                                {"--together", "9"},
                                                {"--repetitions", "0"},
                                                {"--seed", "x"},
                                                {"--interference", "-1"},
                                                {"--interference", "much"}}) {
    EXPECT_THROW(parse_command_line({"pairs", "a", "b", wrong[0], wrong[1]}), UsageError) << wrong[0];
  }
  EXPECT_EQ(usage_error({"compare", "a", "--scheduler", "gto,,lrr"}),
            "heddle compare: --scheduler gto,,lrr: a value is empty");
  EXPECT_EQ(usage_error({"compare", "a", "--scheduler", "gto,"}),
            "heddle compare: --scheduler gto,: a value is empty");
}

TEST(Options, JobsOfSlurmNeedAFolderThatAllMachinesSee) {
  EXPECT_EQ(usage_error({"sweep", "e.yaml", "--executor", "slurm"}),
            "heddle sweep: --executor slurm needs --shared DIR: a folder that all machines see, unlike the "
            "database, which is on a disk of this one");
  EXPECT_EQ(
      parse_command_line({"sweep", "e.yaml", "--executor", "slurm", "--shared", "s"}).sweep->cluster.folder,
      "s");
}

TEST(Options, AnUnknownOptionComesWithTheNearest) {
  EXPECT_EQ(
      usage_error({"run", "a", "--shceduler", "gto"}),
      "heddle run: unrecognised option '--shceduler'; did you mean '--scheduler'?; see `heddle run --help`");
  EXPECT_EQ(
      usage_error({"sweep", "a", "--metrics", "rtru"}),
      "heddle sweep: unrecognised option '--metrics'; did you mean '--metric'?; see `heddle sweep --help`");
  // Not what the other commands have, nor the name of what is no option.
  EXPECT_EQ(usage_error({"cost", "--workload"}),
            "heddle cost: unrecognised option '--workload'; see `heddle cost --help`");
  EXPECT_EQ(usage_error({"list", "schedluers"}).substr(0, 44),
            "heddle list: expected one of schedulers, con");
  EXPECT_NE(usage_error({"list", "schedluers"}).find("did you mean 'schedulers'?"), std::string::npos);
}

TEST(Options, SweepSplitsTheValuesOfAKey) {
  const CommandLine line = parse_command_line(
      {"sweep", "atax", "--set", "a.b=1,2,3", "--set", "c=4", "--set", "d=x,y", "--metric", "rtru"});
  ASSERT_TRUE(line.sweep.has_value());
  ASSERT_EQ(line.sweep->axes.size(), 2U);
  EXPECT_EQ(line.sweep->axes[0].key, "a.b");
  EXPECT_EQ(line.sweep->axes[0].values, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(line.sweep->axes[1].values, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(line.sweep->config.assignments, (std::vector<std::string>{"c=4"}));
  EXPECT_EQ(line.sweep->metrics, (std::vector<std::string>{"rtru"}));
}

TEST(Options, ErrorsOfTheComparingCommands) {
  EXPECT_EQ(usage_error({"cost", "--format", "xml"}),
            "heddle cost: --format xml: expected text, markdown, csv or json");
  EXPECT_EQ(usage_error({"cost", "gto"}),
            "heddle cost: found 'gto', expected options only; see `heddle cost --help`");
  EXPECT_EQ(usage_error({"compare", "--timing"}),
            "heddle compare: expected at least one workload; see `heddle compare --help`");
  EXPECT_EQ(usage_error({"compare", "a", "--scheduler", "gto"}),
            "heddle compare: expected two schedulers at least, e.g. --scheduler gto,lrr, or --timing");
  EXPECT_EQ(usage_error({"compare", "a", "--timing", "--param", "n"}),
            "heddle compare: --param n: expected NAME=INTEGER");
  EXPECT_EQ(
      usage_error({"sweep", "a", "b", "--set", "k=1"}),
      "heddle sweep: expected a key with several values, e.g. --set l1d.mshr.entries=16,32,64, or the file "
      "of an experiment");
  EXPECT_EQ(
      usage_error({"sweep", "a", "--scheduler", "gto"}),
      "heddle sweep: --scheduler is for a key with several values (--set KEY=V1,V2...); an experiment's "
      "file says it");
  EXPECT_EQ(usage_error({"sweep", "a", "--set", "k=1,2", "--db", "d", "--vcd", "w.vcd"}),
            "heddle sweep: --vcd is for runs that leave folders; with --db the results are in the database");
  EXPECT_EQ(usage_error({"sweep", "a", "--jobs", "0"}),
            "heddle sweep: --jobs 0: expected a number, 1 to 4096");
  EXPECT_EQ(
      usage_error({"reproduce"}),
      "heddle reproduce: expected one of pro, warpman, srtf, ipaws, oaws and study; see `heddle reproduce "
      "--help`");
  EXPECT_EQ(usage_error({"reproduce", "pro", "--jobs", "0"}),
            "heddle reproduce: --jobs 0: expected a number, 1 to 4096");
  EXPECT_EQ(usage_error({"results"}),
            "heddle results: expected list, failed, export or forget; see `heddle results --help`");
  EXPECT_EQ(usage_error({"results", "lst"}),
            "heddle results: expected list, failed, export or forget, found 'lst'; did you mean 'list'?");
  EXPECT_EQ(usage_error({"results", "forget"}),
            "heddle results forget: expected which points: names, --experiment or --where");
  EXPECT_EQ(usage_error({"results", "list", "--where", "x"}),
            "heddle results: --where x: expected NAME=GLOB");
  EXPECT_EQ(usage_error({"sweep", "a", "--set", "k=1,,2"}), "heddle sweep: --set k=1,,2: a value is empty");
  EXPECT_EQ(usage_error({"sweep", "a", "--set", "k"}),
            "heddle sweep: --set k: expected KEY=VALUE or KEY=VALUE,VALUE...");
  EXPECT_EQ(usage_error({"sweep"}),
            "heddle sweep: expected at least one workload; see `heddle sweep --help`");
}

TEST(Options, WindowMayBeOpenAtItsEnd) {
  const CommandLine line = parse_command_line({"run", "atax", "--vcd-window", "10:"});
  EXPECT_EQ(line.run->record.waves.window.from, 10U);
  EXPECT_EQ(line.run->record.waves.window.to, CycleWindow().to);
}

TEST(Options, ATimelineIsOffUnlessAskedFor) {
  EXPECT_FALSE(parse_command_line({"run", "atax"}).run->timeline);
  const RunOptions plain = *parse_command_line({"run", "--timeline", "atax"}).run;
  EXPECT_TRUE(plain.timeline);
  EXPECT_EQ(plain.workload, "atax") << "a file ends in .json";
  EXPECT_EQ(plain.timeline_file, "");
  EXPECT_EQ(plain.timeline_settings.events, 500'000U);
  EXPECT_EQ(plain.timeline_settings.one_request_in, 64U);
  for (const CommandLine& named : {parse_command_line({"run", "--timeline", "a/t.json", "atax"}),
                                   parse_command_line({"run", "atax", "--timeline=a/t.json"})}) {
    EXPECT_EQ(named.run->timeline_file, "a/t.json");
    EXPECT_EQ(named.run->workload, "atax");
    EXPECT_TRUE(named.run->beside.empty());
  }
  EXPECT_EQ(parse_command_line({"run", "atax", "--timeline=trace.txt"}).run->timeline_file, "trace.txt");
  const RunOptions run =
      *parse_command_line({"run", "atax", "--timeline=t.json", "--timeline-window", "5:", "--timeline-sms",
                           "7,0,2-4,3", "--timeline-events", "2000", "--timeline-requests", "0"})
           .run;
  EXPECT_EQ(run.timeline_file, "t.json");
  EXPECT_EQ(run.timeline_settings.window.from, 5U);
  EXPECT_EQ(run.timeline_settings.sms, (std::vector<unsigned>{0, 2, 3, 4, 7}));
  EXPECT_EQ(run.timeline_settings.events, 2000U);
  EXPECT_EQ(run.timeline_settings.one_request_in, 0U);
  for (const char* const option :
       {"--timeline-window=1:2", "--timeline-sms=0", "--timeline-events=5000", "--timeline-requests=1"}) {
    EXPECT_TRUE(parse_command_line({"run", "atax", option}).run->timeline) << option;
  }
  EXPECT_EQ(run.model_command(), "heddle run atax") << "it changes no result";
}

TEST(Options, SeveralWorkloadsRunAsStreamsAndOneWithAnArrivalToo) {
  EXPECT_FALSE(parse_command_line({"run", "a"}).run->concurrent());
  EXPECT_TRUE(parse_command_line({"run", "a", "--arrival", "0"}).run->concurrent());
  const RunOptions run = *parse_command_line({"run", "a", "b:large", "--arrival", "0", "--arrival", "100",
                                              "--alone", "x", "--alone", "y"})
                              .run;
  EXPECT_TRUE(run.concurrent());
  EXPECT_EQ(run.beside, std::vector<std::string>{"b:large"});
  EXPECT_EQ(run.model_command(), "heddle run a b:large --arrival 0 --arrival 100 --alone x --alone y");
}

TEST(Options, WaveformsAreOffUnlessAskedFor) {
  EXPECT_FALSE(parse_command_line({"run", "atax"}).run->record.waves.wanted);
  EXPECT_TRUE(parse_command_line({"run", "atax", "--vcd"}).run->record.waves.wanted);
}

TEST(Options, ErrorsSayWhatWasFoundAndExpected) {
  EXPECT_EQ(usage_error({}),
            "heddle: expected a command: run, compare, sweep, results, reproduce, pairs, cost, rtl, "
            "handover, report, "
            "stats, check, config, "
            "list, describe, "
            "completion; "
            "see `heddle help`");
  EXPECT_EQ(
      usage_error({"rum"}),
      "heddle: unknown command 'rum'; did you mean 'run'? (commands: check, compare, completion, "
      "config, cost, describe, handover, list, pairs, report, reproduce, results, rtl, run, stats, sweep)");
  EXPECT_EQ(usage_error({"run"}),
            "heddle run: expected a workload; see `heddle run --help` and `heddle list workloads`");
  EXPECT_EQ(usage_error({"run", "a", "b", "--arrival=-5"}),
            "heddle run: --arrival -5: expected a core cycle, 0 to 1000000000000");
  EXPECT_EQ(usage_error({"run", "a", "--arrival", "1", "--arrival", "2"}),
            "heddle run: --arrival is given 2 times for 1 workload(s)");
  EXPECT_EQ(usage_error({"run", "a", "--alone", "x"}),
            "heddle run: --alone is given 1 time(s) for 0 workload(s) that run as streams");
  EXPECT_EQ(usage_error({"run", "a", "--colour"}),
            "heddle run: unrecognised option '--colour'; did you mean '--color'?; see `heddle run --help`");
  EXPECT_EQ(usage_error({"run", "a", "--shade"}),
            "heddle run: unrecognised option '--shade'; see `heddle run --help`");
  EXPECT_EQ(usage_error({"run", "a", "--param", "n"}), "heddle run: --param n: expected NAME=INTEGER");
  EXPECT_EQ(usage_error({"run", "a", "--param", "n=x"}), "heddle run: --param n=x: expected NAME=INTEGER");
  EXPECT_EQ(usage_error({"run", "a", "--max-cycles", "0"}),
            "heddle run: --max-cycles 0: expected a whole number from 1");
  EXPECT_EQ(
      usage_error({"run", "a", "--vcd-window", "20:10"}),
      "heddle run: --vcd-window 20:10: expected FROM:TO in core cycles with FROM < TO (TO may be left out)");
  EXPECT_EQ(usage_error({"run", "a", "--vcd", "--functional"}),
            "heddle run: --functional has no time, so that there are no waveforms to write");
  EXPECT_EQ(usage_error({"run", "a", "--timeline", "--functional"}),
            "heddle run: --functional has no time, so that there is no timeline to write");
  EXPECT_EQ(
      usage_error({"run", "a", "--timeline-window", "7"}),
      "heddle run: --timeline-window 7: expected FROM:TO in core cycles with FROM < TO (TO may be left out)");
  for (const char* const list : {"x", "3-1", "1-", "-1", "10000"}) {
    EXPECT_EQ(
        usage_error({"run", "a", std::string("--timeline-sms=") + list}),
        std::string("heddle run: --timeline-sms ") + list + ": expected numbers of SMs, such as 0 or 0,2-4");
  }
  EXPECT_EQ(usage_error({"run", "a", "--timeline-sms", "1,,2"}),
            "heddle run: --timeline-sms 1,,2: a value is empty");
  EXPECT_EQ(usage_error({"run", "a", "--timeline-events", "999"}),
            "heddle run: --timeline-events 999: expected a whole number, 1000 to 100000000");
  EXPECT_EQ(usage_error({"run", "a", "--timeline-requests", "-1"}),
            "heddle run: --timeline-requests -1: expected a whole number, 0 to 1000000000");
  EXPECT_EQ(usage_error({"check"}), "heddle check: expected at least one file; see `heddle check --help`");
  EXPECT_EQ(usage_error({"config"}),
            "heddle config: expected `heddle config show`; see `heddle config --help`");
  EXPECT_EQ(usage_error({"list", "kernels"}),
            "heddle list: expected one of schedulers, configs, workloads, papers, dispatch_policies, "
            "resource_managements, "
            "contention_controls");
}

TEST(Options, EachCommandHasAHelpTextWithExamples) {
  for (const std::string command : {"run", "cost", "compare", "sweep", "check", "config", "list"}) {
    const CommandLine line = parse_command_line({command, "--help"});
    EXPECT_NE(line.help.find("Examples:\n  heddle " + command), std::string::npos) << line.help;
  }
  EXPECT_NE(parse_command_line({"--help"}).help.find("Exit codes:"), std::string::npos);
}

TEST(Options, HelpSaysWhatHoldsForItsCommand) {
  const auto help = [](const std::string& command) { return parse_command_line({command, "--help"}).help; };
  for (const std::string command : {"compare", "sweep", "handover"})
    EXPECT_EQ(help(command).find("--functional"), std::string::npos) << command << " has no such option";
  EXPECT_NE(help("pairs").find("configuration; srtf when not given"), std::string::npos) << help("pairs");
  EXPECT_EQ(help("run").find("--tb-log, nor"), std::string::npos) << "logs are those of one thread";
  for (const std::string of : {"help", "--help"})
    EXPECT_EQ(parse_command_line({"help", of}).help, parse_command_line({"help"}).help);
}

TEST(Options, HelpShowsWhatMayBeLeftOutInBrackets) {
  const std::string help = parse_command_line({"run", "--help"}).help;
  EXPECT_NE(help.find("  --timeline [FILE] "), std::string::npos) << help;
  EXPECT_EQ(help.find("[="), std::string::npos);
  EXPECT_EQ(help.find(" \n"), std::string::npos) << "no line ends in a blank";
}

TEST(Options, TheVersionNamesTheCommit) {
  const std::string text = parse_command_line({"--version"}).help;
  EXPECT_TRUE(std::regex_match(text, std::regex("heddle [0-9]+\\.[0-9]+\\.[0-9]+ "
                                                "\\(commit ([0-9a-f]{12}(-dirty)?|unknown)\\)\n")))
      << text;
}

}  // namespace
}  // namespace heddle
