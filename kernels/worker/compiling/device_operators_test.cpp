// Tests of the marks' positions, and that marks change a program only as intended.
#include "kernels/worker/compiling/device_operators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;
using worker::with_device_operators;

namespace {

// Returns the marked text, with $ for the mark of a shift and ~ for that of an address.
std::string marked(const std::string& text) {
  std::string result = with_device_operators(text);
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = result.find(from); at != std::string::npos; at = result.find(from))
      result.replace(at, from.size(), to);
  };
  replace(" histolab_shift{} <<", "$<<");
  replace(" histolab_shift{} >>", "$>>");
  replace(" histolab_shift{} +=", "$+=");
  replace(" ->* histolab_place{} ", "~");
  return result;
}

std::uint64_t u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }

}  // namespace

TEST_CASE("a shift has a mark, unless its distance is a literal") {
  CHECK(marked("x = a << b;") == "x = a <<$<< b;");
  CHECK(marked("x = a>>b<<c;") == "x = a>>$>>b<<$<<c;");
  CHECK(marked("a <<= b; a >>= f(c);") == "a <<=$+= b; a >>=$+= f(c);");
  CHECK(marked("x = a << 3 & 7; y >>= 1; z = 1 << 3 + n;") ==
        "x = a << 3 & 7; y >>= 1; z = 1 <<$<< 3 + n;");
  CHECK(marked("#define BIT(n) (1u << (n))\n") == "#define BIT(n) (1u <<$<< (n))\n");
  CHECK(marked("x = a < b >> c;") == "x = a < b >>$>> c;");
  CHECK(marked("if (a < b) x = static_cast<int>(c) >> d;") ==
        "if (a < b) x = static_cast<int>(c) >>$>> d;");
  CHECK(marked("x = a < b && c < d >> e;") == "x = a < b && c < d >>$>> e;");
  CHECK(marked("bool p = a < b, q = c < d >> e; return a < b ? c < d >> e : f;") ==
        "bool p = a < b, q = c < d >>$>> e; return a < b ? c < d >>$>> e : f;");
  CHECK(marked("for (i = 0; i < n; ++i) if (a < b) x = c >> d;") ==
        "for (i = 0; i < n; ++i) if (a < b) x = c >>$>> d;");
  CHECK(marked("x = A<B<int>>(c) >> d;") == "x = A<B<int>>(c) >>$>> d;");
}

TEST_CASE("a chain of assignments sets each variable and reads none of them again") {
  CHECK(marked("a = b = 0;") == "a = (b = 0, 0);");
  CHECK(marked("h[0] = s.h[i + 1] = p->h = *q = 0u;") ==
        "h[0] = (s.h[i + 1] = (p->h = (*q = 0u, 0), 0), 0);");
  CHECK(marked("for (int x = y = 0.0f, n; ;) f(a = b[c] = 0);") ==
        "for (int x = (y = 0.0f, 0), n; ;) f(a = (b[c] = 0, 0));");
  CHECK(marked("#define ZERO(a, b) (a = b = 0)\n") == "#define ZERO(a, b) (a = (b = 0, 0))\n");
  for (const char* text :
       {"a = 0;", "a = b = 1;", "a = b == 0;", "a <= b = 0;", "a += b = 0;", "auto x = y = 0;",
        "a = c ? b = 0 : 1;", "auto l = [=] { x = 0; };", "a = b + c = 0;", "int n = 0, m = 0;",
        "a = b = 0 + n;", "= = 0;", "= b = 0"})
    CHECK_MESSAGE(with_device_operators(text) == text, std::string(text));
  const Outcome outcome =
      run("__global__ void k(unsigned int* out) {\n  __shared__ unsigned int h[3];\n  __shared__ "
          "float f;\n"
          "  h[0] = h[1] = h[2] = 0;\n  if (threadIdx.x == 0) f = out[1] = 0;\n  "
          "__syncthreads();\n  atomicAdd(&h[1], "
          "1u);\n  __syncthreads();\n"
          "  if (threadIdx.x == 0) out[0] = h[0] + h[1] + h[2] + (f == 0);\n}\n",
          {.grid = {1}, .block = {64}, .arguments = {out("out", 2)}});
  for (const Finding& finding : outcome.last().findings)  // a note: all write the same value
    CHECK_MESSAGE(finding.severity == Severity::note, finding.message);
  CHECK(outcome.output()[0] == 65);
}

TEST_CASE("code that is not certainly a shift has no mark") {
  for (const char* text :
       {"A<B<int>> x;", "A<B<C<int>>> x;", "std::map<A<int>, B<int>> x = {};",
        "template <class T, class U = A<B<T>>> struct C;",
        "T operator<<(T, int); T operator>>=(T, int);", "kernel<<<grid, block>>>(data);",
        "return (... << values);", "return (values << ...);", "#if 1 << BITS > 3\n#endif\n",
        "const char* s = \"a << b\"; // a << b\n", "assert(a << b == c);",
        "if (f(a < b, c < d >> e)) x = 1;", "void f(int* p = nullptr, int& r = x);",
        "auto l = [&] { };", "a <\\\n< b;", "a < < b;"})
    CHECK_MESSAGE(with_device_operators(text) == text, std::string(text));
}

TEST_CASE("a compound assignment has a mark if its address may depend on memory") {
  CHECK(marked("h[d[i]] += 1;") == "h[d[i]] ~+= 1;");
  CHECK(marked("h[i].x -= 1; p->x *= 2; *p /= 3; s.q->h[i] %= 4; (*p) &= 5; f(x) |= 6; h[3].a[i] "
               "^= 7;") ==
        "h[i].x ~-= 1; p->x ~*= 2; *p ~/= 3; s.q->h[i] ~%= 4; (*p) ~&= 5; f(x) ~|= 6; h[3].a[i] "
        "~^= 7;");
  CHECK(marked("h[d[i]] <<= 2; h[d[i]] >>= n;") == "h[d[i]] ~<<= 2; h[d[i]] >>=$+= n;");
  CHECK(marked("struct S { unsigned f : 3; }; s[d[i]].f += 1; s[i].f <<= n;") ==
        // A reference cannot refer to a bit-field.
        "struct S { unsigned f : 3; }; s[d[i]].f += 1; s[i].f <<= n;");
  for (const char* text : {"x += h[d[i]];", "s.x += 1;", "h[3] += 1;", "h[d[i]]++;",
                           "h[d[i]] = h[d[i]] + 1;", "x == y; x <= y; x != y;"})
    CHECK_MESSAGE(with_device_operators(text) == text, std::string(text));
}

TEST_CASE("a source that could see a mark gets none") {
  for (const char* text : {"#define TEXT(x) #x\nconst char* s = TEXT(a << b);",
                           "#define histolab_shift 3\nx = a << b;", "x = histolab_place << b;"})
    CHECK_MESSAGE(with_device_operators(text) == text, std::string(text));
  CHECK(marked("#define JOIN(a, b) a##b\nx = a << b;") ==
        "#define JOIN(a, b) a##b\nx = a <<$<< b;");
}

TEST_CASE("any bytes are accepted, in time linear in their number") {
  for (const std::string& text :
       {std::string("<<"), std::string(">>="), std::string("a <<"), std::string("<< a"),
        std::string("]]]] += 1"), std::string("+="), std::string()})
    CHECK(with_device_operators(text) == text);
  std::string deep;
  for (int i = 0; i < 50'000; ++i) deep += "a[(b >> c) += ";
  CHECK(!with_device_operators(deep).empty());
}

TEST_CASE("shifts by the width or more, and by negative distances, follow PTX") {
  check_values(
      {
          {"v(5u) << v(31)", 0x80000000},
          {"v(5u) << v(32)", 0},
          {"v(5u) << v(33u)", 0},
          {"v(5u) << v(-1)", 0},
          {"v(5u) << v(256)", 0},
          {"v(0xffffffffu) >> v(32)", 0},
          {"v(0xffffffffu) >> v(-31)", 0},
          {"v(-5) >> v(31)", i32(-1)},
          {"v(-5) >> v(32)", i32(-1)},
          {"v(-5) >> v(-7)", i32(-1)},
          {"v(5) >> v(40)", 0},
          {"v(-5) << v(32)", 0},
          {"v(5ull) << v(63)", 0x8000000000000000},
          {"v(5ull) << v(64)", 0},
          {"v(~0ull) >> v(64u)", 0},
          {"v(-5ll) >> v(64)", u64(-1)},
          {"v(-5l) >> v(-1)", u64(-1)},
          {"v(5ll) << v(32)", 5ull << 32},
          {"v(5u) << v(0x100000000ll)", 5},
          {"v(5u) << v(0x100000020ll)", 0},  // the low 32 bits count
          {"(int)v((unsigned char)200) << v(24)", i32(static_cast<std::int32_t>(200u << 24))},
          {"v((char)-1) >> v(40)", i32(-1)},
          {"v((short)-3) << v(40)", 0},  // as an int
          {"(x = v(7u), x <<= v(32), x)", 0},
          {"(x = v(7u), x >>= v(1), x)", 3},
          {"(y = v(-7), y >>= v(99), y)", i32(-1)},
          {"(c = v((unsigned char)3), c <<= v(7), c)", 0x80},
          {"(c = v((unsigned char)3), c >>= v(-1), c)", 0},
          {"sh(v(3ull), v(70))", 0},
          {"sh(v((short)3), v(4))", 48},
          {"BIT(v(32))", 0},
          {"1u << two", 4},
          {"v(1) << Number{v(3)}", 8},
          {"[](int n) { return 3u >> n; }(v(1))", 1},
          {"sizeof(unsigned[1 << bits])", 128},
          {"bit_fields().f << v(2)", 12},
          {"v(1u) << v(2) + v(3)", 32},
          {"v(8) >> v(1) << v(2) >> v(3)", 2},
          {"(v(7u) << v(1) & 3)", 2},
      },
      "#define BIT(n) (1u << (n))\nenum Kind { one = 1, two };\nconstexpr int bits = 5;\nstruct "
      "Number { int n; __device__ operator int() const { return n; } };\n"
      "struct Fields { unsigned f : 4; };\n__device__ Fields bit_fields() { return {3}; "
      "}\ntemplate <class T> __device__ T sh(T x, int n) { return x << n; }\n"
      "__device__ unsigned x; __device__ int y; __device__ unsigned char c;");
}

TEST_CASE(
    "an operator of the student's stays theirs, and the file is compiled without marks if they do "
    "not fit") {
  check_values(
      {
          {"(Big{v(3)} << v(2)).n", 103},
          {"log_of(v(5))", 5},
          {"(Flags)(Flag << v(3))", 77},
          {"(unsigned)(v((__int128)1) << v(40) >> v(38))", 4},
          {"assigned()", 12},
      },
      "struct Big { int n; __device__ Big operator<<(int by) const { return {n + by * 50}; } "
      "};\nenum Flags { Flag };\n__device__ Flags operator<<(Flags, int) { return (Flags)77; }\n"
      "struct Log { int n; };\ntemplate <class T> __device__ Log& operator<<(Log& log, T value) { "
      "log.n += (int)value; return log; }\n__device__ int log_of(int n) { Log log{0}; log << n; "
      "return log.n; }\n"
      "struct Fields { unsigned f : 4; };\n__device__ int assigned() { Fields s{3}; s.f <<= v(2); "
      "return s.f; }\n");
}

TEST_CASE("diagnostics refer to the text as it was written") {
  const auto said = [](const std::string& statement) {
    const Compiled compiled =
        compile("__global__ void k(unsigned* out, const int* d) {\n  int n = d[0];\n  " +
                    statement + "\n}\n",
                {out("out", 1), in("d", std::string(4, '\0'))});
    std::string all;
    for (const Diagnostic& each : compiled.diagnostics)
      all += std::to_string(each.line) + ":" + std::to_string(each.column) + ": " + each.message +
             "; ";
    CHECK_MESSAGE(all.find("histolab") == std::string::npos, all);
    return all;
  };
  CHECK(said("out[0] = 1u << n; out[d[0]] += 1;") == "");
  CHECK(said("out[0] = 1u << n; out[0] = m;").starts_with("3:30: "));
  CHECK(said("out[0] = 1u << n; out[0] = 1u << 2.5f;").starts_with("3:33: `<<` cannot combine"));
  CHECK(said("out[0] = 1u << n; out[0] = 1u << n + 3;") ==
        "3:38: suggest parentheses around '+' inside '<<'; ");
  CHECK(said("n << d[0];").starts_with("3:5: the value computed here is not used"));
}

TEST_CASE(
    "a distance beyond the width that the compiler knows is reported, since nvcc defines no "
    "result") {
  for (const char* statement :
       {"out[0] = v << 32;", "const int n = 33; out[0] = v >> n;", "out[0] = shifted<40>(v);"}) {
    const std::string source =
        std::string(
            "template <int n> __device__ unsigned shifted(unsigned x) { return x << n; "
            "}\n__global__ void k(unsigned* out) {\n  unsigned v = out[1];\n  ") +
        statement + "\n}\n";
    const Outcome outcome = run(source, {.grid = {1}, .block = {1}, .arguments = {out("out", 2)}});
    CHECK_MESSAGE(faults(outcome).starts_with("unsupported"), std::string(statement),
                  faults(outcome));
  }
}
