#include "top/timeline/request_log.h"

#include <algorithm>

namespace heddle {

void RequestLog::keep(const MemoryRequest& request, std::uint64_t address) {
  RequestLife life;
  life.id = request.access_id;
  life.address = address;
  life.kind = request.kind;
  life.warp = request.warp;
  life.partition = request.partition;
  life.pc = request.pc;
  Ticks time = request.born_at();
  const auto visit = [&life, &time](Stage stage, Ticks spent) {
    if (spent == 0) return;
    life.visit[life.visits++] = {stage, time, time + spent};
    time += spent;
  };
  const auto spent = [&request](Stage stage) { return request.spent()[static_cast<unsigned>(stage)]; };
  const bool fetched = spent(Stage::kDramQueue) + spent(Stage::kDram) != 0;
  const Ticks before = fetched ? request.l2_before_dram : spent(Stage::kL2);
  for (unsigned s = 0; s < kNumStages; ++s) {
    const auto stage = static_cast<Stage>(s);
    visit(stage, stage == Stage::kL2 ? before : spent(stage));
    if (stage == Stage::kDram) visit(Stage::kL2, spent(Stage::kL2) - before);
  }
  visits_ += life.visits;
  lives_.push_back(life);
}

void RequestLog::thin() {
  one_in_ *= 2;
  const auto left = std::remove_if(lives_.begin(), lives_.end(),
                                   [this](const RequestLife& life) { return life.id % one_in_ != 0; });
  lives_.erase(left, lives_.end());
  visits_ = 0;
  for (const RequestLife& life : lives_) visits_ += life.visits;
}

}  // namespace heddle
