#include "viewer/model/measurements.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "viewer/model/json_access.h"

namespace histolab::viewer {

const BenchRow* Bench::find(std::string_view kernel, std::string_view dataset,
                            std::string_view layout, std::size_t bins,
                            std::uint32_t sample_bytes) const {
  const BenchRow* longest = nullptr;
  for (const BenchRow& row : rows)
    if (row.kernel == kernel && row.dataset == dataset && row.layout == layout &&
        row.bins == bins && row.sample_bytes == sample_bytes &&
        (longest == nullptr || row.length > longest->length))
      longest = &row;
  return longest;
}

MeasuredLimits limits_in(const std::vector<Bench>& benches, std::string_view dataset,
                         std::string_view domain, std::size_t bins) {
  if (benches.empty()) return {};
  const std::uint32_t sample_bytes = domain == "shorts" ? 2 : 1;
  MeasuredLimits limits{benches.front().device,
                        benches.front().read_limit_gb_per_s * 1e9 / sample_bytes};
  for (const Bench& bench : benches) {
    const BenchRow* const cub =
        bench.find("cub", dataset, domain == "letters" ? "letters" : "even", bins, sample_bytes);
    if (limits.cub == 0 && cub != nullptr && bench.device == limits.device)
      limits.cub = cub->elements_per_s;
  }
  return limits;
}

std::optional<Bench> bench_in(const Json& json) {
  const Json& rows = at(json, "rows");
  if (!rows.is_array() || rows.empty() || !at(json, "read_limit_gb_per_s").is_number() ||
      !at(rows[0], "layout").is_string())
    return {};
  Bench bench{
      text(json, "device"), text(json, "date"), number<double>(json, "read_limit_gb_per_s"), {}};
  for (const Json& row : rows) {
    const Json& verified = at(row, "verified");
    bench.rows.push_back(
        {text(row, "kernel"), text(row, "dataset"), text(row, "layout"),
         number<std::uint32_t>(row, "bins"), number<std::uint32_t>(row, "sample_bytes", 1),
         number<std::uint64_t>(row, "length"), number<double>(row, "elements_per_s"),
         !verified.is_boolean() || verified.get<bool>()});
  }
  return bench;
}

std::vector<Bench> read_benches(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files{"bench.json"};
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder, failure})
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin() + 1, files.end());
  std::vector<Bench> benches;
  for (const std::string& file : files) {
    std::ifstream in{file};
    if (!in) continue;
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (std::optional<Bench> bench = bench_in(parsed(text))) benches.push_back(std::move(*bench));
  }
  return benches;
}

}  // namespace histolab::viewer
