#include "hw/pricing/technology.h"

namespace heddle::hw {

Estimate estimate(double amount, double amount_uncertainty, const Figure& figure) {
  const double value = amount * figure.value;
  const double factor = amount_uncertainty * figure.uncertainty;
  return {value, value / factor, value * factor};
}

}  // namespace heddle::hw
