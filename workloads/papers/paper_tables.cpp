#include "workloads/papers/paper_tables.h"

#include "workloads/description/yaml_file.h"
#include "workloads/description/yaml_map.h"

namespace heddle {

namespace {

constexpr std::int64_t kMaxFigure = 1'000'000'000;

struct Figure {
  const char* key;
  std::optional<std::uint64_t> PaperEntry::*member;
};

constexpr Figure kFigures[] = {{"tbs", &PaperEntry::tbs},
                               {"threads_per_tb", &PaperEntry::threads_per_tb},
                               {"warps_per_tb", &PaperEntry::warps_per_tb},
                               {"resident_tbs", &PaperEntry::resident_tbs},
                               {"resident_warps", &PaperEntry::resident_warps},
                               {"registers_per_tb", &PaperEntry::registers_per_tb},
                               {"shared_bytes", &PaperEntry::shared_bytes},
                               {"swl_warps", &PaperEntry::swl_warps}};

struct Word {
  const char* key;
  std::string PaperEntry::*member;
  bool required;
};

constexpr Word kWords[] = {
    {"table", &PaperEntry::table, true},         {"suite", &PaperEntry::suite, true},
    {"benchmark", &PaperEntry::benchmark, true}, {"kernel", &PaperEntry::kernel, false},
    {"type", &PaperEntry::type, false},          {"note", &PaperEntry::note, false},
    {"workload", &PaperEntry::workload, true},   {"launch", &PaperEntry::launch, false},
    {"size", &PaperEntry::size, false},          {"few_rounds", &PaperEntry::few_rounds, false}};

PaperEntry read_entry(const YAML::Node& node, const std::string& file, const std::string& paper) {
  std::vector<std::string> known;
  for (const Word& word : kWords) known.emplace_back(word.key);
  for (const Figure& figure : kFigures) known.emplace_back(figure.key);
  const YamlMap map(node, file, "an entry", known);
  PaperEntry entry;
  entry.mark = map.mark();
  entry.paper = paper;
  for (const Word& word : kWords)
    entry.*word.member = word.required ? map.text(word.key) : map.text_or(word.key, "");
  for (const Figure& figure : kFigures) {
    if (!map.has(figure.key)) continue;
    entry.*figure.member = static_cast<std::uint64_t>(
        map.expression(figure.key).evaluate_in(Scope(), 0, kMaxFigure, figure.key));
  }
  return entry;
}

}  // namespace

std::vector<PaperEntry> load_paper_tables(const std::string& path) {
  const YamlMap map(read_yaml_file(path), path, "the paper", {"paper", "entries"});
  std::vector<PaperEntry> entries;
  for (const YAML::Node& node : list_items(map.at("entries"), path, "entries"))
    entries.push_back(read_entry(node, path, map.text("paper")));
  return entries;
}

}  // namespace heddle
