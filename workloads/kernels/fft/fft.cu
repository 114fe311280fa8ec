#include "../cuda_subset.h"

constexpr int kPoints = 256;
constexpr int kThreads = kPoints / 2;

struct __attribute__((aligned(8))) Complex {
  float real;
  float imaginary;
};

static __device__ __forceinline__ float approx_sine(float x) {
  float result;
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

static __device__ __forceinline__ float approx_cosine(float x) {
  float result;
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// Fourier transforms of 256 complex numbers each, one a thread block, in place: eight rounds in which a
// thread turns and adds two numbers and all threads exchange theirs through shared memory. Shape: Parboil's
// FFT of radix 2.
extern "C" __global__ void fft(Complex* data) {
  __shared__ float real[kPoints];
  __shared__ float imaginary[kPoints];
  const int thread = static_cast<int>(threadIdx.x);
  Complex* own = data + static_cast<int>(blockIdx.x) * kPoints;
  Complex a = own[thread];
  Complex b = own[thread + kThreads];
#pragma unroll
  for (int done = 1; done < kPoints; done *= 2) {  // transforms of so many points are complete
    const int place = thread % done;
    const float angle = -3.14159265f * static_cast<float>(place) / static_cast<float>(done);
    const float cosine = approx_cosine(angle);
    const float sine = approx_sine(angle);
    const Complex turned = {b.real * cosine - b.imaginary * sine, b.real * sine + b.imaginary * cosine};
    const int to = thread / done * done * 2 + place;
    __syncthreads();
    real[to] = a.real + turned.real;
    imaginary[to] = a.imaginary + turned.imaginary;
    real[to + done] = a.real - turned.real;
    imaginary[to + done] = a.imaginary - turned.imaginary;
    __syncthreads();
    a.real = real[thread];
    a.imaginary = imaginary[thread];
    b.real = real[thread + kThreads];
    b.imaginary = imaginary[thread + kThreads];
  }
  own[thread] = a;
  own[thread + kThreads] = b;
}
