#include "modules/operand_collector/register_read_queues.h"

namespace heddle {

RegisterReadQueues::RegisterReadQueues(unsigned banks, unsigned capacity) {
  unsigned slots = 1;
  while (slots < capacity) slots *= 2;  // any one bank may be asked for everything
  mask_ = slots - 1;
  while (1U << bank_shift_ < banks) ++bank_shift_;
  slots_.resize(std::size_t{slots} << bank_shift_);
}

}  // namespace heddle
