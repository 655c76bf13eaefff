// The cases of the benchmark: a case is one input and one way of binning it; its rows are the
// kernels that count it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda::bench {

// letters: a-d, e-h, ..., 7 bins of one-byte samples. even: equal bins over the whole range of the
// type. uneven: bin k of n ends at ((k + 1) / n)^2 of the range, so the first bins are narrow.
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

// Returns the cases of a set, without duplicates:
//  - "limits": one-byte samples, 7 letter bins and 256 bins, 2^28 and 2^30 samples;
//  - "map": every width, 2 to 65 536 bins, even and uneven, 2^30 samples;
//  - "all": both;
//  - "envelope": 2^10 to 2^30 samples of some widths, bins and datasets.
// Lists in the selection restrict the set. A list of lengths replaces the set's lengths; so does a
// list of bins in "map". Datasets hot:P in the selection are added for one-byte samples in letter
// and even bins.
[[nodiscard]] std::vector<Case> cases_of(const std::string& set, const Selection& selection);

[[nodiscard]] std::string name_of(Layout layout);

// Returns a row's description of its case: dataset, layout, bins, sample_bytes, length.
[[nodiscard]] nlohmann::ordered_json describe(const Case& c);

// Returns the levels of a case with letter or uneven bins, on the host; empty for even bins.
[[nodiscard]] std::vector<std::uint32_t> levels_of(const Case& c);
// Returns the bins of the case. `levels` is the address of its levels in device memory.
[[nodiscard]] Bins bins_of(const Case& c, const std::uint32_t* levels);

}  // namespace histolab::kernels::cuda::bench
