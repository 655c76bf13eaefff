// Kernels that try to reach foreign data: other threads' stacks, their own return addresses, the
// emulator itself. Each access is caught before it is made, and reported correctly.
#include <doctest/doctest.h>

#include <string>

#include "kernels/emulator/emulator.h"
#include "kernels/worker/testing/direct_launch.h"
#include "kernels/worker/testing/finding_table.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

// An index far beyond the end of a local array. No other thread can see the array, so the compiler
// does not report accesses to it.
struct Spelling {
  const char* title;
  const char* declared;
  const char* written;  // with x, which is unknown before run time
  const char* used;
};

constexpr Spelling spellings[] = {
    {"an index", "unsigned a[4] = {}", "a[x] = 7", "a[n % 4]"},
    {"an index below zero", "unsigned a[4] = {}", "a[-(long long)x] = 7", "a[n % 4]"},
    {"a pointer", "unsigned a[4] = {}", "*(a + x) = 7", "a[n % 4]"},
    {"the first element's address", "unsigned a[4] = {}", "(&a[0])[x] = 7", "a[n % 4]"},
    {"bytes", "unsigned char a[64] = {}", "a[x] += 7", "a[n % 64]"},
    {"words of eight bytes", "unsigned long long a[4] = {}", "a[x] ^= 7", "a[n % 4]"},
    {"wide words", "uint4 a[4] = {}", "a[x] = make_uint4(1, 2, 3, 4)", "a[n % 4].x"},
    {"a structure's array", "struct { int b; unsigned a[4]; } s = {}", "s.a[x] = 7", "s.a[n % 4]"},
    {"a union's array", "union { unsigned a[4]; float f[4]; } s = {}", "s.a[x] = 7", "s.a[n % 4]"},
    {"rows", "unsigned a[4][4] = {}", "a[1][x] = 7", "a[n % 4][1]"},
    {"whole rows", "unsigned a[4][4] = {}", "a[x][1] = 7", "a[n % 4][1]"},
    {"a reference", "unsigned b[4] = {}; unsigned (&a)[4] = b", "a[x] = 7", "b[n % 4]"},
    {"a captured array",
     "unsigned b[4] = {}; auto f = [b](unsigned y) mutable { b[y] = 7; return b[y % 4]; }",
     "b[0] = f(x)", "b[n % 4]"},
    {"a bit-field", "struct { unsigned low : 3, high : 29; } a[4] = {}", "a[x].high = 7",
     "a[n % 4].high"},
    {"a floating-point number", "float a[4] = {}", "a[x] = 1.5f", "a[n % 4]"},
    {"a read", "unsigned a[4] = {}", "a[0] = a[x]", "a[n % 4]"},
};

std::string kernel_of(const Spelling& s) {
  return std::string(
             "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n  if "
             "(blockIdx.x != 0 || threadIdx.x != 3) return;\n  const unsigned x = data[7] * ") +
         "1000000u;\n  " + s.declared + "; " + s.written + ";  //@there\n  out[0] = (unsigned)" +
         s.used + ";\n}\n";
}

Launch launch() { return launch_of({"", "", ""}, Schedule::lockstep); }

}  // namespace

TEST_CASE(
    "local arrays: an index that leaves the thread's own stack is caught, however it is spelt") {
  for (const Spelling& spelling : spellings)
    for (const Schedule schedule : {Schedule::lockstep, Schedule::run_to_barrier}) {
      const Outcome outcome = run(kernel_of(spelling), launch_of({"", "", ""}, schedule));
      CHECK_MESSAGE(told(outcome) == "out_of_bounds @there", std::string(spelling.title), ": ",
                    faults(outcome));
      REQUIRE_MESSAGE(!outcome.last().findings.empty(), spelling.title);
      CHECK_MESSAGE(outcome.last().findings[0].space == Space::local, spelling.title,
                    faults(outcome));
      CHECK(outcome.output()[0] == 0);
    }
}

TEST_CASE("local arrays: correct accesses are not reported") {
  check_rows({
      {"every way to an element",
       "  unsigned a[8] = {};\n  struct { unsigned char b[3]; unsigned c[5]; } s = {};\n  for "
       "(unsigned j = 0; j < 16; ++j) a[j % 8] += data[j], s.c[data[j] % 5] += a[data[j] % 8], "
       "s.b[j % 3] = j;\n"
       "  if (i == 0) out[0] = a[n % 8] + s.c[n % 5] + s.b[n % 3];\n",
       ""},
      {"behind a branch, with its condition alive",
       "  unsigned a[4] = {1, 2, 3, 4}, c = 0;\n  for (unsigned j = 0; j < n; ++j) c += data[j] < "
       "100 ? a[data[j] % 4] : a[j % 4] + (c < a[(j + 1) % 4]);\n  if (i == 0) out[0] = c;\n",
       ""},
      {"64-byte alignment",
       "  struct alignas(64) Line { unsigned v[16]; };\n  Line a[2] = {};\n  for (unsigned j = 0; "
       "j < 32; ++j) a[j / 16].v[data[j] % 16] += 1;\n  if (i == 0) out[0] = a[0].v[n % 16] + "
       "a[1].v[3];\n",
       ""},
      {"a large frame",
       "  unsigned a[20000];\n  for (unsigned j = 0; j < 20000; ++j) a[j] = j + n;\n  if (i == 0) "
       "out[0] = a[data[3] * 100];\n",
       "",
       {1, 1, 1},
       {2, 1, 1}},
      {"recursion",
       "struct S { static __device__ unsigned f(unsigned n) { unsigned a[4] = {n, n, n, n}; return "
       "n == 0 ? 0 : a[n % 4] + f(n - 1); } };\n"
       "__global__ void k(const char*, unsigned n, unsigned* out) { if (threadIdx.x + blockIdx.x "
       "== 0) out[0] = S::f(n); }",
       ""},
      {"a table of constants",
       "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n  const "
       "unsigned table[5] = {1, 3, 5, 7, 9};\n  static const unsigned char other[] = "
       "\"histogram\";\n"
       "  if (threadIdx.x + blockIdx.x == 0) out[0] = table[data[n - 1] % 5] + other[data[7] % "
       "9];\n}",
       ""},
      {"a function's own address",
       "static __device__ __noinline__ unsigned f(unsigned n) {\n  if (n == 0) return 1;\n  "
       "unsigned a[4] = {n, n, n, n};\n  for (unsigned j = 0; j < n; ++j) a[(n + j) % 4] = j + n;\n"
       "  unsigned (*volatile again)(unsigned) = f;\n  return again(n - 1) + (a[n % 4] == 99);\n}\n"
       "__global__ void k(const unsigned char*, unsigned, unsigned* out) { if (threadIdx.x + "
       "blockIdx.x == 0) out[0] = f(2); }",
       ""},
      {"functions by address, the library's too",
       "__device__ float twice(float x) { return 2 * x; }\n__global__ void k(const unsigned char* "
       "data, unsigned n, unsigned* out) {\n  float (*f[2])(float) = {twice, sqrtf};\n"
       "  if (threadIdx.x + blockIdx.x == 0) out[0] = (unsigned)f[data[n - 1] % 2](16.0f);\n}",
       ""},
  });
}

TEST_CASE("a store that no callback reports is not covered by the report of a load") {
  const Outcome outcome =
      run("struct S { unsigned v; };\n__device__ __attribute__((noipa)) S next(unsigned v) { "
          "return {v + 1}; }\n"
          "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n  "
          "*(S*)&out[0] = next(out[0]);  //@there\n}\n",
          launch());
  CHECK_MESSAGE(told(outcome) == "data_race out[0] @there/@there", faults(outcome));
}

TEST_CASE("a store that no callback reports is not covered by an atomic operation on its word") {
  const std::string store =
      "struct S { unsigned v; };\n__device__ __attribute__((noipa)) S next(unsigned v) { return {v "
      "+ 1}; }\n";
  for (const Schedule schedule :
       {Schedule::lockstep, Schedule::run_to_barrier, Schedule::random, Schedule::adversarial})
    for (const char* before :
         {"const unsigned was = atomicAdd(&out[0], 0u)",
          "const unsigned was = atomicExch(&out[0], 1u)",
          "const unsigned was = atomicCAS(&out[0], 7u, 8u)",
          "const unsigned was = out[0] = n; __threadfence(); atomicAdd(&out[1], 1u)",
          "const unsigned was = out[0] = n; atomicAdd(&out[1], 1u)"}) {
      const std::string source = store + R"(
__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {
  if (threadIdx.x != 0) return;
  )" + before + R"(;  //@before
  *(S*)&out[0] = next(was + blockIdx.x);  //@there
})";
      const Outcome outcome = run(source, launch_of({"", "", ""}, schedule));
      CHECK_MESSAGE(told(outcome).find("data_race out[0] @before/@there") != std::string::npos,
                    before, ": ", faults(outcome));
    }
  // The log fills up after the atomic operation, whose record is then no longer in it.
  for (unsigned before = 55; before < 70; ++before) {
    const std::string source = store + R"(
__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {
  if (threadIdx.x != 0) return;
  unsigned sum = blockIdx.x;
  for (unsigned j = 0; j < )" + std::to_string(before) +
                               R"(; ++j) sum += data[j];
  const unsigned was = atomicAdd(&out[0], sum);  //@before
  *(S*)&out[0] = next(was + sum);  //@there
})";
    const Outcome outcome = run(source, launch());
    CHECK_MESSAGE(told(outcome).find("data_race out[0] @before/@there") != std::string::npos,
                  before, ": ", faults(outcome));
  }
}

TEST_CASE("a read that no callback reports is not covered by an atomic operation on its word") {
  const Outcome outcome =
      run("struct S { unsigned v; };\n__device__ __attribute__((noipa)) unsigned value(S s) { "
          "return s.v; }\n"
          "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {\n  const "
          "unsigned was = atomicAdd(&out[0], 1u);  //@add\n  atomicMax(&out[1], was + "
          "value(*(S*)&out[0]));  //@there\n}\n",
          launch());
  CHECK_MESSAGE(told(outcome) == "data_race out[0] @add/@there", faults(outcome));
}

TEST_CASE("a callback of one thread does not cover the store of another thread") {
  for (const Schedule schedule : {Schedule::lockstep, Schedule::run_to_barrier}) {
    const Outcome outcome =
        run("struct Range { unsigned v[11]; };\nstruct Word { unsigned long long v; };\n"
            "__device__ __attribute__((noipa)) Word make(unsigned long long v) { return {v}; }\n"
            "__device__ __attribute__((noipa)) Range* below(void* p, int bytes) { return "
            "(Range*)((char*)p - bytes); }\n"
            "__global__ void k(const unsigned char*, unsigned n, unsigned* out) {\n  __shared__ "
            "unsigned long long place;\n  unsigned long long local[4];\n"
            "  if (threadIdx.x == 0) {\n    Range* range = below(local, 32);\n    place = "
            "(unsigned long long)range;\n    *range = Range{};\n  }\n  __syncthreads();\n"
            "  if (threadIdx.x == 1) *(Word*)(place + 8) = make(1);  //@there\n  "
            "__syncthreads();\n  local[threadIdx.x % 4] = 1;\n  out[0] = local[n % 4];\n}\n",
            launch_of({"", "", ""}, schedule));
    CHECK_MESSAGE(told(outcome) == "out_of_bounds @there", faults(outcome));
  }
}

TEST_CASE("an access below the stack pointer is reported with its size") {
  const Outcome outcome = run(
      "struct Range { unsigned v[11]; };\n__device__ __attribute__((noipa)) Range* below(void* p, "
      "int bytes) { return (Range*)((char*)p - bytes); }\n"
      "__global__ void k(const unsigned char*, unsigned n, unsigned* out) {\n  unsigned "
      "local[4];\n  if (threadIdx.x + blockIdx.x == 0) *below(local, 4096) = Range{};  //@there\n"
      "  local[threadIdx.x % 4] = 1;\n  out[0] = local[n % 4];\n}\n",
      launch());
  CHECK_MESSAGE(told(outcome) == "out_of_bounds @there", faults(outcome));
  REQUIRE(!outcome.last().findings.empty());
  CHECK_MESSAGE(outcome.last().findings[0].message.find(
                    "writes 4 bytes outside its local variables") != std::string::npos,
                outcome.last().findings[0].message);
}

// The code that g++ emits at the end of an aligned function: the stack pointer comes from a
// register that a callee may have overwritten.
TEST_CASE(
    "a stack pointer from a register must have room in the thread's own stack, also if reported") {
  const auto ends = [](const std::string& where) {
    const std::optional<Buffer> object = compile_to_object(
        "extern \"C\" __global__ __attribute__((naked)) void k(const unsigned char*, unsigned, "
        "unsigned*) {\n  asm(\"" +
        where + "\\n movq %rax, %r10\\n leaq (%r10), %rsp\\n jmp __x86_return_thunk\");\n}\n");
    REQUIRE_MESSAGE(object, where);
    return launch_directly(*object, "k", launch());
  };
  const std::string overwrote = "overwrote the memory of its function's own variables",
                    own = "movq %rsp, %rax",
                    end_of_stack = "movq %rsp, %rax\\n orq $0x7ffff, %rax\\n ";
  CHECK(ends(own).find("overwrote") == std::string::npos);
  for (const std::string& where :
       {end_of_stack + "subq $7, %rax", end_of_stack + "subq $519, %rax\\n addq $16, %rax",
        end_of_stack + "addq $1, %rax", std::string("movq %rdx, %rax"),
        std::string("subq $24, %rsp\\n movq %rdx, (%rsp)\\n movq %rdx, %rdi\\n call "
                    "__tsan_write8\\n movq (%rsp), %rax\\n movq $7, (%rax)\\n addq $24, %rsp")})
    CHECK_MESSAGE(ends(where).find(overwrote) != std::string::npos, where);
}

TEST_CASE(
    "a write to a constant through a cast is reported; a write under another name is detected") {
  check_rows({
      {"through a cast",
       "__device__ const unsigned table[64] = {1};\n__global__ void k(const unsigned char*, "
       "unsigned n, unsigned* out) {\n  unsigned* volatile p = const_cast<unsigned*>(table);\n"
       "  if (threadIdx.x + blockIdx.x != 0) return;\n  p[n % 64] = 1;  //@write\n  out[0] = "
       "table[n % 64];\n}",
       "write_to_input table[0] @write"},
      {"by another name",
       "namespace N { __device__ unsigned x[64]; }\nextern \"C\" const unsigned "
       "_ZN1N1xE[64];\n__global__ void k(const unsigned char*, unsigned, unsigned* out) {\n"
       "  N::x[threadIdx.x % 64] = 1;  //@write\n  if (_ZN1N1xE[(threadIdx.x + 17) % 64] == 9) "
       "__trap();  //@read\n}",
       nullptr},
      {"read as it was declared",
       "__device__ const unsigned table[4] = {1, 2, 3, 4};\n__device__ const char* const words[2] "
       "= {\"one\", \"two\"};\n__global__ void k(const unsigned char*, unsigned n, unsigned* out) "
       "{\n"
       "  if (threadIdx.x + blockIdx.x == 0) out[0] = table[n % 4] + words[n % 2][n % 3];\n}",
       ""},
  });
}

TEST_CASE("a stack overflow in a runtime function is reported, however few bytes are missing") {
  for (const char* call :
       {"free(malloc(100))", "printf(\"%d %s %f\\n\", n, \"hello\", 1.5)", "printf(\"hello\\n\")"})
    for (int depth = 8000; depth < 8180; depth += 12) {
      const Outcome outcome =
          run("__device__ __attribute__((noipa)) int deep(int n) {\n  volatile char a[16];\n  a[0] "
              "= (char)n;\n  if (n > 0) return deep(n - 1) + a[0];\n  " +
                  std::string(call) +
                  ";\n  return a[0];\n}\n"
                  "__global__ void k(const unsigned char*, unsigned, unsigned* out) {\n  if "
                  "(threadIdx.x + blockIdx.x == 0) out[0] = (unsigned)deep(" +
                  std::to_string(depth) + ");\n}",
              launch());
      CHECK_MESSAGE(told(outcome).find("illegal_instruction") != std::string::npos, call, depth,
                    faults(outcome));
    }
}

TEST_CASE("stacks: none reaches into another one, and a return address leads back or nowhere") {
  check_rows({
      {"another thread's variable",
       "  __shared__ unsigned* p;\n  unsigned mine = t;\n  if (t == 0) p = &mine;\n  "
       "__syncthreads();\n  if (t == 1) *p = 1;  //@write\n  __syncthreads();\n  if (i == 0) "
       "out[0] = mine;\n",
       "out_of_bounds @write"},
      {"another thread's, by the distance",
       "  volatile unsigned a[4];\n  volatile unsigned* p = a;\n  out[15] = (unsigned)(unsigned "
       "long long)p;\n  if (i == 0) p[131072] = 1;  //@write\n",
       nullptr},
      {"a frame that is larger than a stack",
       "__global__ void k(const unsigned char* data, unsigned n, unsigned* out) {  //@frame\n  "
       "volatile unsigned char a[1 << 20];\n  a[data[0]] = 1, out[0] = a[n];\n}",
       "illegal_instruction @frame",
       {1, 1, 1},
       {1, 1, 1}},
      {"frames that step over what lies between stacks",
       "struct S { static __device__ unsigned f(unsigned n) { volatile unsigned a[15000]; if (n == "
       "0) return 0; a[0] = n; return a[0] + f(n - 1) + a[0]; } };\n"
       "__global__ void k(const char*, unsigned n, unsigned* out) { if (threadIdx.x + blockIdx.x "
       "== 0) out[0] = S::f(n); }",
       nullptr},
      {"memset of the stack",
       "  unsigned a[4];\n  if (i == 0) { memset(a, 0, n * 10000); out[0] = a[n % 4]; }  //@set\n",
       "out_of_bounds @set"},
      {"memcpy to the stack",
       "  unsigned a[4];\n  if (i == 0) { memcpy(a, data, n * 100000); out[0] = a[n % 4]; }  "
       "//@copy\n",
       nullptr},
  });
  const std::string head =
      "__device__ __noinline__ void there() {}\n"
      "__device__ __noinline__ void f(unsigned long long to, unsigned n) {\n  unsigned long long "
      "a[2] = {};\n  volatile unsigned long long* p = a;\n  for (unsigned j = 2; j < n; ++j) p[j] "
      "= to;\n}\n";
  for (const char* to : {"4096", "(unsigned long long)&there", "(unsigned long long)&there + 1",
                         "(unsigned long long)out"}) {
    const Outcome outcome = run(head +
                                    "__global__ void k(const char*, unsigned n, unsigned* out) {\n "
                                    " if (threadIdx.x + blockIdx.x == 0) f(" +
                                    to + ", 6);\n  out[threadIdx.x % 16] = 1;\n}",
                                launch());
    CHECK_MESSAGE(outcome.last().ending == Ending::stopped, to, faults(outcome));
    CHECK_MESSAGE(told(outcome).find("illegal_instruction") != std::string::npos, to,
                  faults(outcome));
  }
}

TEST_CASE("a call through a pointer to anything but the start of a function is reported") {
  const std::string head =
      "__device__ __noinline__ unsigned g(unsigned x) { return x + 1; }\n__global__ void k(const "
      "char*, unsigned n, unsigned* out) {\n  unsigned (*f)(unsigned) = ";
  for (const char* target :
       {"(unsigned (*)(unsigned))((unsigned long long)&g + 1)",
        "(unsigned (*)(unsigned))(unsigned long long)n", "(unsigned (*)(unsigned))(out)",
        "(unsigned (*)(unsigned))((unsigned long long)&g + 3 * n)"}) {
    const Outcome outcome =
        run(head + target + ";\n  if (threadIdx.x + blockIdx.x == 0) out[0] = f(n);  //@call\n}",
            launch());
    CHECK_MESSAGE(told(outcome) == "illegal_instruction @call", target, faults(outcome));
  }
}

TEST_CASE("functions of the runtime access only memory that the kernel may access") {
  check_rows({
      {"%n", "  if (i == 0) { out[1] = 5; printf(\"abc%n\", (int*)out); }\n", ""},
      {"a string from nowhere",
       "  if (i == 0) printf(\"%s\\n\", (const char*)(unsigned long long)n);\n", ""},
      {"a format from nowhere",
       "  if (i == 0) printf((const char*)(unsigned long long)(n * 4096));\n", ""},
      {"a width without end",
       "  if (i == 0) printf(\"%999999999d %*d %.999999999f\\n\", 1, 2147483647, 2, 3.0);\n", ""},
      {"an atomic function on what is not there",
       "  if (i == 0) atomicAdd((unsigned*)0x7fff00000000ull, 1u);  //@add\n",
       "out_of_bounds @add"},
      {"a copy that wraps around", "  if (i == 0) memcpy(out, data, ~0ull - n);  //@copy\n",
       nullptr},
      {"the kernel's own text",
       "__global__ void k(const char*, unsigned n, unsigned* out) {\n  if (threadIdx.x + "
       "blockIdx.x == 0) ((volatile unsigned char*)&k)[n] = 0xc3;  //@write\n}",
       nullptr},
  });
  const Outcome outcome =
      run("__global__ void k(const char* data, unsigned n, unsigned* out) { if (threadIdx.x + "
          "blockIdx.x == 0) { out[0] = 5; printf(\"abc%n\", (int*)out); } }",
          launch());
  CHECK(outcome.output()[0] == 5);
}

TEST_CASE("a kernel cannot define the emulator's names or use variable-length arrays") {
  for (const char* source :
       {"extern \"C\" __device__ void __x86_return_thunk() {}\n__global__ void k(unsigned* out) { "
        "out[0] = 1; }",
        "extern \"C\" __device__ void __sanitizer_x() {}\n__global__ void k(unsigned* out) { "
        "__sanitizer_x(); }",
        "__global__ void k(unsigned* out) { unsigned a[out[0]]; a[0] = 1; out[1] = a[0]; }",
        "extern \"C\" __device__ void __x86_return_thunk();\n__device__ void (*f)() = "
        "__x86_return_thunk;\n__global__ void k(unsigned* out) { f(); }"}) {
    const Compiled compiled = compile(source, {out("out", 4)});
    CHECK_MESSAGE(!compiled.ok, source);
    CHECK_MESSAGE(!compiled.diagnostics.empty(), source);
  }
}

// The rules for sources accept none of these. The loader is the second line of defence, against
// tricks that the rules do not know.
TEST_CASE("the loader refuses machine code that no kernel needs, whatever the source was allowed") {
  KernelSignature signature;
  signature.name = "k";
  signature.parameters = {KernelSignature::Parameter::pointer};
  const auto refused = [&](const std::string& body, const std::string& before = "") {
    const std::optional<Buffer> object =
        compile_to_object(before + "\n__global__ void k(unsigned* out) {\n" + body + "\n}");
    REQUIRE_MESSAGE(object, body);
    const auto module = emulator::inspect(object->bytes(), signature);
    return !module || (!module->diagnostics.empty() && module->diagnostics[0].line != 0);
  };
  CHECK_FALSE(refused("out[0] = 1;"));
  for (const char* body :
       {"asm volatile(\"syscall\");",
        "asm volatile(\"int $0x80\");",
        "asm volatile(\"cpuid\" ::: \"eax\", \"ebx\", \"ecx\", \"edx\");",
        "asm volatile(\"rdtsc\" ::: \"eax\", \"edx\");",
        "asm volatile(\"std\");",
        "asm volatile(\"popfq\");",
        "asm volatile(\"mov %%rsp, %%rsp; mov %0, %%rsp\" :: \"r\"(out));",
        "asm volatile(\"add $8, %r15\");",
        "asm volatile(\"xor %r12, %r12\");",
        "asm volatile(\"jmp *%0\" :: \"r\"(out));",
        "asm volatile(\"call *%0\" :: \"r\"(out));",
        "asm volatile(\"ret\");",
        "asm volatile(\"push %rax\");",
        "asm volatile(\"jmp .+6\\n nop\\n nop\\n movabs $0x050f050f050f050f, %%rax\" ::: \"rax\");",
        "asm volatile(\"rep stosb\" ::: \"rdi\", \"rcx\", \"memory\");",
        "asm volatile(\".byte 0x06\");",
        "asm volatile(\"mov %%gs:0, %%rax\" ::: \"rax\");",
        "asm volatile(\"wrfsbase %0\" :: \"r\"(out));",
        "asm volatile(\"leaq -400000(%rsp), %rsp\\n mov %rbx, %rsp\");",
        "asm volatile(\"jrcxz .+2\");",
        "asm volatile(\"xchg %%rax, %%rsp\" ::: \"rax\");"})
    CHECK_MESSAGE(refused(body), std::string(body));
}

TEST_CASE("an access without a compiler callback is still detected") {
  for (const char* source :
       {"__attribute__((no_sanitize(\"thread\"))) __global__ void k(const unsigned char*, unsigned "
        "n, unsigned* out) {\n  out[n % 16] = 7;\n}",
        "__global__ void k(const unsigned char*, unsigned n, unsigned* out) {\n  asm "
        "volatile(\"movl $7, (%0)\" :: \"r\"(out) : \"memory\");\n}",
        "__device__ unsigned table[4];\n__attribute__((no_sanitize(\"thread\"))) __global__ void "
        "k(const unsigned char* data, unsigned n, unsigned* out) {\n  if (data[3] == 3) out[0] = "
        "7;\n}"}) {
    const std::optional<Buffer> object = compile_to_object(source);
    REQUIRE(object);
    const std::string text = launch_directly(*object, "k", launch());
    CHECK_MESSAGE(text.find("threads 0 and 1 of block 0 both write out[0]") != std::string::npos,
                  text);
  }
}
