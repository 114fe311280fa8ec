#include "modules/memory_partition/dram_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/power_of_two.h"
#include "modules/config/setting_error.h"

namespace heddle {

namespace {

unsigned checked_banks(const DramConfig& config) {
  if (!power_of_two(config.banks) || config.banks > DramController::kMaxBanks) {
    throw SettingError("dram.banks", fmt::format("expected a power of two up to {}, found {}",
                                                 DramController::kMaxBanks, config.banks));
  }
  if (!power_of_two(config.bank_groups) || config.bank_groups > config.banks) {
    throw SettingError({"dram.bank_groups", "dram.banks"},
                       fmt::format("expected a power of two up to dram.banks ({}), found {}", config.banks,
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
      bank_mask_(checked_banks(config) - 1),
      all_(~std::uint64_t{0} >> (kMaxBanks - config.banks)),
      banks_(config.banks),
      group_column_from_(config.bank_groups, 0) {}

void DramController::push(DramRequest& request) {
  request.sequence = next_sequence_++;
  request.started = false;
  Bank& bank = banks_[request.bank];
  bank.queue.push_back(request);
  ++waiting_;
  queued_ += request.credits;
  if (bank.current == nullptr) {
    free_with_work_ |= bit(request.bank);
    next_check_ = 0;
  }
}

void DramController::give_access() {
  if (free_with_work_ == 0) return;
  const unsigned number = bank_at(static_cast<unsigned>(__builtin_ctzll(in_turn(free_with_work_))));
  free_with_work_ &= ~bit(number);
  turn_ = (turn_ + 1) & bank_mask_;
  Bank& bank = banks_[number];
  if (bank.current == nullptr) bank.current = &policy_->take(bank.queue, bank.open, bank.row);
  --queued_;
  classify(number);
}

void DramController::classify(unsigned number) {
  const Bank& bank = banks_[number];
  const std::uint64_t others = ~bit(number);
  activating_ &= others;
  precharging_ &= others;
  if (bank.open && bank.row == bank.current->row) {
    const bool write = bank.current->write;
    (write ? writing_ : reading_) |= bit(number);
    own_from_[number] = write ? bank.write_from : bank.read_from;
  } else {
    (bank.open ? precharging_ : activating_) |= bit(number);
    own_from_[number] = bank.open ? bank.precharge_from : bank.activate_from;
  }
}

std::uint64_t DramController::column_candidates(bool hold_reads) const {
  const std::uint64_t candidates = hold_reads ? writing_ : reading_ | writing_;
  if (!in_order_) return candidates;
  for (std::uint64_t left = candidates; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(__builtin_ctzll(left));
    if (banks_[number].current->sequence == served_sequence_) return bit(number);
  }
  return 0;
}

unsigned DramController::column_place(Cycle now, bool hold_reads, unsigned from) const {
  if (from > bank_mask_) return kMaxBanks;
  std::uint64_t legal = column_candidates(hold_reads);
  if (read_column_from() > now) legal &= ~reading_;
  if (write_column_from() > now) legal &= ~writing_;
  for (std::uint64_t left = in_turn(legal) >> from << from; left != 0; left &= left - 1) {
    const auto place = static_cast<unsigned>(__builtin_ctzll(left));
    if (column_from(bank_at(place)) <= now) return place;
  }
  return kMaxBanks;
}

unsigned DramController::row_place(Cycle now, unsigned column_place) const {
  const std::uint64_t legal = activate_from_ > now ? precharging_ : precharging_ | activating_;
  for (std::uint64_t left = in_turn(legal); left != 0; left &= left - 1) {
    const auto place = static_cast<unsigned>(__builtin_ctzll(left));
    if (place > column_place) break;
    if (own_from_[bank_at(place)] <= now) return place;
  }
  return kMaxBanks;
}

DramCommands DramController::step(Cycle now, bool hold_reads, int queued_for_push) {
  DramCommands commands;
  if (reads_held_ != hold_reads) {
    reads_held_ = hold_reads;
    next_check_ = 0;
  }
  if (now < next_check_) return commands;
  if (given_at_ != now) give_access();
  unsigned column = column_place(now, hold_reads);
  const unsigned row = row_place(now, column);
  if (row != kMaxBanks && column <= 2 * row + 1) column = column_place(now, hold_reads, 2 * row + 2);
  const unsigned column_bank = bank_at(column);
  const unsigned row_bank = bank_at(row);
  if (column != kMaxBanks) {
    commands.column = banks_[column_bank].current;
    issue_column(column_bank, now);
  }
  if (row != kMaxBanks) issue_row(row_bank, now, commands);
  // A bank takes its next access at the clock after its last burst at the earliest, from those there then.
  Cycle next_give = now + 1;
  if (free_with_work_ != 0 && static_cast<int>(queued_) > queued_for_push) {
    give_access();
    given_at_ = next_give++;
  }
  const Cycle next_command = earliest_command(hold_reads, now + 1);
  next_check_ = free_with_work_ != 0 ? std::min(next_give, next_command) : next_command;
  return commands;
}

Cycle DramController::earliest_command(bool hold_reads, Cycle soonest) const {
  Cycle earliest = kNever;
  // The first bank of `set` by its own rules, but not before `shared`, the channel's. One that can't be
  // before what was found is not looked at.
  const auto look_at = [&earliest, soonest](std::uint64_t set, Cycle shared, auto&& own_from) {
    const Cycle least = std::max(shared, soonest);
    for (; set != 0 && least < earliest; set &= set - 1) {
      const Cycle from = own_from(static_cast<unsigned>(__builtin_ctzll(set)));
      earliest = std::min(earliest, std::max(from, least));
    }
  };
  const auto column = [this](unsigned number) { return column_from(number); };
  const auto row = [this](unsigned number) { return own_from_[number]; };
  const std::uint64_t candidates = column_candidates(hold_reads);
  look_at(candidates & reading_, read_column_from(), column);
  look_at(candidates & writing_, write_column_from(), column);
  look_at(activating_, activate_from_, row);
  look_at(precharging_, 0, row);
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
  --request.bursts_left;
  const bool done = request.bursts_left == 0;
  if (!done && (request.write || request.bursts_left % timing_.bursts_per_access != 0)) return;
  (request.write ? writing_ : reading_) &= ~bit(number);
  if (done) {
    ++served_sequence_;
    --waiting_;
    bank.current = nullptr;
    if (bank.queue.empty()) return;
  }
  free_with_work_ |= bit(number);
}

void DramController::issue_row(unsigned number, Cycle now, DramCommands& commands) {
  Bank& bank = banks_[number];
  DramRequest& request = *bank.current;
  commands.row_for = &request;
  turn_ = (number + 1) & bank_mask_;
  if (bank.open) {
    commands.row = RowCommand::kPrecharge;
    ++counts_.precharges;
    count_start(request, counts_.row_conflicts);
    bank.open = false;
    bank.activate_from = std::max(bank.activate_from, now + timing_.precharge_to_activate);
    classify(number);
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
