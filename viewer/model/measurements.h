// Measurements: what kernels were measured to do on a GPU: the files of `histolab bench` in
// docs/measurements, and a bench.json of the current folder, which comes first: it is of the GPU
// that is here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::viewer {

// One kernel on one dataset. Rates are of elements (samples) a second, medians.
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

  // The longest row of a kernel; nullptr: it was not measured.
  [[nodiscard]] const BenchRow* find(std::string_view kernel, std::string_view dataset,
                                     std::string_view layout, std::size_t bins,
                                     std::uint32_t sample_bytes) const;
};

// What bounds a histogram of a launch's data: reading them, and CUB's histogram of as many bins. Of
// one GPU, the nearest bench's.
struct MeasuredLimits {
  std::string device;
  double read = 0, cub = 0;  // elements a second; 0: not measured
};
// `domain`: the samples', as the stream has it.
[[nodiscard]] MeasuredLimits limits_in(const std::vector<Bench>& benches, std::string_view dataset,
                                       std::string_view domain, std::size_t bins);

[[nodiscard]] std::optional<Bench> bench_in(
    const nlohmann::json& json);  // nullopt: it is something else
[[nodiscard]] std::vector<Bench> read_benches(const std::string& folder);

}  // namespace histolab::viewer
