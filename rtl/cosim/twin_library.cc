// SPDX-License-Identifier: Apache-2.0
// Copyright the Heddle contributors

// A verilated twin as a shared library: compiled beside what Verilator makes of heddle_lockstep, which is the
// twin and, for waves, what the model chose.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "Vheddle_lockstep.h"
#include "twin_interface.h"
#include "twin_ports.h"
#include "verilated.h"
#include "verilated_save.h"
#include "verilated_vcd_c.h"

namespace {

/// What Verilator's runtime has printed in this thread.
thread_local std::string printed;

class MemorySave final : public VerilatedSerialize {
 public:
  explicit MemorySave(std::vector<uint8_t>& to) : to_(to) { m_isOpen = true; }
  void flush() override {
    to_.insert(to_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

 private:
  std::vector<uint8_t>& to_;
};

class MemoryRestore final : public VerilatedDeserialize {
 public:
  MemoryRestore(const uint8_t* from, size_t bytes) : from_(from), left_(bytes) {
    m_isOpen = true;
    m_endp = m_bufp;
    fill();
  }
  /// What has not been read goes to the front, and as much as there is room for behind it; zeros after the
  /// end.
  void fill() override {
    const size_t kept = static_cast<size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, kept);
    const size_t room = bufferSize() - kept;
    const size_t taken = left_ < room ? left_ : room;
    std::memcpy(m_bufp + kept, from_, taken);
    std::memset(m_bufp + kept + taken, 0, room - taken);
    from_ += taken;
    left_ -= taken;
    m_cp = m_bufp;
    m_endp = m_bufp + bufferSize();
  }

 private:
  const uint8_t* from_;
  size_t left_;
};

/// What is told of an input comes with the clock edge before it, in one evaluation of both: edge() leaves its
/// edge to the next look. Only waves have it by itself.
struct Twin {
  Twin() {
    context.traceEverOn(true);
    context.fatalOnError(false);
    top = std::make_unique<Vheddle_lockstep>(&context, "heddle_lockstep");
    top->clk_i = 0;
    top->rst_ni = 0;
#define HEDDLE_CLEAR(port) top->port = 0, top->told_##port = 0;
    HEDDLE_TWIN_INPUTS(HEDDLE_CLEAR)
    top->eval();
#define HEDDLE_TELL(port) top->told_##port = 1;
    HEDDLE_TWIN_INPUTS(HEDDLE_TELL)
    top->clk_i = 1;
    top->eval();
    lower();
    top->rst_ni = 1;
    top->eval();
  }
  ~Twin() { top->final(); }

  /// Ends a cycle.
  void edge() {
    if (waves == nullptr) {
      edge_is_due = true;
      return;
    }
    top->clk_i = 1;
    top->eval();
    waves->dump(10 * cycle + 5);
    lower();
  }
  void look(const uint64_t* in) {
    Vheddle_lockstep& t = *top;
    bool told = edge_is_due;
    t.clk_i = edge_is_due ? 1 : 0;
#define HEDDLE_SET(port) told |= set(t.port, t.told_##port, *in++);
    HEDDLE_TWIN_INPUTS(HEDDLE_SET)
    if (!told) return;
    t.eval();
    lower();
    edge_is_due = false;
  }

  VerilatedContext context;
  std::unique_ptr<Vheddle_lockstep> top;
  std::unique_ptr<VerilatedVcdC> waves;
  uint64_t cycle = 0;
  bool edge_is_due = false;
  std::string failure;

 private:
  template <class Port>
  static bool set(Port& port, CData& told, uint64_t value) {
    if (port == value) return false;
    port = static_cast<Port>(value);
    told = 1;
    return true;
  }
  /// Nothing follows from falling edges.
  void lower() {
    top->clk_i = 0;
#define HEDDLE_LOWER(port) top->told_##port = 0;
    HEDDLE_TWIN_INPUTS(HEDDLE_LOWER)
    top->eval();
  }
};

Twin& of(void* twin) { return *static_cast<Twin*>(twin); }

}  // namespace

int heddle_twin_print(const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  printed += line;
  return length;
}

void vl_stop(const char* file, int line, const char* /*hierarchy*/) {
  if (printed.empty()) heddle_twin_print("%s:%d: stopped", file, line);
}
void vl_fatal(const char* file, int line, const char* /*hierarchy*/, const char* message) {
  heddle_twin_print("%s:%d: %s", file, line, message);
}
void vl_finish(const char* file, int line, const char* /*hierarchy*/) {
  heddle_twin_print("%s:%d: finished", file, line);
}

#define HEDDLE_COUNT(port) +1u

unsigned heddle_twin_version() { return HEDDLE_TWIN_VERSION; }
unsigned heddle_twin_inputs() { return 0u HEDDLE_TWIN_INPUTS(HEDDLE_COUNT); }
unsigned heddle_twin_outputs() { return 0u HEDDLE_TWIN_OUTPUTS(HEDDLE_COUNT); }

void* heddle_twin_create() {
  try {
    printed.clear();
    return new Twin;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void heddle_twin_destroy(void* twin) { delete &of(twin); }

void heddle_twin_look(void* twin, const uint64_t* in, uint64_t* out) {
  of(twin).look(in);
  const Vheddle_lockstep& top = *of(twin).top;
#define HEDDLE_GET(port) *out++ = top.port;
  HEDDLE_TWIN_OUTPUTS(HEDDLE_GET)
}

void heddle_twin_edge(void* twin) { of(twin).edge(); }

const char* heddle_twin_failure(void* twin) {
  if (printed.empty()) return nullptr;
  of(twin).failure.swap(printed);
  printed.clear();
  return of(twin).failure.c_str();
}

size_t heddle_twin_save(void* twin, uint8_t* to, size_t bytes) {
  std::vector<uint8_t> state;
  {
    MemorySave save(state);
    save << *of(twin).top;
    save.flush();
  }
  if (state.size() <= bytes) std::memcpy(to, state.data(), state.size());
  return state.size();
}

void heddle_twin_restore(void* twin, const uint8_t* from, size_t bytes) {
  MemoryRestore restore(from, bytes);
  restore >> *of(twin).top;
  of(twin).edge_is_due = false;
}

int heddle_twin_waves_begin(void* twin, const char* path) {
  Twin& t = of(twin);
  t.waves = std::make_unique<VerilatedVcdC>();
  t.waves->set_time_unit("1ns");
  t.waves->set_time_resolution("1ns");
  t.top->trace(t.waves.get(), 99);
  t.waves->open(path);
  if (t.waves->isOpen()) return 1;
  t.waves.reset();
  return 0;
}

void heddle_twin_waves_cycle(void* twin, uint64_t cycle) {
  Twin& t = of(twin);
  t.cycle = cycle;
  if (t.waves) t.waves->dump(10 * cycle);
}

void heddle_twin_waves_end(void* twin) {
  Twin& t = of(twin);
  if (!t.waves) return;
  t.waves->close();
  t.waves.reset();
}
