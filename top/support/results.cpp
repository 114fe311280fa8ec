#include "top/support/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/input_file.h"
#include "base/limits.h"

namespace heddle {

namespace {

/// Lists and maps in each other, of a text of JSON.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

template <class Json>
Json parse(const std::filesystem::path& file) {
  const std::string text = read_input_file(file.string(), limits::kResultBytes);
  // Values are copied, compared and printed by functions that call themselves.
  if (depth_of(text) > kMostResultDepth) {
    throw ResultsError(fmt::format("{}: damaged: more than {} lists and maps in each other", file.string(),
                                   kMostResultDepth));
  }
  return Json::parse(text);
}

template <class Json>
std::optional<Json> read(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return std::nullopt;
  try {
    return parse<Json>(file);
  } catch (const InputFileError& error) {
    throw ResultsError(error.what());
  } catch (const typename Json::parse_error& error) {
    throw ResultsError(fmt::format("{}: damaged: {}", file.string(), error.what()));
  }
}

/// `folder` itself, or the folders in it, where there is such a file.
std::vector<std::filesystem::path> folders_with(const std::string& file, const std::string& folder) {
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::path(folder) / file, failed)) return {folder};
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator entries(folder, failed), end; !failed && entries != end;
       entries.increment(failed)) {
    if (std::filesystem::exists(entries->path() / file, failed)) found.push_back(entries->path());
  }
  return found;
}

/// Folders of runs by their numbers, which are not equally long: 99 before 100.
bool is_before(const std::filesystem::path& one, const std::filesystem::path& other) {
  const std::string first = one.filename().string();
  const std::string second = other.filename().string();
  const auto digits = [](const std::string& name) {
    return std::min(name.find_first_not_of("0123456789"), name.size());
  };
  const bool numbered = digits(first) != 0 && digits(second) != 0;
  return numbered && digits(first) != digits(second) ? digits(first) < digits(second) : first < second;
}

template <class Json>
std::uint64_t number_in(const Json& value) {
  if (!value.is_number_unsigned() &&
      !(value.is_number_integer() && value.template get<std::int64_t>() >= 0)) {
    throw Json::type_error::create(
        302, fmt::format("found {}, expected a whole number of at least 0", value.dump()), &value);
  }
  return value.template get<std::uint64_t>();
}

}  // namespace

std::vector<std::filesystem::path> run_folders(const std::string& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder, failed))
    throw ResultsError(fmt::format("{}: there is no such folder", folder));
  std::vector<std::filesystem::path> found = folders_with("stats.json", folder);
  if (found.empty()) {
    throw ResultsError(fmt::format(
        "{}: expected the results of a run (stats.json), or folders with those of several", folder));
  }
  std::sort(found.begin(), found.end(), is_before);
  return found;
}

std::vector<std::filesystem::path> timed_pair_folders(const std::string& folder) {
  if (!folders_with("stats.json", folder).empty()) return {};
  std::vector<std::filesystem::path> found = folders_with("thread_blocks.json", folder);
  std::sort(found.begin(), found.end(), is_before);
  return found;
}

std::optional<nlohmann::json> read_result(const std::filesystem::path& file) {
  return read<nlohmann::json>(file);
}

std::optional<nlohmann::ordered_json> read_ordered_result(const std::filesystem::path& file) {
  return read<nlohmann::ordered_json>(file);
}

std::uint64_t whole_number(const nlohmann::json& value) { return number_in(value); }

std::uint64_t whole_number(const nlohmann::ordered_json& value) { return number_in(value); }

const nlohmann::json& figure_number(const std::string& name, const nlohmann::json& value) {
  if (value.is_number() || value.is_null()) return value;
  throw nlohmann::json::type_error::create(
      302, fmt::format("'{}' is {}, expected a number", name, value.type_name()), &value);
}

std::vector<std::uint64_t> whole_numbers(const nlohmann::json& list) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(list.size());
  for (const nlohmann::json& value : list) numbers.push_back(whole_number(value));
  return numbers;
}

}  // namespace heddle
