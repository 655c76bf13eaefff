// The sections that a kernel can reach, and names that it must not define.
#include "kernels/emulator/module/kernel_parts.h"

#include <doctest/doctest.h>
#include <elf.h>

#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

using testing::ObjectBuilder;

const ObjectBuilder::Bytes jump_away{0xe9, 0, 0, 0, 0};

}  // namespace

TEST_CASE("reachable: the roots, and all that relocations of reachable sections lead to") {
  ObjectBuilder builder;
  const std::uint32_t kernel = builder.code(".text.k", jump_away);
  const std::uint32_t helper = builder.code(".text.helper", jump_away);
  const std::uint32_t table = builder.constants(".rodata.table", {1, 2, 3, 4, 5, 6, 7, 8});
  const std::uint32_t unused = builder.code(".text.unused", jump_away);
  const std::uint32_t debug = builder.debug(".debug_info", {0, 0, 0, 0, 0, 0, 0, 0});
  const std::uint32_t of_kernel = builder.kernel("k", kernel);
  const std::uint32_t of_helper = builder.function("helper", helper);
  const std::uint32_t of_table = builder.variable("table", table, 0, 8);
  const std::uint32_t of_debug = builder.variable("debug", debug, 0, 8);
  builder.relocate(kernel, 1, R_X86_64_PLT32, of_helper, -4);
  builder.relocate(helper, 1, R_X86_64_PC32, of_table, -4);
  builder.relocate(table, 0, R_X86_64_64, of_kernel);  // in a circle
  builder.relocate(unused, 1, R_X86_64_PLT32, of_helper, -4);
  builder.relocate(kernel, 1, R_X86_64_PC32, of_debug, -4);
  builder.relocate(debug, 0, R_X86_64_64, of_helper);
  const ObjectFile object = builder.build();
  const std::vector<bool> reachable = reachable_sections(object, {kernel});
  for (const std::uint32_t each : {kernel, helper, table}) CHECK(reachable[each]);
  for (const std::uint32_t each : {unused, debug, 0u}) CHECK_FALSE(reachable[each]);
  CHECK(reachable_sections(object, {unused})[unused]);
  CHECK(reachable_sections(object, {unused})[kernel]);  // by helper and table
  CHECK(reachable_sections(object, {0, 9999}) == std::vector<bool>(object.sections().size()));
}

TEST_CASE("a file must not define names of the runtime; it may use them") {
  ObjectBuilder builder;
  const std::uint32_t code = builder.code(".text.k", jump_away);
  builder.function("__tsan_read4", code);
  builder.function("histolab_trap", code);
  builder.function("my_histolab_trap", code);
  builder.undefined("__tsan_write4");
  const std::vector<std::string> mistakes = reserved_names(builder.build());
  REQUIRE(mistakes.size() == 2);
  CHECK(mistakes[0] == "the name `__tsan_read4` is reserved for the emulator. Use another one");
  CHECK(mistakes[1].starts_with("the name `histolab_trap`"));

  const std::uint32_t other = builder.code(".text.other", jump_away);
  const ObjectFile object = builder.build();
  const KernelParts with(object, {code}, KernelParts::Checks::none),
      without(object, {other}, KernelParts::Checks::none);
  CHECK(reserved_names(object, &with).size() == 2);
  CHECK(reserved_names(object, &without).empty());
}

TEST_CASE("code with checks has its own relocations and size; without checks it stays as it is") {
  ObjectBuilder builder;
  // mov eax, [rbx + 0]; jmp away
  const std::uint32_t kernel = builder.code(".text.k", {0x8b, 0x83, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0});
  builder.kernel("k", kernel);
  const std::uint32_t away = builder.undefined("__x86_return_thunk");
  builder.relocate(kernel, 7, R_X86_64_PLT32, away, -4);
  const ObjectFile object = builder.build();
  const KernelParts plain(object, {kernel}, KernelParts::Checks::none);
  CHECK(plain.bytes(kernel) == 11);
  CHECK(plain.code().empty());
  CHECK_FALSE(plain.is_shallow());
  const KernelParts checked(object, {kernel}, KernelParts::Checks::of_others);
  CHECK(checked.code().at(kernel).problem.empty());
  CHECK(checked.bytes(kernel) > 11);
  REQUIRE(checked.relocations(kernel).size() == 1);
  CHECK(checked.relocations(kernel)[0].offset == 7 + 5);  // behind the call of the check
  CHECK(checked.is_shallow());
  const KernelParts local(object, {kernel}, KernelParts::Checks::of_local);
  CHECK(local.bytes(kernel) > checked.bytes(kernel));
}

TEST_CASE("two functions in one section are refused") {
  ObjectBuilder builder;
  const std::uint32_t kernel = builder.code(".text.k", {0xe9, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0});
  const std::uint32_t away = builder.undefined("__x86_return_thunk");
  builder.relocate(kernel, 1, R_X86_64_PLT32, away, -4);
  builder.relocate(kernel, 6, R_X86_64_PLT32, away, -4);
  builder.kernel("k", kernel);
  const ObjectFile one = builder.build();
  CHECK(KernelParts(one, {kernel}, KernelParts::Checks::of_others).code().at(kernel).problem == "");
  builder.function("second", kernel, 5);
  const ObjectFile two = builder.build();
  CHECK(KernelParts(two, {kernel}, KernelParts::Checks::of_others).code().at(kernel).problem ==
        "two functions at one address");
}

}  // namespace histolab::kernels::emulator
