// Tests of tricks that would hide a race: each is refused at its line in every spelling, and
// harmless code that looks similar is accepted.
#include "kernels/worker/source_rules/forbidden.h"

#include <doctest/doctest.h>

#include <ctime>

#include "kernels/worker/source/source_tokens.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

const std::string shim = testing::emulator_paths().include_dir;

std::string spelled(const std::string& source) {
  std::string all;
  for (const Token& token : code_tokens(source)) all += (all.empty() ? "" : " ") + token.spelling;
  return all;
}

// Returns a kernel that races in its last line, with the trick in front of it or in its first line.
std::string racing(const std::string& before, const std::string& marks = "",
                   const std::string& body = "out[0] += 1;") {
  return before + "\n__global__ " + marks + " void k(unsigned* out) {\n  " + body + "\n}\n";
}

void check_refused(const std::string& source, int line) {
  const Compiled compiled = testing::compile(source, {testing::out("out", 1)});
  CHECK_MESSAGE(!compiled.ok, source);
  CHECK_MESSAGE(compiled.refused, source);
  REQUIRE_MESSAGE(!compiled.diagnostics.empty(), source);
  CHECK_MESSAGE(compiled.diagnostics[0].line == line, source, compiled.diagnostics[0].message);
  CHECK(compiled.diagnostics[0].severity == Severity::error);
}

}  // namespace

TEST_CASE("tokens: splices, comments, strings, raw strings, numbers, digraphs") {
  CHECK(spelled("a\\\nb c/*x*/d // e\\\n f\ng") == "ab c d g");
  CHECK(spelled("a\\  \r\nb") == "ab");
  CHECK(spelled("/\\\n/ a\nb /\\\n* c *\\\n/ d") == "b d");
  CHECK(spelled("\"a\\\"b\" 'c' u8\"d\" L'e' f\"g\"") == "a\\\"b c d e f g");
  CHECK(spelled("R\"(a\" b)\" c R\"x()\")x\" d u8R\"(e)\"") == "a\" b c )\" d e");
  CHECK(spelled("R\"(a)\\\n\" b)\" c") == "a)\\\n\" b c");
  CHECK(spelled("1'000'000 'a' 0x1p-3 .5e+2f x'1'") == "1'000'000 a 0x1p-3 .5e+2f x 1");
  CHECK(spelled("%: define x\n#include <a//b>\n#include \"c\\\"\nd") ==
        "# define x # include a//b # include c\\ d");
  CHECK(spelled("\"not ended\nx") == "not ended x");
  for (const char* odd : {"", "\\", "\\\n", "R\"", "R\"(", "'", "\"", "/*", "/", "#", "\n#\n",
                          "a\\", "\xff\xfe", "#include <"})
    CHECK(code_tokens(odd).size() <= 3);
  const auto lines = code_tokens("a\\\n\\\nb\nc R\"(\n\n)\" d\n  # e");
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].line == 1);
  CHECK(lines[1].line == 4);
  CHECK(lines[3].line == 6);
  CHECK((lines[4].begins_line && lines[4].directive && lines[5].directive && !lines[3].directive));
}

TEST_CASE("tokens: lines end where they end for g++") {
  CHECK(spelled("// a\rb\r\n// c\\\rd\re") == "b e");
  CHECK(spelled("// a \\\r\r\nb \"c\rd") == "b c d");
  CHECK(spelled(std::string("a\\\0\nb // c\\\0 \nd\ne", 17)) == "ab e");
  CHECK(spelled("\xef\xbb\xbfgnu") == "gnu");
  const auto lines = code_tokens("a\rb\r\nc\\\rd\n\re");
  REQUIRE(lines.size() == 4);
  CHECK(lines[1].line == 2);
  CHECK((lines[1].begins_line && lines[2].begins_line));
  CHECK(lines[2].line == 3);
  CHECK(lines[3].line == 6);
}

TEST_CASE("a text's suffix begins no raw text") {
  CHECK(spelled("\"a\"R\"(b\"\nc\n\")\"d") == "a R\" (b c ) d");
  CHECK(spelled("\"a\" R\"(b\"\nc\n\")\"") == "a b\"\nc\n\"");
  CHECK(spelled("\"a\"_x'b'R \"c\"PRIu64\"d\"") == "a _x b R c PRIu64 d");
  const std::string hidden = "\n__attribute__((no_sanitize(\"thread\"))) void f();\n// )\"";
  for (const std::string before :
       {"#define X \"a\"R\"(\"", "#define X 'a'u8R\"(\"", "#define X R\"(a)\"LR\"(\""})
    check_refused(racing(before + hidden), 1);
  check_refused(racing("#define X \"a\"\\\nR\\\n\"(\"" + hidden), 2);
}

TEST_CASE("a raw string that begins after a stray character hides nothing") {
  for (const std::string sign : {"\\", "\xff", "1\\", "\\N{DIGIT ONE}"})
    check_refused(racing("#define D(x)\nD(" + sign + "R\"(a\")b)\") struct hidden {}; D(\"c\")"),
                  2);
}

TEST_CASE("code is checked as g++ reads it, wherever its lines end") {
  const std::string hidden = "__attribute__((no_sanitize(\"thread\"))) void f();";
  check_refused(racing("// a \\\r\r\n" + hidden), 3);
  check_refused(racing("// a\r" + hidden), 2);
  check_refused(racing("\xef\xbb\xbf" + hidden), 1);
  check_refused(racing(std::string("__attri\\\0\nbute__((no_sanitize(\"thread\"))) void f();", 51)),
                2);
  for (const std::string before : {"// a \\\r\r\n", "// a\r", "\xef\xbb\xbf", "\" \r"}) {
    const Compiled compiled =
        testing::compile(racing(before + "asm(\"nop\");"), {testing::out("out", 1)});
    CHECK_FALSE(compiled.ok);
    REQUIRE_FALSE(compiled.diagnostics.empty());
    CHECK_MESSAGE(compiled.diagnostics[0].message.find("inline PTX") != std::string::npos, before);
  }
}

TEST_CASE("directives whose text becomes the assembler's, or that read another file") {
  for (const std::string line :
       {"#ident \"x\\\"\\n.globl f\\nf: syscall\\n.ident \\\"y\"", "%: ident \"x\"",
        "#/**/sccs \"x\"", "#id\\\nent \"x\"", "#if 1\n#ident \"x\"\n#endif",
        "#embed \"/etc/passwd\"", "#if __has_embed(\"/etc/passwd\")\n#endif",
        "_Pragma(R\"(\nGCC optimize(3))\")"})
    check_refused(racing(line), line.starts_with("#if 1") ? 2 : 1);
}

TEST_CASE("attributes that switch the emulator off, in every spelling") {
  for (const std::string attribute : {"__attribute__((no_sanitize(\"thread\")))",
                                      "__attribute__((__no_sanitize__(\"thread\")))",
                                      "__attribute__ (( no_sanitize_thread ))",
                                      "__attribute((no_sanitize(\"thread\")))",
                                      "[[gnu::no_sanitize(\"thread\")]]",
                                      "[[gnu::__no_sanitize__(\"thread\")]]",
                                      "[[__gnu__::no_sanitize_thread]]",
                                      "[[using gnu: no_sanitize(\"thread\")]]",
                                      "__attribute__((unused, no_sanitize(\"thread\")))",
                                      "__attribute__((no_\\\nsanitize(\"thread\")))",
                                      "[[/**/gnu/**/::/**/no_sanitize(\"thread\")]]",
                                      "<:<:gnu::no_sanitize(\"thread\"):>:>",
                                      "__attribute__((no_instrument_function))",
                                      "__attribute__((optimize(\"O3\")))",
                                      "__attribute__((__optimize__(3)))",
                                      "[[gnu::optimize(\"O3\")]]",
                                      "__attribute__((target(\"avx2\")))",
                                      "__attribute__((section(\".text\")))",
                                      "__attribute__((alias(\"f\")))",
                                      "__attribute__((ifunc(\"f\")))",
                                      "__attribute__((constructor))",
                                      "__attribute__((naked))",
                                      "__attribute__((weak))",
                                      "__attribute__((aligned(8), section(\".x\")))",
                                      "__attribute__((never_heard_of))",
                                      "__attribute__((aligned(4))) [[gnu::cleanup(f)]]"})
    check_refused(racing("", attribute), 2);
}

TEST_CASE("attributes by macros") {
  check_refused(racing("#define HIDE __attribute__((no_sanitize(\"thread\")))", "HIDE"), 1);
  check_refused(racing("#define HIDE no_sanitize(\"thread\")", "__attribute__((HIDE))"), 1);
  check_refused(racing("#define A __attribute__\n#define B ((optimize(3)))", "A B"), 1);
  check_refused(racing("#define used optimize(3)"), 1);
  check_refused(racing("#define flatten section(\".text.x\")"), 1);
  check_refused(racing("#define B [\n#define G gnu", "B B G::optimize(3)]]"), 2);
  check_refused(racing("const char* a = R\"(\")\"; __attribute__((optimize(3))) void f(); // \""),
                1);
  // Only the preprocessed source shows names that are pasted together.
  check_refused(
      racing("#define PASTE(a, b) a##b", "__attribute__((PASTE(no_san, itize)(\"thread\")))"), 2);
  check_refused(
      racing("#define PASTE(a, b) a%:%:b", "PASTE(__attri, bute__)((PASTE(opti, mize)(3)))"), 2);
  check_refused(racing("#define PASTE(a, b) a##b\n#define Q(a, b) PASTE(a, b)",
                       "[[Q(g, nu)::Q(opti, mize)(3)]]"),
                3);
  check_refused(
      racing("#include <stdint.h>", "__attribute__((__CONCAT(no_san, itize)(\"thread\")))"), 2);
  check_refused(racing("#define PASTE(a, b) a##b\nPASTE(a, sm)(\".globl x\");"), 2);
  check_refused(racing("#include <stdint.h>\n__CONCAT(as, m)(\"nop\");"), 2);
  check_refused(
      racing("#define PASTE(a, b) a##b\nconst char* a = R\"(\n# 1 \"elsewhere.h\" 3\n)\";",
             "__attribute__((PASTE(no_san, itize)(\"thread\")))"),
      5);
}

TEST_CASE("pragmas") {
  for (const std::string pragma :
       {"#pragma GCC optimize(\"O3\")", "#pragma GCC push_options", "#pragma GCC target(\"avx2\")",
        "#pragma GCC reset_options", "#pragma GCC system_header",
        "#pragma GCC dependency \"/etc/passwd\"", "%:pragma GCC optimize 3",
        "#/**/pragma/**/GCC/**/optimize(3)", "_Pragma(\"GCC optimize(3)\")",
        "_Pragma (\"/**/GCC optimize(3)\")", "_Pragma(L\"GCC optimize(3)\")",
        "_Pragma(R\"(GCC optimize(3))\")", "#define P(x) _Pragma(#x)",
        "#define P _Pragma(\"GCC optimize(3)\")", "#pragma weak k", "#pragma redefine_extname f g",
        "#line 100 \"other.cu\"", "# 100 \"other.cu\""})
    check_refused(racing(pragma), 1);
}

TEST_CASE("g++'s own functions, which no callback reports") {
  for (const std::string body :
       {"__builtin_memcpy(out, out + 1, 64);", "__builtin_memset(out, 0, 4);",
        "out[0] = __builtin_strlen((char*)out);", "__builtin_prefetch(out);",
        "out[0] = (unsigned long)__builtin_return_address(0);",
        "out[0] = (unsigned long)__builtin_frame_address(0);", "__builtin_longjmp((void**)out, 1);",
        "__atomic_fetch_add(out, 1, 0);", "__sync_fetch_and_add(out, 1);",
        "__atomic_store_n(out, 1, 0);", "(void)__builtin_alloca(64);", "__tsan_read4(out);",
        "__builtin_ia32_movnti((int*)out, 1);"})
    check_refused(racing("", "", body), 3);
  check_refused(racing("#define COPY __builtin_memcpy", "", "COPY(out, out + 1, 4);"), 1);
  check_refused(racing("extern \"C\" void __tsan_write4(void*);"), 1);
  check_refused(racing("#include <immintrin.h>"), 1);
  check_refused(racing("\n#include <experimental/simd>"), 2);  // includes them
}

TEST_CASE("the message about a long name is short") {
  const Compiled compiled = testing::compile(
      racing("", "", "__builtin_" + std::string(300'000, 'a') + "();"), {testing::out("out", 1)});
  REQUIRE_FALSE(compiled.diagnostics.empty());
  CHECK(compiled.refused);
  CHECK(compiled.diagnostics[0].message.size() < 300);
}

TEST_CASE("a type named like a vector type of CUDA is refused in any namespace") {
  for (const std::string type :
       {"struct uint4 { unsigned char c[16]; };",
        "struct alignas(1) uint4 { unsigned char c[16]; };",
        "class [[nodiscard]] float4 final { unsigned char c[16]; };", "union int2 { char c[8]; };",
        "struct __align__(1) __attribute__((packed)) uint4 : B { };",
        "typedef struct { unsigned char c[16]; } uint4;",
        "typedef struct { char c[8]; } __attribute__((packed)) T, short4;",
        "using uint4 = struct { char c[16]; };"})
    check_refused(racing("struct B { char c[16]; };\nnamespace n {\n" + type + "\n}"), 3);
  check_refused(
      racing("#define NAME uint4\nnamespace n {\nstruct NAME { unsigned char c[16]; };\n}"), 3);
  check_refused(racing("#define TYPE(name) struct name { unsigned char c[16]; };\nnamespace n "
                       "{\nTYPE(uint4)\n}"),
                3);
  check_refused(racing("#define PASTE(a, b) a##b\nnamespace n {\nstruct PASTE(ui, nt4) { unsigned "
                       "char c[16]; };\n}"),
                3);
}

TEST_CASE("deeply nested text is checked in bounded time") {
  for (const std::string each :
       {"__attribute__((unused(", "struct a(", "typedef(", "typedef ", "struct struct(",
        "struct a()", "typedef struct {", "[[gnu::unused(", "struct alignas(1) "}) {
    std::string source;
    while (source.size() < 1'000'000) source += each;
    const auto begin = std::clock();
    static_cast<void>(forbidden_in(source, shim));
    CHECK_MESSAGE(std::clock() - begin < 20 * CLOCKS_PER_SEC, each);
  }
}

TEST_CASE("a source cannot define names of the runtime") {
  for (const std::string name : {"__tsan_write4", "histolab_syncthreads", "__x86_return_thunk",
                                 "__x86_indirect_thunk_rax", "__ubsan_handle_shift_out_of_bounds",
                                 "__sanitizer_cov_trace_pc", "__cyg_profile_func_enter"}) {
    check_refused(racing("extern \"C\" void " + name + "() {}"), 1);
    check_refused(racing("#define PASTE(a, b) a##b\nextern \"C\" void PASTE(" + name.substr(0, 4) +
                         ", " + name.substr(4) + ")() {}"),
                  2);
  }
}

TEST_CASE("files of the machine") {
  for (const std::string line :
       {"#include \"/dev/zero\"", "#include </etc/passwd>", "#include \"../secret\"",
        "#include \"../a/../secret.h\"", "#include \"a/../../secret.h\"", "#include \"/secret.h\"",
        "#if __has_include(\"../secret.h\")\n#endif", "#include __FILE__",
        "#define F \"/dev/zero\"\n#include F", "#include_next <stdio.h>", "#import <stdio.h>",
        "#if __has_include(\"/etc/passwd\")\n#endif", "#if __has_include(F)\n#endif",
        "#define I __has_include\n#if I(\"/etc/passwd\")\n#endif",
        "#define I(x) __has_include x\n#if I((\"/etc/passwd\"))\n#endif",
        "%:include \"/dev/zero\""})
    check_refused(racing(line), line.starts_with("#define F") ? 2 : 1);
}

TEST_CASE("a submission includes nothing of its own, itself included, by any path") {
  for (const std::string name :
       {"\"kernel.cu\"", "\"./kernel.cu\"", "\".//././kernel.cu\"", "\"sub/kernel.cu\"",
        "\"sub\\kernel.cu\"", "<kernel.cu>", "<./kernel.cu>", "\"../x/kernel.cu\"", "\"kernel.o\"",
        "\"kernel.calls\"", "\"kernel.accesses\"", "\"kernel.s\"",
        "\"histolab/cuda_shim.h.gch\""}) {
    check_refused(racing("#include " + name), 1);
    check_refused(racing("#if 0\n#include " + name + "\n#endif"), 2);
    check_refused(racing("\n#if __has_include(" + name + ")\n#endif"), 2);
    check_refused(racing("%: /**/ in\\\nclude " + name), 1);
  }
}

TEST_CASE("each preprocessed line that is not a header's is the submission's") {
  const auto refused_at = [](const std::string& output, const std::string& text = "") {
    const std::vector<Diagnostic> refusals = forbidden_in_preprocessed(output, text, "/shim");
    return refusals.empty() ? 0 : refusals.front().line;
  };
  const std::string begin =
      "# 0 \"kernel.cu\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 "
      "\"/shim/histolab/cuda_shim.h\" 1\nasm(\"nop\");\n# 0 \"<command-line>\" 2\n# 1 "
      "\"kernel.cu\"\n";
  CHECK(refused_at(begin + "int a;\n") == 0);
  CHECK(refused_at(begin + "int a;\n\n  asm(\"nop\");\n") == 3);
  // A file that is included from the submission and is not in a header folder.
  for (const std::string file : {"./kernel.cu", "kernel.cu", "other.h", "as", "shim/x.h",
                                 "/tmp/histolab-x/kernel.cu", "/shimmer/x.h", "<stdin>", ""})
    CHECK_MESSAGE(
        refused_at(begin + "int a;\n# 1 \"" + file + "\" 1\nint b;\n# 3 \"kernel.cu\" 2\n") == 2,
        file);
  CHECK(refused_at(begin + "# 1 \"./kernel.cu\" 1 3\nint b;\n") ==
        1);  // marked as a system header, but with a relative path
  CHECK(refused_at(begin + "# 7 \"other.cu\"\nasm(\"nop\");\n") == 7);
  CHECK(refused_at(
            begin +
            "# 1 \"/usr/include/x.h\" 1 3 4\nasm(\"nop\");\n# 2 \"kernel.cu\" 2\nint a;\n") == 0);
  CHECK(refused_at(begin +
                   "const char* a = R\"(\n# 1 \"/usr/include/x.h\" 1 3\n)\"; asm(\"nop\");\n") ==
        3);
}

TEST_CASE("no macro changes a header that is included after it") {
  const std::string glue = "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n";
  check_refused(racing(glue + "#define hdestroy(x) a(); Q(as, m)(\"nop\"); extern int "
                              "b()\n#include <search.h>\n#undef hdestroy"),
                3);
  check_refused(racing(glue + "#define __THROW Q(__attri, bute__)((Q(no_sani, "
                              "tize)(\"thread\")))\n#include <search.h>"),
                3);
  for (const std::string& harmless :
       {racing("#include <search.h>\n" + glue + "#define inline Q(in, line)"),
        racing(glue +
               "#define N 256\n#define WIDTH (N * 2)\n#include <search.h>\n#include <cassert>"),
        racing(glue + "#define check(x) assert(x)\n#include <cassert>\n#include <cstdio>\n#include "
                      "<cooperative_groups.h>")}) {
    const Compiled compiled = testing::compile(harmless, {testing::out("out", 1)});
    CHECK_MESSAGE(!compiled.refused, harmless,
                  (compiled.diagnostics.empty() ? "" : compiled.diagnostics[0].message));
  }
}

TEST_CASE(
    "a header of another folder is missing, whether or not there is such a file: the compiler "
    "never looks") {
  for (const std::string name :
       {"../common/book.h", "../../Common/helper-utils.cuh", "../x.hpp", "..\\common\\error.h"}) {
    const Compiled compiled = testing::compile(
        racing("#include \"" + name + "\"\n#include \"" + name + "\""), {testing::out("out", 1)});
    CHECK(!compiled.ok);
    CHECK_MESSAGE(!compiled.refused, name);
    REQUIRE_MESSAGE(compiled.diagnostics.size() == 2, name);
    for (int i = 0; i < 2; ++i) {
      CHECK(compiled.diagnostics[static_cast<std::size_t>(i)].line == i + 1);
      CHECK_MESSAGE(compiled.diagnostics[static_cast<std::size_t>(i)].message.starts_with(
                        "there is no file " + name + " here. A submission is one file"),
                    compiled.diagnostics[0].message);
    }
    CHECK(testing::compile(racing("#include \"" + name + "\"\n#pragma GCC optimize(\"O0\")"),
                           {testing::out("out", 1)})
              .refused);  // refusals come before errors
  }
}

TEST_CASE("a macro called likely is one call of __builtin_expect, or refused") {
  for (const std::string macro :
       {"likely(x) __builtin_expect(!!(x), 1)", "unlikely(x) (__builtin_expect((x), 0))",
        "likely(...) __builtin_expect(bool(__VA_ARGS__), 1)",
        "likely(x) \\\n  __builtin_expect((x) != 0, 1)"}) {
    const Compiled compiled =
        testing::compile(racing("#define " + macro, "",
                                (macro.starts_with("un") ? "if (unlikely(out[0] == 3)) "
                                                         : "if (likely(out[0] == 3)) ") +
                                    std::string("out[0] += 1;")),
                         {testing::out("out", 1)});
    CHECK_MESSAGE(compiled.ok, macro);
  }
  for (const std::string macro :
       {"likely", "likely x", "likely(x) x", "likely(x) (x)", "likely(x) __builtin_expect(1, 1), x",
        "likely(x) __builtin_expect(1, 1) x", "likely(x) x, __builtin_expect(1, 1)",
        "likely(x) (__builtin_expect(1, 1)), x", "likely (x) __builtin_expect(x, 1)",
        "likely __builtin_expect(1, 1)", "likely(x) (__builtin_expect(1, 1), x)",
        "likely(x) __builtin_expect", "cold(x) __builtin_expect(x, 1)",
        "__likely__(x) __builtin_expect(x, 1)", "likely(x) __builtin_expect(x, 1"})
    check_refused(racing("#define " + macro), 1);
}

TEST_CASE("lines joined by a backslash: the place of the word counts") {
  check_refused(racing("", "__attri\\\nbute__((no_sanitize(\"thread\")))"), 3);
  check_refused(racing("#inc\\\nlude \"/dev/zero\""), 2);
}

TEST_CASE("assembly from macros is an error about inline PTX, but not a refusal") {
  for (const std::string& source :
       {racing("#define X asm(\"nop\");\nX"), racing("#define A __asm__\nA(\"nop\");"),
        racing("#define E \"nop\"\nasm(\"\" E);"), racing("a\\\nsm(\"nop\");")}) {
    const Compiled compiled = testing::compile(source, {testing::out("out", 1)});
    CHECK_MESSAGE(!compiled.ok, source);
    CHECK_MESSAGE(!compiled.refused, source);
    CHECK_MESSAGE(compiled.diagnostics.at(0).message.find("inline PTX") != std::string::npos,
                  source);
  }
}

TEST_CASE("harmless code that resembles a trick is not refused") {
  for (const std::string& source :
       {racing("// __attribute__((no_sanitize(\"thread\"))) #pragma GCC optimize"),
        racing("/* #include \"/dev/zero\"\n asm(\"nop\") */"),
        racing("#pragma once\n#pragma unroll\n#pragma nv_diag_suppress 177"),
        racing("", "", "#pragma unroll 4\n  for (int i = 0; i < 4; ++i) out[0] += 1;"),
        racing("", "", "_Pragma(\"unroll\") for (int i = 0; i < 4; ++i) out[0] += 1;"),
        racing("#define CONST __constant__\n#define GLUE(a, b) a##b\nCONST unsigned GLUE(the_, "
               "first) = 97;\n__constant__ const int table[2] = {1, 2};"),
        racing("", "__launch_bounds__(256)"),
        racing("struct __align__(8) S { int a, b; };\nstruct __attribute__((aligned(16), packed)) "
               "T { int a; };"),
        racing("[[nodiscard]] __device__ int f() { return 1; }\n__device__ __noinline__ int "
               "g([[maybe_unused]] int x) { return 1; }"),
        racing("#include <cuda_runtime.h>\n#include <cassert>\n#include <stdint.h>", "",
               "assert(out != NULL && __builtin_expect(1, 1)); out[0] = __builtin_popcount(3u);"),
        racing("#define CAT(a, b) a##b", "", "CAT(out, [0]) += 1; CAT(__sync, threads)();"),
        racing(
            "struct A { uint4 a; }; typedef uint4 B; using C = uint4; typedef float4 D, "
            "*E;\n#define WIDE(p) (*(const uint4*)(p))\n__device__ uint4 f(struct uint4 a) { "
            "return uint4{a.x, 1, 2, 3}; }\nusing ::uint4; enum F { uint2x };\ntemplate <class T> "
            "struct G { T a, b; };\ntypedef void (*H)(uint4, int2);\nstruct I { int2 a; } i;"),
        racing("int gnus = 1, optimize = 2, section = 3, alias, target, weak, naked;"),
        racing("#if defined(__has_include) && defined __has_include\n#elif !defined "
               "__has_include\n#endif\n#ifndef __has_include\n#endif\n#ifdef __has_include\n#if "
               "__has_include(<cstdint>)\n#include <cstdint>\n#endif\n#endif"),
        racing("const char* a = \"asm(x) no_sanitize\"; const char* b = R\"(\n#pragma GCC "
               "optimize\n)\";"),
        racing("#if 0\nit's \"fine\n#endif"), racing("", "", "asm volatile(\"\" ::: \"memory\");"),
        racing("#ifdef __CUDA_ARCH__\n#endif\n#if __CUDACC_VER_MAJOR__ > 8\n#endif")}) {
    const Compiled compiled = testing::compile(source, {testing::out("out", 1)});
    CHECK_MESSAGE(!compiled.refused, source,
                  (compiled.diagnostics.empty() ? "" : compiled.diagnostics[0].message));
  }
}

TEST_CASE("ordinary kernels are sure, and need no second look") {
  const auto is_sure = [](const std::string& source) { return !forbidden_in(source, shim).unsure; };
  CHECK(
      is_sure("#include <cstdint>\n__global__ void k(unsigned* __restrict__ out) { __shared__ int "
              "s[4]; __syncthreads(); __threadfence(); atomicAdd(out, __popc(3)); }"));
  CHECK(
      is_sure("#include <cuda_runtime.h>\n#include <math.h>\n#include "
              "\"device_launch_parameters.h\"\n#define BINS 7"));
  CHECK_FALSE(is_sure("#define PASTE(a, b) a##b"));
  CHECK_FALSE(is_sure("int x = __CONCAT(a, b);"));
  CHECK_FALSE(is_sure("#include <sys/types.h>"));
}
