#include "hw/storage/fifo_queue.h"

#include <fmt/format.h>

#include "hw/pricing/gates.h"

namespace heddle::hw {

FifoQueue::FifoQueue(const Owner& owner, std::string_view name, const FifoQueueShape& shape, PaperCount paper)
    : Part(owner, name, paper), shape_(shape), push_port_(1, 1, hardware()), pop_port_(1, 1, hardware()) {
  expect_range("entries", shape.entries, 1, 1024);
  expect_range("bits", shape.bits, 1, 64);
  if (shape.storage != StorageKind::kFlipFlops && shape.storage != StorageKind::kRam) {
    misuse("found another storage, expected flip-flops or RAM");
  }
  values_.assign(shape.entries, 0);
  set_cycles(operation_cycles(0, structure().path));
}

Structure FifoQueue::structure() const {
  const unsigned pointer_bits = index_bits(shape_.entries);
  Structure row;
  row.kind = "FIFO queue";
  row.storage = shape_.storage;
  row.entries = shape_.entries;
  row.bits_per_entry = shape_.bits;
  row.hidden_bits = 2ULL * pointer_bits + 1;  // head, tail, full
  row.read_ports = 1;
  row.write_ports = 1;
  row.adders = 2;
  row.adder_bits = pointer_bits;
  row.cycles_per_operation = cycles();
  row.area.storage = gates::flip_flops(static_cast<double>(row.hidden_bits));
  row.area.writes = gates::write_ports(1, 2 * pointer_bits + 1, 1);
  row.area.adders = 2 * gates::adder(pointer_bits, 1, Overflow::kWrap);
  row.area.comparators = gates::equality(pointer_bits);
  if (shape_.storage == StorageKind::kFlipFlops) {
    row.area.storage += gates::flip_flops(static_cast<double>(row.declared_bits()));
    row.area.writes += gates::write_ports(shape_.entries, shape_.bits, 1);
    row.area.read_muxes = gates::mux(shape_.entries, shape_.bits);
    row.path.through("read multiplexer", gates::mux_fo4(shape_.entries, shape_.bits));
  }
  row.path.through("enable", gates::enable_fo4());
  return row;
}

void FifoQueue::trace(WaveSink& sink) const {
  const WaveScope scope(sink, name());
  sink.signal(size_, 32, "size");
  sink.signal(head_, 32, "head");
  for (unsigned i = 0; i < shape_.entries; ++i) {
    sink.signal(values_[i], shape_.bits, fmt::format("entry{}", i));
  }
}

}  // namespace heddle::hw
