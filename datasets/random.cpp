#include "datasets/random.h"

#include <cassert>
#include <cstddef>
#include <vector>

namespace histolab::datasets {

Weighted::Weighted(std::span<const std::uint64_t> weights) {
  assert(weights.size() <= 256);
  std::uint64_t column = 0;  // what each of the 256 columns holds, when every weight counts 256 times
  for (const std::uint64_t weight : weights) column += weight;
  assert(column > 0 && column < std::uint64_t{1} << 40);

  std::array<std::uint64_t, 256> left{};
  for (std::size_t i = 0; i < weights.size(); ++i) left[i] = weights[i] * 256;

  // In integers the donors give exactly what the others lack: both lists end together, every column full.
  std::vector<std::size_t> lacking, donors;
  for (std::size_t i = 0; i < 256; ++i) {
    columns_[i] = static_cast<std::uint32_t>(i);  // its own alias: right for a column that is full
    if (left[i] != column) (left[i] < column ? lacking : donors).push_back(i);
  }
  while (!lacking.empty()) {
    assert(!donors.empty());
    const std::size_t poor = lacking.back(), rich = donors.back();
    lacking.pop_back();
    columns_[poor] = static_cast<std::uint32_t>((left[poor] << 24) / column << 8 | rich);
    left[rich] -= column - left[poor];
    if (left[rich] > column) continue;
    donors.pop_back();
    if (left[rich] < column) lacking.push_back(rich);
  }
}

}  // namespace histolab::datasets
