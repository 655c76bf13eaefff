#include "kernels/emulator/proof/block_values.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

constexpr int rax = 0, rbx = 3, rsp = stack_register;

TEST_CASE("a sum has one name, in whatever order it was added") {
  BlockValues values;
  values.begin(16);
  const CodeValue a = values.get(rax), b = values.get(rbx);
  CHECK(a != b);
  CHECK(values.sum(a, b, 1) == values.sum(b, a, 1));
  CHECK(values.sum(values.sum(a, {0, 4}, 1), b, 4) == values.sum({a.name, a.plus + 4}, b, 4));
  CHECK(values.sum(values.sum(a, b, 4), {BlockValues::thread_pointer, 0}, 1) ==
        values.sum(values.sum(a, {BlockValues::thread_pointer, 0}, 1), b, 4));
  CHECK(values.sum(a, b, 4) != values.sum(a, b, 8));
  CHECK(values.sum(a, b, 4) != values.sum(b, a, 4));
  CHECK(values.extended(a, true) != values.extended(a, false));
  const RelocationKind wide{RelocationKind::Value::address, 8, false};
  CHECK(values.with_symbol({0, 8}, 3, wide) == values.with_symbol({0, 8}, 3, wide));
  CHECK(values.with_symbol({0, 8}, 3, wide) != values.with_symbol({0, 8}, 4, wide));
  for (const RelocationKind other : {RelocationKind{RelocationKind::Value::address, 4, false},
                                     RelocationKind{RelocationKind::Value::address, 8, true},
                                     RelocationKind{RelocationKind::Value::distance, 8, false}})
    CHECK(values.with_symbol({0, 8}, 3, wide) != values.with_symbol({0, 8}, 3, other));
}

TEST_CASE("words on the stack are known until they are overwritten") {
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

TEST_CASE(
    "a call forgets caller-saved registers; a block's begin forgets all but the stack pointer") {
  BlockValues values;
  values.begin(8);
  const CodeValue a = values.get(rax), b = values.get(rbx);
  values.forget_registers();
  CHECK(values.get(rax) != a);
  CHECK(values.get(rbx) == b);
  values.begin(24);
  CHECK(values.get(rsp) == CodeValue{BlockValues::entry_stack, -24});
}

}  // namespace
}  // namespace histolab::kernels::emulator
