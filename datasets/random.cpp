#include "datasets/random.h"

#include <cassert>
#include <cstddef>
#include <vector>

namespace histolab::datasets {

template <unsigned outcome_bits>
Weighted<outcome_bits>::Weighted(std::span<const std::uint64_t> weights) {
  assert(weights.size() <= outcomes);
  std::uint64_t column = 0;  // what each column holds, when every weight counts as often as there are columns
  for (const std::uint64_t weight : weights) column += weight;
  assert(column > 0 && column < std::uint64_t{1} << (outcome_bits == 8 ? 40 : 47));

  std::vector<std::uint64_t> left(outcomes);
  for (std::size_t i = 0; i < weights.size(); ++i) left[i] = weights[i] * outcomes;

  // In integers the donors give exactly what the others lack: both lists end together, every column full.
  std::vector<std::size_t> lacking, donors;
  for (std::size_t i = 0; i < outcomes; ++i) {
    columns_[i] = static_cast<std::uint32_t>(i);  // its own alias: right for a column that is full
    if (left[i] != column) (left[i] < column ? lacking : donors).push_back(i);
  }
  while (!lacking.empty()) {
    assert(!donors.empty());
    const std::size_t poor = lacking.back(), rich = donors.back();
    lacking.pop_back();
    columns_[poor] = static_cast<std::uint32_t>((left[poor] << share_bits) / column << outcome_bits | rich);
    left[rich] -= column - left[poor];
    if (left[rich] > column) continue;
    donors.pop_back();
    if (left[rich] < column) lacking.push_back(rich);
  }
}

template class Weighted<8>;
template class Weighted<16>;

}  // namespace histolab::datasets
