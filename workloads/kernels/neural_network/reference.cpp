#include <cmath>
#include <string>

#include "workloads/checks/reference_memory.h"

namespace heddle::references {

void neural_network(ReferenceMemory& memory);

namespace {

double squash(double x) { return 1.7159 * std::tanh(2.0 / 3.0 * x); }

struct Shape {
  std::size_t maps;
  std::size_t side;
};

// Every map of `to` sees a window of `window` x `window` in each map of `from`.
void layer(const View<float>& in, const View<float>& weights, const View<float>& out, Shape from, Shape to,
           std::size_t window, std::size_t images) {
  const std::size_t step = to.side == 1 ? 0 : 2;
  std::size_t at = 0;
  for (std::size_t image = 0; image < images; ++image) {
    for (std::size_t map = 0; map < to.maps; ++map) {
      const std::size_t own = map * (1 + from.maps * window * window);
      for (std::size_t y = 0; y < to.side; ++y) {
        for (std::size_t x = 0; x < to.side; ++x) {
          double sum = weights[own];
          std::size_t weight = own;
          for (std::size_t m = 0; m < from.maps; ++m) {
            for (std::size_t dy = 0; dy < window; ++dy) {
              for (std::size_t dx = 0; dx < window; ++dx) {
                const std::size_t row = (image * from.maps + m) * from.side + step * y + dy;
                sum += double{in[row * from.side + step * x + dx]} * weights[++weight];
              }
            }
          }
          out[at++] = static_cast<float>(squash(sum));
        }
      }
    }
  }
}

}  // namespace

void neural_network(ReferenceMemory& memory) {
  const std::size_t images = memory.positive("pictures");
  const auto view = [&](const char* name) { return memory.view<float>(name); };
  layer(view("images"), view("weights1"), view("layer1"), {1, 29}, {6, 13}, 5, images);
  layer(view("layer1"), view("weights2"), view("layer2"), {6, 13}, {50, 5}, 5, images);
  layer(view("layer2"), view("weights3"), view("layer3"), {50, 5}, {100, 1}, 5, images);
  layer(view("layer3"), view("weights4"), view("layer4"), {100, 1}, {10, 1}, 1, images);
}

}  // namespace heddle::references
