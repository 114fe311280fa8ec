// Options of heddle rtl.
#include <fmt/format.h>

#include "top/options/option_parser.h"

namespace heddle {

using namespace option_parser;

po::options_description rtl_options_table() {
  po::options_description options = new_table();
  add_config_options(options);
  options.add_options()("scheduler", po::value<std::string>()->value_name("NAME"),
                        "warp scheduler; short for --set scheduler.name=NAME")(
      "out", po::value<std::string>()->value_name("DIR"), "folder for the files")(
      "rtl-sources", po::value<std::string>()->value_name("DIR"),
      "folder of the SystemVerilog; the one that comes with Heddle when not given");
  return options;
}

CommandLine parse_rtl(const Arguments& arguments) {
  const po::variables_map values = parse("rtl", arguments, rtl_options_table(), "nothing");
  if (values.count("nothing") != 0) {
    throw UsageError(fmt::format("heddle rtl: found '{}', expected options only; see `heddle rtl --help`",
                                 list_of(values, "nothing").front()));
  }
  CommandLine line;
  line.limits = limit_options("rtl", values);
  line.rtl = RtlOptions{config_options(values), text_of(values, "scheduler"), text_of(values, "out"),
                        text_of(values, "rtl-sources")};
  if (line.rtl->out.empty()) throw UsageError("heddle rtl: expected --out DIR, the folder for the files");
  return line;
}

}  // namespace heddle
