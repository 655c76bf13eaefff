#include "kernels/emulator/block_values.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

constexpr int rax = 0, rbx = 3, rsp = BlockValues::stack_pointer;

TEST_CASE("a sum has one name, however it was added up") {
  BlockValues values;
  values.begin(16);
  const CodeValue a = values.get(rax), b = values.get(rbx);
  CHECK(a != b);
  CHECK(values.sum(a, b, 1) == values.sum(b, a, 1));
  CHECK(values.sum(values.sum(a, {0, 4}, 1), b, 4) == values.sum({a.name, a.plus + 4}, b, 4));
  CHECK(values.sum(values.sum(a, b, 4), {BlockValues::thread_pointer, 0}, 1) == values.sum(values.sum(a, {BlockValues::thread_pointer, 0}, 1), b, 4));
  CHECK(values.sum(a, b, 4) != values.sum(a, b, 8));
  CHECK(values.sum(a, b, 4) != values.sum(b, a, 4));
  CHECK(values.extended(a, true) != values.extended(a, false));
  CHECK(values.with_symbol({0, 8}, 3, 1) == values.with_symbol({0, 8}, 3, 1));
  CHECK(values.with_symbol({0, 8}, 3, 1) != values.with_symbol({0, 8}, 4, 1));
}

TEST_CASE("words on the stack are known until something is written over them") {
  BlockValues values;
  values.begin(64);
  const CodeValue a = values.get(rax);
  values.store(-16, 8, a);
  CHECK(values.load(-16, 8) == a);
  CHECK(values.load(-16, 4) != a);
  values.store_unknown(-8, 8);
  CHECK(values.load(-16, 8) == a);
  values.store_unknown(-12, 1);
  CHECK(values.load(-16, 8) != a);
  values.store(-32, 8, a);
  values.forget_slots();
  CHECK(values.load(-32, 8) != a);
}

TEST_CASE("a call forgets what it need not keep, a block's begin all but the stack pointer") {
  BlockValues values;
  values.begin(8);
  const CodeValue a = values.get(rax), b = values.get(rbx);
  values.forget_registers();
  CHECK(values.get(rax) != a);
  CHECK(values.get(rbx) == b);
  values.note_checked(b, 8, false);
  CHECK(values.is_checked(b, 8, false));
  CHECK(values.is_checked({b.name, b.plus + 4}, 4, false));
  CHECK_FALSE(values.is_checked({b.name, b.plus + 4}, 8, false));
  CHECK_FALSE(values.is_checked({b.name, b.plus - 1}, 1, false));
  CHECK_FALSE(values.is_checked(a, 1, false));
  CHECK_FALSE(values.is_checked(b, 8, true));
  values.note_checked(b, 4, true);
  CHECK(values.is_checked(b, 4, true));
  CHECK_FALSE(values.is_checked(b, 8, true));
  values.forget_checked();
  CHECK_FALSE(values.is_checked(b, 4, false));
  values.note_checked(b, 4, true);
  values.begin(24);
  CHECK_FALSE(values.is_checked(values.get(rbx), 1, false));
  CHECK(values.get(rsp) == CodeValue{BlockValues::entry_stack, -24});
}

}  // namespace
}  // namespace histolab::kernels::emulator
