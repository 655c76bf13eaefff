// Tests of compiler and loader messages in CUDA's terms: each mistake is reported once, at its
// line, with advice.
#include "kernels/worker/explaining/explain.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ctime>

#include "kernels/worker/explaining/not_yet.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

std::vector<Diagnostic> errors_of(const std::string& source) {
  const Compiled compiled =
      testing::compile(source, {testing::in("data", "abc"), testing::out("out", 4)});
  CHECK(!compiled.ok);
  return compiled.diagnostics;
}

}  // namespace

TEST_CASE("a huge text is explained in bounded time") {
  const auto many = [](std::size_t bytes, const std::string& piece) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
  };
  const std::string braces = many(60'000, "{\n") + many(60'000, "  }\n") + "{";
  struct Row {
    std::string text, message;
  };
  for (const Row& row :
       {Row{many(1 << 20, "#include <cub/a>\n"), "x"},
        Row{many(1 << 20, "e+"), "'e' was not declared in this scope"},
        Row{many(1 << 20, "\n") + "{", "expected '}' at end of input"},
        Row{braces, "expected '}' at end of input"},
        Row{many(1 << 20, "f() "), "redefinition of 'void f()'"},
        Row{"Z\n#define Z 1;\n" + many(1 << 19, "#define Y" + std::string(400, ' ') + "x\n"),
            "expected ';' before 'x'"}}) {
    const auto begin = std::clock();
    std::vector<Diagnostic> diagnostics(20, {Severity::error, 1, 1, row.message});
    explain(diagnostics, row.text, {"k"});
    CHECK(refuse_not_yet(row.text, testing::emulator_paths().include_dir).size() <= 100);
    CHECK_MESSAGE(std::clock() - begin < 10 * CLOCKS_PER_SEC, row.text.substr(0, 20));
  }
}

TEST_CASE("frequent mistakes, through the compiler: one message each, with its cure") {
  struct Row {
    const char* body;  // of k(const char* data, unsigned* out), from line 2 on
    const char* message;
  };
  for (const Row& row : {
           Row{"unsigned i = blockIdx * blockDim + threadIdx;",
               "blockIdx is a triple (x, y, z), not a number. Write blockIdx.x"},
           Row{"threadIdx.x += 3;",
               "threadIdx is set by the launch and cannot be changed. Copy it into a variable of "
               "your own"},
           Row{"blockDim = dim3(3);",
               "blockDim is a triple (x, y, z), not a number. Write blockDim.x"},
           Row{"atomicAdd(out[0], 1u);",
               "atomicAdd takes the address of what it updates. Write & in front of its first "
               "argument"},
           Row{"atomicAdd(1, &out[0]);",
               "atomicAdd takes the address first. Write atomicAdd(address, value)"},
           Row{"float* f = (float*)out; atomicCAS(f, 1.0f, 2.0f);",
               "atomicCAS compares and swaps bits, not a float. Cast the address to a pointer to "
               "an integer of the same size, and convert values with __float_as_uint and "
               "__uint_as_float"},
           Row{"_shared_ unsigned s[7];",
               "CUDA has no `_shared_`. Write `__shared__`, in lower case with two underscores on "
               "each side"},
           Row{"syncthreads();",
               "CUDA has no `syncthreads`. Write `__syncthreads()`, with two underscores in front"},
           Row{"atomicAdd(&out[0]);",
               "atomicAdd takes two arguments. Pass it an address and a value"},
           Row{"atomicCAS(&out[0], 1u);",
               "atomicCAS takes three arguments. Pass it an address, the expected value and the "
               "new value"},
           Row{"atomicAdd(&out, 1);",
               "atomicAdd gets the address of a pointer here. Remove the &, or name the element to "
               "update, as in &histo[bin]"},
           Row{"atomicAdd((unsigned char*)out, 1);",
               "atomicAdd has no overload for unsigned char: it works on whole words. Count in "
               "unsigned int"},
           Row{"unsigned short s = 0; auto p = &s; atomicMax(p, 1);",
               "atomicMax has no overload for short unsigned int: it works on whole words. Count "
               "in unsigned int"},
           Row{"volatile unsigned* p = out; atomicAdd(p, 1u);",
               "atomicAdd does not take a pointer to volatile. Declare the variable that it "
               "updates without volatile"},
           Row{"atomicAdd((const unsigned*)out, 1u);",
               "atomicAdd changes the value at its address, but that value is const here. Pass it "
               "the address of an output"},
           Row{"data[3] = 1;",
               "data points to const: it can be read but not written. Write results to the output "
               "only"},
           Row{"*data = 1;",
               "data points to const: it can be read but not written. Write results to the output "
               "only"},
           Row{"__shared__ int s[blockDim.x]; out[0] = s[0];",
               "the size of the __shared__ array s must be known when the kernel is compiled. "
               "Write a "
               "number or a constexpr"},
           Row{"int s[blockDim.x]; s[0] = 1; out[0] = s[0];",
               "the size of the array s must be known when the kernel is compiled: CUDA has no "
               "arrays of computed length. Write a number or a constexpr"},
           Row{"__shared__ int s[256 / warpSize]; out[0] = s[0];",
               "the size of the __shared__ array s must be known when the kernel is compiled. "
               "Write a "
               "number or a constexpr: warpSize is a variable"},
           Row{"switch (n) { case warpSize: out[0] = 1; }",
               "`warpSize` is a variable, but a constant is required here. Write 32"},
           Row{"constexpr unsigned b = blockDim.x; out[0] = b;",
               "`blockDim` is a variable, but a constant is required here. Write a number, or "
               "remove constexpr"},
           Row{"if (data[0] == 0) throw 1;",
               "device code has no exceptions. Remove throw, try and catch"},
           Row{"k<<<1, 2>>>(data, out);",
               "a submission contains only GPU code (device code) and the harness launches the "
               "kernel. Remove the launch <<<...>>>"},
           Row{"std::vector<int> v;", nullptr},
           Row{"out[0] = (unsigned)malloc(4);", nullptr},
           Row{"cudaMalloc(&out, 4);", nullptr},
           Row{"__shared__ alignas(16) int s[8]; s[0] = 1;",
               "alignas cannot follow __shared__ or another specifier of this declaration. Use "
               "CUDA's own, as in `__shared__ __align__(16) int s[8];`"},
           Row{"__shared__ unsigned s[7]; s[0xffffffffu] = 1; out[0] = s[n];",
               "`s` is accessed at a constant index that is far out of bounds (a negative number "
               "that became unsigned?). An index must be at least 0 and less than the number of "
               "elements"},
       }) {
    const auto errors = errors_of(
        "constexpr unsigned n = 7; __global__ void k(const char* data, unsigned* out) {\n  " +
        std::string(row.body) + "\n}\n");
    REQUIRE(!errors.empty());
    CHECK(errors[0].line == 2);
    if (row.message == nullptr) continue;
    CHECK_MESSAGE(errors[0].message == row.message, errors[0].message);
    CHECK_MESSAGE(errors.size() == 1, errors.back().message);
  }
}

TEST_CASE("a beginner's mistake gets one message, which names the cause and the fix") {
  struct Row {
    const char* before;  // the kernel
    const char* body;    // of k(const char* data, unsigned* out)
    int line;
    const char* message;
  };
  const char* const quoted = "` is not C++. Write extern \"C\": a capital C in double quotes";
  const char* const of_parameter =
      "a parameter cannot be `__shared__`: a plain pointer may point to shared memory, too. Remove "
      "`__shared__`";
  const char* const bracket =
      "this `]` closes nothing. Add the missing `[` before it, or remove it";
  const char* const no_launch =
      "a submission contains only GPU code (device code) and the harness launches the kernel. "
      "Remove "
      "the launch <<<...>>>";
  const std::string star =
      "`*` takes an address, but a value (unsigned int) follows it here. Remove the `*`: [...] "
      "already selects the element";
  for (const Row& row : {
           Row{"extern 'C' __device__ const unsigned f = 8;", "out[0] = f;", 1, quoted},
           Row{"extern C __device__ const unsigned f = 8;", "out[0] = f;", 1, quoted},
           Row{"extern \"c\" __device__ const unsigned f = 8;", "out[0] = f;", 1, quoted},
           Row{"", "extern \"C\" __device__ const unsigned f = 8;\nout[0] = f;", 3,
               "extern \"C\" is allowed only outside functions. Move this line above the kernel"},
           Row{"extern \"C\" __device__ const unsigned f;", "out[0] = f;", 3,
               "`f` is declared on line 1 and has no value. Write one there: f = ...;"},
           Row{"", "for (int i = 0; i < 9; i += 3)\n  int c = data[i];\n  if (c > 3) out[0] = c;",
               5,
               "`c` is declared on line 4, and only line 4 belongs to the `for` above it. Put { "
               "and } around all lines of the `for`"},
           Row{"", "if (data[0] == 1)\n  const unsigned int *c = out;\nout[0] = c[1];", 5,
               "`c` is declared on line 4, and only line 4 belongs to the `if` above it. Put { and "
               "} around all lines of the `if`"},
           Row{"", "if (data[0] == 1) out[0] = 1;\nelse\n  int c = 3;\nout[0] = c;", 6,
               "`c` is declared on line 5, and only line 5 belongs to the `else` above it. Put { "
               "and } around all lines of the `else`"},
           Row{"", "out[bin] = 1;", 3,
               "`bin` is not declared here. Declare it before this line, or correct its name"},
           Row{"", "if (data[0] < size) out[0] = 1;", 3,
               "`size` is not declared here. Declare it before this line, or correct its name"},
           Row{"", "out[0] = dat[1];", 3, "`dat` is not declared here. Did you mean `data`?"},
           Row{"", "out[0] = sqr(2.0f);", 3, nullptr},
           Row{"", "out[0] = data[0] =< 3;", 3, "C++ has no `=<`. Write `<=`"},
           Row{"", "out[0] = data[0] => 3;", 3, "C++ has no `=>`. Write `>=`"},
           Row{"", "}\nk<<<1, 32>>>(0, 0);\n__device__ void f() {", 4, no_launch},
           Row{"", "}\nvoid f(const char* data, unsigned* out) {\n  k<<<1, 32>>>(data, out);", 5,
               no_launch},
           Row{"", "__syncthreads(0);\nout[0] = 1;", 3,
               "`__syncthreads` takes no arguments. Leave its parentheses empty: __syncthreads()"},
           Row{"", "*out[0] += 1;", 3, star.c_str()},
           Row{"", "(*out[0])++;", 3, star.c_str()},
           Row{"", "if data[0] < 3:\n  int c = 3;\n  out[0] = c;", 3,
               "the condition of this `if` needs parentheses. Write if (condition) {, and no `:`; "
               "a `}` ends the block"},
           Row{"", "while data[0] < 3 {\n  out[0] = 3;\n}", 3,
               "the condition of this `while` needs parentheses. Write while (condition) {"},
           Row{"", "if (data[0] < 3):\n  int c = 3;\n  out[0] = c;\n}", 3,
               "a block begins with `{` in C++, not with `:`. Write `{` in its place, and `}` "
               "where the block ends"},
           Row{"", "for i in range(3):\n  out[i] = 3;", 3,
               "a `for` has three parts in parentheses. Write for (begin; condition; step) {"},
           Row{"__device__ void f(__shared__ unsigned* p) { atomicAdd(p, 1u); }", "f(out);", 1,
               of_parameter},
           Row{"__device__ void f(__shared__ char* p, unsigned* q) {\n  q[0] = p[0];\n}",
               "f(nullptr, out);", 1, of_parameter},
           Row{"", "atomicAdd(&out 3], 1u);", 3, bracket},
           Row{"", "const int c = data 3] - 'a';\nout[0] = c;", 3, bracket},
           Row{"", "__shared__ unsigned s 3];\ns[0] = 1;\nout[0] = s[0];", 3, bracket},
       }) {
    const std::string text = std::string(row.before) +
                             "\n__global__ void k(const char* data, unsigned* out) {\n" + row.body +
                             "\n}\n";
    CAPTURE(text);
    const auto errors = errors_of(text);
    REQUIRE(!errors.empty());
    if (row.message == nullptr) continue;
    CHECK_MESSAGE(errors.size() == 1, errors.back().message);
    CHECK_MESSAGE(errors[0].message.ends_with(row.message), errors[0].message);
    const int added =
        row.before[0] != '\0' && std::string_view(row.before).find('\n') != std::string_view::npos
            ? 2
            : 0;
    CHECK(errors[0].line == (row.line > 1 ? row.line + added : row.line));
  }
}

TEST_CASE("warnings of g++ about likely mistakes become notes of a kernel that compiles") {
  struct Row {
    const char* body;
    std::vector<std::string> notes;
  };
  for (const Row& row : {
           Row{"if (n = 3) out[0] = 1;",
               {"`=` assigns, and the assigned value is the condition. Did you mean `==`?"}},
           Row{"if (0 <= data[0] <= 25) out[0] = 1;",
               {"`a <= b <= c` compares 0 or 1 with c. Write `a <= b && b <= c`"}},
           Row{"if (n == 3); { out[0] = 1; }",
               {"the `;` right after this `if` is its whole body. Remove it"}},
           Row{"out[0] + 1;", {"the value computed here is not used. Is an assignment missing?"}},
           Row{"if (n == 3) { int n = 4; out[0] = n; }",
               {"this is another variable named `n`: the outer one does not change. To change the "
                "outer one, write it without the type"}},
           Row{"unsigned m; out[0] = m;", {"'m' is used uninitialized"}},
           Row{"for (unsigned i = 0; i >= 0 && i < 3; ++i) { out[i] = i; }", {}},
       }) {
    const Compiled compiled = testing::compile(
        "__global__ void k(const char* data, unsigned* out) {\n  int n = data[0];\n  " +
            std::string(row.body) + "\n  out[1] = n;\n}\n",
        {testing::in("data", "abc"), testing::out("out", 4)});
    CHECK(compiled.ok);
    std::vector<std::string> notes;
    for (const Diagnostic& each : compiled.diagnostics) {
      CHECK(each.severity == Severity::note);
      CHECK(each.line == 3);
      notes.push_back(each.message);
    }
    notes.resize(
        std::min<std::size_t>(notes.size(), 1));  // the same mistake may have a second sign
    CHECK_MESSAGE(notes == row.notes, std::string(row.body));
  }
}

TEST_CASE("a device function without a body, an atomic variable of the host's") {
  const auto missing = errors_of(
      "__device__ unsigned bin(unsigned c);\n__global__ void k(const char* data, unsigned* out) "
      "{\n  out[bin(data[0])] = 1;\n}\n");
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].line == 3);
  CHECK(missing[0].message == "`bin` is declared (line 1) but never defined. Write its body");
  const auto atomic = errors_of(
      "#include <atomic>\n__global__ void k(const char* data, unsigned* out) {\n  __shared__ "
      "std::atomic<unsigned>* a;\n  (*a)++;\n}\n");
  REQUIRE(atomic.size() == 1);
  CHECK(atomic[0].line == 4);
  CHECK(atomic[0].message ==
        "a host atomic (std::atomic, __atomic_...) cannot be used in a kernel. Use atomicAdd or a "
        "similar function, or cuda::atomic_ref from <cuda/atomic>");
}

TEST_CASE("a call with too few arguments: parameters are counted, not the commas in their types") {
  const auto advice = [](const std::string& parameters, const std::string& arguments) {
    const auto errors = errors_of(
        "template <class A, class B> struct Pair { A a; B b; };\n"
        "__device__ unsigned bin(" +
        parameters +
        ") { return 0; }\n"
        "__global__ void k(const char* data, unsigned* out) {\n"
        "  out[0] = bin(" +
        arguments + ");\n}\n");
    REQUIRE(errors.size() == 1);
    const std::size_t at = errors[0].message.find("Pass ");
    REQUIRE(at != std::string::npos);
    return errors[0].message.substr(at);
  };
  CHECK(advice("char a, unsigned b", "data[0]") == "Pass 2, one for each parameter, in this order");
  CHECK(advice("Pair<int, float> a, char b", "{1, 2}") ==
        "Pass 2, one for each parameter, in this order");
  CHECK(advice("int (*f)(int, int), char b, char c", "nullptr, 1") ==
        "Pass 3, one for each parameter, in this order");
}

TEST_CASE("the standard library and the host's functions") {
  const auto vector = errors_of(
      "#include <vector>\n__global__ void k(const char* data, unsigned* out) {\n  "
      "std::vector<unsigned> mine(7, 0);\n  mine[data[0]]++;\n  out[0] = mine[0];\n}\n");
  REQUIRE(vector.size() == 1);
  CHECK(vector[0].line == 3);
  CHECK(vector[0].message ==
        "a kernel can allocate memory only with malloc and new, not through std::vector or "
        "std::string. Use an array of fixed size");
  CHECK(
      errors_of(
          "#include <vector>\n__global__ void k(const char* data, unsigned* out) {\n  "
          "std::vector<unsigned> mine(7, 0);\n  mine.push_back(data[0]);\n  out[0] = mine[0];\n}\n")
          .size() == 1);
  const auto exits = errors_of(
      "#include <cstdlib>\n__global__ void k(const char*, unsigned* out) {\n  exit(0);\n}\n");
  REQUIRE(exits.size() == 1);
  CHECK(exits[0].line == 3);
  CHECK(exits[0].message.find(
            "and a submission contains only GPU code (device code). Write the kernel without it") !=
        std::string::npos);
  const auto include =
      errors_of("#include \"my_helpers.cuh\"\n__global__ void k(const char*, unsigned* out) {}\n");
  CHECK(include.at(0).message ==
        "there is no file my_helpers.cuh here. A submission is one file: copy what you need into "
        "it, or remove the #include");
  const auto undeclared =
      errors_of("__global__ void k(const char*, unsigned* out) {\n  std::vector<int> v;\n}\n");
  CHECK_MESSAGE(undeclared.at(0).message.find(". ") != std::string::npos, undeclared[0].message);
}

TEST_CASE("without a kernel of the wanted name, the message names the one that was meant") {
  const auto only = [](const std::string& source) {
    const auto errors = errors_of(source);
    REQUIRE(errors.size() == 1);
    return std::to_string(errors[0].line) + ": " + errors[0].message;
  };
  const std::string parameters = "(const char*, unsigned* out) { out[0] = 1; }\n";
  CHECK(only("\n__global__ void hist" + parameters) ==
        "2: there is no kernel called `k`, but one called `hist`. Rename it");
  CHECK(
      only("\ntemplate <class T>\n__global__ void k(const T*, unsigned* out) { out[0] = 1; }\n") ==
      "3: `k` is a template, but the harness launches a plain kernel. Remove template<...> and "
      "write out the types");
  CHECK(only("namespace mine {\n__global__ void k" + parameters + "}\n") ==
        "2: `k` is inside a namespace or a class, but the harness looks for it at file scope. Move "
        "it out");
  CHECK(only("__global__ void k(const char*, unsigned*);\n") ==
        "1: `k` is declared but never defined. Write its body");
  CHECK(only("\nvoid k" + parameters)
            .starts_with("2: `k` is not a kernel. Write __global__ in front of"));
  CHECK(only("\nstatic __global__ void k" + parameters)
            .starts_with("2: `k` is static, so it cannot be launched from outside the file."));
  CHECK(only("__global__ void a" + parameters + "__global__ void b" + parameters)
            .starts_with("0: there is no kernel called `k`. Write it: __global__ "));
  CHECK(only("").starts_with("0: this file has no kernel. Write it: __global__ "));
  CHECK(
      only("// soon\n").ends_with("; `histolab reset` with the lab's number brings the stub back"));
}

TEST_CASE("if one of several kernels is missing, its likely misspelling is reported") {
  const std::string text = "__global__ void first() {}\n__global__ void secund() {}\n";
  std::vector<Diagnostic> said = {
      {Severity::error, 0, 0, "there is no kernel called `second`. Write it"}};
  explain(said, text, {"first", "second"});
  REQUIRE(said.size() == 1);
  CHECK(said[0].line == 2);
  CHECK(said[0].message ==
        "there is no kernel called `second`, but one called `secund`. Rename it");
}

TEST_CASE(
    "several kernels are missing: one message, which names them, and those that the file needs") {
  const auto explained = [](const std::string& text, const std::vector<std::string>& kernels,
                            const std::vector<std::string>& missing) {
    std::vector<Diagnostic> said;
    for (const std::string& name : missing)
      said.push_back(
          {Severity::error, 0, 0,
           "there is no kernel called `" + name + "`. Write it: __global__ void " + name + "()"});
    explain(said, text, kernels);
    REQUIRE(said.size() == 1);
    return said[0].message;
  };
  const std::string one = "__global__ void first() {}\n";
  CHECK(explained(one, {"first", "second"}, {"second"}) ==
        "the kernel `second` is missing: the file needs both kernels of the lab, first and "
        "second. Write it: __global__ void second()");
  CHECK(explained(one, {"first", "second", "third"}, {"second"}) ==
        "the kernel `second` is missing: the file needs all 3 kernels of the lab. Write it: "
        "__global__ void second()");
  CHECK(explained(one, {"first", "second", "third"}, {"second", "third"}) ==
        "2 kernels are missing: second, third. The file needs all 3 kernels of the lab. Copy the "
        "ones that you do not change from the stub. (`histolab run --function NAME` launches one "
        "alone)");
  CHECK(explained("", {"first", "second"}, {"first", "second"})
            .starts_with(
                "2 kernels are missing: first, second. The file needs both kernels of the lab. "));
  CHECK(explained("__global__ void mine() {}\n", {"first", "second"}, {"first", "second"})
            .starts_with("2 kernels are missing"));
}

TEST_CASE(
    "one parenthesis that is missing is one message, and a mistake of its own is another one") {
  const auto lines_of = [](const std::string& body) {
    std::string lines;
    for (const Diagnostic& each :
         errors_of("__global__ void k(const char* data, unsigned* out) {\n" + body +
                   "\n  out[0] = 0;\n}\n__device__ int f() { return 1; }\n"))
      lines += std::to_string(each.line) + " ";
    return lines;
  };
  CHECK(lines_of("  if (data[0] > 'a' && data[0] < 'z'\n    atomicAdd(out, 1u);") == "2 ");
  CHECK(lines_of("  if (data[0] > 'a'\n    return;\n  atomicAdd(out, 1u);") == "2 ");
  CHECK(lines_of("  if (data[0] > 'a'\n    out[0] = 1;\n  else\n    out[1] = 2;") == "2 ");
  CHECK(lines_of("  if ((data[0] > 'a' && data[1] > 'a') {\n    out[0] = 1;\n    if (data[0] == "
                 "'b') { out[2] = 1; }\n  }") == "2 ");
  CHECK(lines_of("  for (int i = 0; i < 4; ++i {\n    out[i] = 1;\n  }") == "2 ");
  CHECK(lines_of("  for (int i = 0; i < 4; ++i\n    out[i] = data[i];") == "2 ");
  CHECK(lines_of("  while (out[0] < 3\n    out[0]++;") == "2 ");
  CHECK(lines_of("  switch (data[0] { case 'a': out[0] = 1; break; default: out[1] = 1; }") ==
        "2 ");
  CHECK(lines_of("  do { out[0]++; } while (out[0] < 7;") == "2 ");
  CHECK(lines_of("  atomicAdd(&out[data[0] / 4, 1u);") == "2 ");
  CHECK(lines_of("  if (data[0] > 'a' &&\n      data[1] > 'b'\n    out[0] = 1;") == "3 ");
  // each has one
  CHECK(lines_of("  out[0] = (data[0] + 1;\n  out[1] = (data[1] + 1;") == "2 3 ");
  CHECK(lines_of("  out[0] = (data[0] + 1;\n  out[1] = 2\n  out[2] = 3;") == "2 3 ");
  const auto errors = errors_of(
      "__device__ int f(int x) {\n  if (x > 3\n    return 1;\n  return 2;\n}\n__global__ void "
      "k(const char* data, unsigned* out) {\n  out[0] = f(data[0]];\n}\n");
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].line == 2);
  CHECK(errors[1].line == 7);
  const auto far = errors_of(
      "__global__ void k(const char* data, unsigned* out) {\n  if (data[0] > 'a' &&\n      data[1] "
      "> 'b'\n    out[0] = 1;\n}\n");
  CHECK(far.at(0).message ==
        "the `(` on line 2 is never closed. Write a `)` where it ends, before or after `out`");
}

TEST_CASE("a parenthesis that is missing in the call of a macro: one message, at the call") {
  const auto told = [](const std::string& body) {
    const auto errors = errors_of(
        "#define BIN(c) (((c) - 'a') / 4)\n#define ADD(h, c) atomicAdd(&h[BIN(c)], 1u)\n"
        "__global__ void k(const char* data, unsigned* out) {\n" +
        body +
        "\n  out[1] = 2;\n}\n"
        "__device__ int f(int x) {\n  return (x);\n}\n");
    REQUIRE_MESSAGE(errors.size() == 1, body);
    return fmt::format("{}: {}", errors[0].line, errors[0].message);
  };
  CHECK(told("  atomicAdd(&out[BIN(data[0]], 1u);") ==
        "4: a `)` is missing on this line: it has 2 `(` and 1 `)`. Close the open `(`, after the "
        "arguments of `BIN`");
  CHECK(
      told("  ADD(out, data[0];") ==
      "4: the `(` after `ADD` is never closed. Write a `)` where the arguments of this macro end");
  CHECK(
      told("  ADD(out, (data[0] + 1);\n  ADD(out, data[1]);") ==
      "4: the `(` after `ADD` is never closed. Write a `)` where the arguments of this macro end");
  CHECK(
      told("  ADD(out);") ==
      "4: the macro `ADD` takes 2 arguments but gets 1. Count the commas between its parentheses");
  CHECK(told("  out[0] = BIN(data[0], 3);") ==
        "4: the macro `BIN` takes 1 argument but gets 2. Count the commas between its "
        "parentheses");
}

TEST_CASE("a message or line of any length is accepted and cut") {
  const std::string head = "__global__ void k(const char* data, unsigned* out) { ";
  for (const std::string& source :
       {head + std::string(300'000, 'x') + " = 3; }",
        head + "int " + std::string(300'000, 'x') + " = threadIdx; }",
        "#include <" + std::string(300'000, 'a') + ">\n" + head + "}",
        "#include <cuda/" + std::string(300'000, 'a') + ">\n" + head + "}",
        head + "cuda" + std::string(100'000, 'x') + "(); }",
        head + "/*" + std::string(300'000, '\n') + "*/ nothing; }",
        head + "out[0] = \"" + std::string(300'000, ' ') + "\"; }"}) {
    const auto errors = errors_of(source);
    REQUIRE(!errors.empty());
    for (const Diagnostic& d : errors) {
      CHECK(d.message.size() < 1000);
      CHECK_MESSAGE(d.message.find("/emulator/include") == std::string::npos, d.message);
    }
  }
}

TEST_CASE("an index that is not an integer gets a message about whole numbers") {
  const auto only = [](const std::string& statement) {
    const auto errors = errors_of(
        "__global__ void k(const char* data, unsigned* out) {\n  __shared__ int bins[7];\n  double "
        "x = 1;\n  unsigned n = 1;\n" +
        statement + "\n  bins[0] = int(x) + int(n);\n}\n");
    REQUIRE_MESSAGE(errors.size() == 1, statement);
    CHECK_MESSAGE(errors[0].line == 5, statement);
    return errors[0].message;
  };
  CHECK(only("  out[x / 4] = 1;") ==
        "an index must be an integer, but this one is a double. Divide by an integer, or convert "
        "it: (int)");
  CHECK(only("  bins[x] = 1;") ==
        "an index must be an integer, but this one is a double. Divide by an integer, or convert "
        "it: (int)");
  CHECK(
      only("  out[&n] = 1;")
          .starts_with("an index must be an integer, but this one is an address (unsigned int*)."));
  CHECK(only("  n[0] = 1;")
            .starts_with("[...] selects an element of an array, but here it follows a number "
                         "(unsigned int)."));
}

TEST_CASE("a missing token is located with tabs, in long lines, after a return and in a macro") {
  struct Case {
    std::string title, source, told;
  };
  const std::string head = "__global__ void k(const char* data, unsigned* out) {\n",
                    long_comment(5000, 'x');
  const std::vector<Case> cases = {
      {"tabs", head + "\tint x = 3\n\tint y = 4;\n\tout[x] = y;\n}\n",
       "2:18: a `;` is missing at the end of this line. Write it: every statement ends with one"},
      {"letters of several bytes",
       head + "  /* \xc3\xa4\xc3\xb6 */ int x = 3\n  int y = 4;\n  out[x] = y;\n}\n",
       "2:21: a `;` is missing at the end of this line. Write it: every statement ends with one"},
      {"a line that is longer than g++ counts",
       head + "  if (data[0]) {\n/* " + long_comment + " */ out[0]++\n  }\n}\n",
       "3:1: a `;` or an operator is missing before `}`. Break this long line where its statements "
       "end"},
      {"return", head + "  if (data[0] == 0) return\n  int x = 3;\n  out[0] = x;\n}\n",
       "2:27: a `;` is missing at the end of this line. Write it: every statement ends with one"},
      {"a macro with a semicolon", "#define BINS 4;\n" + head + "  out[data[0] / BINS]++;\n}\n",
       "1:9: `BINS` is replaced by everything after it, including this `;`. A #define needs none: "
       "remove it"},
      {"a macro with a sign of assignment",
       "#define BINS = 4\n" + head + "  out[data[0] / BINS]++;\n}\n",
       "1:9: `BINS` is replaced by everything after it, including this `=`. A #define needs none: "
       "remove it"},
      {"a dash", head + "  out[data[0] \xe2\x80\x93 'a']++;\n}\n",
       "2:15: `\xe2\x80\x93` is a dash, not a minus sign. Replace it with -"},
      {"another blank", head + "  int\xc2\xa0letter = 3;\n  out[letter]++;\n}\n",
       "2:3: what looks like a space here is another character, copied from a web page or a word "
       "processor. Replace it with a plain space"},
  };
  for (const Case& each : cases) {
    const auto errors = errors_of(each.source);
    REQUIRE_MESSAGE(!errors.empty(), each.title);
    CHECK_MESSAGE(
        fmt::format("{}:{}: {}", errors[0].line, errors[0].column, errors[0].message) == each.told,
        each.title);
  }
}
