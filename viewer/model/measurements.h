// Measurements: rates of kernels measured on a GPU. They are the files of `histolab bench` in
// docs/measurements, and bench.json in the current folder. The latter comes first, because it
// describes the user's own GPU.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::viewer {

// One kernel on one dataset. Rates are medians, in elements (samples) per second.
struct BenchRow {
  std::string kernel, dataset, layout;
  std::uint32_t bins = 0, sample_bytes = 1;
  std::uint64_t length = 0;
  double elements_per_s = 0;
  bool verified = true;
};

struct Bench {
  std::string device, date;
  double read_limit_gb_per_s = 0;
  std::vector<BenchRow> rows;

  // Returns the kernel's row with the most elements, or nullptr if the kernel was not measured.
  [[nodiscard]] const BenchRow* find(std::string_view kernel, std::string_view dataset,
                                     std::string_view layout, std::size_t bins,
                                     std::uint32_t sample_bytes) const;
};

// Measured limits for a histogram of a launch's data: the read bandwidth, and CUB's histogram with
// the same number of bins. Both come from one GPU, that of the first matching bench.
struct MeasuredLimits {
  std::string device;
  double read = 0, cub = 0;  // elements per second; 0 if not measured
};
// `domain`: the domain of the samples, as named in the stream.
[[nodiscard]] MeasuredLimits limits_in(const std::vector<Bench>& benches, std::string_view dataset,
                                       std::string_view domain, std::size_t bins);

// Returns nullopt if `json` is not a benchmark.
[[nodiscard]] std::optional<Bench> bench_in(const nlohmann::json& json);
[[nodiscard]] std::vector<Bench> read_benches(const std::string& folder);

}  // namespace histolab::viewer
