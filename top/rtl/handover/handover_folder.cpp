#include "top/rtl/handover/handover_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "top/rtl/handover/source_lists.h"
#include "top/rtl/handover/vector_text.h"
#include "top/rtl/rtl_text.h"
#include "top/rtl/twin_netlist.h"
#include "top/support/project_files.h"
#include "top/support/version.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

/// Says that the folder is a handover, whole: written last, removed first.
constexpr const char* kMark = "twin.txt";
/// Where a handover is made.
constexpr const char* kPart = "unfinished";
/// What a handover may have left, whole folders among it.
constexpr const char* kWritten[] = {"rtl",      "tb",        "run",      "build",     "build.log",
                                    "Makefile", "README.md", "cost.txt", "cost.json", kFileListFile,
                                    "LICENSE",  kBenderFile, kCoreFile};

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

[[noreturn]] void fail_to_write(const std::string& path, const std::error_code& reason) {
  throw OutputError(fmt::format("{}: can't write: {}", path, reason.message()));
}

bool holds_something_else(const fs::path& folder) {
  if (fs::exists(folder / kMark) || fs::exists(folder / kPart)) return false;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().front() != '.') return true;
  }
  return false;
}

}  // namespace

HandoverFolder::HandoverFolder(const std::string& path) : is_new_(!fs::exists(path)), folder_(path) {
  if (holds_something_else(path)) {
    throw OutputError(
        fmt::format("{}: expected no files, or an earlier handover's: --out names another folder", path));
  }
  std::error_code failed;
  fs::remove_all(path_of(""), failed);
  if (!failed) fs::create_directory(path_of(""), failed);
  if (failed) fail_to_write(path, failed);
}

HandoverFolder::~HandoverFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_of(""), ignored);
  const std::string path = folder_->path();
  folder_.reset();
  if (is_new_ && fs::is_empty(path, ignored)) fs::remove(path, ignored);
}

std::string HandoverFolder::path_of(const std::string& file) const {
  return (fs::path(folder_->path_of(kPart)) / file).string();
}

void HandoverFolder::write(const std::string& file, const std::string& text) const {
  std::error_code failed;
  fs::create_directories(fs::path(path_of(file)).parent_path(), failed);
  if (failed) fail_to_write(path_of(file), failed);
  write_file_atomically(path_of(file), text);
}

void HandoverFolder::write_sources(const TwinDesign& design, const TwinSources& sources) const {
  const auto copy = [&](const std::string& from, const std::string& to) {
    write(to, read(sources.path_of(from)));
  };
  const auto copy_script = [&](const std::string& script) {
    copy(script, "rtl/" + script);
    constexpr mode_t kProgram = 0755;
    if (chmod(path_of("rtl/" + script).c_str(), kProgram) != 0)
      fail_to_write(path_of("rtl/" + script), std::error_code(errno, std::generic_category()));
  };
  std::string list;
  std::string proofs;
  std::vector<std::string> files = design.sources;
  if (!design.priced_together.empty()) files.push_back(design.priced_together);
  for (const std::string& source : files) {
    copy(source, "rtl/" + source);
    list += fmt::format("{} {}\n", source.substr(0, source.find('/')), source);
    const std::string proof = fmt::format("formal/{}_proof.sv", fs::path(source).stem().string());
    if (!fs::exists(fs::path(sources.folder()) / proof)) continue;
    copy(proof, "rtl/" + proof);
    proofs += read(sources.path_of(proof));
  }
  // What proofs of two sorters share.
  constexpr const char* kSortRule = "formal/heddle_sort_rule.sv";
  if (proofs.find(" heddle_sort_rule ") != std::string::npos)
    copy(kSortRule, std::string("rtl/") + kSortRule);
  write("rtl/files.txt", list);
  copy("parts/parts.vlt", "rtl/parts/parts.vlt");
  write(std::string("rtl/") + kPackageFile, package_text(design));
  write(std::string("rtl/") + kTopFile, top_text(design));
  write(kFileListFile, file_list_text(design));
  write(kBenderFile, bender_text(design));
  write(kCoreFile, core_text(design, version()));
  write("LICENSE", read(ProjectFiles().license()));
  copy_script("prove.sh");
  copy_script("equivalence.sh");
  copy_script("synthesis/synthesise.sh");
  copy("synthesis/abc.script", "rtl/synthesis/abc.script");
  copy("synthesis/tree.script", "rtl/synthesis/tree.script");
  copy("synthesis/drive.constr", "rtl/synthesis/drive.constr");
  write("tb/heddle_vectors_pkg.sv", vectors_package_text(design));
  write("tb/heddle_vectors_dut.sv", vectors_dut_text(design));
  copy("handover/heddle_vectors_tb.sv", "tb/heddle_vectors_tb.sv");
  copy("handover/Makefile", "Makefile");
}

void HandoverFolder::finish(const TwinDesign& design) {
  std::string text = fmt::format("scheduler {}\n", design.scheduler);
  if (design.qualifier) {
    text += fmt::format("qualifier {}\nqualifier_parameters {}\n", design.qualifier->name,
                        parameters_text(design, *design.qualifier));
  }
  text += fmt::format("module {}\nparameters {}\n", design.prioritizer.name,
                      parameters_text(design, design.prioritizer));
  for (const PricedModule& module : priced_modules(design))
    text += fmt::format("synthesised {} {}\n", module.name, module.parameters);
  std::error_code failed;
  fs::remove(final_path_of(kMark), failed);
  for (const char* const entry : kWritten) {
    if (!failed) fs::remove_all(final_path_of(entry), failed);
    if (!failed && fs::exists(path_of(entry))) fs::rename(path_of(entry), final_path_of(entry), failed);
  }
  if (failed) fail_to_write(folder_->path(), failed);
  folder_->write(kMark, text);
}

}  // namespace heddle
