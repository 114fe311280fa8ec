#include "workloads/description/statement_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

#include "base/nearest_name.h"
#include "workloads/description/ptx_file_loader.h"
#include "workloads/description/texture_loader.h"
#include "workloads/description/transfer_loader.h"

namespace heddle {

namespace {

constexpr const char* kMostIterations = "1000000";

bool is_name(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace

StatementLoader::StatementLoader(const Workload& workload)
    : workload_(workload), file_(workload.file), names_(workload.parameter_names(), workload) {}

std::vector<Statement> StatementLoader::load(const YAML::Node& node, const std::string& what) {
  std::vector<Statement> statements;
  for (const YAML::Node& item : list_items(node, file_, what)) {
    statements.push_back(load_statement(item));
  }
  return statements;
}

std::vector<StreamSpec> StatementLoader::load_streams(const YAML::Node& node) {
  std::vector<StreamSpec> streams;
  in_stream_ = true;
  for (const YAML::Node& item : list_items(node, file_, "streams")) {
    const YamlMap map(item, file_, fmt::format("stream {}", streams.size() + 1),
                      {"name", "arrival_cycles", "launches"});
    StreamSpec stream;
    stream.name = map.text_or("name", fmt::format("stream{}", streams.size()));
    stream.mark = map.mark();
    for (const StreamSpec& other : streams) {
      if (other.name == stream.name) {
        throw WorkloadError(stream.mark, fmt::format("streams: there are two of the name '{}'", stream.name));
      }
    }
    stream.arrival_cycles =
        KnownNames(workload_.parameter_names()).check(map.expression_or("arrival_cycles", "0"));
    stream.launches = load(map.at("launches"), map.what() + ", launches");
    streams.push_back(std::move(stream));
  }
  in_stream_ = false;
  if (streams.empty()) {
    throw WorkloadError(mark_of(node, file_), "streams: expected at least one, found none");
  }
  return streams;
}

Statement StatementLoader::load_statement(const YAML::Node& node) {
  const SourceMark mark = mark_of(node, file_);
  const auto has = [&](const char* key) { return node.IsMap() && node[key].IsDefined(); };
  if (has("kernel") || has("grid") || has("block") || has("args")) {
    return {mark, load_launch(node)};
  }
  const YamlMap map(node, file_, "launch", {"kernel", "set", "fill", "copy", "swap", "repeat", "while"});
  if (node.size() != 1) {
    throw WorkloadError(mark, "launch: expected exactly one of kernel, set, fill, copy, swap, repeat, while");
  }
  if (map.has("set")) {
    return {mark, load_set(map.at("set"))};
  }
  if (map.has("fill")) {
    return {mark, load_fill(map.at("fill"), workload_, names_)};
  }
  if (map.has("copy")) {
    return {mark, load_copy(map.at("copy"), workload_, names_)};
  }
  if (map.has("swap")) {
    return {mark, load_swap(map.at("swap"))};
  }
  if (map.has("repeat")) {
    return {mark, load_repeat(map.at("repeat"))};
  }
  return {mark, load_while(map.at("while"))};
}

LaunchStatement StatementLoader::load_launch(const YAML::Node& node) {
  const YamlMap map(
      node, file_, "launch",
      {"kernel", "ptx", "grid", "block", "shared_bytes", "registers", "arrival_cycles", "args"});
  LaunchStatement launch;
  launch.kernel = map.text("kernel");
  launch.ptx = load_ptx_choice(map, workload_);
  launch.grid = load_extent(map, "grid");
  launch.block = load_extent(map, "block");
  launch.shared_bytes = known(map.expression_or("shared_bytes", "0"));
  launch.registers = known(map.expression_or("registers", "0"));
  if (map.has("arrival_cycles")) {
    if (!in_stream_) {
      throw WorkloadError(
          map.mark("arrival_cycles"),
          "launch, arrival_cycles: only the launches of `streams` have arrival times; those of "
          "`launches` begin when the one before has ended");
    }
    launch.arrival_cycles = known(map.expression("arrival_cycles"));
  }
  if (map.has("args")) {
    for (const YAML::Node& item : list_items(map.at("args"), file_, "launch, args")) {
      launch.args.push_back(load_argument(item, fmt::format("argument {}", launch.args.size() + 1)));
    }
  }
  return launch;
}

SetStatement StatementLoader::load_set(const YAML::Node& node) {
  const YamlMap map(node, file_, "set", {"buffer", "index", "value"});
  SetStatement set;
  set.buffer = buffer(map.text("buffer"), map.mark("buffer")).name;
  set.write = {known(map.expression_or("index", "0")), known(map.expression("value"))};
  return set;
}

SwapStatement StatementLoader::load_swap(const YAML::Node& node) {
  const std::vector<YAML::Node> items = list_items(node, file_, "swap");
  if (items.size() != 2) {
    throw WorkloadError(mark_of(node, file_),
                        fmt::format("swap: expected two buffers, found {}", items.size()));
  }
  SwapStatement swap;
  std::array<ElementType, 2> types{};
  for (std::size_t i = 0; i < 2; ++i) {
    const BufferSpec& spec = buffer(scalar_text(items[i], file_, "swap"), mark_of(items[i], file_));
    if (spec.symbol) {
      throw WorkloadError(
          mark_of(items[i], file_),
          fmt::format("swap: '{}' lies in the symbol '{}', which stays where it is: expected a "
                      "buffer with memory of its own",
                      spec.name, spec.symbol->name));
    }
    swap.buffers[i] = spec.name;
    types[i] = spec.type;
  }
  if (types[0] != types[1]) {
    throw WorkloadError(
        mark_of(node, file_),
        fmt::format("swap: '{}' is {} but '{}' is {}; expected the same type", swap.buffers[0],
                    element_name(types[0]), swap.buffers[1], element_name(types[1])));
  }
  return swap;
}

RepeatStatement StatementLoader::load_repeat(const YAML::Node& node) {
  const YamlMap map(node, file_, "repeat", {"count", "as", "launches"});
  RepeatStatement repeat;
  repeat.count = known(map.expression("count"));
  repeat.variable = loop_variable(map);
  repeat.body = load_body(map, repeat.variable);
  return repeat;
}

WhileStatement StatementLoader::load_while(const YAML::Node& node) {
  using Condition = WhileStatement::Condition;
  static constexpr std::array<std::pair<const char*, Condition>, 4> kConditions = {
      {{"equal", Condition::kEqual},
       {"not_equal", Condition::kNotEqual},
       {"less", Condition::kLess},
       {"greater", Condition::kGreater}}};
  const YamlMap map(
      node, file_, "while",
      {"buffer", "index", "equal", "not_equal", "less", "greater", "at_most", "do", "as", "launches"});
  WhileStatement loop;
  loop.buffer = buffer(map.text("buffer"), map.mark("buffer")).name;
  loop.index = known(map.expression_or("index", "0"));
  unsigned conditions = 0;
  for (const auto& [key, condition] : kConditions) {
    if (map.has(key)) {
      ++conditions;
      loop.condition = condition;
      loop.value = known(map.expression(key));
    }
  }
  if (conditions != 1) {
    throw WorkloadError(
        map.mark(),
        fmt::format("while: expected exactly one of equal, not_equal, less, greater, found {}", conditions));
  }
  loop.at_most = known(map.expression_or("at_most", kMostIterations));
  loop.test_at_end = map.flag_or("do", false);
  loop.variable = loop_variable(map);
  loop.body = load_body(map, loop.variable);
  return loop;
}

std::vector<Statement> StatementLoader::load_body(const YamlMap& map, const std::string& variable) {
  if (!variable.empty()) {
    names_.push(variable);
  }
  std::vector<Statement> body = load(map.at("launches"), map.what() + ", launches");
  if (!variable.empty()) {
    names_.pop();
  }
  return body;
}

std::array<MarkedExpression, 3> StatementLoader::load_extent(const YamlMap& map, const std::string& key) {
  const std::string what = "launch, " + key;
  const YAML::Node node = map.at(key);
  const MarkedExpression one{Expression("1"), mark_of(node, file_)};
  std::array<MarkedExpression, 3> extent = {one, one, one};
  if (node.IsScalar()) {
    extent[0] = known(parse_expression(node, file_, what));
    return extent;
  }
  const std::vector<YAML::Node> items = list_items(node, file_, what);
  if (items.empty() || items.size() > 3) {
    throw WorkloadError(mark_of(node, file_),
                        fmt::format("{}: expected 1 to 3 values, found {}", what, items.size()));
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    extent[i] = known(parse_expression(items[i], file_, what));
  }
  return extent;
}

Argument StatementLoader::load_argument(const YAML::Node& node, const std::string& what) {
  if (node.IsMap()) {
    return load_map_argument(node, what);
  }
  Argument argument;
  argument.mark = mark_of(node, file_);
  const std::string text = scalar_text(node, file_, what);
  if (workload_.find_buffer(text) != nullptr) {
    argument.kind = Argument::Kind::kBuffer;
    argument.buffer = text;
    return argument;
  }
  argument.value = parse_expression(node, file_, what);
  const std::vector<std::string>& known_names = names_.names();
  const bool parameter = std::find(known_names.begin(), known_names.end(), text) != known_names.end();
  if (is_name(text) && !parameter) {
    std::vector<std::string> names = workload_.buffer_names();
    names.insert(names.end(), known_names.begin(), known_names.end());
    throw WorkloadError(argument.mark, fmt::format("{}: unknown name '{}'{}", what, text,
                                                   name_hint(text, names, "buffers and parameters")));
  }
  known(argument.value);
  return argument;
}

Argument StatementLoader::load_map_argument(const YAML::Node& node, const std::string& what) {
  std::vector<std::string> keys = element_names();
  keys.insert(keys.end(), {"buffer", "offset", "struct", "texture"});
  const YamlMap map(node, file_, what, keys);
  Argument argument;
  argument.mark = map.mark();
  if (map.has("buffer")) {
    const YamlMap address(node, file_, what, {"buffer", "offset"});
    argument.kind = Argument::Kind::kBuffer;
    argument.buffer = buffer(address.text("buffer"), address.mark("buffer")).name;
    argument.value = known(address.expression_or("offset", "0"));
    return argument;
  }
  if (node.size() != 1 || map.has("offset")) {
    throw WorkloadError(argument.mark, what +
                                           ": expected one of {TYPE: value}, {buffer: NAME, offset: bytes}, "
                                           "{texture: NAME}, {struct: [...]}");
  }
  if (map.has("texture")) {
    argument.kind = Argument::Kind::kTexture;
    argument.buffer = find_texture(workload_, map.text("texture"), map.mark("texture")).name;
    return argument;
  }
  if (map.has("struct")) {
    argument.kind = Argument::Kind::kStruct;
    for (const YAML::Node& member : list_items(map.at("struct"), file_, what + ", struct")) {
      argument.members.push_back(
          load_argument(member, fmt::format("{}, member {}", what, argument.members.size() + 1)));
      if (argument.members.back().kind == Argument::Kind::kNumber) {
        throw WorkloadError(argument.members.back().mark,
                            fmt::format("{}: a member needs a type, as in {{i32: {}}}", what,
                                        argument.members.back().value.expression.text()));
      }
    }
    return argument;
  }
  const std::string type = node.begin()->first.Scalar();
  argument.kind = Argument::Kind::kScalar;
  argument.type = element_type(type);
  argument.value = known(map.expression(type));
  return argument;
}

std::string StatementLoader::loop_variable(const YamlMap& map) const {
  std::string name = map.text_or("as", "");
  if (name.empty()) {
    return name;
  }
  if (!is_name(name)) {
    throw WorkloadError(map.mark("as"), fmt::format("{}, as: '{}' is not a name", map.what(), name));
  }
  const std::vector<std::string>& taken = names_.names();
  if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
    throw WorkloadError(map.mark("as"), fmt::format("{}, as: the name '{}' is taken", map.what(), name));
  }
  return name;
}

MarkedExpression StatementLoader::known(MarkedExpression expression) const {
  return names_.check(std::move(expression));
}

const BufferSpec& StatementLoader::buffer(const std::string& name, const SourceMark& mark) const {
  return find_buffer(workload_, name, mark);
}

}  // namespace heddle
