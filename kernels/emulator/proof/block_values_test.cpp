#include "kernels/emulator/proof/block_values.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

constexpr int rax = 0, rbx = 3, rsp = BlockValues::stack_pointer;

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
  CHECK(values.with_symbol({0, 8}, 3, 1) == values.with_symbol({0, 8}, 3, 1));
  CHECK(values.with_symbol({0, 8}, 3, 1) != values.with_symbol({0, 8}, 4, 1));
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

struct Reports {
  BlockValues values;
  CodeValue p;
  std::uint32_t call = 0;
  Reports() {
    values.begin(8);
    p = values.get(rbx);
  }
  void report(std::uint32_t bytes, bool writes, bool is_range = false) {
    values.report(p, bytes, writes, is_range, ++call);
  }
  bool reads(std::int64_t at, std::uint32_t bytes) {
    return values.use_report({p.name, p.plus + at}, bytes, false);
  }
  bool writes(std::int64_t at, std::uint32_t bytes) {
    return values.use_report({p.name, p.plus + at}, bytes, true);
  }
};

TEST_CASE("a report covers one access of its kind, at its address, within its bytes") {
  for (const bool writes : {false, true}) {
    CAPTURE(writes);
    const auto access = [&](Reports& of, std::int64_t at, std::uint32_t bytes) {
      return writes ? of.writes(at, bytes) : of.reads(at, bytes);
    };
    Reports of;
    of.report(8, writes);
    CHECK_FALSE(of.values.use_report(of.values.get(rax), 8, writes));
    CHECK_FALSE(access(of, 4, 8));
    CHECK_FALSE(access(of, -1, 1));
    CHECK(access(of, 0, 8));
    CHECK_FALSE(access(of, 0, 8));
    CHECK_FALSE(access(of, 4, 4));
    of.report(8, writes);
    CHECK(access(of, 0, 8));
    of.report(8, writes);
    of.values.forget_reports();
    CHECK_FALSE(access(of, 0, 8));
    of.report(8, writes);
    of.values.begin(8);
    CHECK_FALSE(of.values.use_report(of.values.get(rbx), 8, writes));
  }
}

TEST_CASE(
    "a report of a read covers no write; one of a write covers what a bit-field's write reads "
    "before") {
  Reports of;
  of.report(4, false);
  CHECK_FALSE(of.writes(0, 4));
  CHECK(of.reads(0, 4));
  of.report(4, true);
  CHECK(of.reads(0, 4));
  CHECK(of.values.store_due() == 2);
  CHECK(of.writes(0, 4));
  CHECK(of.values.store_due() == std::nullopt);
  CHECK_FALSE(of.reads(0, 4));
  CHECK_FALSE(of.writes(0, 4));
}

TEST_CASE("a report ends with its statement") {
  Reports of;
  of.report(4, true), of.report(4, false);  // one statement: *p = *p
  CHECK(of.reads(0, 4));
  CHECK(of.writes(0, 4));
  of.report(16, true);
  CHECK(of.writes(0, 8));
  of.report(1, false);
  CHECK_FALSE(of.writes(8, 8));
  of.report(4, false), of.report(8, false);
  CHECK_FALSE(of.reads(0, 16));
  CHECK(of.reads(0, 8));
}

TEST_CASE(
    "a report whose address has another name is taken once, with the number of callbacks since") {
  Reports of;
  const auto age = [&](std::uint32_t bytes, bool writes) {
    return of.values.take_report(bytes, writes).age;
  };
  of.report(4, true), of.report(4, false);
  CHECK(age(8, false) == 0);
  CHECK(age(4, true) == 2);
  CHECK(age(4, true) == 0);
  CHECK(age(4, false) == 1);
  CHECK(age(4, false) == 0);
  of.report(16, true);
  CHECK(age(8, false) == 1);  // the read that precedes the write of a bit-field
  CHECK(age(8, true) == 1);
  CHECK(age(8, false) == 0);
  CHECK(age(8, true) == 1);
  CHECK(age(8, true) == 0);
  of.report(12, true, true);
  CHECK(of.values.take_report(8, true).is_range);
  CHECK(of.writes(8, 4));
  CHECK(age(4, true) == 0);
}

TEST_CASE("a narrow access to a bit-field leaves nothing of its report") {
  Reports of;
  of.report(4, true);
  CHECK(of.writes(3, 1));
  CHECK_FALSE(of.writes(0, 1));
  CHECK_FALSE(of.writes(0, 2));
  CHECK_FALSE(of.reads(0, 1));
  CHECK(of.values.store_due() == std::nullopt);
}

TEST_CASE("a copy makes its accesses in pieces; the last one may repeat bytes of the one before") {
  Reports of;
  of.report(32, false);
  CHECK(of.reads(0, 16));
  CHECK_FALSE(of.reads(8, 16));
  CHECK(of.reads(16, 16));
  of.report(7, true);
  CHECK(of.writes(0, 4));
  CHECK(of.writes(3, 4));
  CHECK_FALSE(of.writes(3, 4));
  of.report(7, true);
  CHECK(of.writes(0, 4));
  CHECK_FALSE(of.writes(2, 4));
  CHECK(of.writes(4, 2));
  CHECK(of.writes(6, 1));
  of.report(8, true);
  CHECK(of.writes(0, 4));
  CHECK_FALSE(of.writes(0, 8));
  CHECK(of.writes(4, 4));
}

}  // namespace
}  // namespace histolab::kernels::emulator
