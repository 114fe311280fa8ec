#include "modules/memory_partition/dram_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace heddle {

namespace {

bool power_of_two(unsigned value) { return value != 0 && (value & (value - 1)) == 0; }

unsigned checked_banks(const DramConfig& config) {
  if (!power_of_two(config.banks) || config.banks > DramController::kMaxBanks) {
    throw std::invalid_argument(fmt::format("dram.banks must be a power of two up to {}, found {}",
                                            DramController::kMaxBanks, config.banks));
  }
  if (!power_of_two(config.bank_groups) || config.bank_groups > config.banks) {
    throw std::invalid_argument(
        fmt::format("dram.bank_groups must be a power of two up to dram.banks ({}), found {}", config.banks,
                    config.bank_groups));
  }
  return config.banks;
}

}  // namespace

DramController::DramController(const DramConfig& config)
    : timing_(config),
      policy_(DramPolicy::create(config.scheduling)),
      in_order_(policy_->in_order()),
      group_mask_(config.bank_groups - 1),
      all_(~std::uint64_t{0} >> (kMaxBanks - checked_banks(config))),
      banks_(config.banks),
      group_column_from_(config.bank_groups, 0) {}

void DramController::push(DramRequest& request) {
  request.sequence = next_sequence_++;
  request.started = false;
  Bank& bank = banks_[request.bank];
  bank.queue.push_back(request);
  ++waiting_;
  if (bank.current == nullptr) {
    free_with_work_ |= bit(request.bank);
    next_check_ = 0;
  }
}

void DramController::give_requests() {
  for (; free_with_work_ != 0; free_with_work_ &= free_with_work_ - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctzll(free_with_work_));
    Bank& bank = banks_[number];
    bank.current = &policy_->take(bank.queue, bank.open, bank.row);
    classify(number);
  }
}

void DramController::classify(unsigned number) {
  const Bank& bank = banks_[number];
  if (bank.open && bank.row == bank.current->row) {
    column_banks_ |= bit(number);
    row_banks_ &= ~bit(number);
  } else {
    row_banks_ |= bit(number);
  }
}

Cycle DramController::column_from(const Bank& bank, unsigned number, bool hold_reads) const {
  const DramRequest& request = *bank.current;
  // The request that is served in order, and the end of the hold, cause a check of their own.
  if (in_order_ && request.sequence != served_sequence_) return kNever;
  if (!request.write && hold_reads) return kNever;
  const Cycle shared = std::max(column_from_, group_column_from_[number & group_mask_]);
  return request.write ? std::max({shared, write_from_, bank.write_from})
                       : std::max({shared, read_from_, bank.read_from});
}

Cycle DramController::row_from(const Bank& bank) const {
  return bank.open ? bank.precharge_from : std::max(bank.activate_from, activate_from_);
}

DramCommands DramController::step(Cycle now, bool hold_reads) {
  DramCommands commands;
  if (reads_held_ != hold_reads) {
    reads_held_ = hold_reads;
    next_check_ = 0;
  }
  if (now < next_check_) return commands;
  give_requests();
  unsigned column_place = kMaxBanks;
  for (std::uint64_t left = in_turn(column_banks_); left != 0; left &= left - 1) {
    const auto place = static_cast<unsigned>(__builtin_ctzll(left));
    if (column_from(banks_[bank_at(place)], bank_at(place), hold_reads) <= now) {
      column_place = place;
      break;
    }
  }
  unsigned row_place = kMaxBanks;
  for (std::uint64_t left = in_turn(row_banks_); left != 0; left &= left - 1) {
    const auto place = static_cast<unsigned>(__builtin_ctzll(left));
    if (place > column_place) break;
    if (row_from(banks_[bank_at(place)]) <= now) {
      row_place = place;
      break;
    }
  }
  const unsigned column_bank = bank_at(column_place);
  const unsigned row_bank = bank_at(row_place);
  if (column_place != kMaxBanks) {
    commands.column = banks_[column_bank].current;
    issue_column(column_bank, now);
  }
  if (row_place != kMaxBanks) issue_row(row_bank, now, commands);
  // A bank takes its next request at the clock after its last burst, from those that are there then.
  next_check_ = free_with_work_ != 0 ? now + 1 : std::max(earliest_command(hold_reads), now + 1);
  return commands;
}

Cycle DramController::earliest_command(bool hold_reads) const {
  Cycle earliest = kNever;
  for (std::uint64_t left = column_banks_; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctzll(left));
    earliest = std::min(earliest, column_from(banks_[number], number, hold_reads));
  }
  for (std::uint64_t left = row_banks_; left != 0; left &= left - 1) {
    earliest = std::min(earliest, row_from(banks_[static_cast<unsigned>(__builtin_ctzll(left))]));
  }
  return earliest;
}

void DramController::count_start(DramRequest& request, std::uint64_t& as) {
  if (request.started) return;
  request.started = true;
  ++as;
}

void DramController::issue_column(unsigned number, Cycle now) {
  Bank& bank = banks_[number];
  DramRequest& request = *bank.current;
  count_start(request, counts_.row_hits);
  column_from_ = now + timing_.column_to_column;
  group_column_from_[number & group_mask_] = now + timing_.column_to_column_same_group;
  if (request.write) {
    ++counts_.write_bursts;
    read_from_ = std::max(read_from_, now + timing_.write_to_read);
    bank.precharge_from = std::max(bank.precharge_from, now + timing_.write_to_precharge);
  } else {
    ++counts_.read_bursts;
    write_from_ = std::max(write_from_, now + timing_.read_to_write);
    bank.precharge_from = std::max(bank.precharge_from, now + timing_.read_to_precharge);
  }
  if (--request.bursts_left != 0) return;
  ++served_sequence_;
  --waiting_;
  bank.current = nullptr;
  column_banks_ &= ~bit(number);
  if (!bank.queue.empty()) free_with_work_ |= bit(number);
}

void DramController::issue_row(unsigned number, Cycle now, DramCommands& commands) {
  Bank& bank = banks_[number];
  DramRequest& request = *bank.current;
  commands.row_for = &request;
  turn_ = (number + 1) & (banks() - 1);
  if (bank.open) {
    commands.row = RowCommand::kPrecharge;
    ++counts_.precharges;
    count_start(request, counts_.row_conflicts);
    bank.open = false;
    bank.activate_from = std::max(bank.activate_from, now + timing_.precharge_to_activate);
    return;
  }
  commands.row = RowCommand::kActivate;
  ++counts_.activates;
  count_start(request, counts_.row_misses);
  bank.open = true;
  bank.row = request.row;
  bank.activate_from = now + timing_.activate_to_activate_same_bank;
  bank.precharge_from = now + timing_.activate_to_precharge;
  bank.read_from = now + timing_.activate_to_read;
  bank.write_from = now + timing_.activate_to_write;
  activate_from_ = now + timing_.activate_to_activate;
  classify(number);
}

}  // namespace heddle
