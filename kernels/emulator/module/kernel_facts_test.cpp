// Facts about a loaded kernel, and the messages of its mistakes.
#include "kernels/emulator/module/kernel_facts.h"

#include <doctest/doctest.h>
#include <elf.h>

#include "kernels/emulator/module/used_variables.h"
#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

using testing::ObjectBuilder;

// A kernel and the variables that the test adds, placed but not linked.
struct Placed {
  Placed() : kernel(builder.code(".text.k", ObjectBuilder::Bytes(64, 0x90))) {
    builder.kernel("k", kernel);
  }
  void place(std::vector<std::uint32_t> roots = {}) {
    roots.push_back(kernel);
    object.emplace(builder.build());
    REQUIRE(window.ok());
    parts.emplace(*object, roots, KernelParts::Checks::none);
    placed.emplace(place_sections(*parts, 0, *window));
    REQUIRE(placed->problem.empty());
  }
  [[nodiscard]] std::uint64_t text() const { return window->begin(); }

  ObjectBuilder builder;
  std::uint32_t kernel;
  std::optional<ObjectFile> object;
  Result<Window> window = Window::reserve();
  std::optional<KernelParts> parts;
  std::optional<Placement> placed;
};

// Text whose byte number n is on line n + 1.
SourcePlaces a_line_per_byte() {
  SourcePlaces places;
  for (int line = 1; line <= 64; ++line) places.of.push_back({line, 0});
  return places;
}

}  // namespace

TEST_CASE("exports are four-byte variables of the file, by name") {
  Placed file;
  const std::uint32_t values =
      file.builder.constants(".rodata.values", {12, 0, 0, 0, 13, 0, 0, 0, 14, 0});
  file.builder.variable("factor", values, 0, 4);
  file.builder.variable("other", values, 4, 4);
  file.builder.variable("narrow", values, 8, 2);
  file.place({values});
  KernelSignature signature;
  signature.exports = {"factor", "narrow", "missing"};
  const Exports exports = read_exports(*file.parts, *file.placed, signature);
  CHECK(exports.values == std::map<std::string, std::uint32_t>{{"factor", 12}});
  REQUIRE(exports.mistakes.size() == 1);
  CHECK(exports.mistakes[0].find("narrow") != std::string::npos);
}

TEST_CASE("launch bounds are in the name of the section that refers to the kernel") {
  Placed file;
  const std::uint32_t other = file.builder.code(".text.other", {0x90});
  const std::uint32_t of_kernel = file.builder.function("here", file.kernel, 0);
  const std::uint32_t of_other = file.builder.function("there", other, 0);
  const std::uint32_t bounds = file.builder.constants(".init_array.00128", ObjectBuilder::Bytes(8));
  const std::uint32_t others = file.builder.constants(".init_array.00256", ObjectBuilder::Bytes(8));
  file.builder.relocate(bounds, 0, R_X86_64_64, of_kernel);
  file.builder.relocate(others, 0, R_X86_64_64, of_other);
  const ObjectFile object = file.builder.build();
  CHECK(launch_bounds(object, file.kernel) == 128);
  CHECK(launch_bounds(object, other) == 256);
  CHECK(launch_bounds(object, bounds) == 0);
}

TEST_CASE("variables that the kernel uses are listed with the line of their first use") {
  Placed file;
  const std::uint32_t used = file.builder.zeroed(".bss.used", 4);
  const std::uint32_t unused = file.builder.zeroed(".bss.unused", 4);
  const std::uint32_t table = file.builder.constants(".rodata.table", {1, 2, 3, 4});
  const std::uint32_t value = file.builder.constants(".rodata.value", {1, 2, 3, 4});
  const std::uint32_t local = file.builder.zeroed(".bss.local", 4);
  const std::uint32_t constant = file.builder.constants(".histolab_constant.c", {1, 2, 3, 4});
  const std::uint32_t of_used = file.builder.variable("_ZN2my4usedE", used, 0, 4);
  file.builder.variable("unused", unused, 0, 4);
  const std::uint32_t of_table = file.builder.variable("table", table, 0, 4);
  file.builder.variable("value", value, 0, 4);
  const std::uint32_t of_local = file.builder.variable("_ZZ1kvE5local", local, 0, 4);
  const std::uint32_t of_constant = file.builder.variable("c", constant, 0, 4);
  for (const std::uint32_t symbol : {of_local, of_constant})
    file.builder.relocate(file.kernel, 40, R_X86_64_PC32, symbol, -4);
  file.builder.relocate(file.kernel, 30, R_X86_64_PC32, of_used, -4);
  file.builder.relocate(file.kernel, 20, R_X86_64_PC32, of_used, -4);
  file.builder.relocate(file.kernel, 10, R_X86_64_PC32, of_table, -4);
  file.place({value});
  const std::vector<UsedVariable> variables =
      used_variables(*file.parts, *file.placed, a_line_per_byte(), file.text());
  REQUIRE(variables.size() == 2);
  CHECK(variables[0].name == "used");
  CHECK(variables[0].line == 21);
  CHECK(variables[1].name == "table");
  CHECK(variables[1].line == 11);
}

TEST_CASE("wrong uses of symbols are at the line of the instruction") {
  Placed file;
  const std::uint32_t open = file.builder.undefined("fopen");
  const std::uint32_t atomic = file.builder.undefined("__tsan_atomic32_load");
  const std::uint32_t unused = file.builder.undefined("unused");
  const std::uint32_t add = file.builder.undefined("histolab_atomicAdd_u32");
  const std::uint32_t far = file.builder.undefined("_ZN2my5tableE");
  const std::uint32_t twice = file.builder.undefined("_Z5twicei");
  file.place();
  Links links;
  links.unsupported = {
      {open, file.text() + 9}, {atomic, file.text() + 19}, {unused, 0}, {twice, file.text() + 49}};
  links.out_of_reach = {{far, file.text() + 29}};
  links.by_address = {{add, file.text() + 39}};
  const std::vector<Diagnostic> mistakes =
      wrong_uses(links, *file.object, a_line_per_byte(), file.text());
  REQUIRE(mistakes.size() == 6);
  CHECK(mistakes[0].line == 9);
  CHECK(mistakes[0].message.starts_with("`fopen` cannot be used in a kernel here"));
  CHECK(mistakes[1].line == 19);
  CHECK(mistakes[1].message.starts_with("a host atomic (std::atomic"));
  CHECK(mistakes[2].line == 0);
  CHECK(mistakes[3].line == 49);
  CHECK(mistakes[3].message.starts_with("unresolved extern function `twice(int)`"));
  CHECK(mistakes[4].line == 29);
  CHECK(mistakes[4].message.starts_with("`table` is accessed at a constant index"));
  CHECK(mistakes[5].line == 39);
  CHECK(mistakes[5].message.starts_with("the address of `atomicAdd` is taken"));
}

TEST_CASE("code that the proof refused is a mistake at its line; placed code only") {
  ObjectBuilder builder;
  const std::uint32_t kernel = builder.code(".text.k", {0x90, 0xf4});  // nop; hlt
  builder.kernel("k", kernel);
  const ObjectFile object = builder.build();
  const Result<Window> window = Window::reserve();
  REQUIRE(window.ok());
  const KernelParts parts(object, {kernel}, KernelParts::Checks::of_others);
  Placement placed{
      .address = {nullptr, window->image() + 16}, .text = MemoryRange(nullptr, 0), .problem = {}};
  const std::vector<Diagnostic> mistakes =
      refused_code(parts, placed, a_line_per_byte(), window->begin());
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].line == 18);
  CHECK(mistakes[0].message.starts_with(
      "the compiler turned this into an instruction that no kernel needs"));
  placed.address[kernel] = nullptr;
  CHECK(refused_code(parts, placed, a_line_per_byte(), window->begin()).empty());
}

}  // namespace histolab::kernels::emulator
