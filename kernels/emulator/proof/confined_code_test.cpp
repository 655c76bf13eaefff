// Code with checks: its relocations, the accesses that need a check, and the depth of the stack.
#include "kernels/emulator/proof/confined_code.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/emulator/code/object_file.h"
#include "kernels/worker/compiling/compiler.h"

namespace histolab::kernels::emulator {
namespace {

std::map<std::uint32_t, std::size_t> uses_of_symbols(const std::vector<Relocation>& relocations) {
  std::map<std::uint32_t, std::size_t> uses;
  for (const Relocation& relocation : relocations) ++uses[relocation.symbol];
  return uses;
}

struct Parsed {
  Buffer bytes;
  ObjectFile object;
  std::uint32_t kernel;  // number of its section
};

Parsed parsed(const std::string& source) {
  auto compiled = worker::compile_for_emulator(
      source, {"", HISTOLAB_SOURCE_DIR "/kernels/emulator/include", "g++"});
  REQUIRE(compiled.ok());
  REQUIRE_MESSAGE(compiled->object, source);
  auto object = ObjectFile::parse(std::as_const(*compiled->object).bytes());
  REQUIRE(object.ok());
  const auto kernel = std::ranges::find_if(object->symbols(), &Symbol::is_kernel);
  REQUIRE(kernel != object->symbols().end());
  const std::uint32_t section = kernel->section;
  return {std::move(*compiled->object), std::move(*object), section};
}

ConfinedCode confined(const std::string& source) {
  const Parsed code = parsed(source);
  return confine(code.object, code.kernel);
}

bool is_shallow(const std::string& source) {
  const ConfinedCode code = confined(source);
  REQUIRE_MESSAGE(code.problem.empty(), code.problem);
  return code.is_shallow;
}

// Returns the reason why a kernel with this assembly is refused. The compiler would not generate
// such code from any source that a student may submit.
std::string problem_of(const std::string& assembly) {
  return confined("extern \"C\" __global__ __attribute__((naked)) void k() { asm(\"" + assembly +
                  "; jmp __x86_return_thunk\"); }")
      .problem;
}

// Returns the number of accesses that get a check, or 1000 if the code is refused.
std::size_t checks_in(const std::string& assembly) {
  const ConfinedCode code =
      confined("extern \"C\" __global__ __attribute__((naked)) void k() { asm(\"" + assembly +
               "; jmp __x86_return_thunk\"); }");
  return code.problem.empty() ? code.checks.size() : 1000;
}

}  // namespace

TEST_CASE("code is shallow when it calls nothing of its own and keeps to a small frame") {
  CHECK(
      is_shallow("__global__ void k(unsigned* h) { __shared__ unsigned s[7]; s[threadIdx.x % 7] = "
                 "0; __syncthreads(); atomicAdd(h, s[0]); }"));
  CHECK(
      is_shallow("__device__ inline unsigned twice(unsigned x) { return 2 * x; }\n__global__ void "
                 "k(unsigned* h) { unsigned a[64]; for (unsigned i = 0; i < 64; ++i) a[i] = h[i];\n"
                 "for (unsigned i = 0; i < 64; ++i) h[i] = twice(a[h[i] % 64]); }"));
  // A call of the kernel's own function: the return address may have been overwritten, so there can
  // be recursion that the source does not have.
  CHECK_FALSE(
      is_shallow("__device__ __attribute__((noipa)) unsigned f(unsigned x) { return x + 1; "
                 "}\n__global__ void k(unsigned* h) { h[0] = f(h[1]); }"));
  CHECK_FALSE(
      is_shallow("__device__ unsigned f(unsigned x) { return x < 2 ? x : f(x - 1) * f(x - 2); "
                 "}\n__global__ void k(unsigned* h) { h[0] = f(h[1]); }"));
  CHECK_FALSE(
      is_shallow("__global__ void k(unsigned* h, unsigned (*f)(unsigned)) { h[0] = f(h[1]); }"));
  // A frame with a larger alignment than the stack, whose stack pointer comes from memory.
  CHECK_FALSE(is_shallow(
      "__global__ void k(unsigned* h) { alignas(128) unsigned a[64]; for (unsigned i = 0; i < 64; "
      "++i) a[i] = h[i]; for (unsigned i = 0; i < 64; ++i) h[i] = a[h[i] % 64]; }"));
  // A large frame.
  CHECK_FALSE(is_shallow(
      "__global__ void k(unsigned* h) { unsigned a[6000]; for (unsigned i = 0; i < 6000; ++i) a[i] "
      "= h[i]; for (unsigned i = 0; i < 64; ++i) h[i] = a[h[i] % 6000]; }"));
}

TEST_CASE("a stack pointer does not climb out of an aligned frame by constants") {
  CHECK(problem_of("push %rbp; pop %rbp") == "");
  CHECK(problem_of("1: and $-256, %rsp; add $256, %rsp; dec %ecx; jnz 1b") != "");
  CHECK(problem_of("and $-256, %rsp; add $256, %rsp") == "a stack pointer that leaves its frame");
  CHECK(problem_of("and $-32, %rsp; pop %rax; pop %rax; pop %rax; pop %rax") ==
        "a stack pointer that leaves its frame");
  CHECK(problem_of("and $-32, %rsp; lea 32(%rsp), %rsp") ==
        "a stack pointer that leaves its frame");
  CHECK(problem_of("push %rax; lea 8(%rsp), %rsp") == "");
  CHECK(problem_of("push %rax; lea 8(%esp), %rsp") != "");
  CHECK(problem_of("and $-32, %rsp; and $-64, %rsp") == "a stack that is aligned twice");
}

TEST_CASE("the known stack state does not depend on the order in which paths are visited") {
  const auto ways = [](const char* first, const char* second) {
    return problem_of(std::string("mov $9, %ecx; 1: test %ecx, %ecx; jz 9f; dec %ecx; jnz 2f; ") +
                      first + "; jmp 3f; 2: " + second +
                      "; jmp 3f; 3: add $256, %rsp; jmp 1b; 9: nop");
  };
  CHECK(ways("sub $256, %rsp", "sub $256, %rsp") == "");
  CHECK(ways("sub $256, %rsp", "and $-256, %rsp") != "");
  CHECK(ways("and $-256, %rsp", "sub $256, %rsp") != "");
}

TEST_CASE(
    "out of an aligned frame by leave: it is checked where that leads, and the function may align "
    "again") {
  const ConfinedCode code = confined(
      "extern \"C\" __global__ __attribute__((naked)) void k() { asm(\"1: and $-256, %rsp; lea "
      "248(%rsp), %rbp; leave; dec %ecx; jnz 1b; jmp __x86_return_thunk\"); }");
  CHECK_MESSAGE(code.problem.empty(), code.problem);
  CHECK(code.checks.size() == 1);
}

TEST_CASE("a relocation that is not exactly one field of an instruction is refused") {
  const std::string name = ".globl word; .set word, 0x050f0000; ";
  CHECK(problem_of(name + "mov $word, %eax") == "");
  CHECK(problem_of(name + "1: nopl 0x1000(%rax); .reloc 1b+3, R_X86_64_32, word") == "");
  for (const char* place : {"1b", "1b+1", "1b+2", "1b+4", "1b+5"})
    CHECK_MESSAGE(
        problem_of(name + "1: nopl 0x1000(%rax); nop; nop; nop; nop; .reloc " + place +
                   ", R_X86_64_32, word") == "a relocation that is no field of an instruction",
        place);
  CHECK(problem_of(
            name +
            "1: mov $0, %eax; .reloc 1b+1, R_X86_64_32, word; .reloc 1b+1, R_X86_64_32, word") ==
        "a relocation that is no field of an instruction");
  CHECK(problem_of(name + "1: nopl 0x1000(%rax); .reloc 1b+3, R_X86_64_64, word") ==
        "a relocation that is no field of an instruction");
}

TEST_CASE("a report covers one store or load, at its address; all others get a check") {
  const std::string write = "mov %rbx, %rdi; call __tsan_write4; ",
                    read = "mov %rbx, %rdi; call __tsan_read4; ";
  const auto checks = checks_in;
  CHECK(checks(write + "mov %eax, (%rbx)") == 0);
  CHECK(checks(write + "mov %eax, (%rbx); mov %ecx, (%rbx)") == 1);
  CHECK(checks(write + "mov %eax, (%rbx); mov (%rbx), %ecx") == 1);
  CHECK(checks(write + "mov %eax, 4(%rbx)") == 1);
  CHECK(checks(write + "mov %rax, (%rbx)") == 1);
  CHECK(checks(write + "addl $1, (%rbx)") == 0);  // a bit-field
  CHECK(checks(write + "mov (%rbx), %eax; or $1, %eax; mov %eax, (%rbx)") == 0);
  CHECK(checks(write + "andb $127, 3(%rbx); mov (%rbx), %eax") == 1);
  CHECK(checks(write + "andb $127, 3(%rbx); movb $0, (%rbx)") == 1);
  CHECK(checks(read + "mov (%rbx), %eax") == 0);
  CHECK(checks(read + "mov (%rbx), %eax; mov (%rbx), %ecx") == 1);
  CHECK(checks(read + "mov %eax, (%rbx)") == 1);
  CHECK(checks(read + "addl $1, (%rbx)") == 1);
  CHECK(checks(read + "mov (%rbx), %ebp; " + write + "mov %ebp, (%rbx)") == 0);
  CHECK(checks(write + read + "mov (%rbx), %eax; mov %eax, (%rbx)") == 0);
  CHECK(checks(write + "call histolab_syncthreads; mov %eax, (%rbx)") == 1);
  CHECK(checks(write + "test %eax, %eax; jz 1f; nop; 1: mov %eax, (%rbx)") == 1);
  // The next statement's report ends the unused rest of the previous one.
  CHECK(checks("mov %rbx, %rdi; call __tsan_write16; mov %rax, (%rbx); " + read +
               "mov %rax, 8(%rbx)") == 1);
  CHECK(checks("mov %rbx, %rdi; mov $7, %esi; call __tsan_write_range; mov %eax, (%rbx); mov %eax, "
               "3(%rbx)") == 0);
}

namespace {

ConfinedCode assembled(const std::string& assembly) {
  return confined("extern \"C\" __global__ __attribute__((naked)) void k() { asm(\"" + assembly +
                  "; jmp __x86_return_thunk\"); }");
}

}  // namespace

TEST_CASE("an update in memory is a read and a write of one check") {
  const ConfinedCode code = assembled("addl $1, (%rbx)");
  REQUIRE(code.checks.size() == 1);
  CHECK(code.checks[0].what == NeededCheck::What::update);
  CHECK(code.checks[0].offset == 5);  // behind the check's call
}

TEST_CASE("a check knows the age of the last write report, and whether its store is still due") {
  const auto first = [](const std::string& assembly) {
    const ConfinedCode code = assembled(assembly);
    REQUIRE_MESSAGE(!code.checks.empty(), assembly);
    return code.checks[0];
  };
  const std::string write = "mov %rbx, %rdi; call __tsan_write4; ",
                    read = "mov %rbp, %rdi; call __tsan_read4; ";
  CHECK(first(write + "mov (%rcx), %eax; mov %eax, (%rbx)").store_is_due);
  CHECK_FALSE(first(write + "mov %eax, (%rbx); mov (%rcx), %eax").store_is_due);
  // An address with another name, which may be the reported one.
  CHECK(first(write + "mov %eax, (%rcx)").report.age == 1);
  CHECK(first(write + read + "mov %eax, (%rcx)").report.age == 2);
  CHECK(first(write + "mov %eax, (%rbx); mov %eax, (%rcx)").report.age == 0);
  CHECK(first(write + "mov %rax, (%rcx)").report.age == 0);
  CHECK(first(read + "mov %eax, (%rcx)").report.age == 0);
}

TEST_CASE("a write that is reported before a read and made after it is early") {
  const auto early = [](const std::string& assembly) {
    return assembled(assembly).early_reports.size();
  };
  const std::string write = "mov %rbx, %rdi; call __tsan_write4; ",
                    read = "mov %rbp, %rdi; call __tsan_read4; ";
  CHECK(early(write + read + "mov (%rbp), %eax; mov %eax, (%rbx)") == 1);
  CHECK(early(write + "mov %eax, (%rbx); " + read + "mov (%rbp), %eax") == 0);
  CHECK(early(read + "mov (%rbp), %eax; " + write + "mov %eax, (%rbx)") == 0);
}

TEST_CASE("two addresses are equal only if the loader makes them equal") {
  const std::string there = ".globl there; .set there, 0x12345678; ";
  const auto stores = [](const std::string& told, const std::string& stored) {
    return checks_in(told + "; call __tsan_write4; " + stored);
  };
  CHECK(stores("lea word(%rip), %rdi", "mov %eax, word(%rip)") == 0);
  CHECK(stores("mov word@GOTPCREL(%rip), %rdi",
               "mov word@GOTPCREL(%rip), %rax; mov %ecx, (%rax)") == 0);
  CHECK(stores("1: lea 0x100(%rbx), %rdi; .globl word; .reloc 1b+3, R_X86_64_32S, word",
               "2: mov %ecx, 0x100(%rbx); .reloc 2b+2, R_X86_64_32S, word") == 0);
  // The address of the loader's word, and the address of its symbol.
  CHECK(stores("lea word@GOTPCREL(%rip), %rdi", "mov %eax, word(%rip)") == 1);
  // A word next to the loader's, which may be any constant of the kernel.
  CHECK(stores("mov word@GOTPCREL(%rip), %rdi",
               "mov word@GOTPCREL+8(%rip), %rax; mov %ecx, (%rax)") == 2);
  CHECK(stores("mov word@GOTPCREL(%rip), %rdi",
               "mov %fs:word@GOTPCREL(%rip), %rax; mov %ecx, (%rax)") == 2);
  // The same number, zero-extended in one case and sign-extended in the other.
  CHECK(stores(there + "1: mov $0, %eax; .reloc 1b+1, R_X86_64_32S, word; lea (%rbx,%rax), %rdi",
               "2: mov $0, %rax; .reloc 2b+3, R_X86_64_32S, word; mov %ecx, (%rbx,%rax)") == 1);
  CHECK(stores(there + "1: mov $0, %eax; .reloc 1b+1, R_X86_64_32, word; lea (%rbx,%rax), %rdi",
               "2: mov %ecx, 0x100(%rbx); .reloc 2b+2, R_X86_64_32, word") == 1);
  CHECK(stores(there + "1: mov $0, %rax; .reloc 1b+3, R_X86_64_32, word; lea (%rbx,%rax), %rdi",
               "2: mov $0, %rax; .reloc 2b+3, R_X86_64_32, word; mov %ecx, (%rbx,%rax)") == 1);
  // A relocation relative to its own address makes a different number at a different address.
  CHECK(stores("1: mov $0, %eax; .reloc 1b+1, R_X86_64_PC32, word; lea (%rbx,%rax), %rdi",
               "2: mov $0, %eax; .reloc 2b+1, R_X86_64_PC32, word; mov %ecx, (%rbx,%rax)") == 1);
}

TEST_CASE("a relocation is PC-relative exactly if its displacement is") {
  const std::string not_so = "a relocation that is no field of an instruction";
  for (const char* type : {"R_X86_64_NONE", "R_X86_64_32", "R_X86_64_32S", "R_X86_64_TPOFF32"})
    CHECK_MESSAGE(problem_of(std::string("1: lea 0x100(%rip), %rax; .globl word; .reloc 1b+3, ") +
                             type + ", word") == not_so,
                  type);
  for (const char* type : {"R_X86_64_NONE", "R_X86_64_PC32", "R_X86_64_PLT32", "R_X86_64_GOTPCREL",
                           "R_X86_64_GOTTPOFF"})
    CHECK_MESSAGE(problem_of(std::string("1: lea 0x100(%rbx), %rax; .globl word; .reloc 1b+3, ") +
                             type + ", word") == not_so,
                  type);
}

TEST_CASE("a 64-bit address in an instruction is refused") {
  CHECK(problem_of("movabs %eax, 0x123456789abcdef") == "an instruction that no kernel needs");
  CHECK(problem_of("movabs 0x7fffffff, %rax") == "an instruction that no kernel needs");
}

TEST_CASE("instructions that push or pop the flags are refused") {
  CHECK(problem_of("pushfq; pop %rax; mov %ecx, 16(%rax)") ==
        "an instruction that no kernel needs");
  CHECK(problem_of("popfq") == "an instruction that no kernel needs");
}

TEST_CASE("a leave that pops less than a word is refused") {
  CHECK(problem_of("push %rbp; mov %rsp, %rbp; leave") == "");
  CHECK(problem_of("push %rbp; mov %rsp, %rbp; .byte 0x66, 0xc9") == "a pop of less than a word");
}

TEST_CASE("a branch with a 16-bit operand size is refused") {
  CHECK(problem_of(".byte 0x0f,0x85,0,0,0,0") == "");
  CHECK(problem_of(".byte 0x66,0x0f,0x85,0,0,0,0") == "an instruction that no kernel needs");
  CHECK(problem_of(".byte 0x66,0xe9,0,0,0,0") == "an instruction that no kernel needs");
}

TEST_CASE("instructions that change the floating-point state are refused") {
  for (const char* body : {"fldcw (%rsp)", "fninit", "fnclex", "ldmxcsr (%rsp)"})
    CHECK_MESSAGE(problem_of(body) == "an instruction that no kernel needs", body);
}

TEST_CASE("code may take the address of an instruction, but must not access it as data") {
  CHECK(problem_of("1: lea 1b(%rip), %rax") == "");
  CHECK(problem_of("1: lea 1b+1(%rip), %rax") == "an address in the middle of an instruction");
  CHECK(problem_of("lea 4096(%rip), %rax") == "an address behind its function");
  CHECK(problem_of("1: mov 1b(%rip), %rax") == "an access to its own code");
}

TEST_CASE("relocations after a branch that becomes shorter stay inside the code") {
  const ConfinedCode code = confined(
      "struct S { unsigned v; };\n__device__ __attribute__((noipa)) S next(unsigned v) { return {v "
      "+ 1}; }\n__device__ S counts[4];\n"
      "__global__ void k(unsigned n) {\n  asm volatile(\".byte 0x2e,0x0f,0x85,0,0,0,0\");\n  "
      "counts[1] = next(n);\n}");
  CHECK_MESSAGE(code.problem.empty(), code.problem);
  CHECK(!code.checks.empty());
  CHECK(std::ranges::all_of(
      code.relocations, [&](const Relocation& r) { return r.offset + 4 <= code.bytes.size(); }));
}

TEST_CASE("a call of a symbol that the object defines as an address is refused") {
  CHECK(problem_of(".globl sinf; .set sinf, 0; call sinf") == "a call of what is no function");
}

TEST_CASE("a jump to the runtime is refused, by name or by pointer") {
  CHECK(problem_of("jmp sinf") == "a jump to a function of the runtime");
  CHECK(problem_of("mov sinf@GOTPCREL(%rip), %rax; jmp __x86_indirect_thunk_rax") ==
        "a jump to a function of the runtime");
}

TEST_CASE("a check copies the relocation of its access; all others stay unchanged") {
  // The compiler does not report stores of a whole structure that a function returned, so each of
  // them gets a check.
  constexpr std::size_t stores = 300;
  std::string source =
      "struct S { unsigned v; };\n__device__ __attribute__((noipa)) S next(unsigned v) { return {v "
      "+ 1}; }\n__device__ S counts[4096];\n"
      "__global__ void k(unsigned n) {\n";
  for (std::size_t i = 0; i < stores; ++i) source += fmt::format("  counts[{}] = next(n);\n", i);
  const Parsed code = parsed(source + "}\n");
  const ConfinedCode confined = confine(code.object, code.kernel);
  REQUIRE(confined.problem.empty());
  REQUIRE(confined.checks.size() == stores);
  const auto before = uses_of_symbols(code.object.relocations(code.kernel)),
             after = uses_of_symbols(confined.relocations);
  std::size_t added = 0;
  for (const auto& [symbol, uses] : after) {
    CAPTURE(symbol);
    REQUIRE(before.contains(symbol));
    CHECK(uses >= before.at(symbol));
    added += uses - before.at(symbol);
  }
  CHECK(before.size() == after.size());
  CHECK(added == stores);
  CHECK(std::ranges::all_of(confined.relocations, [&](const Relocation& r) {
    return r.offset + 4 <= confined.bytes.size();
  }));
}

}  // namespace histolab::kernels::emulator
