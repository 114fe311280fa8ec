#include "workloads/checks/references.h"

#include <array>

namespace heddle {

namespace references {
// One per folder of workloads/kernels/, in its reference.cpp.
void atax(ReferenceMemory& memory);
void bfs(ReferenceMemory& memory);
void bicg(ReferenceMemory& memory);
void bitonic_sort(ReferenceMemory& memory);
void black_scholes(ReferenceMemory& memory);
void histogram(ReferenceMemory& memory);
void hotspot(ReferenceMemory& memory);
void kmeans(ReferenceMemory& memory);
void long_warp(ReferenceMemory& memory);
void matrix_fragments(ReferenceMemory& memory);
void matrix_multiply(ReferenceMemory& memory);
void mvt(ReferenceMemory& memory);
void pathfinder(ReferenceMemory& memory);
void rays(ReferenceMemory& memory);
void scalar_product(ReferenceMemory& memory);
void spmv(ReferenceMemory& memory);
void stencil(ReferenceMemory& memory);
void syrk(ReferenceMemory& memory);
void vector_add(ReferenceMemory& memory);
}  // namespace references

namespace {

struct Row {
  const char* name;
  Reference reference;
};

constexpr std::array<Row, 19> kReferences = {{{"atax", references::atax},
                                              {"bfs", references::bfs},
                                              {"bicg", references::bicg},
                                              {"bitonic_sort", references::bitonic_sort},
                                              {"black_scholes", references::black_scholes},
                                              {"histogram", references::histogram},
                                              {"hotspot", references::hotspot},
                                              {"kmeans", references::kmeans},
                                              {"long_warp", references::long_warp},
                                              {"matrix_fragments", references::matrix_fragments},
                                              {"matrix_multiply", references::matrix_multiply},
                                              {"mvt", references::mvt},
                                              {"pathfinder", references::pathfinder},
                                              {"rays", references::rays},
                                              {"scalar_product", references::scalar_product},
                                              {"spmv", references::spmv},
                                              {"stencil", references::stencil},
                                              {"syrk", references::syrk},
                                              {"vector_add", references::vector_add}}};

}  // namespace

Reference find_reference(const std::string& name) {
  for (const Row& row : kReferences) {
    if (name == row.name) {
      return row.reference;
    }
  }
  return nullptr;
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  names.reserve(kReferences.size());
  for (const Row& row : kReferences) {
    names.emplace_back(row.name);
  }
  return names;
}

}  // namespace heddle
