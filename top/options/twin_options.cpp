#include "top/options/twin_options.h"

#include <fmt/format.h>

namespace heddle::option_parser {

namespace {

/// Lines of a text that is kept in memory until the run has ended.
constexpr std::uint64_t kMostVectorCycles = 10'000'000;
constexpr unsigned kMostSms = 1'000'000;

}  // namespace

void add_twin_option(po::options_description& options) {
  options.add_options()("twin", po::value<std::string>()->value_name("BLOCK"),
                        "whose SystemVerilog twin: scheduler (when not given), the warp schedulers'; "
                        "simple_slicing, the predictor's of tb_dispatcher.policy srtf; or workload_buffer, "
                        "that and the dispatch checks of warp-level resources");
}

void add_twin_source_options(po::options_description& options) {
  options.add_options()("rtl-cache", po::value<std::string>()->value_name("DIR"),
                        "folder of built twins; the user's cache folder when not given")(
      "rtl-sources", po::value<std::string>()->value_name("DIR"),
      "folder of the SystemVerilog; the one that comes with Heddle when not given");
}

void add_vector_options(po::options_description& options, const char* of) {
  options.add_options()("vectors", po::value<std::string>()->value_name("N"), of)(
      "vectors-sm", po::value<std::string>()->value_name("SM"), "of this SM; 0 when not given");
}

std::uint64_t vector_cycles(const std::string& command, const std::string& text) {
  const auto cycles = whole_number(text);
  if (cycles && *cycles != 0 && *cycles <= kMostVectorCycles) return *cycles;
  throw UsageError(fmt::format("heddle {}: --vectors {}: expected a number of clock cycles, 1 to {}", command,
                               text, kMostVectorCycles));
}

unsigned vectors_sm(const std::string& command, const std::string& text) {
  if (text.empty()) return 0;
  const auto sm = whole_number(text);
  if (sm && *sm < kMostSms) return static_cast<unsigned>(*sm);
  throw UsageError(fmt::format("heddle {}: --vectors-sm {}: expected the number of an SM", command, text));
}

}  // namespace heddle::option_parser
