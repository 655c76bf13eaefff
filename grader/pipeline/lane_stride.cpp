#include "grader/pipeline/lane_stride.h"

#include <algorithm>
#include <map>

namespace histolab::grader {

std::optional<std::int64_t> lane_stride(const std::vector<kernels::RecordedAccess>& accesses,
                                        int line, kernels::Operation operation) {
  // The share of neighbours that must agree. A few differ at the end of the data.
  constexpr double most = 0.75;
  std::map<std::int64_t, std::uint64_t> pairs_at;
  std::uint64_t pairs = 0;
  for (const kernels::RecordedAccess& access : accesses) {
    if (access.line != line || access.operation != operation ||
        access.space != kernels::Space::global)
      continue;
    const std::uint32_t both = access.active & access.active >> 1;
    for (std::size_t lane = 0; lane + 1 < access.offset.size(); ++lane) {
      if ((both >> lane & 1) == 0) continue;
      ++pairs_at[std::int64_t{access.offset[lane + 1]} - std::int64_t{access.offset[lane]}];
      ++pairs;
    }
  }
  const auto usual =
      std::max_element(pairs_at.begin(), pairs_at.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (usual == pairs_at.end() ||
      static_cast<double>(usual->second) < most * static_cast<double>(pairs))
    return std::nullopt;
  return usual->first;
}

}  // namespace histolab::grader
