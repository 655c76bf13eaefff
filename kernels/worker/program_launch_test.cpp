// Tests of launches of whole programs' kernels: arguments, memory that outlives a launch, findings
// with files.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/emulator/module/variable_sections.h"
#include "kernels/program/memory_layout.h"
#include "kernels/worker/program_client.h"
#include "kernels/worker/testing/direct_launch.h"

using namespace histolab::kernels;
using namespace histolab::kernels::emulator;
using namespace histolab::kernels::testing;

namespace {

// Passes arguments as a compiled call does.
struct Arguments {
  RawArguments raw;
  ArgumentWords words;
  std::size_t vectors = 0;

  Arguments& word(std::uint64_t value) {
    REQUIRE(words.add(value));
    return *this;
  }
  template <class T>
  Arguments& number(T value) {  // a float or a double
    raw.has_vectors = 1;
    std::memcpy(raw.vectors.at(vectors++).data(), &value, sizeof value);
    return *this;
  }
  template <class T>
  Arguments& on_stack(const T& value) {
    std::array<std::uint64_t, (sizeof value + 7) / 8> parts{};
    std::memcpy(parts.data(), &value, sizeof value);
    for (const std::uint64_t part : parts) stacked.push_back(part);
    return *this;
  }
  std::vector<std::uint64_t> stacked;
  [[nodiscard]] RawArguments all() const {
    RawArguments made = words.arguments();
    made.vectors = raw.vectors;
    made.has_vectors = raw.has_vectors;
    for (const std::uint64_t part : stacked) {
      std::memcpy(made.stack.data() + made.stack_bytes, &part, sizeof part);
      made.stack_bytes += sizeof part;
    }
    return made;
  }
};

// A program's memory, as the process that starts the program owns it.
class Program {
 public:
  explicit Program(const std::string& source) {
    std::optional<Buffer> compiled = compile_to_object(source);
    REQUIRE(compiled);
    object_ = std::move(compiled);
    memory.fd = file(program::program_memory_bytes);
    memory.written_fd = file(program::program_written_bytes);
    void* const mapped = mmap(nullptr, program::program_memory_bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_NORESERVE, memory.fd, 0);
    REQUIRE(mapped != MAP_FAILED);
    bytes_ = static_cast<std::uint8_t*>(mapped);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    munmap(bytes_, program::program_memory_bytes);
    close(memory.fd);
    close(memory.written_fd);
  }

  // Allocates memory of which nothing is written, and returns its address.
  std::uint64_t allocate(const std::string& name, std::uint64_t bytes,
                         std::uint32_t element_bytes = 4) {
    memory.allocations.push_back({next(bytes), bytes, element_bytes, name});
    return program::program_memory_begin + memory.allocations.back().offset;
  }
  // Places all variables, with their first contents.
  void place_variables() {
    const auto sections = variable_sections(object_->bytes());
    REQUIRE(sections.ok());
    for (const VariableSection& section : *sections) {
      const std::uint64_t at = next(section.bytes);
      std::ranges::copy(section.contents, bytes_ + at);
      for (const VariableSection::Variable& variable : section.variables)
        memory.variables.push_back({variable.symbol, at + variable.offset, variable.bytes});
    }
  }
  [[nodiscard]] std::uint64_t address_of(const std::string& symbol) const {
    const auto found = std::ranges::find(memory.variables, symbol, &ProgramVariable::symbol);
    REQUIRE(found != memory.variables.end());
    return program::program_memory_begin + found->offset;
  }
  void write(std::uint64_t address, const std::vector<std::uint32_t>& words) {
    std::memcpy(bytes_ + (address - program::program_memory_begin), words.data(), words.size() * 4);
  }
  [[nodiscard]] std::vector<std::uint32_t> read(std::uint64_t address, std::size_t words) const {
    std::vector<std::uint32_t> found(words);
    std::memcpy(found.data(), bytes_ + (address - program::program_memory_begin), words * 4);
    return found;
  }

  Observation launch(const std::string& kernel, const Arguments& arguments,
                     const LaunchConfig& config = {{1}, {1}}, const Options& options = {}) {
    const ProgramDevice device(emulator_paths());
    auto ran = device.launch(*object_, {kernel, config, arguments.all(), memory, {}}, options);
    REQUIRE_MESSAGE(ran.ok(), (ran.ok() ? "" : ran.error().message));
    REQUIRE(ran->written.size() == memory.allocations.size());
    for (std::size_t i = 0; i < ran->written.size(); ++i)
      memory.allocations[i].written = ran->written[i];
    return std::move(ran->observation);
  }

  ProgramMemory memory;

 private:
  static int file(std::uint64_t bytes) {
    const int fd = memfd_create("program", MFD_CLOEXEC);
    REQUIRE(fd >= 0);
    REQUIRE(ftruncate(fd, static_cast<off_t>(bytes)) == 0);
    return fd;
  }
  std::uint64_t next(std::uint64_t bytes) {
    const std::uint64_t at = next_;
    next_ = round_up(at + bytes, program::allocation_alignment) + 2 * program::program_red_zone;
    return at;
  }

  std::optional<Buffer> object_;
  std::uint8_t* bytes_ = nullptr;
  std::uint64_t next_ = program::program_red_zone;
};

std::string told(const Observation& observation) {
  std::string all;
  for (const Finding& finding : observation.findings) {
    all += std::string(name(finding.kind)) + (finding.severity == Severity::note ? " note " : " ") +
           finding.file + ":" + std::to_string(finding.line);
    if (finding.other_line != 0)
      all += " " + finding.other_file + ":" + std::to_string(finding.other_line);
    all += "\n  " + finding.message + "\n";
  }
  if (observation.ending != Ending::completed) all += std::string(name(observation.ending)) + "\n";
  return all;
}

}  // namespace

TEST_CASE(
    "a program's kernel gets floating-point numbers, a structure and arguments on the stack") {
  Program program(R"(
struct Three { unsigned long long a; int b; unsigned long long c; };
__global__ void k(float f, unsigned* out, double d, Three three, int a, int b, int c, int e,
                  int g, float h, int i) {
  if (threadIdx.x != 31) return;
  out[0] = (unsigned)(f * 10) + (unsigned)(d * 1000);
  out[1] = (unsigned)(three.a + three.b + three.c);
  out[2] = a + 10 * b + 100 * c + 1000 * e + 10000 * g;
  out[3] = (unsigned)h;
  out[4] = i;
})");
  struct Three {
    unsigned long long a;
    int b;
    unsigned long long c;
  };
  const std::uint64_t out = program.allocate("out", 20);
  Arguments arguments;
  arguments.number(0.5f).word(out).number(0.25).on_stack(Three{1, 20, 300});
  arguments.word(1).word(2).word(3).word(4).word(5).number(7.0f).on_stack(66);
  const Observation observation = program.launch("_Z1kfPjd5Threeiiiiifi", arguments, {{1}, {32}});
  CHECK(told(observation) == "");
  CHECK(program.read(out, 5) == std::vector<std::uint32_t>{255, 321, 54321, 7, 66});
  CHECK(program.memory.allocations[0].written == WrittenState::all);
}

TEST_CASE("a program's memory and variables outlive a launch") {
  Program program(R"(
__device__ unsigned count = 7;
__device__ unsigned* where = &count;
__constant__ unsigned table[2];
const __device__ unsigned fixed[2] = {3, 4};
__global__ void add(unsigned* data) {
  data[threadIdx.x] += count + table[threadIdx.x] + fixed[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) ++*where;
}
__global__ void set(unsigned* data) { data[threadIdx.x] = threadIdx.x; })");
  program.place_variables();
  CHECK(program.memory.variables.size() == 3);
  program.write(program.address_of("table"), {100, 200});
  const std::uint64_t data = program.allocate("data", 8);
  CHECK(told(program.launch("_Z3setPj", Arguments().word(data), {{1}, {2}})) == "");
  CHECK(program.memory.allocations[0].written == WrittenState::all);
  CHECK(told(program.launch("_Z3addPj", Arguments().word(data), {{1}, {2}})) == "");
  CHECK(program.read(data, 2) == std::vector<std::uint32_t>{110, 212});
  CHECK(told(program.launch("_Z3addPj", Arguments().word(data), {{1}, {2}})) == "");
  CHECK(program.read(data, 2) == std::vector<std::uint32_t>{221, 424});
  CHECK(program.read(program.address_of("count"), 1) == std::vector<std::uint32_t>{9});
  // The program sets a pointer, which the next launch leaves as it is.
  program.write(program.address_of("where"),
                {static_cast<std::uint32_t>(data), static_cast<std::uint32_t>(data >> 32)});
  CHECK(program.launch("_Z3addPj", Arguments().word(data), {{1}, {2}}).findings.empty());
  CHECK(program.read(data, 2) == std::vector<std::uint32_t>{334, 637});
}

TEST_CASE("findings about a program's memory name the allocation") {
  Program program(R"(
__global__ void copy(const unsigned* from, unsigned* to, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    to[i] = from[i];
})");
  const std::uint64_t from = program.allocate("from", 128), to = program.allocate("to", 64);
  program.memory.allocations[0].written = WrittenState::all;
  const auto copy = [&](std::uint64_t a, std::uint64_t b, int n) {
    return told(program.launch("_Z4copyPKjPji",
                               Arguments().word(a).word(b).word(static_cast<std::uint64_t>(n)),
                               {{1}, {8}}));
  };
  CHECK(copy(from, to, 8) == "");
  CHECK(program.memory.allocations[1].written == WrittenState::some);
  SUBCASE("beyond the end") {
    CHECK(copy(from, to, 17) ==
          "out_of_bounds kernel.cu:4\n"
          "  thread 0 of block 0 writes to[16], but to has 16 elements, 0 to 15. Check how the "
          "index is computed, and test it before you use it\n");
    CHECK(program.memory.allocations[1].written == WrittenState::all);
  }
  SUBCASE("never written") {
    CHECK(copy(to, from, 12) ==
          "uninitialized_read kernel.cu:4\n"
          "  thread 0 of block 0 reads to[8] before anything was written there. Allocated memory "
          "holds whatever was left in it: write every element before you read it, for example in "
          "a loop over all of them\n");
    CHECK(copy(to, from, 8) == "");
  }
  SUBCASE("freed") {
    program.memory.allocations[0].is_freed = true;
    program.memory.allocations[0].freed_at = "main.cu:31";
    CHECK(copy(from, to, 8) ==
          "use_after_free kernel.cu:4\n"
          "  thread 0 of block 0 reads from[0], but that memory was freed (main.cu:31). Use it "
          "before you free it, or free it later\n");
  }
  SUBCASE("far away") {
    const std::string far = copy(from + (8ull << 30), to, 1);
    CHECK(far.starts_with("out_of_bounds kernel.cu:4\n"));
    CHECK(far.ends_with("stopped\n"));
  }
}

TEST_CASE("findings in a header name its file") {
  Program program(R"(
# 1 "part.cuh"
__device__ __attribute__((noinline)) void update(unsigned* word) {
  *word += 1;
}
# 3 "main.cu"
__global__ void k(unsigned* data) {
  update(data);
  if (threadIdx.x == 33) data[1] = 2;
  if (threadIdx.x == 0) data[1] = 3;
  unsigned* mine = (unsigned*)malloc(4);
  data[2] = mine[0];
}
)");
  const std::uint64_t data = program.allocate("data", 12);
  program.memory.allocations[0].written = WrittenState::all;
  const Observation seen = program.launch("_Z1kPj", Arguments().word(data), {{1}, {64}});
  const std::string text = told(seen);
  CAPTURE(text);
  CHECK(text.find("data_race part.cuh:2 part.cuh:2\n") != std::string::npos);
  CHECK(text.find("data_race main.cu:") != std::string::npos);
  CHECK(text.find("(main.cu:6)") != std::string::npos);
  CHECK(text.find("uninitialized_read main.cu:8\n") != std::string::npos);
  CHECK(text.find("malloc@main.cu:7") != std::string::npos);
  CHECK(text.find("(line ") == std::string::npos);
  REQUIRE(seen.files.size() == 2);
  for (const auto& line : seen.lines) CHECK((line.file == 1 || line.file == 2));
}

TEST_CASE("writers that agree on a value are looked at twice, and memory is as after one launch") {
  Program program(R"(
__global__ void k(unsigned* data) {
  data[0] = 5;
  if (threadIdx.x == 0) data[1] = data[1] + 1;
})");
  const std::uint64_t data = program.allocate("data", 8);
  program.memory.allocations[0].written = WrittenState::all;
  const std::string text = told(program.launch("_Z1kPj", Arguments().word(data), {{1}, {64}}));
  CHECK(text.starts_with("data_race note "));
  CHECK(program.read(data, 2) == std::vector<std::uint32_t>{5, 1});
}

TEST_CASE("a kernel that the program does not have, and one that cannot be loaded") {
  Program program(R"(
#include <cstdio>
__global__ void k() { fopen("a", "r"); })");
  CHECK(told(program.launch("_Z5otherv", {})) ==
        "unsupported :0\n  the program has no code for the kernel `other()`. Build it again\n"
        "stopped\n");
  const std::string text = told(program.launch("_Z1kv", {}));
  CHECK(text.starts_with("unsupported kernel.cu:3\n"));
  CHECK(text.ends_with("stopped\n"));
}
