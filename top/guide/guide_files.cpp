#include "top/guide/guide_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "top/guide/completion.h"
#include "top/guide/manual.h"
#include "top/support/output/atomic_file.h"

namespace heddle {

void write_guide(const std::string& folder) {
  const auto write = [&folder](const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code failed;  // then the file can't be written, which says so
    std::filesystem::create_directories(path.parent_path(), failed);
    write_file_atomically(path.string(), text);
  };
  write("man1/heddle.1", manual_page());
  for (const CommandEntry& command : command_table()) {
    write(fmt::format("man1/heddle-{}.1", command.name), manual_page(command));
  }
  write("bash/heddle", completion_script("bash"));
  write("zsh/_heddle", completion_script("zsh"));
}

}  // namespace heddle
