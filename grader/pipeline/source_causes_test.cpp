#include "grader/pipeline/source_causes.h"

#include <doctest/doctest.h>

#include <string>

using namespace histolab::grader;

namespace {

// 2 blocks of 3 threads and 31 bytes, some of which were not read.
WrongLaunch usual() {
  WrongLaunch launch;
  launch.kernel = "histogram";
  launch.grid = 2;
  launch.block = 3;
  launch.length = 31;
  launch.leaves_unread = true;
  launch.wants_shared = true;
  launch.output = "histo";
  return launch;
}

std::string next_of(const std::string& body, const WrongLaunch& launch = usual()) {
  const auto cause =
      source_cause("constexpr int b = 3;\n__global__ void histogram() {\n" + body +
                       "\n}\n__global__ void other() { int i = blockIdx.x * 32 + threadIdx.x; }\n",
                   launch);
  return cause ? cause->next : std::string{};
}

constexpr const char* index_of_thread =
    "__shared__ int s[7]; int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
constexpr const char* grow = "Increase it by the number of all threads: gridDim.x * blockDim.x";

}  // namespace

TEST_CASE("a step, a number of threads and a bound that contradict the launch") {
  struct Row {
    const char *body, *next;
  };
  for (const Row& row :
       {Row{"while (i < length) { s[0] += data[i]; i += 32; }", grow},
        Row{"int step = 64; while (i < length) { s[0] += data[i]; i += step; }", grow},
        Row{"for (; i < length; i++) s[0] += data[i];", grow},
        Row{"while (i < length) { s[0] += data[i]; i += blockDim.x; }", grow},
        Row{"if (i < length - 1) s[0] += data[i];", "Compare with length itself: i < length"},
        Row{"int j = threadIdx.x + 256 * blockIdx.x;", "Write blockDim.x instead of 256"},
        Row{"int j = blockIdx.x * gridDim.x + threadIdx.x;",
            "Write blockDim.x instead of gridDim.x"},
        Row{"histo[i] = 0;", "Remove line 4: histo is already 0 when the kernel starts"}})
    CHECK_MESSAGE(next_of(std::string(index_of_thread) + row.body) == row.next, row.body);
  CHECK(next_of("__shared__ int s[7]; int i = threadIdx.x;") ==
        "Write i = blockIdx.x * blockDim.x + threadIdx.x");
  CHECK(next_of("unsigned int mine[7];") ==
        "Write __shared__ in front of mine, and let the threads of the block zero it");
}

TEST_CASE("there is no message about code that may be right") {
  for (const char* body : {
           "while (i < length) { s[0] += data[i]; i += blockDim.x * gridDim.x; }",
           "const int step = gridDim.x * blockDim.x; while (i < length) { s[0] += data[i]; i += "
           "step; }",
           "while (i < length) { s[0] += data[i]; i += 6; }",  // all threads of this grid
           // Here `i` has another use.
           "s[0] += data[i]; for (i = threadIdx.x; i < 7; i += blockDim.x) s[i] = 0;",
           "int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 8; for (int j = begin; j < begin "
           "+ 8; ++j) s[0] += data[j];",
           "if (i < length) s[0] += data[i];",
           "int j = blockIdx.x * 3 + threadIdx.x;",  // blocks of 3 threads
           "int j = blockIdx.x * b + threadIdx.x;",
           "if (threadIdx.x < 32) s[0] += data[blockIdx.x * 32 + threadIdx.x];",
           "int chunk = length / gridDim.x; for (i = blockIdx.x * chunk + threadIdx.x; i < length; "
           "i += blockDim.x) s[0]++;",
           "{ int j = blockIdx.x * blockDim.x + threadIdx.x; s[j]++; } { int j; for (; j < 7; j++) "
           "s[j]++; }",
           "s[i] = 0; histo[i] = 1; histo[i] = s[0];",
       })
    CHECK_MESSAGE(next_of(std::string(index_of_thread) + body).empty(), body);
  CHECK(next_of("// nothing yet").empty());
  WrongLaunch launch = usual();
  launch.leaves_unread = false;
  CHECK(next_of("__shared__ int s[7]; int i = threadIdx.x;", launch).empty());
  CHECK(next_of(
            std::string(index_of_thread) + "if (i < length - 1 && data[i] != data[i + 1]) s[0]++;",
            launch)
            .empty());
  launch.wants_shared = false;
  CHECK(next_of("unsigned int mine[7]; int i = blockIdx.x + threadIdx.x;", launch).empty());
}

TEST_CASE("a loop that does not use its index") {
  WrongLaunch launch = usual();
  launch.too_many = true;
  const std::string index = index_of_thread;
  CHECK(next_of(index + "for (int k = 0; k < 8; ++k) { s[0] += data[i]; }", launch) ==
        "Let the index of the byte depend on k");
  CHECK(next_of(index + "for (int k = 0; k < 8; k++) if (i < length) s[data[i]]++;", launch) ==
        "Let the index of the byte depend on k");
  for (const char* body : {"for (int k = 0; k < 8; ++k) { s[0] += data[i + k]; }",
                           "for (int k = 0; k < 8; ++k) { s[0] += data[j]; j += blockDim.x; }",
                           "for (int k = 0; k < 8; ++k, ++j) { s[0] += data[j]; }",
                           "for (int k = 0; k < 8; ++k) { s[0] = 0; }"})
    CHECK_MESSAGE(next_of(index + body, launch).empty(), body);
}

TEST_CASE("a read beyond the end is explained only by the bound") {
  WrongLaunch launch = usual();
  launch.length = 0;
  launch.beyond = 64;
  const std::string index = index_of_thread;
  CHECK(next_of(index + "if (i < length - 1) s[0] += data[i];", launch) ==
        "Compare with length itself: i < length");
  CHECK(next_of(index + "i += 32; if (i <= length) s[0] += data[i];", launch).empty());
  launch.beyond = 0;
  CHECK(next_of(index + "if (i <= length) s[0] += data[i];", launch) ==
        "Write < instead of <= on line 4");
}
