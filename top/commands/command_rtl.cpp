#include <fmt/format.h>

#include <array>
#include <utility>

#include "top/commands/commands.h"
#include "top/options/command_config.h"
#include "top/rtl/choice/twin_choice.h"
#include "top/rtl/rtl_text.h"
#include "top/rtl/twin_sources.h"
#include "top/support/output/output_folder.h"
#include "top/support/project_files.h"

namespace heddle {

ExitCode rtl_command(const RtlOptions& options) {
  const TwinDesign design =
      checked_design_of(load_command_config(options.config, options.scheduler), options.twin);
  const TwinSources sources(options.sources.empty() ? ProjectFiles().rtl() : options.sources);
  for (const std::string& file : design.sources) static_cast<void>(sources.path_of(file));
  const OutputFolder folder(options.out);
  // The list of files is the last one: it says that those that it names are there.
  const std::array<std::pair<const char*, std::string>, 3> files{
      {{kPackageFile, package_text(design)},
       {kTopFile, top_text(design)},
       {kFileListFile, file_list_text(design, sources.folder(), folder.path())}}};
  for (const auto& [file, text] : files) folder.write(file, text);
  fmt::print("{}: {}, {}\n", folder.path(), design.scheduler, design.modules());
  for (const auto& [file, text] : files) fmt::print("  {}\n", file);
  return ExitCode::kOk;
}

}  // namespace heddle
