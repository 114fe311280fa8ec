// Texture references as nvcc made them for Fermi: names that tex instructions hold themselves. For clang only
// (its inline PTX passes names on); what a name is bound to stands in the workload's `textures`.
//
//   TEXTURE_REFERENCE(picture);                         // outside of functions
//   TexelF32 t = sample_2d_f32(picture, x + 0.5f, y + 0.5f);
//
// fetch_1d_TYPE reads element i of linear memory; sample_... take float coordinates, one texel and half a texel
// being 1 and 0.5 unless coordinates are normalised. TYPE is f32 (float formats, and integer ones that are read
// as normalised floats), s32 or u32 (signed or unsigned integer formats). Components that a format doesn't have
// are 0, and 1 in w.
#pragma once

struct TexelF32 {
  float x, y, z, w;
};
struct TexelS32 {
  int x, y, z, w;
};
struct TexelU32 {
  unsigned x, y, z, w;
};

// What clang takes for a texture reference must look like CUDA's class; nothing reads its arguments.
enum TextureReadMode { kElementType };
template <class Texel, int kDimensions, TextureReadMode kReadMode>
struct __attribute__((device_builtin_texture_type)) TextureReference {
  int unused;
};
#define TEXTURE_REFERENCE(name) __device__ TextureReference<float, 1, kElementType> name

#define HEDDLE_TEX_1D(TEXEL, code, constraint, type, name, a)                                               \
  ({                                                                                                        \
    TEXEL heddle_texel;                                                                                     \
    asm("tex.1d.v4." type " {%0, %1, %2, %3}, [" #name ", {%4}];"                                           \
        : "=" code(heddle_texel.x), "=" code(heddle_texel.y), "=" code(heddle_texel.z),                     \
          "=" code(heddle_texel.w)                                                                          \
        : constraint(a));                                                                                   \
    heddle_texel;                                                                                           \
  })
#define HEDDLE_TEX_2D(TEXEL, code, constraint, type, name, a, b)                                            \
  ({                                                                                                        \
    TEXEL heddle_texel;                                                                                     \
    asm("tex.2d.v4." type " {%0, %1, %2, %3}, [" #name ", {%4, %5}];"                                       \
        : "=" code(heddle_texel.x), "=" code(heddle_texel.y), "=" code(heddle_texel.z),                     \
          "=" code(heddle_texel.w)                                                                          \
        : constraint(a), constraint(b));                                                                    \
    heddle_texel;                                                                                           \
  })
#define HEDDLE_TEX_3D(TEXEL, code, constraint, type, name, a, b, c)                                         \
  ({                                                                                                        \
    TEXEL heddle_texel;                                                                                     \
    asm("tex.3d.v4." type " {%0, %1, %2, %3}, [" #name ", {%4, %5, %6, %6}];"                               \
        : "=" code(heddle_texel.x), "=" code(heddle_texel.y), "=" code(heddle_texel.z),                     \
          "=" code(heddle_texel.w)                                                                          \
        : constraint(a), constraint(b), constraint(c));                                                     \
    heddle_texel;                                                                                           \
  })

#define fetch_1d_f32(name, i) HEDDLE_TEX_1D(TexelF32, "f", "r", "f32.s32", name, i)
#define fetch_1d_s32(name, i) HEDDLE_TEX_1D(TexelS32, "r", "r", "s32.s32", name, i)
#define fetch_1d_u32(name, i) HEDDLE_TEX_1D(TexelU32, "r", "r", "u32.s32", name, i)
#define sample_1d_f32(name, x) HEDDLE_TEX_1D(TexelF32, "f", "f", "f32.f32", name, x)
#define sample_2d_f32(name, x, y) HEDDLE_TEX_2D(TexelF32, "f", "f", "f32.f32", name, x, y)
#define sample_2d_s32(name, x, y) HEDDLE_TEX_2D(TexelS32, "r", "f", "s32.f32", name, x, y)
#define sample_2d_u32(name, x, y) HEDDLE_TEX_2D(TexelU32, "r", "f", "u32.f32", name, x, y)
#define sample_3d_f32(name, x, y, z) HEDDLE_TEX_3D(TexelF32, "f", "f", "f32.f32", name, x, y, z)
