#include "top/rtl/dispatch/port_twin.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "top/rtl/rtl_error.h"

namespace heddle {

namespace {

/// What Verilator prints of an assertion, without its time, which is not ours.
std::string without_time(std::string text) {
  constexpr std::string_view kPrefix = "%Error: ";
  if (const std::size_t at = text.find(kPrefix); at != std::string::npos) text.erase(0, at + kPrefix.size());
  return text.substr(0, text.find('\n'));
}

}  // namespace

PortTwin::PortTwin(unsigned sm, const Setup& setup)
    : sm_(sm),
      design_(*setup.design),
      inputs_(static_cast<unsigned>(setup.design->inputs.size())),
      waves_(setup.waves),
      mismatched_(*setup.mismatched),
      vectors_(setup.vectors != nullptr && setup.vectors->sm() == sm ? setup.vectors : nullptr),
      twin_(*setup.library),
      words_(setup.design->inputs.size() + setup.design->outputs.size()),
      out_(setup.design->outputs.size()) {
  twin_.save(newer_.state);
}

void PortTwin::Stretch::add(std::uint64_t cycle, const std::vector<std::uint64_t>& words) {
  if (used == records.size()) records.emplace_back();
  records[used].cycle = cycle;
  records[used].words = words;
  ++used;
}

void PortTwin::end_cycle(std::uint64_t cycle) {
  look();
  if (const char* const failure = twin_.failure(); failure != nullptr) fail(cycle, without_time(failure));
  for (unsigned i = 0; i < out_.size(); ++i) {
    if (out_[i] == words_[inputs_ + i]) continue;
    fail(cycle, fmt::format("{}: the model has {:#x}, the twin {:#x}", port_name(design_.outputs[i]),
                            words_[inputs_ + i], out_[i]));
  }
  if (vectors_ != nullptr) vectors_->add(cycle, words_.data(), out_.data());
  ++edges_;
  // Stretches of kWindow edges: with the present one and the one before there are always enough.
  if (newer_.used == kWindow) {
    std::swap(older_, newer_);
    newer_.used = 0;
    twin_.save(newer_.state);
  }
  newer_.add(cycle, words_);
  twin_.edge();
}

void PortTwin::fail(std::uint64_t cycle, const std::string& problem) {
  const std::string waves = mismatched_.exchange(true) ? "" : write_waves(cycle);
  throw TwinMismatch(fmt::format("SM {}, core cycle {}: {}{}", sm_, cycle, problem, waves));
}

/// Does the last cycles again, with waves, from a state before them.
std::string PortTwin::write_waves(std::uint64_t cycle) {
  const std::string temporary = waves_ + ".tmp";
  const std::uint64_t from = cycle < kWindow ? 0 : cycle - kWindow;
  newer_.add(cycle, words_);
  twin_.restore(older_.used != 0 ? older_.state : newer_.state);
  bool shows = false;
  for (const Stretch* const stretch : {&older_, &newer_}) {
    for (unsigned i = 0; i < stretch->used; ++i) {
      const Record& record = stretch->records[i];
      if (!shows && record.cycle >= from) {
        shows = twin_.begin_waves(temporary);
        if (!shows) return fmt::format("; no waves: {} can't be written", temporary);
      }
      twin_.look(record.words.data(), out_.data());
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
