#include "top/guide/completion_values.h"

#include <algorithm>
#include <exception>
#include <map>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "top/config/config_schema.h"
#include "top/config/technology_file.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/support/project_files.h"
#include "top/support/sized_workload.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

using Words = std::vector<Completion::Word>;
using Paths = Completion::Paths;

Words words_of(const std::vector<std::string>& names) {
  Words words;
  for (const std::string& name : names) words.push_back({name, ""});
  return words;
}

/// Each word after `before`, which is there already.
Words after(const std::string& before, Words words) {
  for (Completion::Word& word : words) word.text.insert(0, before);
  return words;
}

/// What stands up to the last of `marks` in `word`, with it.
std::string up_to_last(const std::string& word, const char* marks) {
  const std::size_t mark = word.find_last_of(marks);
  return mark == std::string::npos ? "" : word.substr(0, mark + 1);
}

std::optional<Workload> workload_of(const std::string& name) {
  try {
    return load_workload(ProjectFiles().workload(SizedWorkload::of(name).workload));
  } catch (const std::exception&) {  // there is nothing to be completed then
    return std::nullopt;
  }
}

Words sizes_of(const std::string& workload) {
  Words words;
  if (const auto loaded = workload_of(workload)) {
    for (const auto& size : loaded->sizes) words.push_back({size.first, ""});
  }
  return words;
}

Words schedulers(bool qualifiers_too) {
  Words words;
  for (const PrioritizerEntry* entry : prioritizers()) words.push_back({entry->name, entry->description});
  if (!qualifiers_too) return words;
  for (const QualifierEntry* entry : qualifiers()) {
    const bool both = std::any_of(words.begin(), words.end(),
                                  [entry](const Completion::Word& word) { return word.text == entry->name; });
    if (!both) words.push_back({entry->name, entry->description});
  }
  return words;
}

/// NAME, QUALIFIER+PRIORITIZER, and several of them after ',' or ':'.
Words scheduler_words(const std::string& word) {
  const std::string before = up_to_last(word, ",:+");
  return after(before, schedulers(before.empty() || before.back() != '+'));
}

Words values_of_key(const ConfigKey& key) {
  if (key.kind == ValueRange::Kind::kFlag) return words_of({"false", "true"});
  if (key.kind == ValueRange::Kind::kScheduler) return schedulers(true);
  return words_of(key.choices);
}

/// KEY=, and after that its values.
Words setting_words(const std::string& word) {
  Words words;
  const std::size_t equals = word.find('=');
  for (const ConfigKey& key : config_schema()) {
    if (equals == std::string::npos) {
      words.push_back({key.path + "=", key.description});
    } else if (word.compare(0, equals, key.path) == 0) {
      const std::string before = word.substr(0, equals + 1) + up_to_last(word.substr(equals + 1), ",");
      return after(before, values_of_key(key));
    }
  }
  return words;
}

Words parameter_words(const std::vector<std::string>& workloads) {
  Words words;
  for (const std::string& name : workloads) {
    const auto workload = workload_of(name);
    if (!workload) continue;
    for (const std::string& parameter : workload->parameter_names()) words.push_back({parameter + "=", name});
  }
  return words;
}

Words buffer_words(const std::vector<std::string>& workloads) {
  Words words;
  for (const std::string& name : workloads) {
    const auto workload = workload_of(name);
    if (!workload) continue;
    const std::string prefix = workloads.size() == 1 ? "" : workload->name + ".";
    for (const BufferSpec& buffer : workload->buffers) words.push_back({prefix + buffer.name, name});
  }
  return words;
}

Words size_words(const std::vector<std::string>& workloads) {
  Words words;
  for (const std::string& name : workloads) {
    for (Completion::Word& size : sizes_of(name)) {
      size.description = name;
      words.push_back(size);
    }
  }
  return words;
}

Words technology_words() {
  Words words;
  try {
    for (const hw::Technology& technology : load_technologies(ProjectFiles().technologies()))
      words.push_back({technology.name, technology.description});
  } catch (const std::exception&) {  // as above
    words.clear();
  }
  return words;
}

Words metric_words(const std::string& word) {
  Words words;
  for (const DerivedMetric& metric : derived_metrics()) words.push_back({metric.name, metric.description});
  return after(up_to_last(word, ","), words);
}

Words policy_words(const std::string& word) {
  Words words;
  for (const DispatchPolicyEntry* entry : dispatch_policies())
    words.push_back({entry->name, entry->description});
  return after(up_to_last(word, ","), words);
}

/// The value name of an option: "NAME" of "--scheduler NAME".
std::string value_name(const option_parser::po::option_description& option) {
  return option.format_parameter();
}

/// "a|b|c", in small letters: what there is to choose from.
Words choices(const std::string& value_name) {
  const bool are_choices = value_name.find('|') != std::string::npos &&
                           std::all_of(value_name.begin(), value_name.end(),
                                       [](char c) { return c == '|' || ('a' <= c && c <= 'z'); });
  Words words;
  for (std::size_t from = 0; are_choices && from <= value_name.size();) {
    const std::size_t bar = std::min(value_name.find('|', from), value_name.size());
    words.push_back({value_name.substr(from, bar - from), ""});
    from = bar + 1;
  }
  return words;
}

}  // namespace

Completion complete_workload(const std::string& word, bool timed) {
  Completion completion;
  completion.paths = Paths::kFiles;
  const std::string before = up_to_last(word, ":");
  if (!before.empty()) {
    completion.words = after(before, sizes_of(before.substr(0, before.size() - 1)));
    return completion;
  }
  const ProjectFiles files;
  completion.words = words_of(files.workload_names());
  if (timed) {
    for (const std::string& name : files.timed_workload_names()) completion.words.push_back({name, "timed"});
  }
  return completion;
}

Completion complete_value(const option_parser::po::option_description& option, const std::string& word,
                          const std::vector<std::string>& workloads) {
  const std::string name = option.long_name();
  const std::string value = value_name(option);
  const ProjectFiles files;
  Completion completion;
  const bool is_path = value.find("FILE") != std::string::npos;
  completion.paths = value == "DIR" ? Paths::kFolders : is_path ? Paths::kFiles : Paths::kNone;
  if (name == "scheduler") completion.words = scheduler_words(word);
  if (name == "config") completion.words = words_of(files.config_names());
  if (name == "set") completion.words = setting_words(word);
  if (name == "param") completion.words = parameter_words(workloads);
  if (name == "dump") completion.words = buffer_words(workloads);
  if (name == "size") completion.words = size_words(workloads);
  if (name == "technology") completion.words = technology_words();
  if (name == "energy") completion.words = words_of(files.energy_table_names());
  if (name == "policy") completion.words = policy_words(word);
  if (name == "metric") completion.words = metric_words(word);
  if (name == "registers") completion.words = words_of({"ptxas"});
  if (completion.words.empty()) completion.words = choices(value);
  return completion;
}

}  // namespace heddle
