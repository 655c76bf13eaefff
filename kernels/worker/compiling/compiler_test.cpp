// Tests of compile_for_emulator(): diagnostics in CUDA's terms at the student's line, and sources
// that attack the compiler.
#include "kernels/worker/compiling/compiler.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernels/worker/source_rules/source_rules.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

Compiled compile_text(const std::string& source) {
  return testing::compile(source, {testing::out("out", 1)});
}

const Diagnostic* first_error(const Compiled& compiled) {
  for (const Diagnostic& d : compiled.diagnostics)
    if (d.severity == Severity::error) return &d;
  return nullptr;
}

}  // namespace

TEST_CASE("an error is at the student's line and column, and only about the student's file") {
  struct Row {
    const char* source;
    int line, column;
    const char* says;
  };
  for (const Row& row : {
           Row{"__global__ void k(unsigned* out) {\n  out[0] = undefined_name;\n}\n", 2, 12,
               "undefined_name"},
           Row{"__global__ void k(unsigned* out) {\n  out[0] = 1\n}\n", 2, 13, ";"},
           Row{"__global__ void k(unsigned* out) {\n\n\tout[0] = blockIdx;\n}\n", 3, 0,
               "blockIdx.x"},
           Row{"__global__ void k(unsigned* out) {\n  atomicAdd(out, 1.0f, 2);\n}\n", 2, 0,
               "atomicAdd"},
           Row{"__global__ void k(unsigned* out) {\n  atomicadd(out, 1);\n}\n", 2, 3, "atomicadd"},
           Row{"__global__ void k(unsigned* out) {\n  threadIdx.x = 3;\n}\n", 2, 0,
               "set by the launch"},
           Row{"__global__ void k(unsigned* out) {\n  int* p = malloc(4);\n}\n", 2, 0,
               "void* cannot be converted to int*"},
           Row{"#include \"no_such_header.h\"\n__global__ void k(unsigned* out) {}\n", 1, 0,
               "no_such_header.h"},
           Row{"#error my own words\n__global__ void k(unsigned* out) {}\n", 1, 0, "my own words"},
           Row{"__global__ void k(unsigned* out) {\n", 1, 0, ""},
           Row{"__global__ void k(unsigned* out) {\n  __shared__ unsigned s[4] = {0};\n  out[0] = "
               "s[0];\n}\n",
               2, 0, "initial value"},
           Row{"__global__ void k(unsigned* out) {\n  out[0] = 1;\n  __syncthreads ;\n}\n", 3, 0,
               "Write `__syncthreads();`"},
           Row{"// __shared__ int x = 3;\n__global__ void k(unsigned* out) {\n  std::vector<int> "
               "v;\n}\n",
               3, 0, "vector"},
           Row{"__global__ void k(unsigned* out) { out[0] = min(1, 2, 3); }", 1, 0, "min"},
           Row{"#if 0\n__shared__ int a = 1;\n#else\n__shared__ int b = 1;\n#endif\n__global__ "
               "void k(unsigned* out) {}\n",
               4, 0, "initial value"},
           Row{"#if '0'\n__shared__ int a = 1;\n#endif\n__global__ void k(unsigned* out) {}\n", 2,
               0, "initial value"},
           Row{"#if 0\n#if 1\n#endif\n__shared__ int a = 1;\n#endif\n__shared__ int b = "
               "1;\n__global__ void k(unsigned* out) {}\n",
               6, 0, "initial value"},
           Row{"__global__ void k(unsigned* out) {\n  static __thread unsigned s[4];\n  out[0] = "
               "s[0];\n}\n",
               2, 0, "__shared__ for the threads"},
           Row{"#if 1\n__shared__ int b = 1;\n#endif\n__global__ void k(unsigned* out) {}\n", 2, 0,
               "initial value"},
       }) {
    const Compiled compiled = compile_text(row.source);
    CHECK(!compiled.ok);
    CHECK(!compiled.refused);
    const Diagnostic* error = first_error(compiled);
    REQUIRE_MESSAGE(error != nullptr, std::string(row.source));
    CHECK_MESSAGE(error->line == row.line, std::string(row.source), error->message);
    if (row.column != 0)
      CHECK_MESSAGE(error->column == row.column, std::string(row.source), error->message);
    CHECK_MESSAGE(error->message.find(row.says) != std::string::npos, error->message);
    for (const Diagnostic& d : compiled.diagnostics) {
      CHECK_MESSAGE(d.message.find("cuda_shim") == std::string::npos, d.message);
      CHECK_MESSAGE(d.message.find("histolab") == std::string::npos, d.message);
      CHECK_MESSAGE(d.message.find("thread_local") == std::string::npos, d.message);
      CHECK_MESSAGE(d.message.find("/tmp") == std::string::npos, d.message);
    }
  }
}

TEST_CASE("early returns are searched in the kernel's body, not in a helper after its prototype") {
  const std::string prototype = "__global__ void k(unsigned* out);\n",
                    leaves = "{ if (out == nullptr) return; out[0] = 1; }\n",
                    stays = "{ out[0] = 1; }\n";
  const auto becomes = [&](const std::string& helper, const std::string& body) {
    Finding finding;
    finding.kind = FindingKind::invalid_mask;
    finding.severity = Severity::note;
    finding.other_thread.emplace();
    std::vector<Finding> findings = {finding};
    judge_ended_lanes(findings,
                      prototype + "__device__ void help(unsigned* out) " + helper +
                          "__global__ void k(unsigned* out) " + body,
                      "k");
    return findings.at(0).severity;
  };
  CHECK(becomes(stays, leaves) == Severity::note);
  CHECK(becomes(leaves, stays) == Severity::error);
}

TEST_CASE("code in comments, raw strings and inactive #if branches is not an error") {
  const std::string kernel = "__global__ void k(unsigned* out) {\n  out[0] = 1;\n}\n";
  for (const char* before :
       {"#if 0  // as it was\n__shared__ int x = 5;\nvoid f() { __syncthreads; }\n#endif\n",
        "#if (0)\n#ifdef A\n#else\n__shared__ int x = 5;\n#endif\n__shared__ int y = 5;\n#endif\n",
        "#if 1\n#else\n#endif\n", "// goes on \\\n__shared__ int x = 0;\n",
        "// goes on \\ \t\r\n__shared__ int x = 0;\r\n",
        "constexpr const char* a = R\"(a \"quoted\n__shared__ int x = 5; )\";\n",
        "constexpr const char* a = R\"x()\" __shared__ int x = 5;)x\";\n"}) {
    const Compiled compiled = compile_text(before + kernel);
    CHECK_MESSAGE(compiled.ok, std::string(before),
                  compiled.diagnostics.empty() ? "" : compiled.diagnostics[0].message);
  }
  const Compiled unread = compile_text(
      "#define FOR\nconstexpr const char* a = FOR\"(\";\n__shared__ int x = 5;\nconstexpr const "
      "char* b = \")\";\n" +
      kernel);  // no raw string
  CHECK(!unread.ok);
}

TEST_CASE("more shared variables than the emulator can hold are an error of the source") {
  std::string many = "__global__ void k(unsigned* out) {\n", sum = "0";
  for (int i = 0; i < 1984; ++i) {
    many += fmt::format("__shared__ char s{};\n", i);
    sum += fmt::format(" + s{}", i);
  }
  const Compiled compiled = compile_text(many + "out[0] = " + sum + ";\n}\n");
  CHECK(!compiled.ok);
  REQUIRE(first_error(compiled) != nullptr);
  CHECK(first_error(compiled)->message.starts_with("there are too many __shared__ variables"));
}

TEST_CASE("errors come in the order of the source, and a flood of them is cut") {
  std::string source = "__global__ void k(unsigned* out) {\n";
  for (int i = 0; i < 200; ++i) source += "  out[0] = nothing" + std::to_string(i) + ";\n";
  const Compiled compiled = compile_text(source + "}\n");
  CHECK(compiled.diagnostics.size() == 20);
  int line = 0;
  for (const Diagnostic& d : compiled.diagnostics) {
    if (d.line == 0) continue;
    CHECK(d.line >= line);
    line = d.line;
  }
  CHECK(compiled.diagnostics[0].line == 2);

  // The compiler's output is longer than the limit: complete diagnostics count.
  source = "template <class T> __device__ T f(T, T);\n__global__ void k(unsigned* out) {\n";
  for (int i = 0; i < 20'000; ++i) source += "  f(1, 2.0);\n";
  const Compiled flood = compile_text(source + "}\n");
  REQUIRE(flood.diagnostics.size() == 20);
  CHECK(flood.diagnostics[0].line == 3);
}

TEST_CASE("host functions in a kernel are reported with their line") {
  const Compiled compiled = compile_text(
      "#include <cstdlib>\n#include <ctime>\n__global__ void k(unsigned* out) {\n  out[0] = "
      "(unsigned)time(nullptr);\n  system(\"ls\");\n}\n");
  CHECK(!compiled.ok);
  bool time_named = false, system_named = false;
  for (const Diagnostic& d : compiled.diagnostics) {
    time_named |= d.line == 4 && d.message.find("`time`") != std::string::npos;
    system_named |= d.line == 5 && d.message.find("`system`") != std::string::npos;
  }
  CHECK(time_named);
  CHECK(system_named);
}

TEST_CASE("taking the address of an atomic function is an error") {
  for (const char* source :
       {"__global__ void k(unsigned* out) {\n  unsigned (*volatile add)(unsigned*, unsigned) = "
        "atomicAdd;\n  add(out, 1u);\n}\n",
        "\n__device__ unsigned (*const table[2])(unsigned*, unsigned) = {atomicAdd, atomicAdd};\n"
        "__global__ void k(unsigned* out) { table[threadIdx.x % 2](out, 1u); }\n"}) {
    const Compiled compiled = compile_text(source);
    CHECK(!compiled.ok);
    REQUIRE(!compiled.diagnostics.empty());
    CHECK(compiled.diagnostics[0].line == 2);
    CHECK(compiled.diagnostics[0].message ==
          "the address of `atomicAdd` is taken. Call the function by its name, so that the "
          "emulator knows every call");
  }
}

TEST_CASE("shared variables with a constructor or an initial value are errors") {
  const std::string
      type = "struct S {\n  unsigned x;\n  __device__ S() { x = 1; }\n};\n",
      use = "  if (threadIdx.x == 0) s.x = 2;\n  __syncthreads();\n  out[0] = s.x;\n}\n";
  const auto refusal = [](const std::string& source) {
    const Compiled compiled = compile_text(source);
    return compiled.ok || compiled.diagnostics.empty() ? std::string("accepted")
                                                       : compiled.diagnostics[0].message;
  };
  const std::string why =
      " a __shared__ variable whose type has a constructor; shared memory is not initialized. Use "
      "a plain type, set it in the kernel, then call __syncthreads()";
  CHECK(refusal(type + "__global__ void k(unsigned* out) {\n  __shared__ S s;\n" + use) ==
        "`s` is" + why);
  CHECK(refusal(type + "__shared__ S s;\n__global__ void k(unsigned* out) {\n" + use) ==
        "outside the kernels there is" + why);
  const std::string with_value =
      "struct S {\n  unsigned x = 5;\n};\n__global__ void k(unsigned* out) {\n  __shared__ S s;\n";
  CHECK(refusal(with_value + use) ==
        "a __shared__ variable cannot have an initial value. Write the values in the kernel, then "
        "__syncthreads()");
}

TEST_CASE("odd files: empty, no newline, CRLF, a byte order mark, a NUL, other encodings") {
  CHECK(!compile_text("").ok);
  CHECK(!compile_text("\n\n").ok);
  CHECK(compile_text("__global__ void k(unsigned* out) { out[0] = 1; }").ok);
  CHECK(compile_text("// r\r\n__global__ void k(unsigned* out) {\r\n  out[0] = 1;\r\n}\r\n").ok);
  CHECK(compile_text("\xef\xbb\xbf__global__ void k(unsigned* out) { out[0] = 1; }").ok);
  CHECK(compile_text("// caf\xe9 \xff\n__global__ void k(unsigned* out) { out[0] = 1; }").ok);
  const Compiled with_nul =
      compile_text(std::string("__global__ void k(unsigned* out) { out[0] = \0 1; }", 50));
  CHECK((with_nul.ok || first_error(with_nul) != nullptr));
  const Compiled binary =
      compile_text(std::string("\x7f\x45LF\x01\x02\x03", 7) + std::string(5000, '\x80'));
  CHECK(!binary.ok);
  CHECK(first_error(binary) != nullptr);
}

TEST_CASE("attacks on the compiler end as errors of the source") {
  const std::string kernel = "__global__ void k(unsigned* out) { out[0] = 1; }\n";
  for (const std::string& source : std::initializer_list<std::string>{
           "template <int N> struct S { enum { v = S<N - 1>::v + S<N - 2>::v + N }; };\n__global__ "
           "void k(unsigned* out) { out[0] = S<100000>::v; }\n",
           "#include \"/dev/zero\"\n" + kernel,
           "#include __FILE__\n" + kernel,
           "#include \"kernel.cu\"\n" + kernel,
           "template <class T> struct D : D<T*> {};\nD<int> d;\n" + kernel,
           "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) "
           "B(B(x))\n__global__ void k(unsigned* out) { C(out[0] += 1;) }\n",
           "constexpr int f(int n) { while (true) n += 1; return n; }\n__global__ void k(unsigned* "
           "out) { constexpr int x = f(1); out[0] = x; }\n",
           "#include \"/etc/shadow\"\n" + kernel,
           "#define INCLUDE(x) __asm__(\".incbin \" x)\nINCLUDE(\"\\\"/dev/zero\\\"\");\n" + kernel,
       }) {
    const Compiled compiled = compile_text(source);
    CHECK_MESSAGE(!compiled.ok, source);
    CHECK_MESSAGE(first_error(compiled) != nullptr, source);
  }
}

namespace {

// Runs a shell script in place of the compiler.
Result<CompilerOutput> compile_with(const std::string& script) {
  const TemporaryFolder folder = testing::temporary_folder();
  EmulatorPaths paths = testing::emulator_paths();
  paths.compiler = folder.path() + "/g++";
  std::ofstream(paths.compiler) << "#!/bin/sh\n" << script << "\n";
  chmod(paths.compiler.c_str(), 0755);
  return compile_for_emulator("__global__ void k(unsigned*) {}", paths);
}

// Sets TMPDIR for its own lifetime.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::string& path) {
    if (const char* before = std::getenv("TMPDIR"); before != nullptr) before_ = before;
    setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryDirectory() {
    if (before_)
      setenv("TMPDIR", before_->c_str(), 1);
    else
      unsetenv("TMPDIR");
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a failure of the machine is an Error, not an error of the source") {
  EmulatorPaths paths = testing::emulator_paths();
  paths.compiler = "no-such-compiler";
  const auto missing = compile_for_emulator("", paths);
  REQUIRE(!missing.ok());
  CHECK(missing.error().message.find("install g++") != std::string::npos);
  for (const char* script :
       {"echo \"g++: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\" "
        ">&2; exit 1",
        "echo '[{\"kind\":\"fatal error\",\"message\":\"error writing to /tmp/x.s: No space left "
        "on device\",\"locations\":[],\"children\":[]}]' >&2; exit 1",
        "echo '/tmp/x.s: Assembler messages:' >&2; echo \"/tmp/x.s: Fatal error: can't write 12 "
        "bytes to section .text of kernel.o: 'No space left on device'\" >&2; exit 1",
        "echo 'Cannot create temporary file in /tmp/: Permission denied' >&2; kill -ABRT $$",
        "exit 0"}) {
    const auto output = compile_with(script);
    CHECK_MESSAGE(!output.ok(), std::string(script));
    if (!output.ok())
      CHECK_MESSAGE(output.error().message.find("TMPDIR") != std::string::npos,
                    output.error().message);
  }
  // The source can produce the same words.
  const Compiled compiled =
      compile_text("#error No space left on device\n__global__ void k(unsigned*) {}\n");
  CHECK(!compiled.ok);
  CHECK(compiled.diagnostics.at(0).line == 1);
}

TEST_CASE(
    "a failure without a source position is retried, and a known good kernel decides the blame") {
  for (const char* end :
       {"echo '[{\"kind\":\"fatal error\",\"message\":\"histolab/cuda_shim.h: No such file or "
        "directory\","
        "\"locations\":[{\"caret\":{\"file\":\"<command-line>\",\"line\":0}}]}]' >&2; exit 1",
        "echo '[{\"kind\":\"fatal error\",\"message\":\"cannot read PCH file\",\"locations\":[]}]' "
        ">&2; exit 1",
        "echo '[{\"kind\":\"internal compiler error\",\"message\":\"Bus "
        "error\",\"locations\":[]}]' >&2; exit 1",
        "echo '[{\"kind\":\"error\",\"message\":\"no such type\",\"locations\":"
        "[{\"caret\":{\"file\":\"/usr/include/stdio.h\",\"line\":3}}]}]' >&2; exit 1",
        "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1",
        "echo 'g++: fatal error: Killed signal terminated program as' >&2; exit 1", "exit 1",
        "kill -KILL $$", "kill -SEGV $$"}) {
    CAPTURE(end);
    const std::string fails = std::string("{ ") + end + "; }\n",
                      compiles = "echo object > kernel.o\n";
    // It fails each time, at any kernel.
    CHECK_FALSE(compile_with(fails).ok());
    // It fails each time, at this source only.
    const auto sources = compile_with("grep -q 'k(unsigned[*])' kernel.cu && " + fails + compiles);
    REQUIRE(sources.ok());
    CHECK_FALSE(sources->object);
    REQUIRE_FALSE(sources->diagnostics.empty());
    CHECK(sources->diagnostics[0].severity == Severity::error);
    // It fails once.
    const auto brief = compile_with(
        "echo >> $(dirname $0)/runs; [ $(wc -l < $(dirname $0)/runs) = 1 ] && " + fails + compiles);
    REQUIRE(brief.ok());
    CHECK(brief->object);
  }
}

TEST_CASE("an error with a source position, or a time limit, is not retried") {
  for (const char* end : {"echo '[{\"kind\":\"error\",\"message\":\"no such name\",\"locations\":"
                          "[{\"caret\":{\"file\":\"kernel.cu\",\"line\":3}}]}]' >&2",
                          "echo 'kernel.cu:3: Error: no such instruction' >&2",
                          "echo 'g++: internal compiler error: CPU time limit exceeded signal "
                          "terminated program cc1plus' >&2"}) {
    CAPTURE(end);
    const auto output = compile_with(
        "echo >> $(dirname $0)/runs; [ $(wc -l < $(dirname $0)/runs) = 1 ] || exit 0\n" +
        std::string(end) + "; exit 1");
    REQUIRE(output.ok());
    REQUIRE(output->diagnostics.size() == 1);
    CHECK(output->diagnostics[0].severity == Severity::error);
  }
}

TEST_CASE("a compiler that runs out of memory is not retried if a known good kernel compiles") {
  const std::string fails =
      "{ echo 'cc1plus: out of memory allocating 65536 bytes' >&2; exit 1; }\n";
  const auto sources = compile_with(
      "grep -q 'k(unsigned[*])' kernel.cu || { echo object > kernel.o; exit 0; }\n"
      "echo >> $(dirname $0)/runs; [ $(wc -l < $(dirname $0)/runs) = 1 ] && " +
      fails + "echo object > kernel.o\n");
  REQUIRE(sources.ok());
  CHECK_FALSE(sources->object);
  CHECK_FALSE(compile_with(fails).ok());
}

TEST_CASE("words of a machine failure count as the source's if a known good kernel compiles") {
  for (const char* words :
       {"as: No space left on device",
        "g++: fatal error: cannot execute 'cc1plus': posix_spawnp: No such file or directory",
        "bwrap: Can't find source path", "histolab-confine: no",
        "Cannot create temporary file in /tmp/: Read-only file system",
        "[{\"kind\":\"fatal error\",\"message\":\"x.s: Disk quota exceeded\",\"locations\":[]}]"}) {
    const std::string fails = std::string("{ cat >&2 <<'END'\n") + words + "\nEND\nexit 1; }\n",
                      compiles = "echo object > kernel.o\n";
    const auto blamed = compile_with("grep -q 'k(unsigned[*])' kernel.cu && " + fails + compiles);
    REQUIRE_MESSAGE(blamed.ok(), words);
    CHECK_MESSAGE(!blamed->object, words);
    REQUIRE_MESSAGE(!blamed->diagnostics.empty(), words);
    CHECK_MESSAGE(blamed->diagnostics[0].severity == Severity::error, words);
    // A failure that does not occur again.
    const auto passing = compile_with(
        "echo >> $(dirname $0)/runs; [ $(wc -l < $(dirname $0)/runs) = 1 ] && " + fails + compiles);
    REQUIRE_MESSAGE(passing.ok(), words);
    CHECK_MESSAGE(passing->object, words);
    CHECK_FALSE_MESSAGE(compile_with(fails).ok(), words);
  }
}

TEST_CASE("each way for the compiler to fail has its own message") {
  const auto message = [](const std::string& source) {
    const Compiled compiled = compile_text(source);
    return compiled.ok || compiled.diagnostics.empty() ? std::string("accepted")
                                                       : compiled.diagnostics[0].message;
  };
  const std::string kernel = "__global__ void k(unsigned* out) { out[0] = 1; }\n";
  CHECK(message("#error \x1b[31m red\n" + kernel) == "#error ?[31m red");
  CHECK(message("#error caf\xe9\n" + kernel) == "#error caf?");
  CHECK(message("typedef int V __attribute__((vector_size(1 << 30)));\nV a;\n__global__ void k(V* "
                "out) { *out = a; }\n")
            .find("vector type") != std::string::npos);
  CHECK(message("__device__ const char a[1ull << 33] = {1};\n__global__ void k(unsigned* out) { "
                "out[0] = a[out[1]]; }\n")
            .find("64 MiB") != std::string::npos);
}

TEST_CASE("a missing, read-only or full temporary folder is an error that suggests TMPDIR") {
  for (const char* folder : {"/no/such/folder", "/proc", "/dev/null"}) {
    const TemporaryDirectory there(folder);
    const auto output =
        compile_for_emulator("__global__ void k(unsigned*) {}", testing::emulator_paths());
    REQUIRE(!output.ok());
    CHECK_MESSAGE(
        output.error().message.find("set TMPDIR to a folder with room") != std::string::npos,
        output.error().message);
  }
  rlimit files{};
  getrlimit(RLIMIT_FSIZE, &files);
  const rlimit none{0, files.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &none);
  const auto full =
      compile_for_emulator("__global__ void k(unsigned*) {}", testing::emulator_paths());
  setrlimit(RLIMIT_FSIZE, &files);
  signal(SIGXFSZ, SIG_DFL);
  REQUIRE(!full.ok());
  CHECK(full.error().message.find("is the disk full? Set TMPDIR") != std::string::npos);
}

TEST_CASE("the compiler gets its own environment and leaves no files behind") {
  setenv("CPATH", "/no/such/headers", 1);
  setenv("HISTOLAB_SECRET", "1", 1);
  const TemporaryFolder folder = testing::temporary_folder();
  const TemporaryDirectory there(folder.path());
  const auto output = compile_with(
      "tr '\\0' '\\n' < /proc/$$/environ | grep -v -e ^PATH= -e ^LC_ALL=C -e ^TMPDIR= -e "
      "^SOURCE_DATE_EPOCH=946684800 -e ^TZ=UTC0 > kernel.o; echo end >> kernel.o; mkdir -p a/b; "
      "touch a/b/c");
  unsetenv("CPATH");
  unsetenv("HISTOLAB_SECRET");
  REQUIRE(output.ok());
  REQUIRE(output->object);
  CHECK(std::string(output->object->bytes().begin(), output->object->bytes().end()) == "end\n");
  CHECK(std::filesystem::is_empty(folder.path()));
}
