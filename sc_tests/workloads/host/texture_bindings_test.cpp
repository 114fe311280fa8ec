#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "workloads/description/workload_loader.h"
#include "workloads/host/functional_run.h"
#include "workloads/host/host_program.h"

namespace heddle {
namespace {

// copy and copy_object write texel i of the texture `table`, or of the one passed, to element i; shrink
// writes the middle of 2 x 2 texels of `picture`.
constexpr const char* kTextureBindingsPtx = R"(.version 3.2
.target sm_20
.address_size 64
.global .texref table;
.global .texref picture;
.visible .entry copy(.param .u64 copy_0)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [copy_0];
  mov.u32 %r1, %tid.x;
  tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [table, {%r1}];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
.visible .entry copy_object(.param .u64 copy_object_0, .param .u64 copy_object_1)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [copy_object_0];
  ld.param.u64 %rd4, [copy_object_1];
  mov.u32 %r1, %tid.x;
  tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd4, {%r1}];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
.visible .entry shrink(.param .u64 shrink_0)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<6>;
  .reg .f32 %f<9>;
  ld.param.u64 %rd1, [shrink_0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  cvt.rn.f32.u32 %f1, %r1;
  cvt.rn.f32.u32 %f2, %r2;
  fma.rn.f32 %f1, %f1, 0f40000000, 0f3F800000;
  fma.rn.f32 %f2, %f2, 0f40000000, 0f3F800000;
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [picture, {%f1, %f2}];
  mad.lo.u32 %r3, %r2, 3, %r1;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

class TextureBindingsTest : public testing::Test {
 protected:
  TextureBindingsTest() {
    folder_ = std::filesystem::temp_directory_path() / ("heddle_textures_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "k.ptx") << kTextureBindingsPtx;
  }
  ~TextureBindingsTest() override { std::filesystem::remove_all(folder_); }

  /// Buffers a, b (i32, 8 elements: 10, 11, ...; 20, 21, ...), image (f32, 6 x 4, its number) and out; `part`
  /// follows from line 8.
  Workload workload(const std::string& part) const {
    return load_workload_text(
        "ptx: k.ptx\nparameters: {n: 8}\nbuffers:\n  a: {type: i32, count: n, init: {formula: 10 + i}}\n"
        "  b: {type: i32, count: n, init: {formula: 20 + i}}\n"
        "  image: {type: f32, count: 3 * n, init: {formula: i}}\n  out: {type: i32, count: n}\n" +
            part,
        folder_ / "w.yaml");
  }

  std::string error(const std::string& part) const {
    try {
      HostProgram program(workload(part));
      run_functionally(program);
    } catch (const WorkloadError& failure) {
      return std::string(failure.what()).substr(folder_.string().size() + 1);
    }
    return "no error";
  }
  /// Of one texture with a launch that reads it by name.
  std::string texture_error(const std::string& texture) const {
    return error("textures:\n  table: " + texture +
                 "\nlaunches:\n- {kernel: copy, grid: 1, block: 8, args: [out]}\n");
  }

  template <class T>
  static std::vector<T> contents(HostProgram& program, const std::string& buffer, unsigned count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), program.memory().host(program.memory().find(buffer)->address),
                count * sizeof(T));
    return values;
  }

  std::filesystem::path folder_;
};

TEST_F(TextureBindingsTest, AReferenceIsBoundByItsName) {
  HostProgram program(
      workload("textures:\n  table: {buffer: b, memory: linear, width: n - 2}\n"
               "launches:\n- {kernel: copy, grid: 1, block: 8, args: [out]}\n"));
  run_functionally(program);
  EXPECT_EQ(contents<std::int32_t>(program, "out", 8),
            (std::vector<std::int32_t>{20, 21, 22, 23, 24, 25, 0, 0}));
}

TEST_F(TextureBindingsTest, TexturesFollowTheNamesOfBuffers) {
  HostProgram program(
      workload("textures:\n  table: {buffer: a, memory: linear, width: n}\n"
               "launches:\n- swap: [a, b]\n- {kernel: copy, grid: 1, block: 8, args: [out]}\n"));
  run_functionally(program);
  EXPECT_EQ(contents<std::int32_t>(program, "out", 2), (std::vector<std::int32_t>{20, 21}));
}

TEST_F(TextureBindingsTest, ObjectsAreArguments) {
  HostProgram program(
      workload("textures:\n  first: {buffer: a, memory: linear, width: n}\n"
               "  second: {buffer: b, memory: linear, width: n}\n"
               "launches:\n- {kernel: copy_object, grid: 1, block: 8, args: [out, {texture: second}]}\n"
               "- {kernel: copy_object, grid: 1, block: 4, args: [out, {texture: first}]}\n"));
  run_functionally(program);
  EXPECT_EQ(contents<std::int32_t>(program, "out", 8),
            (std::vector<std::int32_t>{10, 11, 12, 13, 24, 25, 26, 27}));
}

TEST_F(TextureBindingsTest, AnArrayIsFilteredAndHasACopyForTheCache) {
  HostProgram program(
      workload("textures:\n  picture: {buffer: image, memory: array, width: 6, height: 4, filter: linear}\n"
               "launches:\n- {kernel: shrink, grid: 1, block: [3, 2], args: [out]}\n"));
  const std::vector<HostCopy> copies = program.take_host_copies();
  const DeviceMemory::Buffer* const copy = program.memory().find("picture (array)");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->bytes, 512U);
  EXPECT_EQ(copies.back().address, copy->address);
  EXPECT_EQ(copies.back().bytes, 512U);
  run_functionally(program);
  EXPECT_EQ(contents<float>(program, "out", 6), (std::vector<float>{3.5F, 5.5F, 7.5F, 15.5F, 17.5F, 19.5F}));
}

TEST_F(TextureBindingsTest, PitchedMemoryHasGapsBetweenRows) {
  HostProgram program(workload(
      "textures:\n  picture: {buffer: image, memory: pitched, width: 4, height: 3, pitch_bytes: 32}\n"
      "launches:\n- {kernel: shrink, grid: 1, block: [2, 1], args: [out]}\n"));
  EXPECT_EQ(program.memory().find("picture (array)"), nullptr);
  run_functionally(program);
  EXPECT_EQ(contents<float>(program, "out", 2), (std::vector<float>{9, 11}));
}

TEST_F(TextureBindingsTest, NamesWhatNoTextureCanBe) {
  EXPECT_EQ(texture_error("{buffer: c, memory: linear, width: 8}"),
            "w.yaml:9:19: unknown buffer 'c' (buffers: a, b, image, out)");
  EXPECT_EQ(texture_error("{buffer: a, memory: tiled, width: 8}"),
            "w.yaml:9:30: texture 'table', memory: unknown 'tiled' (values: array, linear, pitched)");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear}"),
            "w.yaml:9:10: texture 'table': missing key 'width'");
  EXPECT_EQ(
      texture_error("{buffer: a, memory: linear, width: 8, format: f16}"),
      "w.yaml:9:56: texture 'table', format: found 'f16', expected f32, u8, i8, u16, i16, u32 or i32, alone "
      "or followed by x2 or x4");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: 8, format: u8x3}").substr(0, 57),
            "w.yaml:9:56: texture 'table', format: found 'u8x3', expec");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: 8, height: 2}"),
            "w.yaml:9:56: texture 'table', height: linear memory has 1 dimensions at most");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 2, depth: 2}"),
            "w.yaml:9:54: texture 'table', depth: found it without height");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 2, pitch_bytes: 32}"),
            "w.yaml:9:60: texture 'table', pitch_bytes: found it with array memory, expected pitched");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: 8, filter: linear}"),
            "w.yaml:9:56: texture 'table', filter: linear memory has no filter, expected pitched memory or "
            "an array");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 8, filter: linear}"),
            "w.yaml:9:55: texture 'table', filter: the linear filter needs a format of f32 or `read: "
            "normalized_float`");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: 8, normalized: true}"),
            "w.yaml:9:60: texture 'table', normalized: linear memory has integer coordinates");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: 8, address: clamp}"),
            "w.yaml:9:57: texture 'table', address: linear memory has no address mode: what lies beyond it "
            "reads as "
            "zeros");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 8, address: wrap}"),
            "w.yaml:9:56: texture 'table', address: wrap and mirror need `normalized: true`");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 8, address: [clamp, clamp]}"),
            "w.yaml:9:56: texture 'table', address: found 2 modes, expected one or 1");
  EXPECT_EQ(
      texture_error("{buffer: a, memory: array, width: 8, address: clam}"),
      "w.yaml:9:56: texture 'table', address: unknown 'clam'; did you mean 'clamp'? (values: border, clamp, "
      "mirror, wrap)");
  EXPECT_EQ(
      texture_error("{buffer: a, memory: linear, width: 8, read: normalized_float}"),
      "w.yaml:9:54: texture 'table', read: normalized_float needs a format of 8 or 16 bits a component");
}

TEST_F(TextureBindingsTest, NamesSizesThatDoNotFit) {
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: n + 1}"),
            "w.yaml:9:10: texture 'table': takes 36 bytes, but buffer 'a' has 32");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: n, format: i32x2}"),
            "w.yaml:9:10: texture 'table': takes 64 bytes, but buffer 'a' has 32");
  EXPECT_EQ(texture_error("{buffer: a, memory: linear, width: 0}"),
            "w.yaml:9:45: width of texture 'table' is 0, expected 1..134217728");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 65537}"),
            "w.yaml:9:44: width of texture 'table' is 65537, expected 1..65536");
  EXPECT_EQ(texture_error("{buffer: a, memory: array, width: 1, height: 1, depth: 2049}"),
            "w.yaml:9:65: depth of texture 'table' is 2049, expected 1..2048");
  EXPECT_EQ(texture_error("{buffer: a, memory: pitched, width: 2, height: 2, pitch_bytes: 16}"),
            "w.yaml:9:73: pitch_bytes of texture 'table' is 16, expected a multiple of 32");
  EXPECT_EQ(texture_error("{buffer: a, memory: pitched, width: 2, height: 2}"),
            "w.yaml:9:10: pitch_bytes of texture 'table' is 8, expected a multiple of 32");
}

TEST_F(TextureBindingsTest, NamesWhatAKernelCanNotRead) {
  const std::string launch = "launches:\n- {kernel: copy, grid: 1, block: 8, args: [out]}\n";
  const std::string fetch = "by 'tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [table, {%r1}]' (" +
                            (folder_ / "k.ptx").string() + ":12): ";
  EXPECT_EQ(error(launch), "w.yaml:9:3: kernel 'copy' can't read texture 'table' " + fetch +
                               "it is not bound, expected it in `textures`");
  EXPECT_EQ(error("textures:\n  table: {buffer: image, memory: linear, width: 8}\n" + launch),
            "w.yaml:11:3: kernel 'copy' can't read texture 'table' " + fetch +
                "the texture is read as floats, expected integers for .s32");
  EXPECT_EQ(error("textures:\n  tabel: {buffer: a, memory: linear, width: 8}\n" + launch),
            "w.yaml:9:10: texture 'tabel': " + (folder_ / "k.ptx").string() +
                " has no texture reference of this name; did you mean 'table'?, and no argument is {texture: "
                "tabel}");
  EXPECT_EQ(error("textures:\n  table: {buffer: a, memory: linear, width: 8}\n"
                  "launches:\n- {kernel: copy, grid: 1, block: 8, args: [{texture: tabel}]}\n"),
            "w.yaml:11:54: unknown texture 'tabel'; did you mean 'table'? (textures: table)");
}

}  // namespace
}  // namespace heddle
