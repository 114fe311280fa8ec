#include "top/rtl/twin_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "top/batch/fingerprint.h"
#include "top/rtl/rtl_error.h"
#include "top/rtl/rtl_text.h"
#include "top/rtl/twin_tools.h"
#include "top/support/output/atomic_file.h"
#include "top/support/output/console.h"
#include "top/support/processes/interrupt.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibraryFile = "twin.so";
constexpr const char* kFingerprintFile = "twin.fingerprint";
constexpr const char* kCosimFiles[] = {"cosim/twin_interface.h", "cosim/twin_print.h",
                                       "cosim/twin_library.cc"};
/// Of Verilator.
constexpr const char* kRuntimeFiles[] = {"verilated.cpp", "verilated_save.cpp", "verilated_vcd_c.cpp",
                                         "verilated_threads.cpp"};
/// A warning says nothing of a twin that does the same as the model, but sizes that its modules refuse do.
const std::vector<std::string>& verilator_flags() {
  static const std::vector<std::string> flags{
      "--cc",       "--assert",          "--trace",           "--savable", "-O3",
      "-Wno-fatal", "-Werror-USERERROR", "-Werror-USERFATAL", "-Wno-lint"};
  return flags;
}
/// The user's come last, so that they decide.
std::vector<std::string> compile_flags(const char* optimized = "-O2") {
  std::vector<std::string> flags{"-std=c++17",   optimized,          "-fPIC",           "-w",
                                 "-DVM_TRACE=1", "-DVM_TRACE_VCD=1", "-DVM_COVERAGE=0", "-DVM_SC=0"};
  for (std::string& flag : cpp_flags()) flags.push_back(std::move(flag));
  return flags;
}
/// A command that compiles, up to its files.
std::vector<std::string> compilation(const char* optimized = "-O2") {
  std::vector<std::string> command{cpp_compiler(), "-c"};
  for (std::string& flag : compile_flags(optimized)) command.push_back(std::move(flag));
  return command;
}

std::string users_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return (fs::path(cache) / "heddle" / "rtl").string();
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return (fs::path(home) / ".cache" / "heddle" / "rtl").string();
  throw RtlError(
      "there is no folder for built twins: neither XDG_CACHE_HOME nor HOME is set; name one with "
      "--rtl-cache");
}

std::string fingerprint_of_file(const std::string& path) { return Fingerprint().add_file(path).text(); }

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

[[noreturn]] void cannot_write(const std::string& path, const std::error_code& reason) {
  throw OutputError(fmt::format("{}: can't write a twin there: {}; --rtl-cache names another folder", path,
                                reason.message()));
}

void make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) cannot_write(path, failed);
  if (access(path.c_str(), W_OK | X_OK) != 0)
    cannot_write(path, std::error_code(errno, std::generic_category()));
}

constexpr const char* kBuildEnding = ".tmp";

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// The ending of the folders that this process builds in, "HOST.PROCESS.tmp": several hosts may share a
/// cache.
std::string build_ending(pid_t process) { return fmt::format("{}.{}{}", host_name(), process, kBuildEnding); }

/// A folder that a process of this host built in, which has ended before it could remove it.
bool is_left_behind(const std::string& name) {
  const std::size_t end = name.rfind(kBuildEnding);
  const std::size_t begin = name.rfind('.', end == 0 ? end : end - 1) + 1;
  if (end == std::string::npos || begin == 0) return false;
  pid_t process = 0;
  std::from_chars(name.data() + begin, name.data() + end, process);
  return process > 0 && name.substr(name.find('.') + 1) == build_ending(process) && kill(process, 0) != 0 &&
         errno == ESRCH;
}

void remove_left_behind(const std::string& cache) {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(cache, ignored)) {
    if (is_left_behind(entry.path().filename().string())) left.push_back(entry.path());
  }
  for (const fs::path& folder : left) fs::remove_all(folder, ignored);
}

/// A folder beside the one that a build is to become. Without finish() nothing is left of it.
class BuildFolder {
 public:
  explicit BuildFolder(std::string final_path)
      : final_(std::move(final_path)), path_(fmt::format("{}.{}", final_, build_ending(getpid()))) {
    make_folder(path_);
  }
  ~BuildFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;

  std::string path_of(const char* file) const { return (fs::path(path_) / file).string(); }
  const std::string& path() const { return path_; }
  void write(const char* file, const std::string& text) const { write_file_atomically(path_of(file), text); }
  /// Of two processes that build the same the first one's stays.
  void finish() {
    std::error_code failed;
    fs::rename(path_, final_, failed);
    if (failed && !fs::is_directory(final_)) cannot_write(final_, failed);
  }

 private:
  std::string final_;
  std::string path_;
};

}  // namespace

TwinCache::TwinCache(const std::string& folder, const std::string& rtl_folder)
    : folder_(fs::absolute(folder.empty() ? users_folder() : folder).string()), sources_(rtl_folder) {}

std::string TwinCache::key(const TwinDesign& design) const {
  Fingerprint print;
  print.add(package_text(design)).add(top_text(design)).add(lockstep_text(design)).add(ports_text(design));
  for (const std::string& file : design.sources) print.add(file).add_file(sources_.path_of(file));
  for (const char* const file : kCosimFiles) print.add_file(sources_.path_of(file));
  for (const std::string& flag : verilator_flags()) print.add(flag);
  for (const std::string& flag : compile_flags()) print.add(flag);
  return print.text();
}

/// Verilator's own library, compiled once for all twins: the path of the archive.
std::string TwinCache::runtime(const std::string& include_folder) {
  Fingerprint print;
  for (const char* const file : kRuntimeFiles) print.add_file((fs::path(include_folder) / file).string());
  print.add_file(sources_.path_of("cosim/twin_print.h")).add(cpp_compiler());
  for (const std::string& flag : compile_flags()) print.add(flag);
  const std::string final_folder = (fs::path(folder_) / ("runtime-" + print.text())).string();
  std::string archive = (fs::path(final_folder) / "runtime.o").string();
  if (fs::exists(archive)) return archive;
  BuildFolder folder(final_folder);
  std::vector<std::string> objects;
  for (const char* const file : kRuntimeFiles) {
    std::vector<std::string> command = compilation();
    objects.push_back(folder.path_of((std::string(file) + ".o").c_str()));
    command.insert(command.end(), {"-I", include_folder, "-include", sources_.path_of("cosim/twin_print.h"),
                                   (fs::path(include_folder) / file).string(), "-o", objects.back()});
    run_tool(command, "g++");
  }
  std::vector<std::string> link{cpp_compiler(), "-r", "-nostdlib", "-o", folder.path_of("runtime.o")};
  link.insert(link.end(), objects.begin(), objects.end());
  run_tool(link, "g++");
  folder.finish();
  return archive;
}

void TwinCache::build(const TwinDesign& design, const std::string& final_folder) {
  std::string root = run_tool({"verilator", "--getenv", "VERILATOR_ROOT"}, "verilator");
  while (!root.empty() && root.back() == '\n') root.pop_back();
  const std::string include_folder = (fs::path(root) / "include").string();
  const std::string runtime_object = runtime(include_folder);

  BuildFolder folder(final_folder);
  folder.write(kPackageFile, package_text(design));
  folder.write(kTopFile, top_text(design));
  folder.write(kLockstepFile, lockstep_text(design));
  folder.write("twin_ports.h", ports_text(design));
  folder.write(kFileListFile, file_list_text(design, sources_.folder(), folder.path()));
  std::vector<std::string> verilate{"verilator"};
  verilate.insert(verilate.end(), verilator_flags().begin(), verilator_flags().end());
  verilate.insert(verilate.end(),
                  {"--top-module", "heddle_lockstep", "--prefix", "Vheddle_lockstep", "--Mdir", folder.path(),
                   "-f", folder.path_of(kFileListFile), folder.path_of(kLockstepFile)});
  run_tool(verilate, "verilator");

  // Two files of them all, as most of the time goes into what each would include: what is called a few times
  // in a run (Verilator names it "Slow") or for waves alone ("Trace"), which need not be fast, and the rest.
  // They are compiled beside each other.
  std::string often;
  std::string seldom;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string name = entry.path().filename().string();
    const bool is_seldom =
        name.find("Slow") != std::string::npos || name.find("__Trace__") != std::string::npos;
    (is_seldom ? seldom : often) += fmt::format("#include \"{}\"\n", name);
  }
  folder.write("often.cc", often + "#include \"twin_library.cc\"\n");
  folder.write("seldom.cc", seldom);
  const auto compile = [&](const char* source, const char* object, const char* optimized) {
    std::vector<std::string> command = compilation(optimized);
    command.insert(
        command.end(),
        {"-I", include_folder, "-I", (fs::path(include_folder) / "vltstd").string(), "-I", folder.path(),
         "-I", (fs::path(sources_.folder()) / "cosim").string(), "-include",
         sources_.path_of("cosim/twin_print.h"), folder.path_of(source), "-o", folder.path_of(object)});
    return command;
  };
  RunningTool beside(compile("seldom.cc", "seldom.o", "-O0"), "g++");
  run_tool(compile("often.cc", "often.o", "-O2"), "g++");
  beside.finish();
  run_tool({cpp_compiler(), "-shared", folder.path_of("often.o"), folder.path_of("seldom.o"), runtime_object,
            "-pthread", "-o", folder.path_of(kLibraryFile)},
           "g++");
  folder.write(kFingerprintFile, fingerprint_of_file(folder.path_of(kLibraryFile)) + "\n");
  folder.finish();
  built_ = true;
}

std::unique_ptr<TwinLibrary> TwinCache::get(const TwinDesign& design, bool quiet) {
  const std::string place = (fs::path(folder_) / key(design)).string();
  const std::string library = (fs::path(place) / kLibraryFile).string();
  remove_left_behind(folder_);
  if (!fs::is_directory(place)) {
    make_folder(folder_);
    if (!quiet) tell("heddle: building the twin of {}, once for its configuration ...\n", design.scheduler);
    const InterruptGuard interrupts;
    build(design, place);
  }
  if (read(fs::path(place) / kFingerprintFile) != fingerprint_of_file(library) + "\n") {
    throw RtlError(
        fmt::format("{}: is not what was built there: the cache of twins is stale; remove the "
                    "folder {}, and the twin is built again",
                    library, place));
  }
  const auto outputs = static_cast<unsigned>(design.outputs.size());
  return std::make_unique<TwinLibrary>(library, static_cast<unsigned>(design.inputs.size()) + outputs,
                                       outputs);
}

}  // namespace heddle
