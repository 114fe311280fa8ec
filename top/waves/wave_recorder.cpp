#include "top/waves/wave_recorder.h"

#include <algorithm>
#include <utility>

#include "hw/pricing/bits.h"
#include "top/support/glob.h"

namespace heddle {

void WaveRecorder::enter(std::string_view scope) {
  outside_.push_back({scope_.size(), version_});
  if (!scope_.empty()) {
    scope_ += '.';
  }
  scope_ += scope;
}

void WaveRecorder::leave() {
  scope_.resize(outside_.back().scope_length);
  version_ = outside_.back().version;
  outside_.pop_back();
}

bool WaveRecorder::wanted() const {
  const std::string prefix = scope_.empty() ? "" : scope_ + ".";
  return patterns_.empty() ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&prefix](const std::string& p) { return glob_may_match_below(p, prefix); });
}

void WaveRecorder::signal(const std::uint64_t& variable, unsigned bits, std::string_view name) {
  add({&variable, bits, scope_, std::string(name), {}, version_});
}

void WaveRecorder::enumeration(const std::uint64_t& variable, std::string_view name,
                               const std::vector<std::string>& names) {
  add({&variable, hw::index_bits(static_cast<unsigned>(names.size())), scope_, std::string(name), names,
       version_});
}

void WaveRecorder::add(WaveSignal signal) {
  const std::string full_name = signal.full_name();
  if (patterns_.empty() ||
      std::any_of(patterns_.begin(), patterns_.end(),
                  [&full_name](const std::string& p) { return glob_matches(p, full_name); })) {
    signals_.push_back(std::move(signal));
  }
}

}  // namespace heddle
