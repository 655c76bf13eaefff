// The cases of the benchmark: a case is one input and one way of binning it; its rows are the
// kernels that count it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda::bench {

// letters: a-d, e-h, ..., 7 bins of one-byte samples; even: the whole range of the type in equal bins; uneven: bin k of
// n ends at ((k + 1) / n)^2 of the range, so that the first bins are narrow.
enum class Layout { letters, even, uneven };

struct Case {
  Layout layout = Layout::even;
  SampleType type = SampleType::u8;
  std::string dataset;
  unsigned bins = 256;
  std::size_t length = 0;

  bool operator==(const Case&) const = default;
};

// Empty lists select everything.
struct Selection {
  std::vector<std::string> kernels, datasets, layouts;
  std::vector<unsigned> bins, sample_bytes;
  std::vector<std::size_t> lengths;
};

// "limits": one-byte samples, 7 letter bins and 256, 2^28 and 2^30 of them; "map": every width, 2 to 65 536 bins, even
// and uneven, 2^30; "all": both; "envelope": 2^10 to 2^30 samples of some widths, bins and datasets. A list of bins or lengths in the selection replaces the set's own, and datasets hot:P are
// added for one-byte samples in letter and even bins. No case comes twice.
[[nodiscard]] std::vector<Case> cases_of(const std::string& set, const Selection& selection);

[[nodiscard]] std::string name_of(Layout layout);

// dataset, layout, bins, sample_bytes, length: a row's description of its case.
[[nodiscard]] nlohmann::ordered_json describe(const Case& c);

// The levels of an uneven case, on the host; empty for even ones.
[[nodiscard]] std::vector<std::uint32_t> levels_of(const Case& c);
// The bins of the case; `levels` is where its levels are in device memory.
[[nodiscard]] Bins bins_of(const Case& c, const std::uint32_t* levels);

}  // namespace histolab::kernels::cuda::bench
