// histolab-calibrate: measures a GPU and writes its profile.
//
//   histolab-calibrate [GPU NUMBER]      JSON ("histolab/profile/1") to the standard output,
//   progress to the standard error
//
// Exit codes: 0 done, 1 the GPU failed, 2 no GPU.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/cuda/calibration/probe.h"
#include "reference/seconds_since.h"

namespace {

using namespace histolab::calibration;
using Json = nlohmann::ordered_json;

// Rounds to four significant digits. A second run differs in the third digit.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::strtod(text, nullptr);
}

Json profile_of(const Bench& bench, const std::string& command) {
  const auto& gpu = bench.gpu;
  Json json{{"schema", "histolab/profile/1"},
            {"device", gpu.name},
            {"driver", gpu.driver},
            {"date", histolab::kernels::gpu::today()},
            {"command", command}};
  json["facts"] = {{"compute_capability", gpu.capability},
                   {"multiprocessors", gpu.multiprocessors},
                   {"l2_bytes", gpu.l2_bytes},
                   {"memory_bytes", gpu.memory_bytes},
                   {"clock_limit_ghz", gpu.clock_khz / 1e6}};
  json["figures"] = Json::object();
  for (const Figure& each : bench.figures)
    json["figures"][each.id] = {
        {"value", rounded(each.value)}, {"unit", each.unit}, {"title", each.title}};
  json["curves"] = Json::object();
  for (const Curve& each : bench.curves) {
    Json points = Json::array();
    for (const auto& [x, y] : each.points) points.push_back({x, rounded(y)});
    json["curves"][each.id] = {
        {"unit", each.unit}, {"x", each.x}, {"title", each.title}, {"points", points}};
  }
  return json;
}

}  // namespace

int main(int argc, char** argv) try {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::fprintf(stderr, "there is no GPU that CUDA can use on this machine\n");
    return 2;
  }
  const int number = argc > 1 ? std::atoi(argv[1]) : 0;
  if (number < 0 || number >= gpus) {
    std::fprintf(stderr, "there is no GPU %d: this machine has %d\n", number, gpus);
    return 2;
  }
  Bench bench;
  bench.gpu = histolab::kernels::gpu::use_gpu(number);
  std::fprintf(stderr, "%s, driver %s\n", bench.gpu.name.c_str(), bench.gpu.driver.c_str());
  const struct {
    const char* title;
    void (*run)(Bench&);
  } groups[] = {{"execution", probe_execution},
                {"memory", probe_memory},
                {"latency", probe_latency},
                {"global atomics", probe_global_atomics},
                {"shared memory", probe_shared_memory}};
  const auto begun = std::chrono::steady_clock::now();
  for (const auto& group : groups) {
    std::fprintf(stderr, "%s\n", group.title);
    group.run(bench);
  }
  std::fprintf(stderr, "%.1f s\n", histolab::reference::seconds_since(begun));
  std::printf("%s\n", profile_of(bench, "histolab calibrate --device gpu:" + std::to_string(number))
                          .dump(1)
                          .c_str());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
