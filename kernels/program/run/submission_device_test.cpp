// Tests of whole programs as submissions: the output, and whether it comes from kernels.
#include "kernels/program/run/submission_device.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/program/memory_layout.h"

namespace histolab::kernels::program {
namespace {

constexpr const char* kernel = R"(#include <cstdio>
#include <cstdlib>
#include <string>
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 13], 1u);
}
static void check(cudaError_t error) { if (error != cudaSuccess) exit(3); }
static std::string read() {
  std::string text;
  for (int c; (c = getchar()) != EOF;) text += static_cast<char>(c);
  return text;
}
static void print(const unsigned int* counts, float ms) {
  printf("bin 0: %u\nbin 1: %u\nkernel: %.4f ms\n", counts[0], counts[1], ms);
}
)";

// The main() of a right program. Tests replace parts of it.
constexpr const char* right = R"(int main(int, char** arguments) {
  const std::string text = read();
  const unsigned int n = text.size(), threads = atoi(arguments[1]);
  char* data;
  unsigned int *histo, counts[2];
  check(cudaMalloc(&data, n + 1));
  check(cudaMalloc(&histo, sizeof counts));
  check(cudaMemcpy(data, text.data(), n, cudaMemcpyHostToDevice));
  check(cudaMemset(histo, 0, sizeof counts));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  histogram<<<n / threads + 1, threads>>>(data, n, histo);
  check(cudaGetLastError());
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float ms;
  check(cudaEventElapsedTime(&ms, begin, end));
  check(cudaMemcpy(counts, histo, sizeof counts, cudaMemcpyDeviceToHost));
  print(counts, ms);
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  check(cudaFree(data));
  check(cudaFree(histo));
})";

const std::string launch = "histogram<<<n / threads + 1, threads>>>(data, n, histo);",
                  print = "print(counts, ms);";

std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

EmulatorPaths paths() {
  EmulatorPaths result;
  result.worker = HISTOLAB_BIN "/histolab-worker";
  result.include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include";
  return result;
}

Device& device() {
  static const std::unique_ptr<Device> made = make_submission_device(
      paths(), {HISTOLAB_CUDART, [](const Observation&, std::uint64_t) { return 0.5; }});
  return *made;
}

Compiled compile(const std::string& text) {
  KernelSignature signature;
  signature.is_of_program = true;
  Result<Compiled> compiled = device().compile({"mine.cu", text}, {signature});
  REQUIRE_MESSAGE(compiled, compiled.error().message);
  return std::move(*compiled);
}

struct Ran {
  Observation seen;
  std::array<std::uint32_t, 2> counts;
};

Ran run(const Compiled& compiled, std::uint64_t seed = 1) {
  for (const Diagnostic& each : compiled.diagnostics) MESSAGE(each.line, ": ", each.message);
  REQUIRE(compiled.ok);
  const std::string data = "seven letters, of which nine are after m; and 4 digits";
  const Buffer input = std::move(
      *Buffer::copy_of({reinterpret_cast<const std::uint8_t*>(data.data()), data.size()}));
  Buffer output = std::move(*Buffer::zeroed(8));
  Argument in, out;
  in.kind = Argument::Kind::input, in.input = &input;
  out.kind = Argument::Kind::output, out.output = &output, out.element_bytes = 4;
  Options options;
  options.seed = seed;
  Result<std::vector<Observation>> seen =
      device().launch(compiled, {{4, 1, 1}, {32, 1, 1}}, {{in, out}}, options);
  REQUIRE_MESSAGE(seen, seen.error().message);
  Ran ran{std::move(seen->front()), {}};
  std::memcpy(ran.counts.data(), output.bytes().data(), sizeof ran.counts);
  return ran;
}

Ran run(const std::string& main, std::uint64_t seed = 1) {
  return run(compile(kernel + main), seed);
}

// A right program whose check of errors does something else.
Compiled compile_with_exit(const std::string& other) {
  return compile(with(std::string(kernel) + right, "exit(3)", other));
}

bool has(const Observation& seen, FindingKind kind, int line) {
  return std::ranges::any_of(seen.findings, [&](const Finding& finding) {
    return finding.kind == kind && finding.line == line && finding.file.empty();
  });
}

// Lines of main() in the whole source.
constexpr int main_line = 17;

TEST_CASE("the output of a right program becomes its result") {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Ran ran = run(right, seed);
    CHECK(ran.seen.ending == Ending::completed);
    CHECK(ran.seen.ending_detail.empty());
    CHECK(ran.counts == std::array<std::uint32_t, 2>{24, 17});
    CHECK(ran.seen.findings.empty());
    CHECK(ran.seen.unread->bytes == 0);
    CHECK(ran.seen.counters.threads == 64);
    CHECK(ran.seen.lines.size() == 1);
    REQUIRE(ran.seen.program);
    CHECK(ran.seen.program->printed_ms == doctest::Approx(0.5));
    CHECK(ran.seen.program->kernels_ms == doctest::Approx(0.5));
    CHECK_FALSE(ran.seen.program->ignores_failures);
  }
}

TEST_CASE("findings of kernels and of the host have lines of the student's file") {
  const Ran no_memset = run(with(right, "check(cudaMemset(histo, 0, sizeof counts));", ""));
  CHECK(has(no_memset.seen, FindingKind::uninitialized_read, 6));
  const Ran no_free = run(with(right, "check(cudaFree(histo));", ""));
  CHECK(has(no_free.seen, FindingKind::leak, main_line + 6));
  CHECK(no_free.seen.findings[0].severity == Severity::error);
}

TEST_CASE("counts that do not come from a kernel leave all data unread") {
  constexpr const char* by_host =
      "counts[0] = counts[1] = 0; for (char c : text) if (c >= 'a' && c <= 'z') "
      "++counts[(c - 'a') / 13];";
  const auto is_caught = [&](const std::string& main) {
    const Ran ran = run(main);
    CHECK(ran.seen.ending == Ending::completed);
    CHECK(ran.counts == std::array<std::uint32_t, 2>{24, 17});
    return ran.seen.unread->bytes == 54;
  };
  SUBCASE("printed by the host after the right launch") {
    CHECK(is_caught(with(right, print, by_host + print)));
  }
  SUBCASE("without a launch") {
    CHECK(is_caught(with(with(right, launch, ""), print, by_host + print)));
  }
  SUBCASE("copied to the device before the launch, which adds nothing") {
    const std::string added = std::string(by_host) +
                              "check(cudaMemcpy(histo, counts, 8, cudaMemcpyHostToDevice));"
                              "histogram<<<n, threads>>>(data, 0, histo);";
    CHECK(is_caught(with(right, launch, added)));
  }
  SUBCASE("copied to a variable, from which another kernel takes them") {
    std::string main =
        "__device__ unsigned int table[2];\n"
        "__global__ void take(const char*, unsigned int* histo) {\n"
        "  histo[threadIdx.x] = table[threadIdx.x];\n"
        "}\n";
    main += with(right, launch,
                 std::string(by_host) +
                     "check(cudaMemcpyToSymbol(table, counts, 8)); take<<<1, 2>>>(data, histo);");
    CHECK(is_caught(main));
  }
  SUBCASE("passed as arguments to another kernel") {
    std::string main =
        "__global__ void take(unsigned int* histo, unsigned int a, unsigned int b) {\n"
        "  histo[0] = a, histo[1] = b;\n"
        "}\n";
    main +=
        with(right, launch, std::string(by_host) + "take<<<1, 1>>>(histo, counts[0], counts[1]);");
    CHECK(is_caught(main));
  }
  SUBCASE("counted by the host from data that it reads back") {
    CHECK(is_caught(with(right, print,
                         "std::string back(n, ' '); check(cudaMemcpy(&back[0], data, n, "
                         "cudaMemcpyDeviceToHost));" +
                             with(by_host, "text", "back") + print)));
  }
  SUBCASE("counted by the host from data that a thread sees while the kernel runs") {
    const std::string watch = fmt::format(
        "const char* all = static_cast<char*>(mmap(nullptr, 1 << 30, PROT_READ, MAP_SHARED, 11, "
        "0));"
        "const volatile char* now = all + (reinterpret_cast<unsigned long>(data) - {}ul);"
        "std::atomic<bool> is_over{{false}}; std::string seen = text;"
        "std::thread watcher([&] {{ while (!is_over) for (unsigned int i = 0; i < n; ++i)"
        "  if (const char c = now[i]; c != text[i]) seen[i] = c; }});",
        program_memory_begin);
    CHECK(is_caught("#include <sys/mman.h>\n#include <atomic>\n#include <thread>\n" +
                    with(with(right, launch, watch + launch + "is_over = true; watcher.join();"),
                         print, with(by_host, "text", "seen") + print)));
  }
}

TEST_CASE("a program may count its data in parts") {
  const Ran ran = run(with(right, "histogram<<<n / threads + 1, threads>>>(data, n, histo);",
                           "histogram<<<1, 32>>>(data, 32, histo);"
                           "histogram<<<1, 32>>>(data + 32, n - 32, histo);"));
  CHECK(ran.counts == std::array<std::uint32_t, 2>{24, 17});
  CHECK(ran.seen.unread->bytes == 0);
}

TEST_CASE("kernels without types in their name, or with pointers in a structure, count in parts") {
  const auto is_right = [&](const std::string& kernels, const std::string& launches) {
    const Ran ran = run(kernels + with(right, launch, launches));
    CHECK(ran.counts == std::array<std::uint32_t, 2>{24, 17});
    return ran.seen.unread->bytes == 0;
  };
  const std::string body =
      "if (threadIdx.x < n && data[threadIdx.x] >= 'a' && data[threadIdx.x] <= 'z') "
      "atomicAdd(&histo[(data[threadIdx.x] - 'a') / 13], 1u); }\n";
  CHECK(is_right(
      "extern \"C\" __global__ void add(const char* data, unsigned n, unsigned* histo) {" + body,
      "add<<<1, 32>>>(data, 32, histo); add<<<1, 32>>>(data + 32, n - 32, histo);"));
  CHECK(
      is_right("struct Part { const char* data; unsigned n; };\n"
               "__global__ void add(Part part, unsigned* histo) { "
               "const char* data = part.data; const unsigned n = part.n; " +
                   body,
               "add<<<1, 32>>>({data, 32}, histo); add<<<1, 32>>>({data + 32, n - 32}, histo);"));
  CHECK(is_right(
      "struct Job { const char* data; unsigned n; unsigned* histo; };\n"
      "__global__ void add(Job job) { "
      "const char* data = job.data; const unsigned n = job.n; unsigned* histo = job.histo; " +
          body,
      "add<<<1, 32>>>({data, 32, histo}); add<<<1, 32>>>({data + 32, n - 32, histo});"));
}

TEST_CASE("a program may have its data in managed memory, and its counts in a variable") {
  std::string main = with(right, "cudaMalloc(&data", "cudaMallocManaged(&data");
  main = with(main, "check(cudaMemcpy(data, text.data(), n, cudaMemcpyHostToDevice));",
              "text.copy(data, n);");
  main = with(main, "cudaMalloc(&histo, sizeof counts)",
              "cudaGetSymbolAddress(reinterpret_cast<void**>(&histo), counters)");
  main = with(main, "check(cudaFree(histo));", "");
  const Ran ran = run("__device__ unsigned int counters[2];\n" + main);
  CHECK(ran.seen.findings.empty());
  CHECK(ran.counts == std::array<std::uint32_t, 2>{24, 17});
  CHECK(ran.seen.unread->bytes == 0);
}

TEST_CASE("a program that does not notice failures is reported") {
  const auto ignores = [](const auto& program, std::uint64_t seed) {
    const Ran ran = run(program, seed);
    return ran.seen.program && ran.seen.program->ignores_failures;
  };
  std::string unchecked = right;
  for (std::size_t at; (at = unchecked.find("check(cuda")) != std::string::npos;)
    unchecked.replace(at, 6, "static_cast<void>(");
  CHECK(ignores(unchecked, 1));
  CHECK(ignores(unchecked, 2));
  // The event's calls succeed after a launch that CUDA refuses.
  CHECK(ignores(with(right, "check(cudaGetLastError());", ""), 1));

  // A crash, a result and more launches are not an error check.
  const std::string after = "if (counts[0] + counts[1] == 0) ";
  for (const std::uint64_t seed : {0, 2}) {
    CHECK(ignores(
        with(unchecked, print, after + "*static_cast<volatile int*>(nullptr) = 1;" + print), seed));
    CHECK(ignores(with(unchecked, print, after + "abort();" + print), seed));
    CHECK(ignores(compile_with_exit("puts(\"bin 0: 0\"), exit(3)"), seed));
  }
  for (const std::uint64_t seed : {0, 1, 2})
    CHECK_FALSE(ignores(compile_with_exit("abort()"), seed));
}

TEST_CASE("a program without calls of one kind is judged by those of another") {
  std::string main = "__device__ char there[100]; __device__ unsigned int counters[2];\n";
  main +=
      with(with(right, "cudaMalloc(&data, n + 1)", "cudaGetSymbolAddress((void**)&data, there)"),
           "cudaMalloc(&histo, sizeof counts)", "cudaGetSymbolAddress((void**)&histo, counters)");
  main = with(with(main, "check(cudaFree(data));", ""), "check(cudaFree(histo));", "");
  const Ran ran = run(main, 0);
  CHECK(ran.seen.findings.empty());
  CHECK_FALSE(ran.seen.program->ignores_failures);
  // Calls of another kind fail then.
  CHECK(run(with(main, "check(cudaGetLastError());", ""), 0).seen.program->ignores_failures);
}

TEST_CASE("limits hold for all launches of a submission, and for each run of a program") {
  Compiled compiled =
      compile(kernel + with(right, print, "for (;;) histogram<<<1, 32>>>(data, n, histo);"));
  REQUIRE(compiled.ok);
  compiled.budget = std::make_shared<ProcessorBudget>(std::chrono::milliseconds{50});
  const Ran endless = run(compiled);
  CHECK(endless.seen.ending == Ending::timed_out);
  CHECK(endless.seen.ending_detail ==
        "the kernels of all cases together used up 0.05 s of processor time, all that a submission "
        "may use. Launch less work");
  CHECK(endless.seen.counters.threads == 0);
  const Ran hangs = run(compile_with_exit("for (;;) continue"));
  CHECK(hangs.seen.ending == Ending::timed_out);
  CHECK(hangs.seen.ending_detail.starts_with(
      "after a call has failed, the program did not end within its time limit"));
  const Ran fills = run(with(right, launch,
                             "for (char* more; cudaMalloc(&more, 256 << 20) == 0;)"
                             "check(cudaMemset(more, 1, 256 << 20));" +
                                 launch));
  CHECK(fills.seen.ending == Ending::stopped);  // the launch's check finds the failed allocation
}

TEST_CASE("a program that cannot be built or read is the submission's mistake") {
  const auto message = [](const std::string& text) {
    const Compiled compiled = compile(text);
    CHECK_FALSE(compiled.ok);
    return compiled.diagnostics.empty() ? std::string{} : compiled.diagnostics.front().message;
  };
  CHECK(message("__attribute__((section(\".histolab_device\"))) char mine[9] = {1}; int main() {}")
            .starts_with("the device code cannot be added: "));
  CHECK(message("#ifndef __CUDA_ARCH__\nasm(\".data\\n.long main\\n.text\");\n#endif\n"
                "int main() {}")
            .starts_with("the program cannot be linked: "));
  CHECK(message("__device__ char large[1 << 30]; __global__ void k() { large[1] = 1; }"
                "int main() { k<<<1, 1>>>(); }") ==
        "the program's device variables need more than 512 MiB. Allocate large arrays with "
        "cudaMalloc");
  CHECK(message("__device__ char large[2u << 30]; __global__ void k() { large[1] = 1; }"
                "int main() { k<<<1, 1>>>(); }") ==
        "the program's variables need more than 2 GiB. Allocate large arrays with cudaMalloc or "
        "new");
}

TEST_CASE("a program without a result is stopped, and says why") {
  const auto detail = [](const std::string& main) {
    const Ran ran = run(main);
    CHECK(ran.seen.ending != Ending::completed);
    CHECK(ran.counts == std::array<std::uint32_t, 2>{});
    return ran.seen.ending_detail;
  };
  CHECK(detail("int main() {}") ==
        "the program should print `bin 0: COUNT`, but the line is missing. Leave the output to the "
        "functions of the stub");
  CHECK(detail("int main() { puts(\"bin 0: 1\\nbin 2: 1\"); }") ==
        "the program should print `bin 1: COUNT`, but prints `bin 2: 1`. Leave the output to the "
        "functions of the stub");
  CHECK(detail("int main() { puts(\"bin 0: 1\\nbin 1: -1\"); }").find("but prints `bin 1: -1`") !=
        std::string::npos);
  CHECK(detail("int main() { puts(\"bin 0: 1\\nbin 1: 1\\nkernel: nan ms\"); }")
            .find("print `kernel: TIME ms`") != std::string::npos);
  CHECK(detail("int main() { puts(\"bin 0: 1\\nbin 1: 1\\nkernel: 1 ms\\nscore: 10\"); }") ==
        "the program prints more than the counts and the time. Print other text to stderr");
  CHECK(detail("int main() { return 4; }") ==
        "the program returned 4, which says that it failed. Read its messages");
  CHECK(detail("int main() { abort(); }").find("ended by signal 6 (Aborted)") != std::string::npos);
}

TEST_CASE("errors of the compiler have lines of the student's file") {
  const Compiled compiled = compile("int main() {\n  return missing;\n}\n");
  CHECK_FALSE(compiled.ok);
  REQUIRE(compiled.diagnostics.size() == 1);
  CHECK(compiled.diagnostics[0].line == 2);
}

}  // namespace
}  // namespace histolab::kernels::program
