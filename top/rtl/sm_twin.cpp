#include "top/rtl/sm_twin.h"

#include <fmt/format.h>

#include <cstdio>

#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

std::string warps_text(WarpMask warps) {
  if (warps == 0) return "none";
  std::string text = (warps & (warps - 1)) == 0 ? "warp" : "warps";
  for (; warps != 0; warps &= warps - 1) text += fmt::format(" {}", lowest_warp(warps));
  return text;
}

/// What Verilator prints of an assertion, without its time, which is not ours.
std::string assertion_text(std::string text) {
  constexpr std::string_view kPrefix = "%Error: ";
  if (const std::size_t at = text.find(kPrefix); at != std::string::npos) text.erase(0, at + kPrefix.size());
  return text.substr(0, text.find('\n'));
}

}  // namespace

SmTwin::SmTwin(unsigned sm, const WarpTable& table, const Setup& setup)
    : sm_(sm),
      table_(table),
      decides_(setup.decides),
      waves_(setup.waves),
      mismatched_(*setup.mismatched),
      vectors_(setup.vectors != nullptr && setup.vectors->sm() == sm ? setup.vectors : nullptr),
      twin_(*setup.library),
      model_place_(static_cast<unsigned>(setup.design->inputs.size())) {
  place_.fill(~0U);
  unsigned place = 0;
  for (const TwinInput input : setup.design->inputs) place_[static_cast<unsigned>(input)] = place++;
  twin_.save(newer_.state);
}

void SmTwin::offer(std::uint64_t cycle, WarpMask among) {
  advance_to(cycle);
  const WarpMask stale = among & table_.stale & ~(table_.at_barrier | table_.at_membar);
  set(TwinInput::kReady, among & ~stale);
  set(TwinInput::kStale, stale);
}

void SmTwin::model_chose(unsigned warp) {
  const WarpMask bit = warp_bit(warp);
  const bool passed = (in_[place_[static_cast<unsigned>(TwinInput::kStale)]] & bit) != 0;
  (passed ? model_.passed : model_.grant) |= bit;
}

SmTwin::Choice SmTwin::choose(WarpMask among) {
  look();
  const Choice choice{out_[static_cast<unsigned>(TwinOutput::kGrant)] & among,
                      out_[static_cast<unsigned>(TwinOutput::kPassed)] & among};
  const WarpMask ready = among & in_[place_[static_cast<unsigned>(TwinInput::kReady)]];
  if ((choice.grant & (choice.grant - 1)) != 0 || (choice.grant & ~ready) != 0) {
    fail(now_, fmt::format("grant_o: found {} of {} that may issue, expected one at most",
                           warps_text(choice.grant), warps_text(ready)));
  }
  model_.grant |= choice.grant;
  model_.passed |= choice.passed;
  return choice;
}

void SmTwin::look() {
  in_[model_place_] = model_.grant;
  in_[model_place_ + 1] = model_.passed;
  twin_.look(in_.data(), out_.data());
}

void SmTwin::end_cycle(std::uint64_t cycle) {
  look();
  if (const char* const failure = twin_.failure(); failure != nullptr) {
    fail(cycle, assertion_text(failure));
  }
  if (out_[0] != model_.grant || out_[1] != model_.passed) compare_failed(cycle);
  if (vectors_ != nullptr) vectors_->add(cycle, in_.data(), out_.data());
  ++edges_;
  grants_ += static_cast<unsigned>(__builtin_popcountll(model_.grant));
  remember(cycle);
  twin_.edge();
  std::uint64_t any = 0;
  for (const std::uint64_t value : in_) any |= value;
  busy_ = any != 0;
  in_ = {};
  model_ = {};
}

/// Stretches of kWindow edges: with the present one and the one before there are always enough.
void SmTwin::remember(std::uint64_t cycle) {
  if (newer_.records.size() == kWindow) {
    std::swap(older_, newer_);
    newer_.records.clear();
    twin_.save(newer_.state);
  }
  newer_.records.push_back({cycle, in_});
}

void SmTwin::compare_failed(std::uint64_t cycle) {
  const bool granted = out_[0] != model_.grant;
  const WarpMask model = granted ? model_.grant : model_.passed;
  const WarpMask twin = granted ? out_[0] : out_[1];
  fail(cycle, fmt::format("{}: the model has {:#x} ({}), the twin {:#x} ({})",
                          port_name(granted ? TwinOutput::kGrant : TwinOutput::kPassed), model,
                          warps_text(model), twin, warps_text(twin)));
}

void SmTwin::fail(std::uint64_t cycle, const std::string& problem) {
  const std::string waves = mismatched_.exchange(true) ? "" : write_waves(cycle);
  throw TwinMismatch(fmt::format("SM {}, core cycle {}: {}{}", sm_, cycle, problem, waves));
}

/// Does the last cycles again, with waves, from a state before them.
std::string SmTwin::write_waves(std::uint64_t cycle) {
  const std::string temporary = waves_ + ".tmp";
  const std::uint64_t from = cycle < kWindow ? 0 : cycle - kWindow;
  newer_.records.push_back({cycle, in_});
  const bool has_older = !older_.records.empty();
  twin_.restore(has_older ? older_.state : newer_.state);
  std::array<std::uint64_t, kNumTwinOutputs> out{};
  bool shows = false;
  for (const Stretch* const stretch : {&older_, &newer_}) {
    for (const Record& record : stretch->records) {
      if (!shows && record.cycle >= from) {
        shows = twin_.begin_waves(temporary);
        if (!shows) return fmt::format("; no waves: {} can't be written", temporary);
      }
      twin_.look(record.in.data(), out.data());
      if (shows) twin_.show_cycle(record.cycle);
      twin_.edge();
    }
  }
  twin_.end_waves();
  twin_.failure();
  if (std::rename(temporary.c_str(), waves_.c_str()) != 0)
    return fmt::format("; no waves: {} can't be written", waves_);
  return fmt::format("; waves of the {} cycles before it: {}", kWindow, waves_);
}

}  // namespace heddle
