// Uses of a call's result, and the call's argument: in machine code written by hand, and in kernels
// compiled by g++.
#include "kernels/emulator/code/call_facts.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "kernels/emulator/module/module.h"
#include "kernels/worker/compiling/compiler.h"

namespace histolab::kernels::emulator {
namespace {

// Builds a call of the runtime (far outside of the text), followed by `behind`.
bool unused(std::vector<std::uint8_t> behind) {
  std::vector<std::uint8_t> text{0xe8, 0, 0, 0, 0x70};
  text.insert(text.end(), behind.begin(), behind.end());
  text.resize(text.size() + 16, 0x90);
  const FlowGraph graph = decode_flow(text, 0);
  return CallFacts(text, graph).drops_result(5);
}

// Returns the second argument of a call of the runtime that follows `before`.
SecondArgument argument(std::vector<std::uint8_t> before) {
  before.insert(before.end(), {0xe8, 0, 0, 0, 0x70});
  const auto behind_call = static_cast<std::uint32_t>(before.size());
  before.resize(before.size() + 16, 0x90);
  const FlowGraph graph = decode_flow(before, 0);
  return CallFacts(before, graph).second_argument(behind_call);
}
bool gives_one(std::vector<std::uint8_t> before) {
  return argument(std::move(before)) == SecondArgument::one;
}

// Applies `says` to each atomic operation of a kernel, in the order of the text.
std::string in_source(
    const std::string& source,
    const std::function<char(const CallFacts&, const Site&, std::uint32_t)>& says) {
  const auto compiled = worker::compile_for_emulator(
      source, {.worker = "", .include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include"});
  REQUIRE(compiled.ok());
  REQUIRE_MESSAGE(compiled->object, source);
  auto window = Window::reserve();
  REQUIRE(window.ok());
  KernelSignature signature{
      .name = "k",
      .parameters = {KernelSignature::Parameter::pointer, KernelSignature::Parameter::word},
      .declaration = "",
      .exports = {}};
  const auto module =
      Module::load(std::as_const(*compiled->object).bytes(), signature, *window, {});
  REQUIRE(module.ok());
  REQUIRE(module->diagnostics.empty());
  const FlowGraph graph = decode_flow(
      module->text,
      static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(module->entry) - window->begin()));
  const CallFacts facts(module->text, graph);
  std::string told;
  for (const SiteNumber site : module->calls)
    if (const Site& at = (*module->sites)[site]; is_atomic(at.kind)) told += says(facts, at, site);
  return told;
}

std::string kernel(const std::string& body, const std::string& before) {
  return before + "\n__global__ void k(unsigned* p, unsigned n) {" + body + "}";
}

// 'u': its result is used.
std::string in_kernel(const std::string& body, const std::string& before = {}) {
  return in_source(kernel(body, before),
                   [](const CallFacts& facts, const Site&, std::uint32_t behind_call) {
                     return facts.drops_result(behind_call) ? '-' : 'u';
                   });
}

// '1': an addition of the constant 1.
std::string additions_in(const std::string& body, const std::string& before = {}) {
  return in_source(kernel(body, before), [](const CallFacts&, const Site& site, std::uint32_t) {
    return site.adds_one ? '1' : '-';
  });
}

}  // namespace

TEST_CASE("a result is unused if it is overwritten before any read, or the function ends") {
  CHECK(unused({0xc3}));                                   // ret
  CHECK(unused({0xb8, 1, 0, 0, 0, 0xc3}));                 // mov eax, 1
  CHECK(unused({0x31, 0xc0, 0x89, 0xc3, 0xc3}));           // xor eax, eax; mov ebx, eax
  CHECK(unused({0x8b, 0x03, 0xc3}));                       // mov eax, [rbx]
  CHECK(unused({0x0f, 0xb6, 0x03, 0xc3}));                 // movzx eax, byte [rbx]
  CHECK(unused({0xe8, 0, 0, 0, 0x70, 0x89, 0xc3, 0xc3}));  // the next call's result is used
  CHECK(unused({0x0f, 0x1f, 0x44, 0x00, 0x00, 0xc3}));     // nop [rax + rax]
  CHECK(unused({0x58, 0xc3}));                             // pop rax
  CHECK(unused({0xcc}));                                   // int3
}

TEST_CASE("a result is used if an instruction reads any part of it") {
  CHECK_FALSE(unused({0x89, 0xc3, 0xc3}));              // mov ebx, eax
  CHECK_FALSE(unused({0x88, 0x03, 0xc3}));              // mov [rbx], al
  CHECK_FALSE(unused({0x88, 0x23, 0xc3}));              // mov [rbx], ah
  CHECK_FALSE(unused({0x8b, 0x1c, 0x83, 0xc3}));        // mov ebx, [rbx + 4 * rax]
  CHECK_FALSE(unused({0x8d, 0x58, 0x01, 0xc3}));        // lea ebx, [rax + 1]
  CHECK_FALSE(unused({0x8b, 0x00, 0xc3}));              // mov eax, [rax]
  CHECK_FALSE(unused({0x85, 0xc0, 0xc3}));              // test eax, eax
  CHECK_FALSE(unused({0x50, 0xc3}));                    // push rax
  CHECK_FALSE(unused({0x01, 0xc0, 0xc3}));              // add eax, eax
  CHECK_FALSE(unused({0x19, 0xc0, 0xc3}));              // sbb eax, eax
  CHECK_FALSE(unused({0x99, 0xc3}));                    // cdq
  CHECK_FALSE(unused({0xf7, 0xe3, 0xc3}));              // mul ebx
  CHECK_FALSE(unused({0x0f, 0xb1, 0x0b, 0xc3}));        // cmpxchg [rbx], ecx
  CHECK_FALSE(unused({0x66, 0x0f, 0x6e, 0xc0, 0xc3}));  // movd xmm0, eax
}

TEST_CASE(
    "after a partial or conditional overwrite, the next read decides whether the result is used") {
  CHECK_FALSE(unused({0xb0, 1, 0x89, 0xc3, 0xc3}));           // mov al, 1; mov ebx, eax
  CHECK_FALSE(unused({0x66, 0xb8, 1, 0, 0x89, 0xc3, 0xc3}));  // mov ax, 1; mov ebx, eax
  CHECK_FALSE(unused({0x0f, 0x44, 0xc1, 0x89, 0xc3, 0xc3}));  // cmove eax, ecx; mov ebx, eax
  CHECK(unused({0x0f, 0x94, 0xc0, 0x0f, 0xb6, 0xc0, 0x89, 0xc3,
                0xc3}));  // sete al; movzx eax, al; mov ebx, eax
  CHECK_FALSE(unused({0x0f, 0x94, 0xc0, 0x89, 0xc3, 0xc3}));        // sete al; mov ebx, eax
  CHECK_FALSE(unused({0x0f, 0x94, 0xc3, 0x0f, 0xb6, 0xc0, 0xc3}));  // sete bl; movzx eax, al
  CHECK_FALSE(unused({0x0f, 0x94, 0xc0, 0x0f, 0xb6, 0xc4, 0xc3}));  // sete al; movzx eax, ah
}

TEST_CASE("a result is unused only if no path reads it; unknown code counts as a use") {
  CHECK(unused({0x74, 0x02, 0x31, 0xc0, 0xc3}));  // je +2; xor eax, eax; ret
  CHECK_FALSE(
      unused({0x74, 0x02, 0x31, 0xc0, 0x89, 0xc3, 0xc3}));  // je +2; xor eax, eax; mov ebx, eax
  CHECK(unused({0x75, 0xfe, 0xc3}));                        // a loop without a use
  CHECK_FALSE(unused({0xff, 0xd3, 0xc3}));                  // call rbx
  CHECK_FALSE(unused({0xff, 0xe3}));                        // jmp rbx
  CHECK_FALSE(unused({0x06}));                              // no instruction
  const std::vector<std::uint8_t> text{0x90, 0x90, 0xc3};
  const FlowGraph graph = decode_flow(text, 0);
  CHECK_FALSE(CallFacts(text, graph).drops_result(1));  // no call
  CHECK_FALSE(CallFacts(text, graph).drops_result(77));
}

TEST_CASE("a runtime call through an indirect jump in the text counts as a call") {
  // 0: call 13; 5: (the use of the result); ret; 13: jmp [rip + 2]; nop; nop; address
  const auto unused_with = [](std::uint8_t first, std::uint8_t second) {
    std::vector<std::uint8_t> text{0xe8, 8,    0,    0,    0,    first, second, 0xc3, 0x90, 0x90,
                                   0x90, 0x90, 0x90, 0xff, 0x25, 2,     0,      0,    0,    0x90,
                                   0x90, 1,    2,    3,    4,    5,     6,      7,    8};
    const FlowGraph graph = decode_flow(text, 0);
    return CallFacts(text, graph).drops_result(5);
  };
  CHECK(unused_with(0x31, 0xc0));        // xor eax, eax
  CHECK_FALSE(unused_with(0x89, 0xc3));  // mov ebx, eax
}

TEST_CASE("a result that the kernel's own function returns is unused if its callers drop it") {
  // 0: call 11; 5: (the use of the result); ret  11: call of the runtime; ret
  const auto text = [](std::uint8_t first, std::uint8_t second) {
    return std::vector<std::uint8_t>{0xe8, 6,    0,    0, 0, first, second, 0xc3, 0x90,
                                     0x90, 0x90, 0xe8, 0, 0, 0,     0x70,   0xc3};
  };
  const auto passes = [](const std::vector<std::uint8_t>& code) {
    const FlowGraph graph = decode_flow(code, 0);
    return CallFacts(code, graph).drops_result(16);
  };
  CHECK(passes(text(0x31, 0xc0)));        // xor eax, eax
  CHECK_FALSE(passes(text(0x89, 0xc3)));  // mov ebx, eax
}

TEST_CASE(
    "kernels: a result that is dropped is unused, one that is stored, an index or a condition is "
    "used") {
  CHECK(in_kernel("atomicAdd(p, 1u);") == "-");
  CHECK(in_kernel("for (unsigned i = 0; i < n; ++i) atomicAdd(&p[i], 1u);") == "-");
  CHECK(in_kernel("if (n > 3) atomicMax(p, n); else atomicOr(p, n); p[1] = n;") == "--");
  CHECK(in_kernel("p[1] = atomicAdd(p, 1u);") == "u");
  CHECK(in_kernel("p[atomicAdd(p, 1u)] = 1;") == "u");
  CHECK(in_kernel("if (atomicAdd(p, 1u) == n) p[1] = 1;") == "u");
  CHECK(in_kernel("unsigned sum = 0; for (unsigned i = 0; i < n; ++i) sum += atomicAdd(p, 1u); "
                  "p[1] = sum;") == "u");
  CHECK(in_kernel("(void)atomicAdd(p, 1u); unsigned x = atomicAdd(p + 1, 1u); if (x) atomicAdd(p + "
                  "2, x);") == "-u-");
  CHECK(in_kernel("atomicExch(p, 1u); atomicCAS(p, 1u, 2u); atomicInc(p, 5u); atomicAdd((float*)p, "
                  "1.f); atomicAdd_block(p, 1u);") == "-----");
}

TEST_CASE("kernels: through helpers, as far as all callers drop it") {
  const std::string add = "__device__ unsigned add(unsigned* p) { return atomicAdd(p, 1u); }\n",
                    apart = "__attribute__((noinline)) " + add;
  CHECK(in_kernel("add(p);", add) == "-");
  CHECK(in_kernel("p[1] = add(p);", add) == "u");
  CHECK(in_kernel("add(p); add(p + 1);", apart) == "-");
  CHECK(in_kernel("add(p); p[1] = add(p + 1);", apart) == "u");
  CHECK(in_kernel(
            "add(p); p[3] = n;",
            "__attribute__((noinline)) __device__ void add(unsigned* p) { atomicAdd(p, 1u); }\n") ==
        "-");
}

TEST_CASE("the argument is the constant 1 only if every path to the call sets it to 1") {
  CHECK(gives_one({0xbe, 1, 0, 0, 0}));                          // mov esi, 1
  CHECK(gives_one({0x48, 0xc7, 0xc6, 1, 0, 0, 0}));              // mov rsi, 1
  CHECK(gives_one({0xbe, 1, 0, 0, 0, 0x89, 0xf1, 0x66, 0x90}));  // mov esi, 1; mov ecx, esi; nop
  CHECK(gives_one({0xbe, 1, 0, 0, 0, 0x74, 0x02, 0x31, 0xc0}));  // mov esi, 1; je +2; xor eax, eax
  CHECK(gives_one({0x74, 0x07, 0xbe, 1, 0, 0, 0, 0xeb, 0x05, 0xbe, 1, 0, 0, 0}));  // on both paths
  CHECK_FALSE(gives_one(
      {0x74, 0x07, 0xbe, 1, 0, 0, 0, 0xeb, 0x05, 0xbe, 2, 0, 0, 0}));  // on one of two paths
  CHECK_FALSE(gives_one(
      {0x74, 0x05, 0xbe, 1, 0, 0, 0}));  // on one path; on the other an argument of the kernel
  CHECK_FALSE(gives_one({}));
  CHECK_FALSE(gives_one({0xbe, 2, 0, 0, 0}));                    // mov esi, 2
  CHECK_FALSE(gives_one({0xbf, 1, 0, 0, 0}));                    // mov edi, 1
  CHECK_FALSE(gives_one({0x40, 0xb6, 1}));                       // mov sil, 1
  CHECK_FALSE(gives_one({0x66, 0xbe, 1, 0}));                    // mov si, 1
  CHECK_FALSE(gives_one({0x89, 0xce}));                          // mov esi, ecx
  CHECK_FALSE(gives_one({0xbe, 1, 0, 0, 0, 0xff, 0xc6}));        // mov esi, 1; inc esi
  CHECK_FALSE(gives_one({0xbe, 1, 0, 0, 0, 0x0f, 0x44, 0xf1}));  // mov esi, 1; cmove esi, ecx
  CHECK_FALSE(gives_one(
      {0xbe, 1, 0, 0, 0, 0xe8, 0, 0, 0, 0x70}));  // mov esi, 1; another call of the runtime
  CHECK_FALSE(gives_one({0xbe, 1, 0, 0, 0, 0xff, 0xd3}));  // mov esi, 1; call rbx
}

TEST_CASE("a constant 0 is recognized too; 0 on one path and 1 on another is neither") {
  using enum SecondArgument;
  CHECK(argument({0x31, 0xf6}) == zero);           // xor esi, esi
  CHECK(argument({0xbe, 0, 0, 0, 0}) == zero);     // mov esi, 0
  CHECK(argument({0x31, 0xce}) == another);        // xor esi, ecx
  CHECK(argument({0x66, 0x31, 0xf6}) == another);  // xor si, si
  CHECK(argument({0x74, 0x07, 0xbe, 1, 0, 0, 0, 0xeb, 0x02, 0x31, 0xf6}) ==
        another);  // 1 on one path, 0 on the other
  CHECK(argument({0x74, 0x04, 0x31, 0xf6, 0xeb, 0x02, 0x31, 0xf6}) == zero);  // 0 on both paths
}

TEST_CASE("kernels: atomic operations are classified as additions, overwrites or others") {
  // 'a': adds, 'o': overwrites, '-': other.
  const auto effects = [](const std::string& body, const std::string& before = {}) {
    return in_source(kernel(body, before), [](const CallFacts&, const Site& site, std::uint32_t) {
      return site.effect == AtomicEffect::adds         ? 'a'
             : site.effect == AtomicEffect::overwrites ? 'o'
                                                       : '-';
    });
  };
  CHECK(effects("atomicAdd(p, n); atomicSub(p, n); atomicInc(p, n); atomicDec(p, n); "
                "atomicAdd((float*)p, 1.f); atomicAdd((unsigned long long*)p, 1ull);") == "aaaaaa");
  CHECK(effects("p[1] = atomicAdd(p, 1u);") == "a");
  CHECK(effects("p[1] = atomicAdd(p, 0u); p[2] = atomicOr(p, 0u); p[3] = atomicCAS(p, n, 0u); "
                "atomicMax(p, n);") == "----");
  CHECK(effects("atomicExch(p, 0u); atomicExch(p, n); atomicExch((unsigned long long*)p, 0ull); "
                "atomicAnd(p, 0u);") == "oooo");
  CHECK(effects("p[1] = atomicExch(p, 0u); p[2] = atomicAnd(p, 0u); atomicAnd(p, n);") == "---");
  CHECK(effects("atomicExch((float*)p, 0.f);") == "-");  // it is unknown whether the result is used
  CHECK(effects("cuda::atomic_ref<unsigned>(*p).store(0, cuda::memory_order_relaxed);",
                "#include <cuda/atomic>") == "o");
}

TEST_CASE("kernels: additions of the constant 1 are recognized") {
  CHECK(additions_in("atomicAdd(p, 1u);") == "1");
  CHECK(additions_in("atomicAdd((int*)p, 1); atomicAdd((unsigned long long*)p, 1ull); "
                     "atomicAdd_block(p, 1u);") == "111");
  CHECK(additions_in("for (unsigned i = 0; i < n; ++i) if (p[i] != 3) atomicAdd(&p[i], 1u);") ==
        "1");
  CHECK(additions_in("p[3] = atomicAdd(p, 1u);") == "1");
  CHECK(
      additions_in(
          "atomicAdd(p, 2u); atomicAdd(p, n); atomicAdd(p, 1u); atomicAdd(p, n > 3 ? 1u : 2u);") ==
      "--1-");
  CHECK(additions_in("atomicSub(p, 1u); atomicInc(p, 1u); atomicOr(p, 1u); atomicExch(p, 1u); "
                     "atomicCAS(p, 1u, 2u);") == "-----");
  CHECK(additions_in("atomicAdd((float*)p, 1.f); atomicAdd((double*)p, 1.);") == "--");
  CHECK(additions_in(
            "add(p); add(p + 1);",
            "__attribute__((noinline)) __device__ void add(unsigned* p) { atomicAdd(p, 1u); }\n") ==
        "1");
  CHECK(additions_in("add(p, 1); add(p + 1, 1);",
                     "__attribute__((noipa)) __device__ void add(unsigned* p, unsigned n) { "
                     "atomicAdd(p, n); }\n") == "-");
}

}  // namespace histolab::kernels::emulator
