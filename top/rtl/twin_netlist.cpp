#include "top/rtl/twin_netlist.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "top/rtl/rtl_error.h"
#include "top/support/processes/interrupt.h"
#include "top/support/processes/program_group.h"

namespace heddle {

namespace {

/// Lines "NAME VALUE", as the script prints them.
TwinNetlist read_netlist(const std::string& printed) {
  TwinNetlist netlist;
  std::istringstream in(printed);
  unsigned figures = 0;
  for (std::string name; in >> name;) {
    bool read = true;
    if (name == "flip_flops") {
      read = static_cast<bool>(in >> netlist.flip_flops);
    } else if (name == "nand2") {
      read = static_cast<bool>(in >> netlist.nand2);
    } else if (name == "flip_flops_nand2") {
      read = static_cast<bool>(in >> netlist.flip_flops_nand2);
    } else if (name == "fo4") {
      read = static_cast<bool>(in >> netlist.fo4);
    } else {
      std::string place;
      in >> std::ws;
      std::getline(in, place);
      (name == "from" ? netlist.from : netlist.to) = place;
      continue;
    }
    figures += read ? 1U : 0U;
  }
  constexpr unsigned kFigures = 4;
  if (figures != kFigures || netlist.nand2 <= 0) {
    throw RtlError(fmt::format("synthesis: expected the figures of a netlist, found '{}'",
                               printed.substr(0, printed.find('\n'))));
  }
  return netlist;
}

}  // namespace

std::string parameters_text(const TwinDesign& design, const TwinDesign::Module& module) {
  std::string text;
  for (const std::string& name : module.parameters) {
    for (const TwinDesign::Parameter& parameter : design.parameters) {
      if (parameter.name == name)
        text += fmt::format("{}{} {}", text.empty() ? "" : " ", name, parameter.value);
    }
  }
  return text;
}

std::vector<PricedModule> priced_modules(const TwinDesign& design) {
  const auto priced = [&design](const TwinDesign::Module& module) {
    return PricedModule{module.priced, parameters_text(design, module)};
  };
  if (!design.priced_together.empty()) {
    return {{std::filesystem::path(design.priced_together).stem().string(),
             parameters_text(design, *design.qualifier)}};
  }
  if (!design.qualifier) return {priced(design.prioritizer)};
  return {priced(*design.qualifier), priced(design.prioritizer)};
}

namespace {

/// What the script prints for these words.
std::string run_script(const TwinSources& sources, const std::vector<std::string>& words) {
  const InterruptGuard interrupts;
  std::vector<std::string> command{"sh", sources.path_of("synthesis/synthesise.sh")};
  command.insert(command.end(), words.begin(), words.end());
  std::string printed;
  int code = 0;
  try {
    ProgramGroup script(command);
    printed = script.read_output();
    code = script.wait();
  } catch (const std::system_error& error) {
    throw RtlError(fmt::format("synthesis: can't start sh: {}", error.what()));
  }
  if (code != 0) throw RtlError(fmt::format("synthesis: {}", printed.substr(0, printed.find('\n'))));
  return printed;
}

TwinNetlist synthesise(const TwinDesign& design, const PricedModule& module, const TwinSources& sources) {
  TwinNetlist netlist = read_netlist(run_script(sources, {module.name, module.parameters}));
  netlist.scheduler = design.scheduler;
  netlist.block = design.block;
  netlist.module = module.name;
  netlist.left_out = design.not_in_netlist;
  return netlist;
}

}  // namespace

void check_synthesis(const TwinSources& sources) { run_script(sources, {"--tools"}); }

TwinNetlist synthesise_twin(const TwinDesign& design, const TwinSources& sources) {
  const std::vector<PricedModule> modules = priced_modules(design);
  TwinNetlist netlist = synthesise(design, modules.back(), sources);
  if (modules.size() == 1) return netlist;
  const TwinNetlist qualifier = synthesise(design, modules.front(), sources);
  netlist.module = fmt::format("{} and {}", qualifier.module, netlist.module);
  netlist.flip_flops += qualifier.flip_flops;
  netlist.nand2 += qualifier.nand2;
  netlist.flip_flops_nand2 += qualifier.flip_flops_nand2;
  if (qualifier.fo4 > netlist.fo4) {
    netlist.fo4 = qualifier.fo4;
    netlist.from = qualifier.from;
    netlist.to = qualifier.to;
  }
  return netlist;
}

}  // namespace heddle
