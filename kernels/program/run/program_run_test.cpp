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
  // `more`: the text of another source, if there is one.
  explicit Program(const std::string& text, const std::string& more = {},
                   const std::string& name_of_more = "other.cpp")
      : folder(std::move(*worker::TemporaryFolder::make())) {
    Build build;
    const auto add = [&](const std::string& name, const std::string& source) {
      build.sources.push_back(folder.path() + "/" + name);
      std::ofstream(build.sources.back()) << source;
    };
    add("main.cu", text);
    if (!more.empty()) add(name_of_more, more);
    built = std::move(*build_program(build, paths(), HISTOLAB_CUDART));
    for (const worker::FileDiagnostic& each : built.diagnostics)
      MESSAGE(each.file, ":", each.diagnostic.line, ": ", each.diagnostic.message);
    REQUIRE_FALSE(built.executable.empty());
  }
  [[nodiscard]] ProgramReport run(ProgramSettings settings = {}) {
    settings.executable = built.executable;
    settings.directory = folder.path();
    settings.on_output = [this](std::string_view part) { output += part; };
    settings.modelled_ms = [](const Observation&, std::uint64_t) { return 0.5; };
    Result<ProgramReport> report = run_program(settings, paths());
    REQUIRE_MESSAGE(report, report.error().message);
    return std::move(*report);
  }
  [[nodiscard]] Buffer executable() const {
    std::ifstream file(built.executable, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return *Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
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
  const Buffer executable = program.executable();
  const ProgramDevice device(paths());
  const auto described = device.describe(executable);
  REQUIRE_MESSAGE(described, described.error().message);
  REQUIRE(*described);
  const ProgramDescription& description = **described;
  CHECK(description.objects.size() == 1);
  REQUIRE(description.kernels.size() == 2);
  const bool is_first = description.kernels[0].facts.name == "fill<int>";
  const DescribedKernel& kernel = description.kernels[is_first ? 0 : 1];
  const DescribedKernel& bounded = description.kernels[is_first ? 1 : 0];
  CHECK(bounded.facts.name == "bounded");
  CHECK(bounded.facts.max_threads_per_block == 128);
  CHECK(kernel.object == 0);
  CHECK(kernel.facts.name == "fill<int>");
  CHECK(kernel.facts.static_shared_bytes == 64);
  CHECK_FALSE(kernel.facts.calls_grid_sync);
  REQUIRE(kernel.facts.parameters.size() == 3);
  CHECK(kernel.facts.parameters[0].is_pointer);
  CHECK_FALSE(kernel.facts.parameters[0].to_const);
  CHECK(kernel.facts.parameters[0].element_bytes == 4);
  CHECK(kernel.facts.parameters[0].name == "out");
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
  broken.kernels[0].object = 1;
  CHECK_FALSE(check_description(broken, executable.size()));
  broken = description;
  broken.lines.back().file = 99;
  CHECK_FALSE(check_description(broken, executable.size()));

  const auto cut = device.describe(*Buffer::copy_of(executable.bytes().first(1000)));
  REQUIRE(cut);
  CHECK_FALSE(cut->has_value());
}

TEST_CASE("launch bounds of empty kernels and of templates") {
  const Program program(R"(
template <int n> __global__ void __launch_bounds__(96) number() {}
template <int n> __launch_bounds__(n * 32, 2) __global__ void dependent(int* out) { *out = n; }
__global__ __launch_bounds__(1000) void empty(int) {}
__global__ void none() {}
int main() {
  number<1><<<1, 1>>>(), dependent<5><<<1, 1>>>(nullptr), empty<<<1, 1>>>(1), none<<<1, 1>>>();
})");
  const auto description = ProgramDevice(paths()).describe(program.executable());
  REQUIRE((description && *description));
  std::map<std::string, std::uint32_t> bounds;
  for (const DescribedKernel& kernel : (*description)->kernels)
    bounds[kernel.facts.name] = kernel.facts.max_threads_per_block;
  CHECK(bounds == std::map<std::string, std::uint32_t>{
                      {"number<1>", 96}, {"dependent<5>", 160}, {"empty", 1000}, {"none", 0}});
}

// Structures of all classes of the ABI, at each place of a list. A launch that passes addresses
// needs the places; g++ itself passes the arguments of the other one.
constexpr const char* structures = R"(#include <cstdio>
struct Mixed { float x; int n; };
struct Floats { float x, y, z; };
struct DoubleLong { double x; long n; };
struct LongFloat { long n; float x; };
struct Large { int n[5]; };
struct Empty {};
struct Derived : Mixed { char c; };
struct Bits { unsigned a : 3, b : 9; double x; };
union Either { int n; double x; };
struct Doubles { Either of[2]; };
struct alignas(16) Aligned { long n; };
struct alignas(16) LargeAligned { long n[4]; };
struct __attribute__((packed)) Packed { char c; int n; };
enum class Mode : char { off, on = 5 };
struct Node { Node* next; const int* data; };
__device__ double sum(Mixed m) { return m.x + m.n; }
__device__ double sum(Floats f) { return f.x + 2 * f.y + 3 * f.z; }
__device__ double sum(DoubleLong d) { return d.x + d.n; }
__device__ double sum(LongFloat l) { return l.x + l.n; }
__device__ double sum(Large l) { return l.n[0] + 10 * l.n[4]; }
__device__ double sum(Empty) { return 0; }
__device__ double sum(Derived d) { return d.x + d.n + d.c; }
__device__ double sum(Bits b) { return b.a + b.b + b.x; }
__device__ double sum(Doubles d) { return d.of[0].x + 2 * d.of[1].x; }
__device__ double sum(Aligned a) { return a.n; }
__device__ double sum(LargeAligned a) { return a.n[0] + a.n[3]; }
__device__ double sum(Packed p) { return p.c + p.n; }
__device__ double sum(Mode m) { return (int)m; }
__device__ double sum(Node n) { return n.next == nullptr && n.data == nullptr; }
__device__ double sum(double x) { return x; }
template <class... Types> __global__ void add(double* out, Types... values) {
  double all = 0, factor = 1;
  ((all += factor * sum(values), factor *= 1.5), ...);
  *out = all;
}
int failures;
template <class... Types> void check(Types... values) {
  double *out, direct, by_address;
  cudaMalloc(&out, sizeof *out);
  add<<<1, 1>>>(out, values...);
  cudaMemcpy(&direct, out, sizeof direct, cudaMemcpyDeviceToHost);
  void* addresses[] = {&out, &values...};
  cudaLaunchKernel((const void*)add<Types...>, dim3(1), dim3(1), addresses, 0, nullptr);
  cudaMemcpy(&by_address, out, sizeof by_address, cudaMemcpyDeviceToHost);
  if (direct == by_address && direct != 0) return void(cudaFree(out));
  printf("%d values: %g and %g\n", (int)sizeof...(values), direct, by_address);
  ++failures;
}
int main() {
  const Mixed m{1, 2};
  const Floats f{1, 2, 3};
  const DoubleLong d{4, 5};
  const LongFloat l{6, 7};
  const Large large{{1, 2, 3, 4, 5}};
  Derived derived{};
  derived.x = 1, derived.n = 2, derived.c = 3;
  const Bits bits{5, 200, 0.5};
  Doubles doubles;
  doubles.of[0].x = 3, doubles.of[1].x = 4;
  const Aligned aligned{9};
  const LargeAligned large_aligned{{1, 2, 3, 4}};
  const Packed packed{1, 2};
  const Node node{};
  check(m, f, d, l, large, Empty{}, derived, bits, doubles, aligned, large_aligned, packed);
  check(packed, large_aligned, aligned, doubles, bits, derived, Empty{}, large, l, d, f, m, node);
  check(l, l, l, l, l, l, m, d, Mode::on, 1.f, aligned, 'a', node, 2.0, large_aligned);
  check(f, f, f, f, f, f, d, m, 1.0, l, 3, doubles, bits, (short)7, Mode::on);
  check(d, d, d, d, d, d, d, d, d, Empty{}, large, node, derived, true, 1ul);
  return failures;
}
)";

TEST_CASE("pointers among a kernel's arguments, and in structures") {
  const Program program(R"(
struct Part { const char* data; unsigned length; };
struct Base { int* to; };
struct Many : Base { float x; const float (*table)[4]; double* const list[5]; };
union Either { const int* in; int* out; long n; };
using Input = const int*;
extern "C" __global__ void c(const char* a, Input __restrict__ b, char* const d, unsigned long e) {}
__global__ void part(Part a, const int& b, int& d, const void* e, void* f) {}
__global__ void many(Many a, Either b, const volatile int* d) {}
template <class F> __global__ void call(F f) { f(); }
int main() {
  int *out = nullptr, n = 0;
  const int* in = nullptr;
  c<<<1, 1>>>("", in, nullptr, 1), part<<<1, 1>>>({"", 1}, n, n, in, out);
  many<<<1, 1>>>({}, {in}, in), call<<<1, 1>>>([=] __device__ { *out = *in; });
})");
  const auto description = ProgramDevice(paths()).describe(program.executable());
  REQUIRE((description && *description));
  std::map<std::string, std::string> pointers;  // per part of 8 bytes
  for (const DescribedKernel& kernel : (*description)->kernels)
    for (const KernelParameter& parameter : kernel.facts.parameters)
      for (const ArgumentPlace& place : parameter.places) {
        using Holds = ArgumentPlace::Holds;
        pointers[kernel.facts.name] += place.holds == Holds::pointer            ? "p"
                                       : place.holds == Holds::pointer_to_const ? "c"
                                                                                : "-";
      }
  CHECK(pointers == std::map<std::string, std::string>{{"c", "ccp-"},
                                                       {"part", "c-cpcp"},
                                                       {"many", "p-cppppppc"},
                                                       {"call<main::{lambda()#1}>", "pc"}});
}

TEST_CASE("kernels are named as in the source, with their template arguments") {
  const Program program(R"(
namespace deep { template <class T> struct Box {}; }
namespace deep::deeper { __global__ void nested(Box<int>) {} }
namespace { template <int n> __global__ void hidden(int (*)(int)) {} }
template <class T, bool b> __global__ void types(T) {}
struct Of { static __global__ void member(const char*) {} };
struct Size {};
bool operator<(Size, Size);
template <bool (*less)(Size, Size)> __global__ void sort(int*) {}
int main() {
  deep::deeper::nested<<<1, 1>>>({}), hidden<4><<<1, 1>>>(nullptr), Of::member<<<1, 1>>>("");
  types<deep::Box<char*>, (3 > 2)><<<1, 1>>>({}), types<void (*)(int), false><<<1, 1>>>(nullptr);
  sort<operator< ><<<1, 1>>>(nullptr);
}
bool operator<(Size, Size) { return false; })");
  const auto description = ProgramDevice(paths()).describe(program.executable());
  REQUIRE((description && *description));
  std::set<std::string> names;
  for (const DescribedKernel& kernel : (*description)->kernels) names.insert(kernel.facts.name);
  CHECK(names ==
        std::set<std::string>{"nested", "hidden<4>", "member", "sort<&(operator<(Size, Size))>",
                              "types<deep::Box<char*>, true>", "types<void (*)(int), false>"});
}

TEST_CASE("a long launch that repeats an earlier one gets its result, also elsewhere in memory") {
  Program program(R"(#include <cstdio>
__global__ void sum(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i % 64]);
}
int main() {
  const int n = 4 << 20;
  int in[64], result = 0, total = 0, *d_in;
  for (int i = 0; i < 64; ++i) in[i] = i % 2;
  if (cudaMalloc(&d_in, sizeof in) || cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice))
    return 1;
  for (int round = 0; round < 5; ++round) {
    int* out;
    if (cudaMalloc(&out, 4) || cudaMemset(out, 0, 4)) return 1;
    sum<<<n / 256, 256>>>(d_in, out, n - (round == 4));
    if (cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost) || cudaFree(out)) return 1;
    printf("%d\n", result);
  }
  return cudaFree(d_in);
})");
  ProgramSettings settings;
  settings.watched_launches = 1;
  const ProgramReport report = program.run(settings);
  CHECK(program.output == "2097152\n2097152\n2097152\n2097152\n2097151\n");
  CHECK(report.repeated_launches == 3);  // the last one has another argument
  CHECK(report.launch_count == 5);
  CHECK(report.findings.empty());
  CHECK(report.host_findings.empty());
}

TEST_CASE("structures are passed by value at each place of an argument list") {
  Program program(structures);
  const ProgramReport report = program.run();
  CHECK(program.output.empty());
  CHECK(report.end.status == 0);
  CHECK(report.launch_count == 10);
}

TEST_CASE("each of two files has a static kernel of one name") {
  const std::string file = R"(#include <cstdio>
static __global__ void k(int* out) {
  __shared__ int number[NUMBER];
  number[NUMBER - 1] = NUMBER;
  *out = number[NUMBER - 1];
}
void FUNCTION() {
  int *out, result[2];
  if (cudaMalloc(&out, 8)) return;
  void* arguments[] = {&out};
  k<<<1, 1>>>(out);
  cudaMemcpy(result, out, 4, cudaMemcpyDeviceToHost);
  cudaLaunchKernel((void*)k, 1, 1, arguments);
  cudaMemcpy(result + 1, out, 4, cudaMemcpyDeviceToHost);
  cudaFuncAttributes facts;
  cudaFuncGetAttributes(&facts, k);
  printf("%d %d %d\n", result[0], result[1], (int)facts.sharedSizeBytes);
  cudaFree(out);
}
)";
  Program program("#define NUMBER 1\n#define FUNCTION first\n" + file +
                      "void second();\nint main() { first(), second(); }\n",
                  "#define NUMBER 2\n#define FUNCTION second\n" + file, "other.cu");
  static_cast<void>(program.run());
  CHECK(program.output == "1 1 4\n2 2 8\n");
}

TEST_CASE("code of one file between the parts of another keeps its lines") {
  // The linker puts this section of all files first, as it does with constructors.
  Program program(
      "__global__ void k() {}\nint main() {\n  k<<<1, 1>>>();\n}\n",
      "int value;\n"
      "__attribute__((section(\".text.startup\"), constructor)) void begin() { value = 4; }\n"
      "int read() { return value; }\n");
  const ProgramReport report = program.run();
  REQUIRE(report.launches.size() == 1);
  CHECK(report.launches[0].line.line == 3);
}

TEST_CASE("a program runs, and its launches are reported") {
  Program program(source);
  const ProgramReport report = program.run();
  CHECK(program.output == "9 15 13 1 21\n");
  CHECK(report.end.exited);
  CHECK(report.end.status == 9);
  CHECK(report.launch_count == 5);
  REQUIRE(report.launches.size() == 5);
  CHECK(report.launches[1].kernel == "fill<int>");
  CHECK(report.launches[1].line.line == 19);
  CHECK(report.launches[3].watched);
  CHECK_FALSE(report.launches[4].watched);
  CHECK(report.launches[4].modelled_ms == 0.5);
  CHECK(report.modelled_ms >= 2);
  for (const Finding& finding : report.findings) MESSAGE(finding.message);
  for (const Finding& finding : report.host_findings) MESSAGE(finding.message);
  CHECK_FALSE(report.has_errors());
}

// Kernels whose program has forgotten cudaMemset.
constexpr const char* forgotten = R"(#include <cstdio>
__global__ void update(unsigned* bins) {
  bins[threadIdx.x % 4]++;
}
__global__ void add(float* bins) {
  bins[threadIdx.x] += 1;
}
__global__ void count(int* bins) {
  atomicAdd(&bins[threadIdx.x % 4], 1);
}
__global__ void half(int* bins) {
  if (threadIdx.x > 0) atomicMax(&bins[threadIdx.x], 1);
}
int main() {
  unsigned* d_u;
  float* d_f;
  int *d_i, *d_h, value = 0;
  if (cudaMalloc(&d_u, 16) || cudaMalloc(&d_f, 256) || cudaMalloc(&d_i, 16)) return 1;
  if (cudaMalloc(&d_h, 8) || cudaMemcpy(d_h + 1, &value, 4, cudaMemcpyHostToDevice)) return 1;
  update<<<1, 64>>>(d_u);
  add<<<1, 64>>>(d_f);
  count<<<1, 64>>>(d_i);
  half<<<1, 2>>>(d_h);
  if (cudaMemcpy(&value, d_i, 4, cudaMemcpyDeviceToHost)) return 1;
  printf("%x ", value);
  if (cudaMemcpy(&value, d_h + 1, 4, cudaMemcpyDeviceToHost)) return 1;
  printf("%x\n", value);
  return cudaFree(d_u) || cudaFree(d_f) || cudaFree(d_i) || cudaFree(d_h);
}
)";

TEST_CASE("a forgotten cudaMemset is found at each update, and memory is not zero") {
  Program program(forgotten);
  const ProgramReport report = program.run();
  std::string found;
  for (const Finding& finding : report.findings)
    found += std::string(name(finding.kind)) + " " + finding.variable + " " +
             std::to_string(finding.line) + "\n";
  CHECK(found ==
        "uninitialized_read bins 3\n"
        "data_race bins 3\n"
        "uninitialized_read bins 6\n"
        "uninitialized_read bins 9\n");
  CHECK(report.host_findings.empty());
  CHECK(program.output == "cdcdcddd 1\n");
}

// The fourth launch of each kernel is not watched.
constexpr const char* repeated = R"(#include <cstdio>
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int parts[64];
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += 64) mine += in[i];
  parts[threadIdx.x] = mine;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(out, parts[0]);
}
__global__ void without_barriers(int* out) {
  __shared__ volatile int parts[32];
  parts[threadIdx.x] = threadIdx.x;
  for (int half = 16; half > 0; half /= 2)
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  out[threadIdx.x] = parts[0];
}
__global__ void wait(int* out, int* flag) {
  if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) {}
  if (threadIdx.x == 40) atomicExch(flag, 1);
  __syncthreads();
  out[threadIdx.x] = atomicExch(flag, 0);
}
int main() {
  const int n = 300000;
  int *in, *out, *flag, h[64];
  if (cudaMalloc(&in, n * 4) || cudaMalloc(&out, 256) || cudaMalloc(&flag, 4)) return 1;
  if (cudaMemset(in, 1, n * 4) || cudaMemset(flag, 0, 4)) return 1;
  for (int i = 0; i < 4; ++i) {
    if (cudaMemset(out, 0, 256)) return 1;
    sum<<<2, 64>>>(in, out, n);
    if (cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost)) return 1;
    printf("%x ", h[0]);
    without_barriers<<<1, 32>>>(out);
    if (cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost)) return 1;
    printf("%d ", h[0]);
    wait<<<1, 64>>>(out, flag);
    if (cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost)) return 1;
    printf("%d\n", h[0] + h[63]);
  }
  return cudaFree(in) || cudaFree(out) || cudaFree(flag);
}
)";

TEST_CASE("launches that are not watched have the same results") {
  Program program(repeated);
  const ProgramReport report = program.run();
  const std::string first = program.output.substr(0, program.output.find('\n') + 1);
  CHECK(first.find(" 496 ") != std::string::npos);
  CHECK(program.output == first + first + first + first);
  REQUIRE(report.launches.size() == 12);
  for (std::size_t i = 9; i < 12; ++i) {
    CHECK_FALSE(report.launches[i].watched);
    CHECK(report.launches[i].ending == Ending::completed);
  }
}

TEST_CASE("after a launch with many accesses, others of its shape are not watched") {
  Program program(repeated);
  ProgramSettings settings;
  settings.watched_requests = 1000;
  const ProgramReport report = program.run(settings);
  REQUIRE(report.launches.size() == 12);
  CHECK(report.launches[0].watched);  // sum
  CHECK_FALSE(report.launches[3].watched);
  CHECK(report.launches[4].watched);  // without_barriers
}

TEST_CASE("races beside a buffer that is too large are found, and reads of unset memory") {
  Program program(R"(
__global__ void race(int* large, int* small) {
  small[0] = threadIdx.x;
  large[0] = threadIdx.x;
  if (threadIdx.x == 0) large[1]++;
}
int main() {
  int *large, *small;
  if (cudaMalloc(&large, 8000) || cudaMalloc(&small, 4)) return 1;
  race<<<1, 32>>>(large, small);
  return cudaFree(large) || cudaFree(small);
})");
  ProgramSettings settings;
  settings.watched_elements = 1000;
  const ProgramReport report = program.run(settings);
  REQUIRE(report.launches.size() == 1);
  CHECK(report.launches[0].too_much_data);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].kind == FindingKind::data_race);
  CHECK(report.findings[0].variable == "small");
  CHECK(report.findings[1].kind == FindingKind::uninitialized_read);
  CHECK(report.findings[1].line == 5);
}

TEST_CASE("an endless loop in a launch that is not watched is found") {
  Program program(R"(
__global__ void run(int* p, int n) {
  for (int i = 0; i != n; i += 2) p[threadIdx.x] = i;
}
int main() {
  int* p;
  if (cudaMalloc(&p, 128)) return 1;
  for (int i = 0; i < 4; ++i) run<<<1, 32>>>(p, i < 3 ? 8 : 7);
  cudaDeviceSynchronize();
})");
  const ProgramReport report = program.run();
  REQUIRE(report.launches.size() == 4);
  CHECK_FALSE(report.launches[3].watched);
  CHECK(report.launches[3].ending != Ending::completed);
}

TEST_CASE("flags that the program sets for its files do not hold for its parent process") {
  Program program(R"(
#include <fcntl.h>
__global__ void set(int* p) { p[threadIdx.x] = 1; }
int main() {
  int* p;
  if (fcntl(11, F_SETFL, O_APPEND) != 0 || cudaMalloc(&p, 128)) return 1;
  set<<<1, 32>>>(p);  // before it, the parent fills the memory
  return cudaDeviceSynchronize() || cudaFree(p);
})");
  const ProgramReport report = program.run();
  CHECK(report.end.exited);
  CHECK(report.end.status == 0);
  CHECK_FALSE(report.has_errors());
}

}  // namespace
}  // namespace histolab::kernels::program
