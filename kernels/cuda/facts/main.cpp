// histolab-hardware-facts: measures facts about a GPU in the lessons and in docs/counters.md that
// are not times of histograms.
//
//   histolab-hardware-facts [--gpu N]
//
// Writes JSON lines to the standard output: a description of the device, a row per kernel that
// waits, a row for the sums of floats, and a row per access pattern of shared memory. Exit codes: 0
// done; 1 no GPU, or the GPU failed; 2 usage.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>

#include "kernels/cuda/facts/facts.h"
#include "kernels/gpu/runtime.h"
#include "reference/statistics.h"

namespace histolab::kernels::cuda::facts {
namespace {

using reference::six_digits;
using Json = nlohmann::ordered_json;

void print(const Json& line) {
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

Json row_of(const Wait& wait) {
  return {{"experiment", "waits"},        {"kernel", wait.kernel},     {"blocks", wait.blocks},
          {"threads", wait.threads},      {"launches", wait.launches}, {"ended", wait.ended},
          {"patience_s", wait.patience_s}};
}

Json row_of(const Sums& sums) {
  return {{"experiment", "float-sums"},
          {"floats", sums.floats},
          {"launches", sums.launches},
          {"different", sums.different},
          {"unlike_the_first", sums.unlike_the_first}};
}

Json row_of(const Access& access) {
  const Clocks clocks = clocks_of(access);
  Json elements = Json::array();
  for (const auto& element : access.element)
    elements.push_back(element ? Json(*element) : Json(nullptr));
  Json row{{"experiment", "shared-accesses"},
           {"pattern", access.pattern},
           {"element_of_lane", elements}};
  for (std::size_t i = 0; i < widths.size(); ++i) {
    row["load_" + std::to_string(widths[i]) + "_clocks"] = six_digits(clocks.load[i]);
    row["store_" + std::to_string(widths[i]) + "_clocks"] = six_digits(clocks.store[i]);
  }
  return row;
}

void measure(int gpu) {
  std::fprintf(stderr, "kernels that wait\n");
  const std::vector<Wait> waited = waits(gpu);  // before this process uses CUDA
  const gpu::GpuFacts facts = gpu::use_gpu(gpu);
  print({{"date", gpu::today()},
         {"device", facts.name},
         {"driver", facts.driver},
         {"cuda", gpu::cuda_version()},
         {"command", "histolab-hardware-facts"},
         {"multiprocessors", facts.multiprocessors}});
  for (const Wait& wait : waited) print(row_of(wait));
  std::fprintf(stderr, "sums of floats\n");
  print(row_of(float_sums()));
  std::fprintf(stderr, "accesses to shared memory\n");
  for (const Access& access : accesses()) print(row_of(access));
}

}  // namespace
}  // namespace histolab::kernels::cuda::facts

int main(int argc, char** argv) {
  using namespace histolab::kernels::cuda;
  int gpu = 0;
  CLI::App app{
      "What lessons and pages say of a GPU that is no histogram's time, one JSON object per line"};
  app.add_option("--gpu", gpu, "number of the GPU")->check(CLI::NonNegativeNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    facts::measure(gpu);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "histolab-hardware-facts: %s\n", error.what());
    return 1;
  }
  return 0;
}
