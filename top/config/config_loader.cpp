#include "top/config/config_loader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/input_file.h"
#include "base/input_scope.h"
#include "base/limits.h"
#include "base/nearest_name.h"
#include "top/config/config_check.h"
#include "top/config/config_origin.h"
#include "top/config/config_schema.h"
#include "workloads/description/yaml_file.h"

namespace heddle {

namespace {

/// "; did you mean 'core.sms'?": near among those of the same section, or the same name in another section,
/// or, of a section that there is not, near as a whole. Otherwise which keys the section has.
std::string suggestion(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string section = dot == std::string::npos ? "" : path.substr(0, dot + 1);
  const std::string leaf = path.substr(section.size());
  std::set<std::string> siblings;
  std::string elsewhere;
  for (const std::string& known : config_paths()) {
    if (known.compare(0, section.size(), section) == 0) {
      siblings.insert(known.substr(section.size(), known.find('.', section.size()) - section.size()));
    }
    if (elsewhere.empty() && known.substr(known.rfind('.') + 1) == leaf) {
      elsewhere = known;
    }
  }
  std::string nearest = nearest_name(leaf, {siblings.begin(), siblings.end()});
  if (!nearest.empty()) {
    nearest = section + nearest;
  } else if (!elsewhere.empty()) {
    nearest = elsewhere;
  } else if (!section.empty() && !siblings.empty()) {
    return fmt::format("; keys of '{}': {}", path.substr(0, dot), fmt::join(siblings, ", "));
  } else {
    nearest = nearest_name(path, config_paths());
  }
  return nearest.empty() ? "; `heddle config show` prints every key"
                         : fmt::format("; did you mean '{}'?", nearest);
}

bool is_section(const std::string& path) {
  const std::string beginning = path + ".";
  for (const ConfigKey& known : config_schema()) {
    if (known.path.compare(0, beginning.size(), beginning) == 0) {
      return true;
    }
  }
  return false;
}

/// After "found 'X'": the choice that X is near to.
std::string nearest_choice(const ConfigKey& key, const std::string& found) {
  return did_you_mean(found, {key.choices.begin(), key.choices.end()});
}

std::string found_text(const YAML::Node& node) {
  if (node.IsScalar()) {
    return fmt::format("'{}'", node.Scalar());
  }
  return node.IsMap() ? "a map" : node.IsSequence() ? "a list" : "nothing";
}

}  // namespace

/// Applies the nodes of one file to a configuration.
class ConfigLoader::Reader {
 public:
  Reader(LoadedConfig& loaded, const std::string& file) : loaded_(loaded), file_(file) {}

  void apply(const YAML::Node& node, const std::string& section) {
    std::set<std::string> seen;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) {
        fail(entry.first, "expected a key, found " + found_text(entry.first));
      }
      const std::string path = section + entry.first.Scalar();
      if (!seen.insert(path).second) {
        fail(entry.first, fmt::format("key '{}' stands twice", path));
      }
      if (section.empty() && path == "base") {
        continue;
      }
      apply_entry(entry.first, entry.second, path);
    }
  }

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw ConfigError(place(node) + ": " + message);
  }

 private:
  void apply_entry(const YAML::Node& name, const YAML::Node& value, const std::string& path) {
    if (is_section(path)) {
      if (!value.IsMap()) {
        fail(value, fmt::format("{}: expected a map of its keys, found {}", path, found_text(value)));
      }
      apply(value, path + ".");
      return;
    }
    const ConfigKey* key = find_config_key(path);
    if (key == nullptr) {
      fail(name, fmt::format("unknown key '{}'{}", path, suggestion(path)));
    }
    const auto parsed = value.IsScalar() ? key->parse(value.Scalar()) : std::nullopt;
    if (!parsed) {
      fail(value, fmt::format("{}: expected {}, found {}{}", path, key->expected(), found_text(value),
                              value.IsScalar() ? nearest_choice(*key, value.Scalar()) : ""));
    }
    key->set(loaded_.config, *parsed);
    loaded_.origins[path] = place(value);
  }

  std::string place(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    if (mark.is_null()) {
      return file_;
    }
    return SourceMark{file_, static_cast<unsigned>(mark.line) + 1, static_cast<unsigned>(mark.column) + 1}
        .text();
  }

  LoadedConfig& loaded_;
  const std::string& file_;
};

void ConfigLoader::read_file(const std::string& path) {
  std::string text;
  try {
    text = read_input_file(path, limits::kYamlBytes);
  } catch (const InputFileError& error) {
    throw ConfigError(error.what());
  }
  read_text(text, path);
}

void ConfigLoader::read_text(const std::string& text, const std::string& path) {
  YAML::Node root;
  try {
    root = parse_yaml(text, path);
  } catch (const YamlError& error) {
    throw ConfigError(error.what());
  }
  Reader reader(loaded_, path);
  if (!root.IsMap()) {
    reader.fail(root, "expected a map of configuration keys, found " + found_text(root));
  }
  if (const YAML::Node base = root["base"]) {
    if (!base.IsScalar()) {
      reader.fail(base, "base: expected the path of a configuration file, found " + found_text(base));
    }
    if (++depth_ > limits::kConfigBases) {
      reader.fail(base, fmt::format("base: more than {} files deep; does a file build on itself?",
                                    limits::kConfigBases));
    }
    if (depth_ == 1) first_file_ = path;
    std::string base_path;
    std::string base_text;
    try {
      base_path = resolve_input(path, base.Scalar(), first_file_);
      base_text = read_input_file(base_path, limits::kYamlBytes);
    } catch (const InputFileError& error) {
      reader.fail(base, fmt::format("base: {}", error.what()));
    }
    read_text(base_text, base_path);
    --depth_;
  }
  reader.apply(root, "");
  loaded_.file = path;
}

void ConfigLoader::set(const std::string& assignment) {
  const std::string origin = "--set " + assignment;
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw ConfigError(origin + ": expected KEY=VALUE");
  }
  const std::string path = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  const ConfigKey* key = find_config_key(path);
  if (key == nullptr) {
    throw ConfigError(fmt::format("{}: unknown key '{}'{}", origin, path, suggestion(path)));
  }
  const auto value = key->parse(text);
  if (!value) {
    throw ConfigError(fmt::format("{}: {}: expected {}, found '{}'{}", origin, path, key->expected(), text,
                                  nearest_choice(*key, text)));
  }
  key->set(loaded_.config, *value);
  loaded_.origins[path] = origin;
}

LoadedConfig ConfigLoader::finish() const {
  if (const auto conflict = find_config_conflict(loaded_.config)) {
    throw ConfigError(origin_of(loaded_, conflict->paths) + conflict->message);
  }
  return loaded_;
}

LoadedConfig load_config(const std::string& file, const std::vector<std::string>& assignments) {
  ConfigLoader loader;
  if (!file.empty()) {
    loader.read_file(file);
  }
  for (const std::string& assignment : assignments) {
    loader.set(assignment);
  }
  return loader.finish();
}

}  // namespace heddle
