// The uses of a value that a kernel reads, in kernels compiled by g++. There is one statement per
// line, so that lines identify the accesses.
#include "kernels/emulator/code/value_flow.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>

#include "kernels/emulator/module/module.h"
#include "kernels/worker/compiling/compiler.h"

namespace histolab::kernels::emulator {
namespace {

// The kernel's body begins on line 2; helpers are on line 1.
std::string kernel(const std::string& body, const std::string& helpers = {}) {
  // Device variables, not shared ones: those can be placed only on an OS thread whose thread-local
  // storage is next to the window.
  return "__device__ unsigned s[8]; __device__ int flag; " + helpers +
         "\n__global__ void k(unsigned* p, unsigned n) { p[64] = s[n] + flag;\n" + body + "\n}";
}

template <class Says>
std::string in_kernel(const std::string& source, Says&& says) {
  const auto compiled = worker::compile_for_emulator(
      source, {.worker = "", .include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include"});
  REQUIRE(compiled.ok());
  REQUIRE_MESSAGE(compiled->object, source);
  auto window = Window::reserve();
  REQUIRE(window.ok());
  const KernelSignature signature{
      .name = "k",
      .parameters = {KernelSignature::Parameter::pointer, KernelSignature::Parameter::word},
      .declaration = "",
      .exports = {}};
  const auto module =
      Module::load(std::as_const(*compiled->object).bytes(), signature, *window, {});
  REQUIRE(module.ok());
  REQUIRE_MESSAGE(module->diagnostics.empty(),
                  (module->diagnostics.empty() ? "" : module->diagnostics.front().message));
  const auto entry =
      static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(module->entry) - window->begin());
  ValueFlow flow(module->text, decode_flow(module->text, entry), module->calls, *module->sites,
                 module->barriers);
  std::set<std::string> told;
  const auto is_access = [&](SiteNumber site) {
    return (*module->sites)[site].bytes != 0 && (*module->sites)[site].line > 2;
  };
  for (const SiteNumber from : module->calls)
    if (is_access(from) && reads((*module->sites)[from].kind))
      says(flow, *module, from, is_access, told);
  std::string text;
  for (const std::string& each : told) text += (text.empty() ? "" : " ") + each;
  return text;
}

// "3>4": the write on line 4 depends on the read on line 3.
std::string pairs(const std::string& source, bool (ValueFlow::*depends)(SiteNumber, SiteNumber)) {
  return in_kernel(source, [&](ValueFlow& flow, const Module& module, SiteNumber from,
                               auto&& is_access, std::set<std::string>& told) {
    for (const SiteNumber to : module.calls)
      if (to != from && is_access(to) && writes((*module.sites)[to].kind) &&
          (flow.*depends)(from, to))
        told.insert(fmt::format("{}>{}", (*module.sites)[from].line, (*module.sites)[to].line));
  });
}
std::string carried(const std::string& body, const std::string& helpers = {}) {
  return pairs(kernel(body, helpers), &ValueFlow::carries);
}
std::string guarded(const std::string& body, const std::string& helpers = {}) {
  return pairs(kernel(body, helpers), &ValueFlow::guards);
}

// Returns the lines of the reads that decide which barrier comes next.
std::string deciding(const std::string& body, const std::string& helpers = {}) {
  return in_kernel(kernel(body, helpers), [](ValueFlow& flow, const Module& module, SiteNumber from,
                                             auto&&, std::set<std::string>& told) {
    if (flow.decides_barrier(from)) told.insert(fmt::format("{}", (*module.sites)[from].line));
  });
}

}  // namespace

TEST_CASE(
    "a value is followed from its read to what is computed from it, by registers, the stack, "
    "branches, loops and calls") {
  CHECK(carried("unsigned a = p[n];\np[n] = a + 1;") == "3>4");
  CHECK(carried("p[n]++;") == "3>3");
  CHECK(carried("unsigned a = p[n];\nunsigned b = p[n + 1];\np[n] = b;\np[n + 1] = a;") ==
        "3>6 4>5");
  CHECK(carried("unsigned a = p[n];\nfor (unsigned i = 0; i < n; ++i) p[i + 9] = i;\np[n] = a * 3 "
                "- n;") == "3>5");
  CHECK(carried("unsigned a = p[n];\na = n;\np[n] = a;") == "");
  CHECK(carried("unsigned a[3];\na[1] = p[n];\np[n] = a[1];") == "4>5");
  CHECK(carried("float a = ((float*)p)[n];\n((float*)p)[n] = a + 1.5f;") == "3>4");
  CHECK(carried("volatile unsigned* v = p;\nunsigned a = v[n];\nv[n] = a + 1;") == "4>5");
  CHECK(carried("unsigned a = p[n];\n__syncthreads();\np[n] = a + 1;") == "3>5");
  CHECK(carried("unsigned a = p[n], b = 0;\nif (n > 3)\nb = a + 2;\nelse\nb = n;\np[n] = b;") ==
        "3>8");
  CHECK(carried("unsigned a = p[n];\np[n] = next(a);",
                "__device__ __noinline__ unsigned next(unsigned x) { return x + 1; }") == "3>4");
  CHECK(carried("unsigned char a = ((unsigned char*)p)[n];\n((unsigned char*)p)[n] = a + 1;") ==
        "3>4");
  CHECK(carried("unsigned a = p[n];\np[n] = a > 5 ? 7 : 2;") == "3>4");
}

TEST_CASE(
    "an address that depends on a value, and a write that depends on it by a branch only, are not "
    "computed from it") {
  CHECK(carried("unsigned a = p[n];\np[a] = 1;") == "");
  CHECK(carried("unsigned a = p[n];\nif (a > 3) {\np[n] = 1;\np[n + 1] = n; }") == "");
  CHECK(carried("if (flag) __syncthreads();\nflag = 1;") == "");
}

TEST_CASE("atomic operations give a value and take one") {
  CHECK(carried("unsigned a = atomicAdd(&p[n], 1u);\np[n] = a + 1;") == "3>4");
  CHECK(carried("p[n] = atomicAdd(&p[n], 1u) + 1;") == "3>3");
  CHECK(carried("unsigned a = p[n];\natomicExch(&p[n], a + 1);") == "3>4");
  CHECK(carried("unsigned a = p[n];\natomicAdd(&p[a], 1u);") == "");
  CHECK(carried("unsigned a = atomicAdd(&p[n], 1u);\natomicExch(&p[n], a + 1);") == "3>4");
  CHECK(
      carried("unsigned a = atomicAdd(&p[n], 1u), b = a * 7;\nif (b > n) atomicExch(&p[n], 0u);") ==
      "");
  CHECK(carried("float a = ((float*)p)[n];\natomicAdd(&((float*)p)[n + 1], a);") == "3>4");
}

TEST_CASE(
    "a test that decides whether its write is made guards it; a test whose both ways may come to "
    "it does not") {
  CHECK(guarded("if (p[n] < n)\np[n] = n;") == "3>4");
  CHECK(guarded("unsigned most = p[n];\nif (n > most)\natomicExch(&p[n], n);") == "3>5");
  CHECK(guarded("if (p[n] == 0) n += 3;\np[n] = n;") == "");
  CHECK(guarded("for (unsigned r = 0; r < 4; ++r) {\nif (n > r)\nflag = 1;\n__syncthreads();\nif "
                "(flag) {\n__syncthreads();\np[r] = 1;\n}\n}") == "7>9");
}

TEST_CASE("every thread that makes a read comes to a write, if no way leads around it") {
  const auto reached = [](const std::string& body) {
    return in_kernel(kernel(body), [](ValueFlow& flow, const Module& module, SiteNumber from,
                                      auto&& is_access, std::set<std::string>& told) {
      for (const SiteNumber to : module.calls)
        if (to != from && is_access(to) && writes((*module.sites)[to].kind) &&
            flow.always_reaches(from, to))
          told.insert(fmt::format("{}>{}", (*module.sites)[from].line, (*module.sites)[to].line));
    });
  };
  CHECK(reached("unsigned a = p[n];\np[n] = a + 1;") == "3>4");
  CHECK(reached("unsigned a = p[n];\nif (n > 3)\np[n] = a + 1;") == "");
  CHECK(reached("for (unsigned i = 0; i < n; ++i) {\nunsigned a = p[i];\np[i] = a + 1;\n}") ==
        "4>5");
  CHECK(reached("unsigned a = p[n];\nif (n > 3) return;\np[n] = a;") == "");
  CHECK(reached("if (n > 3) {\nunsigned a = p[n];\natomicExch(&p[n], a);\n}") == "4>5");
}

TEST_CASE(
    "a read decides on a barrier if its value leads to different ones, or past one to the kernel's "
    "end") {
  CHECK(deciding("if (flag)\n__syncthreads();\n__syncthreads();") == "3");
  CHECK(deciding("if (s[n] > 3) return;\n__syncthreads();") == "3");
  CHECK(deciding("while (flag > 0) {\n__syncthreads();\n}\n__syncthreads();") == "3");
  CHECK(deciding("for (unsigned i = 0; i < s[1]; ++i)\n__syncthreads();") == "3");
  CHECK(deciding("if (up(&flag)) __syncthreads();",
                 "__device__ __noinline__ bool up(int* f) { return *f != 0; }")
            .empty());  // its read is on line 1
  CHECK(deciding("bool stop = atomicAdd(&flag, 0) > 2;\np[n] = 1;\nif (!stop)\n__syncthreads();") ==
        "3");
  CHECK(deciding("if (flag) p[n] = 1;\n__syncthreads();").empty());
  CHECK(deciding("unsigned a = p[n];\nif (n > 2)\n__syncthreads();\np[n] = a;").empty());
  CHECK(deciding("if (flag) p[n] = 1;\nelse p[n] = 2;\natomicAdd(&p[1], s[2]);").empty());
}

}  // namespace histolab::kernels::emulator
