#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::hw {

/// One number of a technology: an estimate with where it comes from.
struct Figure {
  double value = 0;
  double uncertainty =
      1;  ///< the true value is taken to lie within value / uncertainty and value * uncertainty
  std::string source;
};

/// What turns technology-free figures into area, time and energy. Numbers that are not known are left out,
/// and so is what would be computed from them. configs/technology/estimates.yaml has those that come with the
/// project.
struct Technology {
  std::string name;
  std::string description;
  std::optional<Figure> nand2_area_um2;
  std::optional<Figure> sram_bit_area_um2;  ///< for parts declared as RAM: a lower bound
  std::optional<Figure> fo4_ps;
  std::optional<Figure> nand2_switch_energy_fj;     ///< one NAND2-equivalent switching its load, up and down
  std::optional<Figure> switching_fraction;         ///< of the gates that an access goes through
  std::optional<Figure> sram_bit_access_energy_fj;  ///< per bit read or written
};

/// An estimate in a technology.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// `amount` of what `figure` is per one; `amount_uncertainty` as in Figure.
Estimate estimate(double amount, double amount_uncertainty, const Figure& figure);

}  // namespace heddle::hw
