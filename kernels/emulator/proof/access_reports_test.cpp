#include "kernels/emulator/proof/access_reports.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

constexpr int rax = 0, rbx = 3;

struct Reports {
  BlockValues values;
  AccessReports reports;
  CodeValue p;
  std::uint32_t call = 0;
  Reports() {
    values.begin(8);
    p = values.get(rbx);
  }
  void report(std::uint32_t bytes, bool writes, bool is_range = false) {
    reports.add(p, bytes, writes, is_range, ++call);
  }
  bool reads(std::int64_t at, std::uint32_t bytes) {
    return reports.use({p.name, p.plus + at}, bytes, false);
  }
  bool writes(std::int64_t at, std::uint32_t bytes) {
    return reports.use({p.name, p.plus + at}, bytes, true);
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
    CHECK_FALSE(of.reports.use(of.values.get(rax), 8, writes));
    CHECK_FALSE(access(of, 4, 8));
    CHECK_FALSE(access(of, -1, 1));
    CHECK(access(of, 0, 8));
    CHECK_FALSE(access(of, 0, 8));
    CHECK_FALSE(access(of, 4, 4));
    of.report(8, writes);
    CHECK(access(of, 0, 8));
    of.report(8, writes);
    of.reports.forget();
    CHECK_FALSE(access(of, 0, 8));
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
  CHECK(of.reports.store_due() == 2);
  CHECK(of.writes(0, 4));
  CHECK(of.reports.store_due() == std::nullopt);
  CHECK_FALSE(of.reads(0, 4));
  CHECK_FALSE(of.writes(0, 4));
}

TEST_CASE("a report ends with its statement") {
  Reports of;
  of.report(4, true);  // one statement: *p = *p
  of.report(4, false);
  CHECK(of.reads(0, 4));
  CHECK(of.writes(0, 4));
  of.report(16, true);
  CHECK(of.writes(0, 8));
  of.report(1, false);
  CHECK_FALSE(of.writes(8, 8));
  of.report(4, false);
  of.report(8, false);
  CHECK_FALSE(of.reads(0, 16));
  CHECK(of.reads(0, 8));
}

TEST_CASE(
    "a report whose address has another name is taken once, with the number of callbacks since") {
  Reports of;
  const auto age = [&](std::uint32_t bytes, bool writes) {
    return of.reports.take(bytes, writes).age;
  };
  of.report(4, true);
  of.report(4, false);
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
  CHECK(of.reports.take(8, true).is_range);
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
  CHECK(of.reports.store_due() == std::nullopt);
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
