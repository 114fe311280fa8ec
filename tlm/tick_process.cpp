#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn

#include "tlm/tick_process.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

/// What is constructed in its life becomes a child of `module`; nullptr: of whom it would. IEEE 1666-2011 has
/// no such thing for other modules than that whose constructor or callback runs.
class Parent {
 public:
  explicit Parent(sc_core::sc_module* module) : module_(module) {
    if (module_ != nullptr) sc_core::sc_get_curr_simcontext()->hierarchy_push(module_);
  }
  ~Parent() {
    if (module_ != nullptr) sc_core::sc_get_curr_simcontext()->hierarchy_pop();
  }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;

 private:
  sc_core::sc_module* module_;
};

/// Of what belongs to `block`, which is no module.
std::string name_beside(const std::string& block, const char* of) {
  std::string name = block + '_' + of;
  std::replace(name.begin(), name.end(), '.', '_');
  return sc_core::sc_gen_unique_name(name.c_str());
}

}  // namespace

TickProcess::TickProcess(const std::string& block, std::function<void()> tick) {
  auto* const module = dynamic_cast<sc_core::sc_module*>(sc_core::sc_find_object(block.c_str()));
  const Parent parent(module);
  const auto name = [&](const char* of) {
    return module != nullptr ? std::string(of) : name_beside(block, of);
  };
  wake_up_ = std::make_unique<sc_core::sc_event>(name("wake_up").c_str());
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(wake_up_.get());
  sc_core::sc_spawn(std::move(tick), name("tick").c_str(), &options);
}

}  // namespace heddle
