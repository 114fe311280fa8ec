#include "top/rtl/handover/source_lists.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "top/rtl/rtl_text.h"

namespace heddle {

namespace {

/// What is instantiated before who does.
std::vector<std::string> files_of(const TwinDesign& design) {
  std::vector<std::string> files = design.sources;
  files.emplace_back(kPackageFile);
  files.emplace_back(kTopFile);
  return files;
}

std::string lines(const TwinDesign& design, std::string_view before) {
  std::string text;
  for (const std::string& file : files_of(design)) text += fmt::format("{}rtl/{}\n", before, file);
  return text;
}

}  // namespace

std::string file_list_text(const TwinDesign& design) { return lines(design, ""); }

std::string bender_text(const TwinDesign& design) {
  return "package:\n  name: heddle_scheduler\n  authors:\n    - the Heddle contributors\nsources:\n" +
         lines(design, "  - ");
}

std::string core_text(const TwinDesign& design, const std::string& version) {
  return fmt::format(
      "CAPI=2:\n"
      "name: heddle:rtl:heddle_scheduler:{}\n"
      "description: {}\n"
      "filesets:\n"
      "  rtl:\n"
      "    files:\n{}"
      "    file_type: systemVerilogSource\n"
      "  waivers:\n"
      "    files:\n"
      "      - rtl/parts/parts.vlt\n"
      "    file_type: vlt\n"
      "targets:\n"
      "  default:\n"
      "    filesets:\n"
      "      - rtl\n"
      "      - \"tool_verilator ? (waivers)\"\n"
      "    toplevel: heddle_scheduler\n",
      version, design.scheduler, lines(design, "      - "));
}

}  // namespace heddle
