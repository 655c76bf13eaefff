// Code with checks in it: what becomes of the relocations.
#include "kernels/emulator/confined_code.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/emulator/object_file.h"
#include "kernels/worker/compiler.h"

namespace histolab::kernels::emulator {
namespace {

std::map<std::uint32_t, std::size_t> uses_of_symbols(const std::vector<Relocation>& relocations) {
  std::map<std::uint32_t, std::size_t> uses;
  for (const Relocation& relocation : relocations) ++uses[relocation.symbol];
  return uses;
}

}  // namespace

TEST_CASE("a check of a place that has a relocation has the same one; all others stay as they were") {
  // The compiler tells of no store of a whole struct that a function returned: each of these gets a check.
  constexpr std::size_t stores = 300;
  std::string source = "struct S { unsigned v; };\n__device__ __attribute__((noipa)) S next(unsigned v) { return {v + 1}; }\n__device__ S counts[4096];\n"
                       "__global__ void k(unsigned n) {\n";
  for (std::size_t i = 0; i < stores; ++i) source += fmt::format("  counts[{}] = next(n);\n", i);
  const auto compiled = worker::compile_for_emulator(source + "}\n", {"", HISTOLAB_SOURCE_DIR "/kernels/emulator/include", "g++"});
  REQUIRE(compiled.ok());
  REQUIRE_MESSAGE(compiled->object, source);
  const auto object = ObjectFile::parse(std::as_const(*compiled->object).bytes());
  REQUIRE(object.ok());
  const auto& symbols = object->symbols();
  const auto kernel = std::ranges::find_if(symbols, &Symbol::is_kernel);
  REQUIRE(kernel != symbols.end());

  const ConfinedCode confined = confine(*object, kernel->section);
  REQUIRE(confined.problem.empty());
  REQUIRE(confined.checks.size() == stores);
  const auto before = uses_of_symbols(object->relocations(kernel->section)), after = uses_of_symbols(confined.relocations);
  std::size_t added = 0;
  for (const auto& [symbol, uses] : after) {
    CAPTURE(symbol);
    REQUIRE(before.contains(symbol));
    CHECK(uses >= before.at(symbol));
    added += uses - before.at(symbol);
  }
  CHECK(before.size() == after.size());
  CHECK(added == stores);
  CHECK(std::ranges::all_of(confined.relocations, [&](const Relocation& r) { return r.offset + 4 <= confined.bytes.size(); }));
}

}  // namespace histolab::kernels::emulator
