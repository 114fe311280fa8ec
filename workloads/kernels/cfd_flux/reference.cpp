#include <array>
#include <cmath>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void cfd_flux(ReferenceMemory& memory);

namespace {

/// Density, momentum in x, y and z, energy.
using Fluid = std::array<double, 5>;

double speed(const Fluid& u) { return std::hypot(u[1], u[2], u[3]) / u[0]; }
double pressure(const Fluid& u) { return 0.4 * (u[4] - 0.5 * u[0] * speed(u) * speed(u)); }
double sound(const Fluid& u) { return std::sqrt(1.4 * pressure(u) / u[0]); }

/// What flows through a face of normal `n` in the axis' direction, of each variable.
Fluid flow(const Fluid& u, const std::array<double, 3>& n) {
  Fluid result{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double velocity = u[axis + 1] / u[0];
    result[0] += n[axis] * u[axis + 1];
    for (std::size_t k = 1; k < 4; ++k) result[k] += n[axis] * velocity * u[k];
    result[axis + 1] += n[axis] * pressure(u);
    result[4] += n[axis] * velocity * (u[4] + pressure(u));
  }
  return result;
}

}  // namespace

void cfd_flux(ReferenceMemory& memory) {
  const std::size_t elements = memory.size("elements");
  const auto neighbours = memory.view<std::int32_t>("neighbours");
  const auto normals = memory.view<float>("normals");
  const auto areas = memory.view<float>("areas");
  const auto variables = memory.view<float>("variables");
  const auto fluxes = memory.view<float>("fluxes");
  const auto step_factors = memory.view<float>("step_factors");
  const auto far_values = memory.view<float>("far");
  Fluid far{};
  for (std::size_t k = 0; k < far.size(); ++k) far[k] = far_values[k];
  Scratch<Fluid> now(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    for (std::size_t k = 0; k < 5; ++k) now[i][k] = variables[i + k * elements];
  }
  for (std::size_t step = 0; step < memory.size("steps"); ++step) {
    Scratch<Fluid> start(now.begin(), now.end());
    for (std::size_t stages_left = 3; stages_left > 0; --stages_left) {
      Scratch<Fluid> sums(elements);
      for (std::size_t i = 0; i < elements; ++i) {
        const Fluid& own = now[i];
        for (std::size_t face = 0; face < 4; ++face) {
          const std::array<double, 3> n = {normals[i + face * elements], normals[i + (face + 4) * elements],
                                           normals[i + (face + 8) * elements]};
          const std::int32_t neighbour = neighbours[i + face * elements];
          if (neighbour == -1) {
            for (std::size_t axis = 0; axis < 3; ++axis) sums[i][axis + 1] += n[axis] * pressure(own);
            continue;
          }
          const Fluid& other = neighbour >= 0 ? now[static_cast<std::size_t>(neighbour)] : far;
          const Fluid from_own = flow(own, n);
          const Fluid from_other = flow(other, n);
          const double smoothing = neighbour >= 0
                                       ? 0.1 * std::hypot(n[0], n[1], n[2]) *
                                             (speed(own) + sound(own) + speed(other) + sound(other))
                                       : 0.0;
          for (std::size_t k = 0; k < 5; ++k) {
            sums[i][k] += (from_own[k] + from_other[k]) / 2.0 - smoothing * (own[k] - other[k]);
          }
        }
      }
      for (std::size_t i = 0; i < elements; ++i) {
        const double factor = 0.5 / (std::sqrt(double{areas[i]}) * (speed(start[i]) + sound(start[i])));
        step_factors[i] = static_cast<float>(factor);
        for (std::size_t k = 0; k < 5; ++k) {
          fluxes[i + k * elements] = static_cast<float>(sums[i][k]);
          now[i][k] = start[i][k] + factor / static_cast<double>(stages_left) * sums[i][k];
        }
      }
    }
  }
  for (std::size_t i = 0; i < elements; ++i) {
    for (std::size_t k = 0; k < 5; ++k) variables[i + k * elements] = static_cast<float>(now[i][k]);
  }
}

}  // namespace heddle::references
