#include "kernels/worker/compiling/local_arrays.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/compiling/compiler_command.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;

namespace {

// Lists the arrays of a kernel's body that stay in memory, with their lines: "counts:9 s:3".
std::string found(const std::string& body, const std::string& before = {}) {
  const std::string source =
      before + "__global__ void k(const char* data, unsigned int length, unsigned int* histo) {\n" +
      body + "}\n";
  const auto dump = worker::optimize_for_registers(source, testing::emulator_paths());
  REQUIRE(dump.ok());
  REQUIRE_MESSAGE(!dump->empty(), source);
  std::string text;
  for (const IndexedArray& each : worker::indexed_arrays(*dump, worker::source_name))
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", each.name, each.line);
  return text;
}

const std::string loop =
    "  for (unsigned int i = threadIdx.x; i < length; i += blockDim.x) {\n    const unsigned int "
    "bin = (data[i] - 'a') / 4u;\n";
const std::string commit =
    "  for (unsigned int b = 0; b < 7; ++b) atomicAdd(&histo[b], counts[b]);\n";

}  // namespace

TEST_CASE("arrays whose every index is constant once loops are unrolled are registers") {
  const std::string counts = "  unsigned int counts[7] = {};\n";
  CHECK(found(counts + loop +
              "    for (unsigned int b = 0; b < 7; ++b) counts[b] += bin == b;\n  }\n" + commit)
            .empty());
  CHECK(found(counts + loop +
              "#pragma unroll\n    for (int b = 6; b >= 0; --b)\n      if (bin == b) "
              "++counts[b];\n  }\n" +
              commit)
            .empty());
  CHECK(found(counts + loop +
              "    switch (bin) { case 0: ++counts[0]; break; case 1: ++counts[1]; }\n  }\n" +
              commit)
            .empty());
  CHECK(found("  unsigned int counts[7];\n  for (auto& count : counts) count = 0;\n" + loop +
              "    if (bin == 3) counts[3]++;\n  }\n" + commit)
            .empty());
  const std::string shuffle =
      "  for (unsigned int b = 0; b < 7; ++b) {\n    unsigned int sum = counts[b];\n    for (int d "
      "= 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);\n"
      "    if (threadIdx.x % 32 == 0) atomicAdd(&histo[b], sum);\n  }\n";
  CHECK(found(counts + loop +
              "    for (unsigned int b = 0; b < 7; ++b) counts[b] += bin == b;\n  }\n" + shuffle)
            .empty());
  const std::string type =
      "struct Counts {\n  unsigned int of[7];\n  __device__ void add(unsigned int bin) {\n    for "
      "(unsigned int b = 0; b < 7; ++b) of[b] += b == bin;\n  }\n};\n";
  CHECK(found("  Counts counts{};\n" + loop +
                  "    counts.add(bin);\n  }\n  for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], "
                  "counts.of[b]);\n",
              type)
            .empty());
}

TEST_CASE("an index that only the data knows keeps an array in memory") {
  CHECK(found("  unsigned int counts[7] = {};\n" + loop + "    if (bin < 7) ++counts[bin];\n  }\n" +
              commit) == "counts:5");
  CHECK(found("  unsigned int counts[7] = {};\n" + loop +
              "    if (bin < 7) *(counts + bin) += 1;\n  }\n" + commit)
            .starts_with("counts:"));
  CHECK(found("  unsigned int counts[7] = {};\n" + loop +
              "    for (unsigned int b = 0; b < 7; ++b) counts[b] += bin == b;\n  }\n"
              "  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], "
              "counts[b]);\n") == "counts:7");
  const std::string type = "struct Counts {\n  unsigned int of[7];\n};\n";
  CHECK(found("  Counts counts{};\n" + loop +
                  "    ++counts.of[bin];\n  }\n  for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], "
                  "counts.of[b]);\n",
              type) == "counts:8");
}

TEST_CASE(
    "an array in memory is found whatever its name or type, and a source cannot detect the "
    "search") {
  for (const std::string name : {"counts$", "_1", "_1_"})
    CHECK_MESSAGE(
        found("  unsigned int " + name + "[7] = {};\n" + loop + "    if (bin < 7) ++" + name +
              "[bin];\n  }\n  for (unsigned int b = 0; b < 7; ++b) atomicAdd(&histo[b], " + name +
              "[b]);\n") == name + ":5",
        name);
  CHECK(found("  unsigned int \u00e4[7] = {};\n" + loop +
              "    if (bin < 7) ++\u00e4[bin];\n  }\n  for (unsigned int b = 0; b < 7; ++b) "
              "atomicAdd(&histo[b], \u00e4[b]);\n")
            .ends_with(":5"));
  CHECK(found("  char* counts[7] = {};\n" + loop +
              "    if (bin < 7) ++counts[bin];\n  }\n  for (unsigned int b = 0; b < 7; ++b) "
              "atomicAdd(&histo[b], (unsigned)(unsigned long)counts[b]);\n") == "counts:5");
  CHECK(found("  typedef unsigned int Counts __attribute__((vector_size(32)));\n  Counts counts = "
              "{};\n" +
              loop + "    if (bin < 7) ++counts[bin];\n  }\n" + commit) == "counts:6");
  const std::string add =
      "__device__ __attribute__((noipa)) void add(unsigned int& count) { ++count; }\nstruct Counts "
      "{\n  unsigned int of[7];\n};\n";
  CHECK(found("  unsigned int counts[7] = {};\n" + loop +
                  "    if (bin < 7) add(counts[bin]);\n  }\n" + commit,
              add) == "counts:9");
  CHECK(found("  Counts counts{};\n" + loop +
                  "    if (bin < 7) add(counts.of[bin]);\n  }\n  for (int b = 0; b < 7; ++b) "
                  "atomicAdd(&histo[b], counts.of[b]);\n",
              add) == "counts:9");
  // A source must not detect this mode. Once, only this mode had a macro called `for`, only the
  // emulator's had the sanitizer's macro, and a loop's own pragma was an error.
  const std::string indexed = "    if (bin < 7) ++counts[bin];\n",
                    compared = "    for (unsigned int b = 0; b < 7; ++b) counts[b] += bin == b;\n";
  for (const std::string condition : {"#ifdef for\n", "#ifndef __SANITIZE_THREAD__\n"})
    CHECK_MESSAGE(found("  unsigned int counts[7] = {};\n" + loop + condition + compared +
                        "#else\n" + indexed + "#endif\n  }\n" + commit) == "counts:8",
                  condition);
  CHECK(found("  unsigned int counts[7] = {};\n" + loop +
                  "    if constexpr (sizeof(TEXT(for)) > 4)\n  " + compared + "    else\n  " +
                  indexed + "  }\n" + commit,
              "#define SAME(x) #x\n#define TEXT(x) SAME(x)\n") == "counts:10");
  CHECK(found("#undef linux\n  unsigned int linux[7] = {};\n" + loop +
              "    if (bin < 7) ++linux[bin];\n  }\n_Pragma(\"GCC unroll 2\")\n  for (unsigned int "
              "b = 0; b < 7; ++b) atomicAdd(&histo[b], linux[b]);\n") == "linux:6");
}

TEST_CASE("an array in memory is found whichever way C++ leads to it") {
  const std::string counts = "  unsigned int counts[7] = {};\n", count = "    if (bin < 7) ",
                    end = "  }\n";
  const std::string from_struct =
      "  for (unsigned int b = 0; b < 7; ++b) atomicAdd(&histo[b], counts.of[b]);\n";
  const std::string type = "struct Counts {\n  unsigned int of[7];\n};\n";
  // By reference and by pointer.
  const std::string at =
      "__device__ unsigned int& at(unsigned int (&counts)[7], unsigned int bin) { return "
      "counts[bin]; }\n";
  CHECK(found(counts + loop + count + "++at(counts, bin);\n" + end + commit, at) == "counts:6");
  CHECK(found(counts + "  unsigned int* p = counts;\n" + loop +
              "    p += bin & 1;\n    *p += 1;\n" + end + commit)
            .starts_with("counts:"));
  CHECK(found(counts + "  unsigned int* p = counts;\n" + loop + count +
              "{\n    unsigned int* q = p + bin;\n    *q = *q + 1;\n    }\n" + end + commit)
            .starts_with("counts:"));
  // In a lambda, by reference and by copy.
  CHECK(found(counts + "  auto add = [&](unsigned int bin) { ++counts[bin]; };\n" + loop + count +
              "add(bin);\n" + end + commit) == "counts:3");
  CHECK(found(counts +
              "  auto add = [counts](unsigned int bin) mutable { return ++counts[bin]; };\n" +
              loop + count + "histo[0] = add(bin);\n" + end) == "add:3");
  // In a class, a union, a structure without an array, and without a name.
  const std::string hidden =
      "class Counts {\n  unsigned int of[7] = {};\n public:\n  __device__ unsigned int& "
      "operator[](unsigned int bin) { return of[bin]; }\n};\n";
  CHECK(found("  Counts counts;\n" + loop + count + "++counts[bin];\n" + end + commit, hidden)
            .starts_with("counts:"));
  CHECK(found("  union { unsigned int of[7]; unsigned char bytes[28]; } counts = {};\n" + loop +
              count + "++counts.bytes[4 * bin];\n" + end + from_struct)
            .starts_with("counts:"));
  CHECK(found("  struct { unsigned int a, b, c; } counts = {};\n" + loop +
              "    if (bin < 3) ++(&counts.a)[bin];\n" + end +
              "  atomicAdd(&histo[0], counts.a + counts.c);\n")
            .starts_with("counts:"));
  const std::string make = type + "__device__ Counts make() { return {}; }\n";
  CHECK(found("  Counts&& counts = make();\n" + loop + count + "++counts.of[bin];\n" + end +
                  from_struct,
              make)
            .starts_with("a variable without a name:"));
  // In a function that is not inlined, as argument and as result.
  const std::string call = type +
                           "__device__ __attribute__((noinline)) Counts add(Counts s, unsigned int "
                           "bin) {\n  ++s.of[bin];\n  return s;\n}\n";
  CHECK(found("  Counts counts{};\n" + loop + count + "counts = add(counts, bin);\n" + end +
                  from_struct,
              call)
            .find(":5") != std::string::npos);
  // Scalars with a computed choice among their addresses.
  const std::string
      scalars = "  unsigned int a = 0, b = 0, c = 0;\n",
      commits =
          "  atomicAdd(&histo[0], a);\n  atomicAdd(&histo[1], b);\n  atomicAdd(&histo[2], c);\n";
  CHECK(found(scalars + loop + "    ++*(bin == 0 ? &a : bin == 1 ? &b : &c);\n" + end + commits)
            .find("a:5") != std::string::npos);
  CHECK(found(scalars + loop +
              "    unsigned int* p = &c;\n    switch (bin) { case 0: p = &a; break; case 1: p = "
              "&b; }\n    *p += 1;\n" +
              end + commits)
            .find("b:") != std::string::npos);
  CHECK(found(scalars + "  unsigned int* const all[3] = {&a, &b, &c};\n" + loop +
              "    if (bin < 3) ++*all[bin];\n" + end + commits)
            .find("all:6") != std::string::npos);
  // A volatile variable is an access each time.
  CHECK(found("  volatile unsigned int counts[7] = {};\n" + loop +
              "    for (unsigned int b = 0; b < 7; ++b) counts[b] += bin == b;\n" + end + commit) ==
        "counts:2");
}

TEST_CASE("registers stay registers, in a structure, a template and a lambda") {
  const std::string type =
      "struct Counts {\n  unsigned int of[7];\n  __device__ void add(unsigned int bin) {\n    for "
      "(auto& count : of) count += static_cast<unsigned int>(&count - of) == bin;\n  }\n};\n";
  CHECK(found("  Counts counts{};\n" + loop +
                  "    counts.add(bin);\n  }\n  for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], "
                  "counts.of[b]);\n",
              type)
            .empty());
  const std::string bump =
      "template <unsigned int n>\n__device__ void add(unsigned int (&counts)[7], unsigned int bin) "
      "{\n  counts[n] += bin == n;\n  if constexpr (n < 6) add<n + 1>(counts, bin);\n}\n";
  CHECK(
      found("  unsigned int counts[7] = {};\n" + loop + "    add<0>(counts, bin);\n  }\n" + commit,
            bump)
          .empty());
  CHECK(found("  unsigned int counts[7] = {};\n  auto add = [&](unsigned int bin) { for (unsigned "
              "int b = 0; b < 7; ++b) counts[b] += bin == b; };\n" +
              loop + "    add(bin);\n  }\n" + commit)
            .empty());
  CHECK(found("  unsigned long long packed = 0;\n" + loop +
              "    packed += 1ull << 8 * bin;\n  }\n  for (unsigned int b = 0; b < 7; ++b) "
              "atomicAdd(&histo[b], static_cast<unsigned int>(packed >> 8 * b & 255));\n")
            .empty());
  CHECK(found("  const uint4* words = reinterpret_cast<const uint4*>(data);\n  unsigned int "
              "counts[7] = {};\n  for (unsigned int i = threadIdx.x; i < length / 16; i += "
              "blockDim.x) {\n    const uint4 word = words[i];\n"
              "    const unsigned int parts[4] = {word.x, word.y, word.z, word.w};\n    for (int k "
              "= 0; k < 16; ++k)\n      for (unsigned int b = 0; b < 7; ++b) counts[b] += "
              "(((parts[k / 4] >> 8 * (k % 4)) & 255) - 'a') / 4 == b;\n  }\n" +
              commit)
            .empty());
}

TEST_CASE("shared arrays and pointer parameters are not local arrays") {
  CHECK(found("  __shared__ unsigned int counts[7];\n" + loop +
              "    atomicAdd(&counts[bin], 1u);\n  }\n  __syncthreads();\n" + commit)
            .empty());
}

TEST_CASE("an invalid dump yields no arrays, and a name of any length is read") {
  CHECK(worker::indexed_arrays("", "kernel.cu").empty());
  CHECK(worker::indexed_arrays("{\n  int a[3];\n  [kernel.cu:1:1] a[", "kernel.cu").empty());
  CHECK(
      worker::indexed_arrays("{\n  int a[3];\n  [other.h:1:1] a[_1] = 2;\n", "kernel.cu").empty());
  const std::string name(1 << 20, 'a');
  CHECK(worker::indexed_arrays(
            "{\n  int " + name + "[3];\n  [kernel.cu:7:1] " + name + "[_1] = 2;\n", "kernel.cu")
            .size() == 1);
}

TEST_CASE("lines that access an array which is too large for registers") {
  const auto lines_of = [](const std::string& declarations) {
    std::string dump = "{\n" + declarations;
    for (int line = 3; line < 6; ++line)
      dump += fmt::format("  [kernel.cu:{}:1] a[{}] = 2;\n", line, line == 4 ? "_1" : "3");
    const auto arrays = worker::indexed_arrays(dump, "kernel.cu");
    REQUIRE(arrays.size() == 1);
    return arrays[0].memory_lines;
  };
  const std::vector<int> all{3, 4, 5}, none;
  for (const char* large : {"unsigned int a[8]", "int a[2][4]", "unsigned char a[2]", "bool a[2]",
                            "double a[2]", "long unsigned int a[2]", "uint64_t a[2]", "int * a[2]",
                            "struct S a[8]", "int a[18446744073709551615]", "int a[99999][99999]"})
    CHECK_MESSAGE(lines_of(fmt::format("  {};\n", large)) == all, large);
  for (const char* small : {"unsigned int a[7]", "float a[7]", "short int a[7]", "struct S a",
                            "uint16_t a[7]", "int a[]"})
    CHECK_MESSAGE(lines_of(fmt::format("  {};\n", small)) == none, small);
}
