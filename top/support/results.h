#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle {

/// Lists and maps in each other in a file of results.
constexpr std::size_t kMostResultDepth = 64;

/// A folder without results, or with damaged ones or those of another version. what() is one line that names
/// the file.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The folders of the runs in `folder`: itself, or those in it that have a stats.json, by name. Throws
/// ResultsError when there are none.
std::vector<std::filesystem::path> run_folders(const std::string& folder);

/// The folders of timed pairs in `folder`, which have a thread_blocks.json and no stats.json: itself, or
/// those in it, by number; empty when there are none, or runs.
std::vector<std::filesystem::path> timed_pair_folders(const std::string& folder);

/// The JSON in a result file; nothing when there is no such file. Throws ResultsError when it is damaged, or
/// larger or deeper than limits::kResultBytes and kMostResultDepth allow.
std::optional<nlohmann::json> read_result(const std::filesystem::path& file);
/// The same with the members of objects in their order.
std::optional<nlohmann::ordered_json> read_ordered_result(const std::filesystem::path& file);

/// A count or a number of cycles of a result. Throws nlohmann::json::type_error, a damaged result, unless it
/// is a whole number from 0 to 2^64 - 1 without exponent or decimal point; value.get() turns any number into
/// one.
std::uint64_t whole_number(const nlohmann::json& value);
std::uint64_t whole_number(const nlohmann::ordered_json& value);
/// The number or null (it does not apply) that a figure is. Throws nlohmann::json::type_error when it is
/// neither.
const nlohmann::json& figure_number(const std::string& name, const nlohmann::json& value);
/// The same as whole_number() of each element.
std::vector<std::uint64_t> whole_numbers(const nlohmann::json& list);

}  // namespace heddle
