#include "top/fidelity/reference.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace heddle::fidelity {

namespace {

/// gtx480.md, "Clocks, size, occupancy" and "SM pipeline".
constexpr double kSms = 15;
constexpr double kSchedulers = 2;

using Fields = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

const std::string& text(const Fields& fields, const std::string& column) {
  const auto found = fields.find(column);
  if (found == fields.end()) throw std::runtime_error(fmt::format("reference row without '{}'", column));
  return found->second;
}

double number(const Fields& fields, const std::string& column) {
  const std::string& value = text(fields, column);
  try {
    return std::stod(value);
  } catch (const std::logic_error&) {
    throw std::runtime_error(
        fmt::format("reference column '{}': expected a number, found '{}'", column, value));
  }
}

double share(double part, double whole) { return whole == 0 ? 0 : part / whole; }

Row row_of(const Fields& fields) {
  Row row;
  row.kernel = text(fields, "desc");
  row.scheduler = text(fields, "sched") == "two_level" ? "two_level_active" : text(fields, "sched");
  const double issued = number(fields, "W1_31") + number(fields, "W32");
  const double stalled =
      number(fields, "W0_Idle") + number(fields, "W0_Scoreboard") + number(fields, "Stall");
  const double scheduler_cycles = issued + stalled;
  Figures& figures = row.reference;
  figures.cycles = number(fields, "gpu_tot_sim_cycle");
  figures.active_cycles = scheduler_cycles / (kSms * kSchedulers);
  figures.ipc = number(fields, "ipc_warp");
  figures.l1d_miss = number(fields, "l1d_miss_rate");
  figures.l2_miss = share(number(fields, "dram_reads"), number(fields, "l2_access"));
  figures.idle = share(number(fields, "W0_Idle"), scheduler_cycles);
  figures.scoreboard = share(number(fields, "W0_Scoreboard"), scheduler_cycles);
  figures.pipeline = share(number(fields, "Stall"), scheduler_cycles);
  figures.issued = share(issued, scheduler_cycles);
  if (figures.cycles <= 0)
    throw std::runtime_error(fmt::format("{}: no cycles in the reference", row.kernel));
  return row;
}

}  // namespace

std::vector<Row> read_reference(std::istream& csv) {
  std::string line;
  std::getline(csv, line);
  const std::vector<std::string> columns = split(line);
  std::vector<Row> rows;
  while (std::getline(csv, line)) {
    if (line.empty()) continue;
    const std::vector<std::string> values = split(line);
    Fields fields;
    for (std::size_t i = 0; i < columns.size() && i < values.size(); ++i) fields[columns[i]] = values[i];
    rows.push_back(row_of(fields));
  }
  return rows;
}

}  // namespace heddle::fidelity
