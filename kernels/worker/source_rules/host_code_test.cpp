// Tests of host code in kernels: errors at exactly the lines that end with //!.

#include <doctest/doctest.h>

#include <sstream>

#include "kernels/worker/source_rules/source_rules.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

std::string marked_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string line, marked;
  for (int number = 1; std::getline(lines, line); ++number)
    if (line.find("//!") != std::string::npos) marked += std::to_string(number) + " ";
  return marked;
}

std::vector<Diagnostic> told(const std::string& text) {
  return compile(text, {in("data", std::string("abc")), word(3), out("histo", 7)}).diagnostics;
}

void check(const std::vector<const char*>& sources) {
  for (const std::string source : sources) {
    std::string lines, words;
    for (const Diagnostic& d : told(source)) {
      lines += std::to_string(d.line) + " ";
      words += d.message + "\n";
    }
    CHECK_MESSAGE(lines == marked_lines(source), source, words);
  }
}

#define KERNEL(body) \
  "__global__ void k(const char* data, unsigned n, unsigned* histo) {\n" body "\n}\n"

}  // namespace

TEST_CASE("a host function in a kernel is reported at its first use, with the line to fix") {
  const auto diagnostics = told("bool is_letter(char c) { return c >= 'a'; }\n" KERNEL(
      "  if (is_letter(data[0])) histo[0] = 1;\n  if (is_letter(data[1])) histo[1] = 1;"));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].line == 3);
  CHECK(diagnostics[0].message ==
        "`is_letter` is a host function; a kernel can call device code only. Write __device__ in "
        "front of it (line 1)");
}

TEST_CASE("functions of the host") {
  check({
      "static inline int bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1; //!"),
      "inline\nint\nbin_of(char c)\n{\n  return c / 4;\n}\n" KERNEL(
          "  histo[bin_of(data[0])] = 1; //!"),
      "__host__ int bin_of(char c) { return c / 4; }\n" KERNEL("  histo[bin_of(data[0])] = 1; //!"),
      "template <class T> T twice(T x) { return x + x; }\n" KERNEL("  histo[0] = twice(n); //!"),
      "namespace text { int bin_of(char c) { return c / 4; } }\n" KERNEL(
          "  histo[text::bin_of(data[0])] = 1; //!"),
      "void add(unsigned* p) { ++*p; }\n__device__ void count(unsigned* p) {\n  add(p); "
      "//!\n}\n" KERNEL("  count(histo);"),
      "void add(unsigned* p) { ++*p; }\n" KERNEL("  auto f = [&] { add(histo); }; //!\n  f();"),
      "int bin_of(char c) { return c / 4; }\n#define BIN(x) (x)\n" KERNEL(
          "  histo[BIN(bin_of(data[0]))] = 1; //!"),
      "struct Bins {\n  unsigned* to;\n  void add(int b) { ++to[b]; }\n};\n" KERNEL(
          "  Bins bins{histo};\n  bins.add(1); //!"),
      "struct Bins {\n  static int of(char c) { return c / 4; }\n};\n" KERNEL(
          "  histo[Bins::of(data[0])] = 1; //!"),
      "int bin_of(char c) { return c / 4; }\nstruct Bin {\n  int number;\n  __device__ Bin(char c) "
      ": number(bin_of(c)) {} //!\n};\n" KERNEL("  histo[Bin(data[0]).number] = 1;"),
      "template <class T> struct Bins {\n  T* to;\n  void add(int b) { ++to[b]; }\n};\n" KERNEL(
          "  Bins<unsigned> bins{histo};\n  bins.add(1); //!"),
      "int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }\n" KERNEL("  histo[0] = sum(n); //!"),
      "int bin_of(char c) { return c / 4; }\n" KERNEL(
          "  if constexpr (sizeof(int) == 4) histo[bin_of(data[0])] = 1; //!"),
  });
}

TEST_CASE("functions that a kernel may call") {
  check({
      // The shim's own functions, before the colon of an expression.
      KERNEL("  histo[0] = n > 1 ? min(n, 5u) : 0;\n  histo[1] = n > 1 ? 1 + __popc(n) : n > 2 ? "
             "(__clz(n)) : 3;"),
      KERNEL("  histo[0] = n ? atomicAdd(histo, 1u) : 0;"),  // a colon, but not a definition
      "__host__ __device__ int bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "static __device__ __forceinline__ int bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "inline int __device__ bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "constexpr int bin_of(char c) { return c / 4; }\n" KERNEL("  histo[bin_of(data[0])] = 1;"),
      "template <class T, int N = (3 > 2)>\n__device__ T bin_of(T c) { return c / N; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "__device__ int bin_of(char c);\nint bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "int bin_of(char c);\n__device__ int bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "#define DEVICE __device__ inline\nDEVICE int bin_of(char c) { return c / 4; }\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "#define DEFINE(name) __device__ int name(char c) { return c / 4; }\nDEFINE(bin_of)\n" KERNEL(
          "  histo[bin_of(data[0])] = 1;"),
      "#define bin_of(c) ((c) / 4)\n" KERNEL("  histo[bin_of(data[0])] = 1;"),
      "int helper(int x) { return x; }\nint main() { return helper(3); }\n" KERNEL(
          "  histo[0] = 1;"),
      "int helper(int x) { return x; }\n" KERNEL("  // helper(1)\n  histo[sizeof(helper(1))] = 1;"),
      "struct S { S() = default; int x = 3; };\n" KERNEL("  S s;\n  histo[s.x] = 1;"),
      "struct Max { __device__ int operator()(int a, int b) const { return a < b ? b : a; } "
      "};\n" KERNEL("  histo[Max()(1, 2)] = 1;"),
      KERNEL("  auto f = [](int x) { return x + 1; };\n  histo[f(1)] = 1;"),
      "__device__ int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }\n" KERNEL(
          "  histo[0] = sum(n);"),
  });
}

TEST_CASE("variables of the host") {
  check({
      "int width = 4;\n" KERNEL("  histo[data[0] / width] = 1; //!\n  histo[1] = width;"),
      "int table[4] = {1, 2, 3, 4};\n" KERNEL("  histo[table[n]] = 1; //!"),
      "namespace text { int width = 4; }\n" KERNEL("  histo[text::width] = 1; //!"),
      "struct Config { int width; };\nConfig config;\n" KERNEL("  histo[config.width] = 1; //!"),
      "const int table[4] = {1, 2, 3, 4};\n" KERNEL("  histo[table[n]] = 1; //!"),
      "static constexpr unsigned char table[] = {1, 2, 3, 4};\n" KERNEL(
          "  for (unsigned i = 0; i < n; ++i) histo[table[i]] = 1; //!"),
      "namespace text { const char* const names[] = {\"a\", \"b\"}; }\n" KERNEL(
          "  histo[0] = text::names[n][0]; //!"),
      "struct Bins { static constexpr int of[3] = {1, 2, 3}; };\n" KERNEL(
          "  histo[Bins::of[n]] = 1; //!"),
      "const int table[4] = {1, 2, 3, 4};\n__device__ int of(int i) {\n  return table[i]; "
      "//!\n}\n" KERNEL("  histo[of(n)] = 1;"),
      "int width = 4;\n__device__ struct { int width; } d;\n" KERNEL(
          "  histo[d.width] = 1;\n  histo[width] = 1; //!"),
  });
}

TEST_CASE("variables that a kernel may use, and names that are its own") {
  check({
      "const int width = 4;\nconstexpr int other = 5;\n" KERNEL("  histo[width + other] = 1;"),
      "constexpr int table[4] = {1, 2, 3, 4};\n" KERNEL("  histo[table[2]] = 1;"),
      "constexpr float scale = 0.25f;\nconst double other = 2.5;\n" KERNEL(
          "  histo[int(n * scale + n * other)] = 1;"),
      "constexpr struct { int width, bins; } shape = {4, 7};\n" KERNEL(
          "  histo[n / shape.width % shape.bins] = 1;"),
      "__device__ const int a[2] = {1, 2};\nconst __constant__ int b[2] = {1, 2};\nstatic "
      "__device__ constexpr int c[2] = {1, 2};\n" KERNEL("  histo[a[n] + b[n] + c[n]] = 1;"),
      KERNEL(
          "  const int table[4] = {1, 2, 3, 4};\n  static const int other[4] = {1, 2, 3, 4};\n  "
          "constexpr int third[4] = {1, 2, 3, 4};\n  histo[table[n] + other[n] + third[n]] = 1;"),
      KERNEL("  switch (n) { case 0: histo[0] = 7; break; case 1: histo[1] = 5; break; case 2: "
             "histo[2] = 4; break; case 3: histo[3] = 2; break; case 4: histo[4] = 1; break; case "
             "5: printf(\"%s\", __func__); }"),
      "__device__ int width = 4;\n__constant__ int other;\n__managed__ int m;\nstatic __device__ "
      "int d, e;\n" KERNEL("  histo[width + other + m + d + e] = 1;"),
      "__device__ int a[2] = {1, 2}, b[2];\n" KERNEL("  histo[a[0] + b[0]] = 1;"),
      "extern __shared__ int s[];\nextern __device__ int d;\nint d;\n" KERNEL(
          "  if (n > 9) histo[s[0] + d] = 1;"),
      "#define TABLE __constant__\nTABLE int table[4];\n" KERNEL("  histo[table[0]] = 1;"),
      "__device__ void once(unsigned* p) { ++*p; }\n__device__ void (*steps[2])(unsigned*) = "
      "{once, once};\n" KERNEL("  steps[n & 1](histo);"),
      "__constant__ unsigned (*which)(unsigned);\n__device__ int (*rows)[4];\n" KERNEL(
          "  if (n > 9) histo[which(n)] = (*rows)[2];"),
      "struct Bins {\n public:\n  static __device__ int of(char c) { return c / 4; "
      "}\n};\n__device__ int at = 3, other;\n" KERNEL("  histo[at + other] = 1;"),
      "struct { int a; } __device__ other;\n" KERNEL("  histo[other.a] = 1;"),
      "int width = 4;\nint main() { return width; }\n" KERNEL(
          "  int width = 3;\n  histo[width] = 1;"),
      KERNEL("  static int calls;\n  histo[0] = ++calls;"),
  });
}

TEST_CASE("a kernel that is called instead of launched") {
  const auto diagnostics =
      told("__global__ void inner(unsigned* histo) { histo[0] = 1; }\n" KERNEL("  inner(histo);"));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].line == 3);
  CHECK(diagnostics[0].message.find("never called") != std::string::npos);
}

TEST_CASE("diagnostics come in the order of the source, each once") {
  check(
      {"int f(int x) { return x; }\nint v = 3;\n__device__ int second(int x) {\n  return "
       "f(x);\n}\n" KERNEL("  histo[v] = //!\n      f(1); //!\n  histo[v] = second(2);")});
}

TEST_CASE("a pathological text is checked quickly") {
  std::string marks, shared, raw;
  for (int i = 0; i < 100'000; ++i) {
    marks += "__global__ ";
    shared += "__shared__ int x = 1;\n";
    raw += "R\"\"";
  }
  for (const std::string& text :
       {marks, shared, raw, "// " + std::string(1'000'000, '\\'), std::string(1'000'000, '"'),
        std::string(1'000'000, '{'), std::string(1'000'000, '}') + "__global__",
        std::string(1'000'000, '\\')}) {
    CHECK(worker::refuse_source(text).size() <= 20);  // if quadratic, ctest would time out
  }
}

TEST_CASE("an allocation by the standard library is reported once, at its first use") {
  check({
      "#include <vector>\n" KERNEL(
          "  std::vector<unsigned> mine(7, 0u); //!\n  std::vector<unsigned> other(n);\n  histo[0] "
          "= mine[n] + other[n];"),
      "#include <vector>\n#include <utility>\n" KERNEL(
          "  std::vector<unsigned> first(7); //!\n  std::vector<unsigned> "
          "second(std::move(first));\n  histo[0] = second[n];"),
  });
}

TEST_CASE("a constant computed from a host variable is not itself a variable of the host") {
  const auto diagnostics =
      told("int width = 4;\n" KERNEL("  const int bin = data[0] / width;\n  histo[bin] = 1;"));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].message.starts_with("`width` is a host variable"));
}

TEST_CASE("a variable of the device is not set by code before the launch") {
  check({
      "int four() { return 4; }\n__device__ int n4 = four(); //!\n__device__ int five = "
      "5;\n" KERNEL("  histo[n4 + five] = 1;"),
      "__device__ int square(int x) { return x * x; }\n__constant__ int table[2] = {square(2), 3}; "
      "//!\n" KERNEL("  histo[table[n]] = 1;"),
      "int four() { return 4; }\nint of_the_host = four();\n__device__ int five = 5;\n" KERNEL(
          "  histo[five] = 1;"),
      "__device__ constexpr int square(int x) { return x * x; }\n__constant__ int table[2] = "
      "{square(2), 3};\n" KERNEL("  histo[table[n]] = 1;"),
  });
}
