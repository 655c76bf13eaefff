// Tests of whole programs: built, described by a worker, and run.
#include "kernels/program/run/program_run.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "kernels/program/build/build.h"

namespace histolab::kernels::program {
namespace {

EmulatorPaths paths() {
  EmulatorPaths result;
  result.worker = HISTOLAB_BIN "/histolab-worker";
  result.include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include";
  return result;
}

// A built program, and the folder of its source.
struct Program {
  explicit Program(const std::string& text) : folder(std::move(*worker::TemporaryFolder::make())) {
    const std::string path = folder.path() + "/main.cu";
    std::ofstream(path) << text;
    Build build;
    build.sources = {path};
    built = std::move(*build_program(build, paths(), HISTOLAB_CUDART));
    for (const worker::FileDiagnostic& each : built.diagnostics)
      MESSAGE(each.file, ":", each.diagnostic.line, ": ", each.diagnostic.message);
    REQUIRE_FALSE(built.executable.empty());
  }
  [[nodiscard]] ProgramReport run() {
    ProgramSettings settings;
    settings.executable = built.executable;
    settings.directory = folder.path();
    settings.on_output = [this](std::string_view part) { output += part; };
    settings.modelled_ms = [](const Observation&, std::uint64_t) { return 0.5; };
    Result<ProgramReport> report = run_program(settings, paths());
    REQUIRE_MESSAGE(report, report.error().message);
    return std::move(*report);
  }
  worker::TemporaryFolder folder;
  Built built;
  std::string output;
};

constexpr const char* source = R"(#include <cstdio>
__constant__ float weights[3] = {1, 2, 3};
__device__ int total = 7;
__managed__ int count = 5;
static int of_the_host[4] = {1};
__device__ int unused[2] = {0, 21};
static __global__ void __launch_bounds__(128) bounded(int& out) { out = 5; }
template <class T> __global__ void fill(T* out, const int n, float4 v) {
  __shared__ T last[16];
  last[threadIdx.x % 16] = n;
  __syncthreads();
  out[threadIdx.x] = last[0] + weights[2] + v.x;
  if (threadIdx.x == 0) total += n, count += n;
}
int main() {
  int* d = nullptr;
  if (cudaMalloc(&d, 128) != cudaSuccess) return 3;
  bounded<<<1, 1>>>(count);
  for (int i = 0; i < 4; ++i) fill<<<1, 32>>>(d, 2, make_float4(4, 0, 0, 0));
  if (cudaDeviceSynchronize() != cudaSuccess) return 4;
  int h[32], t;
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 5;
  if (cudaMemcpyFromSymbol(&t, total, sizeof t) != cudaSuccess) return 6;
  int u[2];
  if (cudaMemcpyFromSymbol(u, unused, sizeof u) != cudaSuccess) return 8;
  printf("%d %d %d %d %d\n", h[31], t, count, of_the_host[0], u[1]);
  if (cudaFree(d) != cudaSuccess) return 7;
  return 9;
}
)";

TEST_CASE("an executable describes its kernels, variables and lines") {
  const Program program(source);
  std::ifstream file(program.built.executable, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Buffer executable =
      *Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  const ProgramDevice device(paths());
  const Result<ProgramDescription> described = device.describe(executable);
  REQUIRE_MESSAGE(described, described.error().message);
  const ProgramDescription& description = *described;
  CHECK(description.objects.size() == 1);
  REQUIRE(description.kernels.size() == 2);
  const bool is_first = description.kernels[0].facts.name == "fill";
  const DescribedKernel& kernel = description.kernels[is_first ? 0 : 1];
  const DescribedKernel& bounded = description.kernels[is_first ? 1 : 0];
  CHECK(bounded.facts.name == "bounded");
  CHECK(bounded.facts.max_threads_per_block == 128);
  CHECK(kernel.addresses.size() == 1);
  CHECK(kernel.objects == std::vector<std::uint32_t>{0});
  CHECK(kernel.facts.name == "fill");
  CHECK(kernel.facts.static_shared_bytes == 64);
  CHECK_FALSE(kernel.facts.calls_grid_sync);
  REQUIRE(kernel.facts.parameters.size() == 3);
  CHECK(kernel.facts.parameters[0].is_pointer);
  CHECK_FALSE(kernel.facts.parameters[0].to_const);
  CHECK(kernel.facts.parameters[0].element_bytes == 4);
  CHECK(kernel.facts.parameters[1].places[0].index == 1);
  CHECK(kernel.facts.parameters[2].places.size() == 2);
  std::string names;
  for (const DescribedSection& section : description.sections)
    for (const DescribedVariable& variable : section.variables) {
      if (section.may_be_host) continue;
      names += variable.name + " ";
      CHECK(variable.host.size() == 1);
    }
  for (const char* name : {"weights ", "total ", "count "})
    CHECK(names.find(name) != std::string::npos);
  CHECK(names.find("of_the_host") == std::string::npos);
  CHECK(description.managed.bytes >= 4);
  CHECK(std::ranges::any_of(description.lines,
                            [](const DescribedLine& each) { return each.line == 19; }));

  // The parent refuses these.
  ProgramDescription broken = description;
  broken.objects[0].bytes = executable.size();
  CHECK_FALSE(check_description(broken, executable.size()));
  broken = description;
  broken.kernels[0].objects = {1};
  CHECK_FALSE(check_description(broken, executable.size()));
  broken = description;
  broken.lines.back().file = 99;
  CHECK_FALSE(check_description(broken, executable.size()));

  CHECK_FALSE(device.describe(*Buffer::copy_of(executable.bytes().first(1000))));
}

TEST_CASE("parameters of kernels and their places") {
  const auto places = [](const char* name) {
    std::string all;
    for (const KernelParameter& parameter : parameters_of(name)) {
      all += parameter.is_pointer ? parameter.to_const ? "c" : "p" : "v";
      for (const ArgumentPlace& place : parameter.places)
        all += "isx"[static_cast<int>(place.where) == 0   ? 0
                     : static_cast<int>(place.where) == 2 ? 1
                                                          : 2] +
               std::to_string(place.index);
      all += " ";
    }
    return all;
  };
  CHECK(places("add(float const*, float*, int)") == "ci0 pi1 vi2 ");
  CHECK(places("void k<int, (Mode)1>(float, double, float4, char)") == "vx0 vx1 vx2x3 vi0 ");
  CHECK(places("(anonymous namespace)::k(dim3, int*)") == "vi0i1 pi2 ");
  CHECK(places("k(long, long, long, long, long, int2*, int*, dim3, int)") ==
        "vi0 vi1 vi2 vi3 vi4 pi5 ps0 vs8s16 vs24 ");
  CHECK(places("k(Pair, int*)") == "v p ");
  CHECK(places("k()").empty());
}

TEST_CASE("a program runs, and its launches are reported") {
  Program program(source);
  const ProgramReport report = program.run();
  CHECK(program.output == "9 15 13 1 21\n");
  CHECK(report.end.exited);
  CHECK(report.end.status == 9);
  CHECK(report.launch_count == 5);
  REQUIRE(report.launches.size() == 5);
  CHECK(report.launches[1].kernel == "fill");
  CHECK(report.launches[1].line.line == 19);
  CHECK(report.launches[3].watched);
  CHECK_FALSE(report.launches[4].watched);
  CHECK(report.launches[4].modelled_ms == 0.5);
  CHECK(report.modelled_ms >= 2);
  for (const Finding& finding : report.findings) MESSAGE(finding.message);
  for (const Finding& finding : report.host_findings) MESSAGE(finding.message);
  CHECK_FALSE(report.has_errors());
}

}  // namespace
}  // namespace histolab::kernels::program
