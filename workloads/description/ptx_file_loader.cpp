#include "workloads/description/ptx_file_loader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/nearest_name.h"

namespace heddle {

std::vector<PtxFile> load_ptx_files(const YAML::Node& node, const std::string& file) {
  const std::string what = "workload, ptx";
  const auto read = [&](const YAML::Node& item) {
    return PtxFile{scalar_text(item, file, what), input_path(item, file, what), mark_of(item, file)};
  };
  if (!node.IsSequence()) return {read(node)};
  std::vector<PtxFile> files;
  for (const YAML::Node& item : list_items(node, file, what)) {
    PtxFile next = read(item);
    for (const PtxFile& other : files) {
      if (other.path == next.path)
        throw WorkloadError(next.mark, fmt::format("{}: '{}' stands twice", what, next.name));
    }
    files.push_back(std::move(next));
  }
  if (files.empty() || files.size() > limits::kPtxFiles) {
    throw WorkloadError(mark_of(node, file), fmt::format("{}: expected 1 to {} files, found {}", what,
                                                         limits::kPtxFiles, files.size()));
  }
  return files;
}

PtxChoice load_ptx_choice(const YamlMap& map, const Workload& workload) {
  if (!map.has("ptx")) return std::nullopt;
  const std::string name = map.text("ptx");
  std::vector<std::string> known;
  for (const PtxFile& file : workload.ptx) known.push_back(file.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    throw WorkloadError(map.mark("ptx"), fmt::format("{}, ptx: the workload has no file '{}'{}", map.what(),
                                                     name, name_hint(name, known, "files")));
  }
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace heddle
