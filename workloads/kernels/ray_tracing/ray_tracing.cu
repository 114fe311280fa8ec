#include "../cuda_subset.h"

constexpr int kMostSpheres = 64;
constexpr float kFar = 1.0e30f;
constexpr float kNear = 0.001f;  // of a surface: that close a ray does not meet it again

// Rounded one by one, so that a compiler fuses nothing: which sphere a ray meets must not depend on it.
static __device__ __forceinline__ float add(float a, float b) {
  float sum;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
  return sum;
}
static __device__ __forceinline__ float multiply(float a, float b) {
  float product;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  return product;
}
static __device__ __forceinline__ float multiply_add(float a, float b, float c) {
  float result;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(c));
  return result;
}
static __device__ __forceinline__ float square_root(float a) {
  float root;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(a));
  return root;
}

struct Vector {
  float x;
  float y;
  float z;
};

static __device__ __forceinline__ float dot(const Vector& a, const Vector& b) {
  return multiply_add(a.x, b.x, multiply_add(a.y, b.y, multiply(a.z, b.z)));
}
// a + t b
static __device__ __forceinline__ Vector along(const Vector& a, float t, const Vector& b) {
  return {multiply_add(t, b.x, a.x), multiply_add(t, b.y, a.y), multiply_add(t, b.z, a.z)};
}
static __device__ __forceinline__ Vector difference(const Vector& a, const Vector& b) {
  return {add(a.x, -b.x), add(a.y, -b.y), add(a.z, -b.z)};
}

struct Sphere {
  Vector centre;
  float radius;
};

__constant__ Sphere c_spheres[kMostSpheres];

// How far along `towards` from `from` a ray enters the sphere; kFar: it does not.
static __device__ __forceinline__ float distance_to(const Sphere& sphere, const Vector& from, const Vector& towards) {
  const Vector offset = difference(from, sphere.centre);
  const float a = dot(towards, towards);
  const float b = dot(offset, towards);
  const float c = multiply_add(-sphere.radius, sphere.radius, dot(offset, offset));
  const float discriminant = multiply_add(b, b, -multiply(a, c));
  if (!(discriminant > 0.0f)) {
    return kFar;
  }
  const float t = add(-b, -square_root(discriminant)) / a;
  return t > kNear ? t : kFar;
}

// Renders mirrors and a lamp, a pixel per thread: a ray goes from sphere to sphere as long as it meets one, and
// from each it is looked whether another stands before the lamp. Rays of a warp end unequally soon. Shape: the
// ray tracers of ERCBench and of GPGPU-Sim's suite, in TBs of 128 threads.
extern "C" __global__ void ray_tracing(float* image, int width, float pixel, int spheres, int most_bounces) {
  const int column = global_thread_x();
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const Vector lamp = {-4.0f, 6.0f, -6.0f};
  Vector from = {0.0f, 0.0f, -5.0f};
  Vector towards = {multiply_add(pixel, static_cast<float>(column), -1.0f),
                    multiply_add(pixel, static_cast<float>(row), -1.0f), 1.5f};
  float brightness = 0.0f;
  float share = 1.0f;
#pragma unroll 1
  for (int bounce = 0; bounce < most_bounces; ++bounce) {
    float nearest = kFar;
    int met = 0;
#pragma unroll 1
    for (int s = 0; s < spheres; ++s) {
      const float t = distance_to(c_spheres[s], from, towards);
      if (t < nearest) {
        nearest = t;
        met = s;
      }
    }
    if (nearest == kFar) {
      break;
    }
    from = along(from, nearest, towards);
    const Vector outward = difference(from, c_spheres[met].centre);
    const Vector to_lamp = difference(lamp, from);
    bool lit = dot(outward, to_lamp) > 0.0f;
#pragma unroll 1
    for (int s = 0; lit && s < spheres; ++s) {
      lit = !(distance_to(c_spheres[s], from, to_lamp) < 1.0f);
    }
    if (lit) {
      const float lengths = square_root(multiply(dot(outward, outward), dot(to_lamp, to_lamp)));
      brightness = multiply_add(share, dot(outward, to_lamp) / lengths, brightness);
    }
    share = multiply(share, 0.5f);
    towards = along(towards, multiply(-2.0f, dot(towards, outward) / dot(outward, outward)), outward);
  }
  image[row * width + column] = brightness;
}
