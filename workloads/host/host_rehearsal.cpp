#include <algorithm>
#include <exception>
#include <limits>

#include "base/limits.h"
#include "base/stop.h"
#include "workloads/host/host_program.h"

namespace heddle {

namespace {

/// Leaves the statement that has asked for an element.
class ReadsElement : public std::exception {};

class UnwrittenElements : public ElementReader {
 public:
  Number read_element(const std::string& /*buffer*/, std::int64_t /*index*/) const override {
    throw ReadsElement();
  }
};

}  // namespace

void HostProgram::rehearse() {
  const UnwrittenElements unwritten;
  for (Stream& stream : streams_) {
    stream.scope.read_elements_with(&unwritten);
    std::uint64_t steps = limits::kHostSteps;
    rehearse(stream, *stream.frames.front().body, steps);
    stream.scope.read_elements_with(&buffers_);
    take_host_copies();
  }
}

void HostProgram::rehearse(Stream& stream, const std::vector<Statement>& statements, std::uint64_t& steps) {
  for (const Statement& statement : statements) {
    throw_if_stopped();
    if (steps == 0) return;
    --steps;
    try {
      rehearse(stream, statement, steps);
    } catch (const ReadsElement&) {
      continue;
    }
  }
}

void HostProgram::rehearse(Stream& stream, const Statement& statement, std::uint64_t& steps) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto go_round = [&](const std::vector<Statement>& body, const std::string& variable,
                            std::int64_t rounds) {
    if (!variable.empty()) stream.scope.push(variable, 0);
    for (std::int64_t round = 0; round < rounds && steps != 0; ++round) {
      if (!variable.empty()) stream.scope.set_last(round);
      rehearse(stream, body, steps);
    }
    if (!variable.empty()) stream.scope.pop();
  };
  if (const auto* kernel = std::get_if<LaunchStatement>(&statement.action)) {
    launch(stream, *kernel, statement.mark);
  } else if (const auto* repeat = std::get_if<RepeatStatement>(&statement.action)) {
    go_round(repeat->body, repeat->variable,
             repeat->count.evaluate_in(stream.scope, 0, kMost, "repeat count"));
  } else if (const auto* loop = std::get_if<WhileStatement>(&statement.action)) {
    loop->at_most.evaluate_in(stream.scope, 1, kMost, "at_most");
    go_round(loop->body, loop->variable, 1);
  } else {
    steps -= std::min(steps, write(stream, statement) - 1);
  }
}

}  // namespace heddle
