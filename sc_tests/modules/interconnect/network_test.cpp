#include "modules/interconnect/network.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle {
namespace {

struct Delivery {
  unsigned tag;
  unsigned output;
  Cycle cycle;
  bool operator==(const Delivery& other) const {
    return std::tie(tag, output, cycle) == std::tie(other.tag, other.output, other.cycle);
  }
};
std::ostream& operator<<(std::ostream& out, const Delivery& d) {
  return out << "{packet " << d.tag << " at output " << d.output << " @" << d.cycle << "}";
}

/// Injects a script and takes everything out as soon as it is there, unless an output is closed.
class Bench {
 public:
  explicit Bench(NetworkShape shape, unsigned latency = 5) {
    shape.latency_cycles = latency;
    network = std::make_unique<Network>(shape, 4);
  }

  /// One packet, or several of `packet_flits`.
  unsigned at(Cycle cycle, unsigned input, unsigned output, unsigned flits, unsigned packet_flits = 0) {
    packets_.push_back({cycle, input, output, flits, packet_flits == 0 ? flits : packet_flits,
                        std::make_unique<tlm::tlm_generic_payload>()});
    packets_.back().payload->set_address(packets_.size() - 1);
    return static_cast<unsigned>(packets_.size() - 1);
  }
  const std::vector<Delivery>& run(Cycle cycles) {
    for (Cycle end = now_ + cycles; now_ < end; ++now_) {
      for (; next_ < packets_.size() && packets_[next_].cycle <= now_; ++next_) {
        const Packet& packet = packets_[next_];
        if (!network->has_room(packet.input, packet.flits)) break;
        network->inject(packet.input, packet.output, packet.flits, packet.packet_flits, *packet.payload,
                        now_);
      }
      network->step(now_);
      network->collect_ejected(now_);
      network->ejected().for_each([&](unsigned output) {
        if (closed != nullptr && closed(output, now_)) return;
        deliveries.push_back({static_cast<unsigned>(network->front(output).get_address()), output, now_});
        network->pop(output, now_);
      });
    }
    return deliveries;
  }

  std::size_t injected() const { return next_; }

  std::unique_ptr<Network> network;
  std::vector<Delivery> deliveries;
  bool (*closed)(unsigned output, Cycle now) = nullptr;

 private:
  struct Packet {
    Cycle cycle;
    unsigned input;
    unsigned output;
    unsigned flits;
    unsigned packet_flits;
    std::unique_ptr<tlm::tlm_generic_payload> payload;
  };
  std::vector<Packet> packets_;
  std::size_t next_ = 0;
  Cycle now_ = 1;
};

using Deliveries = std::vector<Delivery>;

TEST(Network, AFlitTakesTheLatencyAndEveryFurtherFlitOneCycle) {
  for (const unsigned latency : {4U, 5U, 9U}) {
    for (const unsigned flits : {1U, 2U, 4U}) {
      for (const NetworkShape& shape : {NetworkShape::crossbar(15, 12), NetworkShape::butterfly(15, 12, 2)}) {
        Bench bench(shape, latency);
        bench.at(10, 3, 7, flits);
        EXPECT_EQ(bench.run(50), (Deliveries{{0, 7, 10 + latency - 1 + flits - 1}}));
      }
    }
  }
}

TEST(Network, ACrossbarOfLatencyOneDeliversInTheCycleOfTheGrant) {
  Bench bench(NetworkShape::crossbar(2, 2), 1);
  bench.at(10, 0, 1, 1);
  EXPECT_EQ(bench.run(50), (Deliveries{{0, 1, 10}}));
}

TEST(Network, PacketsHoldInputAndOutputForTheirFlits) {
  Bench bench(NetworkShape::crossbar(4, 4), 1);
  bench.at(10, 0, 1, 4);  // granted at 10
  bench.at(10, 0, 2, 1);  // behind it at the input: at 14
  bench.at(11, 3, 1, 1);  // wants the same output: at 14
  EXPECT_EQ(bench.run(50), (Deliveries{{0, 1, 13}, {2, 1, 14}, {1, 2, 14}}));
}

// Two steps a cycle: one for the output, four for the flits.
TEST(Network, APacketThatIsAllThereHoldsTheSwitchForAStepMoreThanItsFlits) {
  Bench bench(NetworkShape::crossbar(5, 5), 1);
  bench.at(10, 0, 2, 4);  // 0: comes until 13, holds output 2 up to 14
  bench.at(10, 1, 2, 4);  // 1: all there at 14, through the switch at 16.5
  bench.at(10, 1, 3, 1);  // 2: behind it at the input, granted at 16.5: on its link at 17
  bench.at(15, 4, 2, 1);  // 3: granted at 16.5, on the link after packet 1
  EXPECT_EQ(bench.run(50), (Deliveries{{0, 2, 13}, {1, 2, 17}, {2, 3, 17}, {3, 2, 18}}));
}

// However its packets are granted: in a row, one by one, or in a row that another input cuts short.
TEST(Network, AllFlitsOfAMessageCount) {
  for (const NetworkShape& shape : {NetworkShape::crossbar(4, 4), NetworkShape::butterfly(4, 4, 2)}) {
    for (const Cycle second : {10U, 11U, 12U, 13U, 30U}) {
      Bench bench(shape);
      bench.at(10, 0, 2, 4, 1);
      bench.at(second, 1, 2, 4, 1);
      bench.at(second, 3, 2, 4, 2);
      bench.at(second, 3, 1, 3);
      EXPECT_EQ(bench.run(80).size(), 4U);
      EXPECT_EQ(bench.network->packets(), 4U);
      EXPECT_EQ(bench.network->flits(), 15U) << "second at " << second;
      std::uint64_t sent = 0;
      std::uint64_t received = 0;
      for (unsigned port = 0; port < 4; ++port) {
        sent += bench.network->input_busy_cycles(port);
        received += bench.network->output_busy_cycles(port);
      }
      EXPECT_EQ(sent, 15U);
      EXPECT_EQ(received, 15U);
    }
  }
}

TEST(Network, ASwitchWithoutSpeedupTakesAStepForTheOutputToo) {
  NetworkShape shape = NetworkShape::crossbar(3, 3);
  shape.speedup = 1;
  Bench bench(shape, 1);
  for (unsigned i = 0; i < 4; ++i) bench.at(10, 0, 2, 1);
  EXPECT_EQ(bench.run(50), (Deliveries{{0, 2, 10}, {1, 2, 12}, {2, 2, 14}, {3, 2, 16}}));
}

TEST(Network, ALinkCarriesAFlitACycle) {
  Bench bench(NetworkShape::crossbar(3, 3), 1);
  bench.at(10, 0, 1, 4);  // its last flit enters at 13
  bench.at(10, 0, 2, 1);  // enters at 14
  bench.at(10, 0, 1, 1);  // at 15
  EXPECT_EQ(bench.run(50), (Deliveries{{0, 1, 13}, {1, 2, 14}, {2, 1, 15}}));
}

TEST(Network, PacketsOfAMessageLetOthersThroughAndItIsEjectedWithItsLast) {
  const auto run = [](Cycle other) {
    Bench bench(NetworkShape::crossbar(3, 3), 1);
    bench.at(10, 0, 1, 4, 1);  // at 10, 11, 12, 13 when alone
    bench.at(other, 2, 1, 1);
    return bench.run(50);
  };
  EXPECT_EQ(run(11), (Deliveries{{1, 1, 11}, {0, 1, 14}}));
  EXPECT_EQ(run(13), (Deliveries{{1, 1, 13}, {0, 1, 14}}));
  EXPECT_EQ(run(14), (Deliveries{{0, 1, 13}, {1, 1, 14}}));
  Bench bench(NetworkShape::crossbar(3, 3), 1);
  bench.at(10, 0, 1, 4, 1);
  bench.at(10, 2, 1, 4, 1);
  EXPECT_EQ(bench.run(50), (Deliveries{{0, 1, 16}, {1, 1, 17}}));
}

/// When the last packet of each message is delivered; `apart`: its packets are injected one by one.
std::map<unsigned, Cycle> deliveries_of_messages(const NetworkShape& shape, unsigned packet_flits,
                                                 bool apart) {
  Bench bench(shape, 6);
  std::mt19937 engine(11);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  std::map<unsigned, unsigned> message_of_tag;
  for (unsigned message = 0; message < 4000; ++message) {
    const Cycle cycle = 1 + message / 3 + message / 1000 * 500;
    const unsigned input = random() % 12;
    const unsigned output = random() % 15;
    const unsigned packets = 1 + random() % 4;
    unsigned last = 0;
    if (apart) {
      for (unsigned i = 0; i < packets; ++i) last = bench.at(cycle, input, output, packet_flits);
    } else {
      last = bench.at(cycle, input, output, packets * packet_flits, packet_flits);
    }
    message_of_tag[last] = message;
  }
  std::map<unsigned, Cycle> delivered;
  for (const Delivery& delivery : bench.run(30000)) {
    const auto found = message_of_tag.find(delivery.tag);
    if (found != message_of_tag.end()) delivered[found->second] = delivery.cycle;
  }
  EXPECT_TRUE(bench.network->empty());
  return delivered;
}

TEST(Network, AMessageTakesAsLongAsItsPacketsInjectedOneByOne) {
  for (const unsigned speedup : {1U, 2U, 3U}) {
    for (const unsigned packet_flits : {1U, 2U}) {
      for (NetworkShape shape : {NetworkShape::crossbar(12, 15), NetworkShape::butterfly(12, 15, 4)}) {
        shape.speedup = speedup;
        shape.buffer_flits = 4000;
        shape.ejection_packets = 4000;
        const std::map<unsigned, Cycle> apart = deliveries_of_messages(shape, packet_flits, true);
        EXPECT_EQ(apart.size(), 4000U);
        EXPECT_EQ(deliveries_of_messages(shape, packet_flits, false), apart)
            << "speedup " << speedup << ", packets of " << packet_flits << ", stages " << shape.stages;
      }
    }
  }
}

TEST(Network, AnOutputServesItsInputsInTurn) {
  Bench bench(NetworkShape::crossbar(3, 3), 1);
  for (unsigned i = 0; i < 9; ++i) bench.at(10, i % 3, 2, 1);
  bench.run(50);
  ASSERT_EQ(bench.deliveries.size(), 9U);
  for (unsigned i = 0; i < 9; ++i) {
    EXPECT_EQ(bench.deliveries[i].tag % 3, i % 3);
    EXPECT_EQ(bench.deliveries[i].cycle, 10 + i);
  }
}

TEST(Network, ACrossbarCarriesAPermutationAtFullRate) {
  Bench bench(NetworkShape::crossbar(8, 8), 5);
  for (unsigned i = 0; i < 40; ++i) {
    for (unsigned port = 0; port < 8; ++port) bench.at(10 + i, port, (port + 3) % 8, 1);
  }
  bench.run(100);
  EXPECT_EQ(bench.deliveries.size(), 320U);
  EXPECT_EQ(bench.deliveries.back().cycle, 10 + 39 + 4U);
}

// 2-ary 3-fly: inputs 0 and 4 differ in the first routed digit, so outputs 0 and 1 (which agree in the first
// two digits) share the link out of the first stage; outputs 0 and 4 do not.
TEST(Network, AButterflyHasInternalConflictsThatACrossbarHasNot) {
  const auto last = [](const NetworkShape& shape, unsigned output_a, unsigned output_b) {
    Bench bench(shape, 6);
    bench.at(10, 0, output_a, 4);
    bench.at(10, 4, output_b, 4);
    bench.run(50);
    return bench.deliveries.back().cycle;
  };
  const NetworkShape fly = NetworkShape::butterfly(8, 8, 2);
  EXPECT_EQ(fly.stages, 3U);
  const Cycle free = 10 + 6 - 1 + 4 - 1;
  EXPECT_EQ(last(NetworkShape::crossbar(8, 8), 0, 1), free);
  EXPECT_EQ(last(fly, 0, 4), free);
  EXPECT_EQ(last(fly, 0, 1), free + 4);
}

TEST(Network, AFullEjectionQueueBlocksItsOutputOnly) {
  NetworkShape shape = NetworkShape::crossbar(4, 4);
  shape.ejection_packets = 2;
  Bench bench(shape, 1);
  bench.closed = [](unsigned output, Cycle now) { return output == 0 && now < 100; };
  for (unsigned i = 0; i < 4; ++i) bench.at(10, 1, 0, 1);
  bench.at(10, 2, 3, 1);
  bench.run(90);
  EXPECT_EQ(bench.deliveries, (Deliveries{{4, 3, 10}}));
  EXPECT_EQ(bench.network->queued_packets(0), 2U);
  EXPECT_EQ(bench.network->queued_flits(1), 2U);
  EXPECT_EQ(bench.network->blocked_cycles(90), 90 - 12U);
  bench.run(90);
  EXPECT_EQ(bench.deliveries.size(), 5U);
  EXPECT_EQ(bench.network->blocked_cycles(180), 100 - 12U) << "none after the queue opened";
  EXPECT_TRUE(bench.network->empty());
}

TEST(Network, BackPressureReachesTheInputsThroughTheStages) {
  NetworkShape shape = NetworkShape::butterfly(8, 8, 2);
  shape.ejection_packets = 1;
  shape.buffer_flits = 4;
  Bench bench(shape, 3);
  bench.closed = [](unsigned /*output*/, Cycle now) { return now < 200; };
  for (unsigned i = 0; i < 30; ++i) bench.at(10, 5, 2, 2);
  bench.run(150);
  // One packet ejected and two in each of three buffers of four flits; no more fits.
  EXPECT_EQ(bench.injected(), 7U);
  EXPECT_FALSE(bench.network->has_room(5, 1));
  EXPECT_EQ(bench.network->queued_packets(2), 1U);
  bench.run(300);
  ASSERT_EQ(bench.deliveries.size(), 30U);
  for (unsigned i = 0; i < 30; ++i) EXPECT_EQ(bench.deliveries[i].tag, i);
}

TEST(Network, RandomTrafficIsNeitherLostNorReordered) {
  for (const bool fly : {false, true}) {
    NetworkShape shape = fly ? NetworkShape::butterfly(15, 12, 2) : NetworkShape::crossbar(15, 12);
    shape.buffer_flits = 8;
    shape.ejection_packets = 2;
    Bench bench(shape, 5);
    bench.closed = [](unsigned output, Cycle now) { return (now / 16 + output) % 3 == 0; };
    std::mt19937 engine(3);
    const auto random = [&engine] { return static_cast<unsigned>(engine()); };
    std::vector<std::pair<unsigned, unsigned>> route;
    for (unsigned i = 0; i < 3000; ++i) {
      const unsigned input = random() % 15;
      const unsigned output = random() % 12;
      route.emplace_back(input, output);
      bench.at(1 + i / 4, input, output, 1 + random() % 4);
    }
    bench.run(30000);
    ASSERT_EQ(bench.deliveries.size(), 3000U);
    EXPECT_TRUE(bench.network->empty());
    std::map<std::pair<unsigned, unsigned>, unsigned> last;
    for (const Delivery& delivery : bench.deliveries) {
      EXPECT_EQ(delivery.output, route[delivery.tag].second);
      const auto [before, first] = last.try_emplace(route[delivery.tag], delivery.tag);
      if (!first) {
        EXPECT_LT(before->second, delivery.tag);
      }
      before->second = delivery.tag;
    }
    EXPECT_EQ(bench.network->packets(), 3000U);
  }
}

TEST(Network, NothingHappensBetweenTheCyclesThatItNames) {
  std::mt19937 engine(5);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  NetworkShape shape = NetworkShape::butterfly(8, 8, 2);
  shape.latency_cycles = 7;
  Network every(shape, 4);
  Network named(shape, 4);
  tlm::tlm_generic_payload payload;
  Cycle next = 1;
  for (Cycle now = 1; now < 5000; ++now) {
    const bool arrival = now < 4000 && random() % 5 == 0;
    if (arrival) {
      const unsigned input = random() % 8;
      const unsigned output = random() % 8;
      const unsigned flits = 1 + random() % 4;
      if (every.has_room(input, flits)) {
        const unsigned packet = random() % 2 == 0 ? 1 : flits;
        every.inject(input, output, flits, packet, payload, now);
        named.inject(input, output, flits, packet, payload, now);
      }
    }
    const auto take = [now](Network& network) {
      unsigned taken = 0;
      network.step(now);
      network.collect_ejected(now);
      network.ejected().for_each([&](unsigned output) {
        network.pop(output, now);
        taken |= 1U << output;
      });
      return taken;
    };
    const unsigned expected = take(every);
    unsigned found = 0;
    // What is left in an ejection queue is taken in the next cycle.
    if (arrival || now >= next || named.ejected().any()) {
      found = take(named);
      next = named.next_step(now);
    }
    ASSERT_EQ(found, expected) << now;
  }
  EXPECT_TRUE(named.empty());
}

TEST(Network, RefusesShapesThatDoNotWork) {
  EXPECT_THROW(Network(NetworkShape::crossbar(0, 4), 4), std::invalid_argument);
  EXPECT_THROW(NetworkShape::butterfly(8, 8, 1), std::invalid_argument);
  NetworkShape shape = NetworkShape::butterfly(8, 8, 2);
  shape.latency_cycles = 2;
  EXPECT_THROW(Network(shape, 4), std::invalid_argument);
  shape.latency_cycles = 3;
  shape.buffer_flits = 3;
  EXPECT_THROW(Network(shape, 4), std::invalid_argument);
  EXPECT_NO_THROW(Network(shape, 3));
}

TEST(PortSet, FindsTheNextMemberRoundTheEnd) {
  PortSet set(130);
  set.set(3);
  set.set(70);
  set.set(129);
  EXPECT_EQ(set.next_from(0), 3U);
  EXPECT_EQ(set.next_from(4), 70U);
  EXPECT_EQ(set.next_from(71), 129U);
  set.clear(129);
  EXPECT_EQ(set.next_from(129), 3U);
  EXPECT_TRUE(set.test(70));
  EXPECT_FALSE(set.test(71));
}

TEST(PortWheel, NamesTheNextCycleAndComesEarlyForFarOnes) {
  PortWheel wheel(80);
  EXPECT_EQ(wheel.next(100), PortWheel::kNever);
  wheel.add(77, 163, 100);
  wheel.add(5, 101, 100);
  EXPECT_EQ(wheel.next(100), 101U);
  unsigned seen = 0;
  wheel.collect(101, [&](unsigned port) { seen = port; });
  EXPECT_EQ(seen, 5U);
  EXPECT_EQ(wheel.next(101), 163U);
  wheel.add(6, 1000, 101);
  wheel.collect(163, [&](unsigned port) { seen = port; });
  EXPECT_EQ(seen, 77U);
  EXPECT_EQ(wheel.next(163), 164U);  // 63 cycles after 101
}

}  // namespace
}  // namespace heddle
