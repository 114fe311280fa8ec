#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

namespace heddle {

/// What blocks say by hops that lead to another thread while several are at work: kept by the thread of the
/// one who says it, and said on one thread when all of them are done, at the same time. Since no message is
/// seen at the time at which it is sent, nobody can tell the difference.
class HandOver {
 public:
  /// A port says one of its messages, by `payload`.
  using Say = void (*)(void* port, tlm::tlm_generic_payload& payload);

  void add(Say say, void* port, tlm::tlm_generic_payload& payload) { kept_.push_back({say, port, &payload}); }
  /// Says all that is kept, in the order in which it came.
  void say_all() {
    for (const Message& message : kept_) message.say(message.port, *message.payload);
    kept_.clear();
  }

 private:
  struct Message {
    Say say;
    void* port;
    tlm::tlm_generic_payload* payload;
  };
  std::vector<Message> kept_;
};

}  // namespace heddle
