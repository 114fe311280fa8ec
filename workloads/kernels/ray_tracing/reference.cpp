#include <cmath>
#include <limits>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

namespace {

/// Operations and their order are the kernel's, so that pixels at rims agree, too.
struct Vector {
  float x;
  float y;
  float z;
};

float dot(const Vector& a, const Vector& b) { return std::fma(a.x, b.x, std::fma(a.y, b.y, a.z * b.z)); }

Vector along(const Vector& a, float t, const Vector& b) {
  return {std::fma(t, b.x, a.x), std::fma(t, b.y, a.y), std::fma(t, b.z, a.z)};
}

Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

struct Ray {
  Vector from;
  Vector towards;
};

constexpr float kNone = std::numeric_limits<float>::infinity();

class Scene {
 public:
  explicit Scene(const View<float>& numbers) : numbers_(numbers) {}

  Vector centre(std::size_t sphere) const {
    return {numbers_[4 * sphere], numbers_[4 * sphere + 1], numbers_[4 * sphere + 2]};
  }
  float entry(std::size_t sphere, const Ray& ray) const {
    const float radius = numbers_[4 * sphere + 3];
    const Vector offset = ray.from - centre(sphere);
    const float a = dot(ray.towards, ray.towards);
    const float b = dot(offset, ray.towards);
    const float c = std::fma(-radius, radius, dot(offset, offset));
    const float product = a * c;
    const float discriminant = std::fma(b, b, -product);
    if (!(discriminant > 0)) return kNone;
    const float t = (-b - std::sqrt(discriminant)) / a;
    return t > 0.001F ? t : kNone;
  }
  std::size_t spheres() const { return numbers_.size / 4; }
  /// The nearest; spheres(): none.
  std::size_t first_met(const Ray& ray, float& distance) const {
    std::size_t met = spheres();
    distance = kNone;
    for (std::size_t s = 0; s < spheres(); ++s) {
      const float t = entry(s, ray);
      if (t < distance) {
        distance = t;
        met = s;
      }
    }
    return met;
  }
  bool is_lit(const Ray& to_lamp) const {
    for (std::size_t s = 0; s < spheres(); ++s) {
      if (entry(s, to_lamp) < 1) return false;
    }
    return true;
  }

 private:
  const View<float>& numbers_;
};

float brightness_of(const Scene& scene, Ray ray, std::size_t most_bounces) {
  const Vector lamp{-4, 6, -6};
  float brightness = 0;
  float share = 1;
  for (std::size_t bounce = 0; bounce < most_bounces; ++bounce) {
    float distance = 0;
    const std::size_t met = scene.first_met(ray, distance);
    if (met == scene.spheres()) break;
    ray.from = along(ray.from, distance, ray.towards);
    const Vector outward = ray.from - scene.centre(met);
    const Vector to_lamp = lamp - ray.from;
    const float towards_lamp = dot(outward, to_lamp);
    if (towards_lamp > 0 && scene.is_lit({ray.from, to_lamp})) {
      const float product = dot(outward, outward) * dot(to_lamp, to_lamp);
      brightness = std::fma(share, towards_lamp / std::sqrt(product), brightness);
    }
    share *= 0.5F;
    const float turn = -2 * (dot(ray.towards, outward) / dot(outward, outward));
    ray.towards = along(ray.towards, turn, outward);
  }
  return brightness;
}

}  // namespace

void ray_tracing(ReferenceMemory& memory);

void ray_tracing(ReferenceMemory& memory) {
  const auto numbers = memory.view<float>("spheres");
  const auto image = memory.view<float>("image");
  const std::size_t width = memory.positive("width");
  const std::size_t most_bounces = memory.size("most_bounces");
  const Scene scene(numbers);
  const float pixel = 2.0F / static_cast<float>(width);
  for (std::size_t i = 0; i < image.size; ++i) {
    const auto column = static_cast<float>(i % width);
    const auto row = static_cast<float>(i / width);
    image[i] = brightness_of(
        scene, {{0, 0, -5}, {std::fma(pixel, column, -1.0F), std::fma(pixel, row, -1.0F), 1.5F}},
        most_bounces);
  }
}

}  // namespace heddle::references
