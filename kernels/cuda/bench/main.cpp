// histolab-bench: measures kernels x datasets x bins x lengths, and compares them with the read
// limit of the same run and with CUB.
//
// stdout has only JSON, one object per line: first a description of the device and its limits, then
// each row when it is finished.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>

#include "datasets/datasets.h"
#include "kernels/cuda/bench/aliased.h"
#include "kernels/cuda/bench/contenders.h"
#include "kernels/cuda/bench/data.h"
#include "kernels/cuda/bench/rows.h"
#include "kernels/cuda/bench/timing.h"
#include "kernels/cuda/reference_count.h"
#include "reference/statistics.h"

namespace histolab::kernels::cuda::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string set = "limits", skip;
  std::vector<std::string> labs;
  Selection selection;
  unsigned runs = 9;
  std::uint64_t seed = 1;
  int device = 0;
  bool list = false;
};

void print(Json line) {
  for (auto& value : line) {
    if (value.is_number_float()) value = reference::six_digits(value);
    if (value.is_array() && !value.empty() && value.front().is_number_float())
      for (auto& sample : value) sample = reference::six_digits(sample);
  }
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), facts_(gpu::use_gpu(options.device)), timer_(facts_) {}

  void run(const std::vector<Case>& cases) {
    const std::set<std::string> done =
        options_.skip.empty() ? std::set<std::string>{} : rows_in(options_.skip);
    std::size_t most = std::size_t{1} << 30;
    for (const Case& c : cases) most = std::max(most, c.length * bytes_of(c.type));
    data_ = gpu::DeviceMemory(most + unit);
    aliased_.emplace(options_.device, most + unit, in_l2);
    levels_ = gpu::DeviceMemory((max_bins + 1) * sizeof(std::uint32_t));
    reference_ = gpu::DeviceMemory(max_bins * sizeof(Count));
    gpu::check(cudaMemset(data_.as(), 0x3c, data_.bytes()), "fill memory");
    print(header());
    for (const Case& c : cases) run(c, done);
  }

 private:
  static constexpr std::size_t unit = 4096, in_l2 = std::size_t{16} << 20;

  Json header() {
    std::vector<double> read, copy;
    constexpr std::size_t bytes = std::size_t{1} << 30;
    for (int i = 0; i < 9; ++i) {
      read.push_back(timer_.read_ms(data_.as(), bytes));
      copy.push_back(timer_.copy_ms(data_.as(), bytes / 2));
    }
    return {{"date", gpu::today()},
            {"device", facts_.name},
            {"driver", facts_.driver},
            {"cuda", gpu::cuda_version()},
            {"clock_mhz", facts_.clock_khz / 1000},
            {"multiprocessors", facts_.multiprocessors},
            {"read_limit_gb_per_s", static_cast<double>(bytes) / reference::median(read) / 1e6},
            {"copy_gb_per_s", static_cast<double>(bytes) / reference::median(copy) / 1e6},
            {"runs", options_.runs},
            {"seed", options_.seed}};
  }

  void run(const Case& c, const std::set<std::string>& done) {
    const auto is_done = [&](const std::string& kernel) {
      Json row = describe(c);
      row["kernel"] = kernel;
      return done.contains(key_of(row));
    };
    const auto levels = levels_of(c);
    gpu::check(cudaMemcpy(levels_.as(), levels.data(), levels.size() * sizeof levels[0],
                          cudaMemcpyHostToDevice),
               "copy levels to the GPU");
    Problem problem{c.type, data_.as(), c.length, bins_of(c, levels_.as<std::uint32_t>()),
                    reference_.as<Count>()};

    std::vector<Contender> contenders;
    std::vector<bool> wanted;
    for (const Kernel& kernel : kernels()) {
      const auto& names = options_.selection.kernels;
      const bool selected =
          names.empty() || std::find(names.begin(), names.end(), kernel.name) != names.end();
      if (!selected && kernel.name != "cub") continue;  // the others' ratio needs CUB
      if (auto contender = kernel.make(c, problem)) {
        contenders.push_back(std::move(*contender));
        wanted.push_back(selected && !is_done(kernel.name));
      }
    }
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;

    make_data(c.dataset, problem, options_.seed, nullptr);
    count_by_definition(problem, nullptr);
    std::vector<Count> expected(c.bins);
    gpu::check(cudaMemcpy(expected.data(), reference_.as(), expected.size() * sizeof(Count),
                          cudaMemcpyDeviceToHost),
               "copy a histogram from the GPU");
    const auto result =
        timer_.in_turns(contenders, problem, expected, options_.runs, is_envelope() ? 1.5 : 1e9);

    const double read = reference::median(result.read_ms),
                 bytes = static_cast<double>(c.length) * bytes_of(c.type);
    double cub = 0;
    for (std::size_t i = 0; i < contenders.size(); ++i)
      if (contenders[i].name == "cub") cub = reference::median(result.contenders[i].samples_ms);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (!wanted[i]) continue;
      const Measured& measured = result.contenders[i];
      const double ms = reference::median(measured.samples_ms);
      Json row{{"kernel", contenders[i].name}, {"strategy", contenders[i].strategy}};
      row.update(describe(c));
      row["median_ms"] = ms;
      row["samples_ms"] = measured.samples_ms;
      row["elements_per_s"] = static_cast<double>(c.length) / ms * 1e3;
      row["gb_per_s"] = bytes / ms / 1e6;
      row["read_limit_ms"] = read;
      row["percent_of_read_limit"] = 100 * read / ms;
      row["ratio_to_cub"] = cub > 0 ? Json(cub / ms) : Json(nullptr);
      row["verified"] = measured.verified;
      const bool is_ours =
          !is_envelope() && (contenders[i].name == "limit" || contenders[i].name == "byte-values");
      if (const double on_chip = is_ours ? on_chip_ms(contenders[i].name, c, problem) : 0;
          on_chip > 0) {
        row["on_chip_ms"] = on_chip;
        row["bound"] = on_chip > read ? "on-chip" : "memory";
        row["percent_of_bound"] = 100 * std::max(on_chip, read) / ms;
      }
      print(row);
    }
  }

  [[nodiscard]] bool is_envelope() const { return options_.set == "envelope"; }

  // Returns the kernel's time for as many samples from the L2, in milliseconds: the first 16 MiB,
  // repeated. Returns 0 if that cannot be measured.
  double on_chip_ms(const std::string& kernel, const Case& c, Problem problem) {
    if (aliased_->data() == nullptr || c.length * bytes_of(c.type) < in_l2) return 0;
    gpu::check(cudaMemcpy(aliased_->data(), problem.samples, in_l2, cudaMemcpyDeviceToDevice),
               "copy on the GPU");
    problem.samples = aliased_->data();
    for (const Kernel& candidate : kernels())
      if (candidate.name == kernel)
        if (const auto contender = candidate.make(c, problem)) return timer_.warm_ms(*contender, 3);
    return 0;
  }

  Options options_;
  gpu::GpuFacts facts_;
  Timer timer_;
  gpu::DeviceMemory data_, levels_, reference_;
  std::optional<AliasedMemory> aliased_;
};

void list(const std::vector<Case>& cases) {
  Json kernel_list = Json::array();
  for (const Kernel& kernel : kernels())
    kernel_list.push_back({{"name", kernel.name}, {"description", kernel.description}});
  print({{"kernels", kernel_list},
         {"byte_datasets", byte_datasets()},
         {"wide_datasets", wide_datasets()},
         {"layouts", {"letters", "even", "uneven"}},
         {"sets", {"limits", "map", "all", "envelope"}},
         {"cases", cases.size()}});
  for (const Case& c : cases) print(describe(c));
}

// Throws std::runtime_error if a name in `chosen` is not in `known`.
void check_names(const char* what, const std::vector<std::string>& chosen,
                 const std::vector<std::string>& known) {
  for (const std::string& name : chosen)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::runtime_error(
          fmt::format("there is no {} {}; there are {}", what, name, fmt::join(known, ", ")));
}

void check_selection(const Options& options, const std::vector<Case>& cases) {
  std::vector<std::string> kernel_names, datasets = byte_datasets();
  for (const Kernel& kernel : kernels()) kernel_names.push_back(kernel.name);
  for (const std::string& lab : options.labs)
    kernel_names.push_back(nlohmann::json::parse(lab).at("name"));
  for (const std::string& name : wide_datasets())
    if (std::find(datasets.begin(), datasets.end(), name) == datasets.end())
      datasets.push_back(name);
  const Selection& selection = options.selection;
  std::vector<std::string> of_a_list, hot;
  std::partition_copy(selection.datasets.begin(), selection.datasets.end(), std::back_inserter(hot),
                      std::back_inserter(of_a_list), datasets::is_hot);
  std::for_each(hot.begin(), hot.end(), check_hot);
  datasets.emplace_back("hot:P");
  check_names("kernel", selection.kernels, kernel_names);
  check_names("dataset", of_a_list, datasets);
  check_names("layout", selection.layouts, {"letters", "even", "uneven"});
  if (cases.empty())
    throw std::runtime_error(fmt::format(
        "no case of the set {} has these layouts, bins, widths and datasets", options.set));
}

}  // namespace
}  // namespace histolab::kernels::cuda::bench

int main(int argc, char** argv) {
  using namespace histolab::kernels::cuda::bench;
  Options options;
  CLI::App app{"Times histogram kernels on this GPU, one JSON object per line"};
  const auto names = [&](const char* flag, auto& into, const char* help) {
    app.add_option(flag, into, help)->delimiter(',');
  };
  app.add_option("--set", options.set, "which cases")
      ->check(CLI::IsMember({"limits", "map", "all", "envelope"}));
  names("--kernels", options.selection.kernels, "only these kernels");
  names("--datasets", options.selection.datasets, "only these datasets");
  names("--layouts", options.selection.layouts, "only letters, even or uneven bins");
  names("--bins", options.selection.bins, "only these numbers of bins");
  names("--sample-bytes", options.selection.sample_bytes, "only samples of 1, 2 or 4 bytes");
  names("--lengths", options.selection.lengths, "only these numbers of samples");
  app.add_option("--runs", options.runs, "timed runs of each kernel")->check(CLI::Range(1, 1000));
  app.add_option("--seed", options.seed, "seed for generated data");
  app.add_option("--gpu", options.device, "number of the GPU");
  app.add_option("--skip", options.skip, "a file of rows that need not be measured again")
      ->check(CLI::ExistingFile);
  app.add_option("--lab", options.labs, "a kernel of the course, as JSON (contenders.h)");
  app.add_flag("--list", options.list, "list the measurements without making them");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const auto cases = cases_of(options.set, options.selection);
    if (options.list) {
      list(cases);
      return 0;
    }
    check_selection(options, cases);
    Bench bench{options};
    for (const std::string& lab : options.labs)
      kernels().push_back(lab_kernel(nlohmann::json::parse(lab)));
    bench.run(cases);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
