#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <vector>

#include "modules/interconnect/network.h"

namespace heddle {
namespace {

constexpr unsigned kSms = 15;
constexpr unsigned kSlices = 12;
constexpr unsigned kLatency = 6;
constexpr Cycle kCycles = 20000;
constexpr Cycle kWarmUp = kCycles / 5;
constexpr unsigned kPerMille = 1000;
/// How far a throughput may be from BookSim's.
constexpr double kTolerance = 0.04;

struct Message {
  tlm::tlm_generic_payload payload;
  unsigned input = 0;
  unsigned output = 0;
  unsigned flits = 1;
};

NetworkShape crossbar(unsigned inputs, unsigned outputs) {
  NetworkShape shape = NetworkShape::crossbar(inputs, outputs);
  shape.latency_cycles = kLatency;
  return shape;
}

/// A network whose inputs have an injection queue of nine flits, and whose outputs are taken from at once.
class Loaded {
 public:
  Loaded(unsigned inputs, unsigned outputs) : network_(crossbar(inputs, outputs), 4), waiting_(inputs) {}

  bool has_room(unsigned input, unsigned flits) const {
    unsigned queued = flits;
    for (const Message* message : waiting_[input]) queued += message->flits;
    return queued <= kQueueFlits;
  }
  void send(Message& message) { waiting_[message.input].push_back(&message); }
  /// One cycle; `arrived` gets the messages that came out.
  template <class Arrived>
  void step(Cycle now, unsigned packet_flits, Arrived&& arrived) {
    for (std::deque<Message*>& queue : waiting_) {
      if (queue.empty() || !network_.has_room(queue.front()->input, queue.front()->flits)) continue;
      Message& message = *queue.front();
      queue.pop_front();
      const unsigned each = packet_flits == 0 ? message.flits : packet_flits;
      network_.inject(message.input, message.output, message.flits, each, message.payload, now);
    }
    network_.step(now);
    network_.collect_ejected(now);
    network_.ejected().for_each([&](unsigned output) {
      auto& message = reinterpret_cast<Message&>(network_.front(output));
      network_.pop(output, now);
      arrived(message);
    });
  }

 private:
  static constexpr unsigned kQueueFlits = 9;
  Network network_;
  std::vector<std::deque<Message*>> waiting_;
};

struct Load {
  unsigned store_permille;  ///< stores of 128 bytes, four flits, among reads of one
  unsigned rate_permille;   ///< that an SM has a request in a cycle
  double requests;          ///< a cycle, of all SMs, by BookSim
};

class RequestNetwork : public ::testing::TestWithParam<Load> {};

// BookSim 2 (intersim2) with GPGPU-Sim 4.2's settings for the GTX480, the same traffic to random slices. At
// full rate SMs send what has room first there, so that only loads of one kind compare.
TEST_P(RequestNetwork, CarriesWhatTheReferencesDoes) {
  const Load& load = GetParam();
  std::mt19937 engine(7);
  const auto random = [&engine](unsigned below) { return static_cast<unsigned>(engine() % below); };
  Loaded network(kSms, kSlices);
  std::deque<Message> messages;
  unsigned arrived = 0;
  for (Cycle now = 1; now <= kCycles; ++now) {
    for (unsigned sm = 0; sm < kSms; ++sm) {
      if (random(kPerMille) >= load.rate_permille) continue;
      const unsigned flits = random(kPerMille) < load.store_permille ? 4 : 1;
      const unsigned slice = random(kSlices);
      if (!network.has_room(sm, flits)) continue;
      Message& message = messages.emplace_back();
      message.input = sm;
      message.output = slice;
      message.flits = flits;
      network.send(message);
    }
    network.step(now, 0, [&](const Message& /*message*/) { arrived += now > kWarmUp ? 1 : 0; });
  }
  const double requests = static_cast<double>(arrived) / (kCycles - kWarmUp);
  EXPECT_NEAR(requests, load.requests, kTolerance * load.requests);
}

INSTANTIATE_TEST_SUITE_P(Loads, RequestNetwork,
                         ::testing::Values(Load{0, 100, 1.49}, Load{0, 300, 4.52}, Load{0, 1000, 8.05},
                                           Load{250, 300, 4.49}, Load{500, 200, 2.95}, Load{750, 100, 1.48},
                                           Load{1000, 100, 1.46}, Load{1000, 1000, 2.77}));

struct Lines {
  unsigned outstanding;  ///< of an SM
  double lines;          ///< a cycle, of all SMs, by BookSim
};

class ReplyNetwork : public ::testing::TestWithParam<Lines> {};

// Lines of four sectors, a packet of one flit each. A slice sends a sector a cycle, 120 cycles after the
// request at the earliest, in order; an SM asks a random slice as long as fewer than `outstanding` are on
// their way.
TEST_P(ReplyNetwork, CarriesWhatTheReferencesDoes) {
  std::mt19937 engine(7);
  Loaded network(kSlices, kSms);
  std::deque<Message> messages;
  struct Slice {
    std::deque<std::pair<Cycle, Message*>> asked;
    Cycle free_from = 0;
  };
  std::array<Slice, kSlices> slices;
  std::array<unsigned, kSms> outstanding{};
  unsigned lines = 0;
  constexpr Cycle kThereAndLookUp = 127;
  for (Cycle now = 1; now <= kCycles; ++now) {
    for (unsigned sm = 0; sm < kSms; ++sm) {
      if (outstanding[sm] == GetParam().outstanding) continue;
      ++outstanding[sm];
      Message& message = messages.emplace_back();
      message.input = static_cast<unsigned>(engine() % kSlices);
      message.output = sm;
      message.flits = 4;
      slices[message.input].asked.emplace_back(now + kThereAndLookUp, &message);
    }
    for (Slice& slice : slices) {
      if (slice.asked.empty() || slice.asked.front().first > now || slice.free_from > now) continue;
      Message& message = *slice.asked.front().second;
      if (!network.has_room(message.input, message.flits)) continue;
      network.send(message);
      slice.asked.pop_front();
      slice.free_from = now + message.flits;
    }
    network.step(now, 1, [&](const Message& message) {
      --outstanding[message.output];
      lines += now > kWarmUp ? 1 : 0;
    });
  }
  const double rate = static_cast<double>(lines) / (kCycles - kWarmUp);
  EXPECT_NEAR(rate, GetParam().lines, kTolerance * GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(Loads, ReplyNetwork,
                         ::testing::Values(Lines{2, 0.219}, Lines{8, 0.863}, Lines{32, 1.775},
                                           Lines{128, 1.773}));

}  // namespace
}  // namespace heddle
