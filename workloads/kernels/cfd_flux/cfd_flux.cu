#include "../cuda_subset.h"

// An explicit solver of Euler's equations on an unstructured mesh of tetrahedra, as Rodinia's CFD: a thread
// has an element and gathers what flows through its four faces from neighbours anywhere in memory. Thread
// blocks of 192.

constexpr int kFaces = 4;
constexpr int kVariables = 5;  // density, momentum in x, y and z, energy; an array each
constexpr float kGamma = 1.4f;
constexpr float kSmoothing = 0.2f;
constexpr int kWing = -1;

struct Vector {
  float x;
  float y;
  float z;
};

static __device__ __forceinline__ float dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ float square_root(float x) {
  float result;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

struct State {
  float density;
  Vector momentum;
  float energy;
  Vector velocity;
  float pressure;
  float speed;  // of the fluid
  float sound;  // and of sound in it
};

static __device__ __forceinline__ State load_state(const float* variables, int element, int elements) {
  State s;
  s.density = variables[element];
  s.momentum.x = variables[element + elements];
  s.momentum.y = variables[element + 2 * elements];
  s.momentum.z = variables[element + 3 * elements];
  s.energy = variables[element + 4 * elements];
  s.velocity.x = s.momentum.x / s.density;
  s.velocity.y = s.momentum.y / s.density;
  s.velocity.z = s.momentum.z / s.density;
  const float squared = dot(s.velocity, s.velocity);
  s.speed = square_root(squared);
  s.pressure = (kGamma - 1.0f) * (s.energy - 0.5f * s.density * squared);
  s.sound = square_root(kGamma * s.pressure / s.density);
  return s;
}

// What flows through a face of normal `normal` in a fluid of one state.
struct Flow {
  float density;
  Vector momentum;
  float energy;
};

static __device__ __forceinline__ void add_flow(Flow* sum, const State& s, const Vector& normal,
                                                float factor) {
  const float through = factor * dot(s.velocity, normal);
  const float push = factor * s.pressure;
  sum->density += through * s.density;
  sum->momentum.x += through * s.momentum.x + push * normal.x;
  sum->momentum.y += through * s.momentum.y + push * normal.y;
  sum->momentum.z += through * s.momentum.z + push * normal.z;
  sum->energy += through * (s.energy + s.pressure);
}

// How far each element may go in a step; also keeps the variables, from which the three stages of the step
// start.
extern "C" __global__ void compute_step_factor(const float* variables, const float* areas,
                                               float* old_variables, float* step_factors, int elements) {
  const int element = global_thread_x();
  const State s = load_state(variables, element, elements);
  step_factors[element] = 0.5f / (square_root(areas[element]) * (s.speed + s.sound));
#pragma unroll
  for (int k = 0; k < kVariables; ++k) {
    old_variables[element + k * elements] = variables[element + k * elements];
  }
}

// `far` holds the five variables of the undisturbed fluid.
extern "C" __global__ void compute_flux(const int* neighbours, const float* normals, const float* variables,
                                        const float* far, float* fluxes, int elements) {
  const int element = global_thread_x();
  const State own = load_state(variables, element, elements);
  Flow sum = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
#pragma unroll 1
  for (int face = 0; face < kFaces; ++face) {
    const int neighbour = neighbours[element + face * elements];
    const Vector normal = {normals[element + face * elements], normals[element + (face + kFaces) * elements],
                           normals[element + (face + 2 * kFaces) * elements]};
    if (neighbour >= 0) {
      const State other = load_state(variables, neighbour, elements);
      const float smoothing = -0.5f * kSmoothing * square_root(dot(normal, normal)) *
                              (own.speed + other.speed + own.sound + other.sound);
      sum.density += smoothing * (own.density - other.density);
      sum.momentum.x += smoothing * (own.momentum.x - other.momentum.x);
      sum.momentum.y += smoothing * (own.momentum.y - other.momentum.y);
      sum.momentum.z += smoothing * (own.momentum.z - other.momentum.z);
      sum.energy += smoothing * (own.energy - other.energy);
      add_flow(&sum, own, normal, 0.5f);
      add_flow(&sum, other, normal, 0.5f);
    } else if (neighbour == kWing) {
      sum.momentum.x += normal.x * own.pressure;
      sum.momentum.y += normal.y * own.pressure;
      sum.momentum.z += normal.z * own.pressure;
    } else {
      add_flow(&sum, own, normal, 0.5f);
      add_flow(&sum, load_state(far, 0, 1), normal, 0.5f);
    }
  }
  fluxes[element] = sum.density;
  fluxes[element + elements] = sum.momentum.x;
  fluxes[element + 2 * elements] = sum.momentum.y;
  fluxes[element + 3 * elements] = sum.momentum.z;
  fluxes[element + 4 * elements] = sum.energy;
}

extern "C" __global__ void time_step(const float* old_variables, const float* step_factors,
                                     const float* fluxes, float* variables, int stages_left, int elements) {
  const int element = global_thread_x();
  const float factor = step_factors[element] / static_cast<float>(stages_left);
#pragma unroll
  for (int k = 0; k < kVariables; ++k) {
    variables[element + k * elements] =
        old_variables[element + k * elements] + factor * fluxes[element + k * elements];
  }
}
