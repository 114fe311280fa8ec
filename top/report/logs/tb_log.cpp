#include "top/report/logs/tb_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "top/report/logs/policy_intervals.h"

namespace heddle {

Cycle TbLog::TbLife::longest() const {
  Cycle longest = 0;
  for (const WarpLife& warp : warps) longest = std::max(longest, warp.end - warp.start);
  return longest;
}

Cycle TbLog::TbLife::unused() const {
  const Cycle whole = longest();
  Cycle sum = 0;
  for (const WarpLife& warp : warps) sum += whole - (warp.end - warp.start);
  return sum;
}

double TbLog::TbLife::rtru() const {
  const Cycle all = longest() * warps.size();
  return all == 0 ? 0 : static_cast<double>(unused()) / static_cast<double>(all);
}

TbLog::TbLog(Gpu& gpu)
    : gpu_(gpu),
      sms_(gpu.config().core.sms),
      pattern_(gpu.config().core.warps),
      predictions_(gpu.dispatcher(), gpu.config().core) {
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    listen(sm, gpu.sm(sm).issue);
    gpu.sm(sm).texture.looked_up.listen(
        [&state = sms_[sm]](const MemoryRequest& request, TextureOutcome outcome) {
          if (outcome != TextureOutcome::kMiss) return;
          ++state.lives[state.tb[request.warp]].warps[state.warp[request.warp]].texture_misses;
        });
  }
  IssueStage& first = gpu.sm(0).issue;
  first.issuer.issued.listen([this, &first](const WarpInstruction& instruction) {
    pattern_.add(instruction.warp, first.domain().cycle_now());
  });
  gpu.dispatcher().policy_interval.listen(
      [this](const PolicyInterval& interval) { policy_intervals_.push_back(interval); });
}

void TbLog::listen(unsigned sm, IssueStage& issue) {
  SmState& state = sms_[sm];
  issue.residency.tb_started.listen([sm, &state](const TbTransaction& tb, Cycle cycle) {
    state.tb_in_slot[tb.tb_slot.value()] = state.lives.size();
    state.lives.push_back(
        {tb.launch_id, tb.launch->program().name, tb.tb, sm, tb.tb_slot.value(), cycle, 0, {}});
  });
  issue.residency.warp_started.listen([&state](unsigned warp, const TbTransaction& tb, Cycle cycle) {
    std::vector<WarpLife>& warps = state.lives[state.tb_in_slot[tb.tb_slot.value()]].warps;
    state.tb[warp] = state.tb_in_slot[tb.tb_slot.value()];
    state.warp[warp] = warps.size();
    warps.push_back({static_cast<unsigned>(warps.size()), cycle, 0, 0, 0});
  });
  issue.issuer.issued.listen([&state](const WarpInstruction& instruction) {
    ++state.lives[state.tb[instruction.warp]].warps[state.warp[instruction.warp]].instructions;
  });
  issue.residency.warp_retired.listen([&state](unsigned warp, const TbTransaction&, Cycle cycle) {
    state.lives[state.tb[warp]].warps[state.warp[warp]].end = cycle;
  });
  issue.residency.tb_finished.listen([&state](const TbTransaction& tb, Cycle cycle) {
    state.lives[state.tb_in_slot[tb.tb_slot.value()]].end = cycle;
  });
}

void TbLog::sample() {
  const Cycle now = gpu_.core_clock().cycle_now();
  if (now == last_sample_) return;
  gpu_.settle();
  const CoreConfig& core = gpu_.config().core;
  const double cycles = static_cast<double>(now - last_sample_) * core.sms;
  Sample sample;
  sample.end = now;
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    const IssueStatistics& after = gpu_.sm(sm).issue.statistics();
    const IssueStatistics& before = sms_[sm].at_last_sample;
    const auto share = [cycles](std::uint64_t grown, double size) {
      return size == 0 ? 0 : static_cast<double>(grown) / (cycles * size);
    };
    sample.registers += share(after.register_cycles - before.register_cycles, core.registers);
    sample.warp_slots += share(after.warp_slot_cycles - before.warp_slot_cycles, core.warps);
    sample.shared_memory += share(after.shared_byte_cycles - before.shared_byte_cycles, core.shared_bytes);
    sample.warps += share(after.warp_cycles - before.warp_cycles, 1);
    sms_[sm].at_last_sample = after;
  }
  samples_.push_back(sample);
  last_sample_ = now;
}

std::vector<const TbLog::TbLife*> TbLog::sorted_lives() const {
  std::vector<const TbLife*> lives;
  for (const SmState& state : sms_) {
    for (const TbLife& life : state.lives) lives.push_back(&life);
  }
  std::stable_sort(lives.begin(), lives.end(),
                   [](const TbLife* a, const TbLife* b) { return a->start < b->start; });
  return lives;
}

std::string TbLog::launch_json(std::uint64_t launch, const std::vector<const TbLife*>& lives) const {
  std::string tbs;
  std::string kernel;
  std::vector<std::uint64_t> bins;
  Cycle unused = 0;
  Cycle whole = 0;
  double sum = 0;
  double log_sum = 0;
  unsigned count = 0;
  unsigned above_zero = 0;
  unsigned running = 0;
  for (const TbLife* const of_any : lives) {
    const TbLife& life = *of_any;
    if (life.launch != launch) continue;
    kernel = life.kernel;
    if (life.end == 0) {
      ++running;
      continue;
    }
    unused += life.unused();
    whole += life.longest() * life.warps.size();
    sum += life.rtru();
    ++count;
    if (life.rtru() > 0) {
      log_sum += std::log(life.rtru());
      ++above_zero;
    }
    std::string warps;
    for (const WarpLife& warp : life.warps) {
      warps += fmt::format("{}[{}, {}, {}, {}]", warps.empty() ? "" : ", ", warp.start, warp.end,
                           warp.instructions, warp.texture_misses);
      // (a, b]: a warp of 500 instructions is in the first bin, as in the paper.
      const std::size_t bin = (std::max<std::uint64_t>(warp.instructions, 1) - 1) / kBinInstructions;
      bins.resize(std::max(bins.size(), bin + 1));
      ++bins[bin];
    }
    tbs += fmt::format(
        "{}\n      {{\"tb\": {}, \"sm\": {}, \"slot\": {}, \"start\": {}, \"end\": {}, \"rtru\": {:.6f}, "
        "\"warps\": [{}]}}",
        tbs.empty() ? "" : ",", life.tb, life.sm, life.slot, life.start, life.end, life.rtru(), warps);
  }
  const auto ratio = [](double part, double all) { return all == 0 ? 0 : part / all; };
  return fmt::format(
      "    {{\"launch\": {}, \"kernel\": \"{}\", \"tbs_ended\": {}, \"tbs_running\": {},\n     \"rtru\": "
      "{:.6f}, \"rtru_mean\": "
      "{:.6f}, "
      "\"rtru_geometric_mean\": {:.6f}, \"tbs_above_zero\": {},\n     \"warps_by_instructions\": {{\"bin\": "
      "{}, "
      "\"warps\": [{}]}},\n     \"sms\": {},\n     \"tbs\": [{}]}}",
      launch, kernel, count, running, ratio(static_cast<double>(unused), static_cast<double>(whole)),
      ratio(sum, count), above_zero == 0 ? 0 : std::exp(log_sum / above_zero), above_zero, kBinInstructions,
      fmt::join(bins, ", "), predictions_.of_launch(launch).dump(), tbs);
}

std::string TbLog::json(bool complete) const {
  std::set<std::uint64_t> launches;
  for (const SmState& state : sms_) {
    for (const TbLife& life : state.lives) launches.insert(life.launch);
  }
  std::string text =
      fmt::format("{{\n  \"status\": \"{}\",\n  \"launches\": [\n", complete ? "complete" : "partial");
  bool first = true;
  const std::vector<const TbLife*> lives = sorted_lives();
  for (const std::uint64_t launch : launches) {
    text += (first ? "" : ",\n") + launch_json(launch, lives);
    first = false;
  }
  text += "\n  ],\n  \"allocation\": [";
  first = true;
  for (const Sample& sample : samples_) {
    text += fmt::format(
        "{}\n    {{\"end\": {}, \"registers\": {:.6f}, \"warp_slots\": {:.6f}, \"shared_memory\": {:.6f}, "
        "\"warps\": {:.3f}}}",
        first ? "" : ",", sample.end, sample.registers, sample.warp_slots, sample.shared_memory,
        sample.warps);
    first = false;
  }
  text += fmt::format("\n  ],\n  \"issue_pattern\": {{\"sm\": 0, \"interval\": {}, \"warps\": [",
                      pattern_.interval());
  first = true;
  for (const auto& warp : pattern_.warps()) {
    text += fmt::format("{}\n    [{}]", first ? "" : ",", fmt::join(warp, ", "));
    first = false;
  }
  return text + "]},\n  \"policy_intervals\": " + policy_intervals_json(policy_intervals_).dump() + "\n}\n";
}

}  // namespace heddle
