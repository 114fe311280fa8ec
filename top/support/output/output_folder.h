#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "top/support/output/atomic_file.h"

namespace heddle {

/// A folder that results go to. It belongs to one process at a time: a file in it, `.heddle.lock`, is locked
/// as long as this object lives, or, if that is shorter, the process. Its files are written whole;
/// `stats.json` is the last of a run to be written and the first of an earlier one to be removed, so that the
/// folder has it only beside what belongs to it. docs/output.md says it to users.
class OutputFolder {
 public:
  /// Of a process that was killed and has not quite ended, or one that takes a file or two: how long the
  /// folder is waited for.
  enum class Wait { kNo, kShort };

  /// Creates the folder and those above it, locks it and proves that it can be written in. Throws
  /// OutputError, also when another process has the folder.
  explicit OutputFolder(const std::string& path, Wait wait = Wait::kNo);
  /// The folder that the user named, or, when `given` is "", `otherwise`: that one has another name,
  /// "atax#2", when another process has it, and stderr says so.
  static OutputFolder open(const std::string& command, const std::string& given,
                           const std::string& otherwise);
  /// The folder, unless another process has it. It may be one that is being removed. Throws OutputError.
  static std::optional<OutputFolder> try_open(const std::string& path);
  ~OutputFolder();
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  OutputFolder& operator=(OutputFolder&&) = delete;

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& file) const;
  /// "03-atax-gto": a folder in this one for run number `place` (from 0). What a file name can't have, or
  /// nearly can't, becomes '-'. Throws OutputError when that is a link, which leads elsewhere.
  std::string folder_of_run(std::size_t place, std::string_view label) const;

  /// "buffer-x.bin": the file with the contents of a buffer, with '-' likewise.
  static std::string buffer_file(std::string_view buffer);

  /// Removes the results that an earlier run left here. Throws OutputError.
  void clear() const;
  /// Removes the results in the folders of an earlier command's runs, and those folders that are then empty;
  /// but for those whose paths are `kept`.
  void clear_runs(const std::vector<std::string>& kept = {}) const;
  /// The same of one run's folder, which need not be there.
  static void clear_run(const std::string& path);
  /// As write_file_atomically().
  void write(const std::string& file, std::string_view text) const;

 private:
  std::string lock_path() const { return path_of(".heddle.lock"); }

  std::string path_;
  int lock_ = -1;  ///< descriptor
};

/// Where the messages of a run go that another process of Heddle starts.
constexpr const char* kMessagesFile = "messages.txt";

}  // namespace heddle
