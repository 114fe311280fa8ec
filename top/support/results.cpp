#include "top/support/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/input_file.h"
#include "base/limits.h"

namespace heddle {

namespace {

template <class Json>
std::optional<Json> read(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return std::nullopt;
  try {
    return Json::parse(read_input_file(file.string(), limits::kResultBytes));
  } catch (const InputFileError& error) {
    throw ResultsError(error.what());
  } catch (const typename Json::parse_error& error) {
    throw ResultsError(fmt::format("{}: damaged: {}", file.string(), error.what()));
  }
}

}  // namespace

std::vector<std::filesystem::path> run_folders(const std::string& folder) {
  std::error_code failed;
  if (!std::filesystem::is_directory(folder, failed))
    throw ResultsError(fmt::format("{}: there is no such folder", folder));
  if (std::filesystem::exists(std::filesystem::path(folder) / "stats.json", failed)) return {folder};
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator entries(folder, failed), end; !failed && entries != end;
       entries.increment(failed)) {
    const std::filesystem::directory_entry& entry = *entries;
    if (std::filesystem::exists(entry.path() / "stats.json", failed)) found.push_back(entry.path());
  }
  if (found.empty()) {
    throw ResultsError(fmt::format(
        "{}: expected the results of a run (stats.json), or folders with those of several", folder));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<nlohmann::json> read_result(const std::filesystem::path& file) {
  return read<nlohmann::json>(file);
}

std::optional<nlohmann::ordered_json> read_ordered_result(const std::filesystem::path& file) {
  return read<nlohmann::ordered_json>(file);
}

}  // namespace heddle
