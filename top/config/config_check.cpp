#include "top/config/config_check.h"

#include <fmt/format.h>

#include <stdexcept>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policy_registry.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "top/config/config_schema.h"

namespace heddle {

namespace {

/// Compares the values of pairs of keys, or keeps silent once a conflict is found.
class Checker {
 public:
  explicit Checker(const GpuConfig& config) : config_(config) {}

  /// `path` must not exceed `limit` times `factor`.
  void at_most(const std::string& path, const std::string& limit, std::uint64_t factor = 1) {
    if (!conflict_ && value(path) > factor * value(limit)) {
      const std::string times = factor == 1 ? "" : fmt::format("{} x ", factor);
      report({path, limit}, fmt::format("{}: expected at most {}{} ({}), found {}", path, times, limit,
                                        factor * value(limit), value(path)));
    }
  }

  void equal(const std::string& path, const std::string& other) {
    if (!conflict_ && value(path) != value(other)) {
      report({path, other}, fmt::format("{}: expected the same as {} ({}), found {}", path, other,
                                        value(other), value(path)));
    }
  }

  void expect(bool good, std::vector<std::string> paths, const std::string& expected) {
    if (!conflict_ && !good) {
      const std::string message = fmt::format("{}: expected {}, found {}", paths.front(), expected,
                                              find_config_key(paths.front())->format(config_));
      report(std::move(paths), message);
    }
  }

  void fail(const SettingError& error) {
    if (!conflict_) {
      report(error.keys(), error.what());
    }
  }

  const std::optional<ConfigConflict>& conflict() const { return conflict_; }

 private:
  std::uint64_t value(const std::string& path) const {
    return std::get<std::uint64_t>(find_config_key(path)->get(config_));
  }
  void report(std::vector<std::string> paths, std::string message) {
    conflict_ = ConfigConflict{std::move(paths), std::move(message)};
  }

  const GpuConfig& config_;
  std::optional<ConfigConflict> conflict_;
};

void check_core(Checker& check, const GpuConfig& config) {
  check.at_most("core.threads", "core.warps", kWarpSize);
  check.at_most("core.tb_slots", "core.warps");
  check.at_most("core.schedulers", "core.warps");
  check.at_most("core.register_allocation_unit", "core.registers");
  check.at_most("fetch.fetch_bytes", "fetch.cache.line_bytes");
  check.expect(config.fetch.fetch_bytes <= config.fetch.ibuffer_entries * Instruction::kBytes,
               {"fetch.fetch_bytes", "fetch.ibuffer_entries"},
               fmt::format("at most fetch.ibuffer_entries x {} bytes ({})", Instruction::kBytes,
                           config.fetch.ibuffer_entries * Instruction::kBytes));
}

/// Names of schedulers that the parameters of policies give, used or not.
void check_scheduler_names(Checker& check, const GpuConfig& config) {
  for (const ConfigKey& key : config_schema()) {
    if (key.kind != ConfigKey::Kind::kScheduler) continue;
    try {
      find_policies(std::get<std::string>(key.get(config)));
    } catch (const std::invalid_argument& error) {
      check.fail({key.path, error.what()});
    }
  }
}

/// The policies say themselves which names and parameters they take.
void check_scheduler(Checker& check, const GpuConfig& config) {
  const WarpTable table;
  try {
    SmPolicies({table, config});
  } catch (const SettingError& error) {
    check.fail(error);
  } catch (const std::invalid_argument& error) {
    check.fail({"scheduler.name", error.what()});
  }
}

void check_memory(Checker& check, const GpuConfig& config) {
  check.at_most("l1d.cache.line_bytes", "l2.cache.line_bytes");
  check.at_most("ldst.constant_cache.line_bytes", "l2.cache.line_bytes");
  check.at_most("fetch.cache.line_bytes", "l2.cache.line_bytes");
  check.at_most("texture.cache.line_bytes", "l2.cache.line_bytes");
  check.at_most("interconnect.header_bytes", "interconnect.flit_bytes");
  check.expect(config.interconnect.header_bytes < config.interconnect.flit_bytes,
               {"interconnect.header_bytes", "interconnect.flit_bytes"},
               fmt::format("less than interconnect.flit_bytes ({})", config.interconnect.flit_bytes));
  check.at_most("l2.cache.line_bytes", "address_map.channel_interleave_bytes");
  check.at_most("address_map.channel_interleave_bytes", "dram.row_bytes");
}

void check_dram(Checker& check, const GpuConfig& config) {
  const DramConfig& dram = config.dram;
  check.at_most("dram.bank_groups", "dram.banks");
  check.at_most("dram.data_rate", "dram.burst_length");
  check.at_most("dram.t_ccd_cycles", "dram.t_ccdl_cycles");
  check.at_most("dram.t_ras_cycles", "dram.t_rc_cycles");
  check.expect((std::uint64_t{1} << config.address_map.column_low_bits) <= dram.row_bytes,
               {"address_map.column_low_bits", "dram.row_bytes"},
               fmt::format("2^column_low_bits to be at most dram.row_bytes ({})", dram.row_bytes));
}

}  // namespace

std::optional<ConfigConflict> find_config_conflict(const GpuConfig& config) {
  Checker check(config);
  check_core(check, config);
  check_scheduler_names(check, config);
  check_scheduler(check, config);
  check_memory(check, config);
  check_dram(check, config);
  return check.conflict();
}

}  // namespace heddle
