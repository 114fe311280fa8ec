#include "modules/operand_collector/register_read_queues.h"

namespace heddle {

RegisterReadQueues::RegisterReadQueues(unsigned banks, unsigned capacity) : queues_(banks) {
  unsigned slots = 1;
  while (slots < capacity) slots *= 2;  // any one bank may be asked for everything
  mask_ = slots - 1;
  slots_.resize(std::size_t{slots} * banks);
  for (unsigned bank = 0; bank < banks; ++bank) queues_[bank].base = bank * slots;
}

}  // namespace heddle
