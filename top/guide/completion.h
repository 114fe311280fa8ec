#pragma once

#include <string>
#include <vector>

namespace heddle {

/// What may stand on the command line next.
struct Completion {
  struct Word {
    std::string text;         ///< all of the word, with what is there of it
    std::string description;  ///< may be ""
  };
  enum class Paths : unsigned char { kNone, kFiles, kFolders };

  std::vector<Word> words;
  Paths paths = Paths::kNone;  ///< paths may stand there too

  /// A line of "files", "folders" or "none", then a line for each word: text, tab, description. A text that
  /// ends with '=', ':' or ',' is not all of an argument yet.
  std::string text() const;
};

/// What the last of `words` may become; they follow the program's name. From the tables of commands and
/// options, and from what there is of workloads, configurations, schedulers and so on. Nothing is an error:
/// for words without sense there is nothing.
Completion complete(const std::vector<std::string>& words);

/// A script for the shell, "bash" or "zsh", which asks `heddle __complete`.
std::string completion_script(const std::string& shell);

}  // namespace heddle
