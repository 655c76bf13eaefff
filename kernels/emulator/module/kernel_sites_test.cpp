// Sites from calls of the runtime, from checks and from source positions.
#include "kernels/emulator/module/kernel_sites.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

using enum AtomicEffect;

using Sites = std::vector<SiteNumber>;

RuntimeFunction function(AccessKind kind, std::uint8_t bytes, std::uint8_t ranges = 0) {
  RuntimeFunction made;
  made.kind = kind;
  made.bytes = bytes;
  made.ranges = ranges;
  return made;
}

}  // namespace

TEST_CASE("an addition adds, except of the constant 0") {
  for (const char* name : {"Add_u32", "Add_block_u64", "Sub_i32", "Add_f32"})
    CHECK(atomic_effect(name, SecondArgument::another, true) == adds);
  CHECK(atomic_effect("Add_u32", SecondArgument::one, false) == adds);
  CHECK(atomic_effect("Add_u32", SecondArgument::zero, true) == other);
  CHECK(atomic_effect("Add_f32", SecondArgument::zero, true) == adds);
}

TEST_CASE("an overwrite ignores the old value, and its result is dropped") {
  CHECK(atomic_effect("Exch_u32", SecondArgument::another, false) == overwrites);
  CHECK(atomic_effect("Exch_block_u32", SecondArgument::one, false) == overwrites);
  CHECK(atomic_effect("Exch_u32", SecondArgument::another, true) == other);
  CHECK(atomic_effect("Exch_f32", SecondArgument::another, false) == other);
  CHECK(atomic_effect("And_u32", SecondArgument::zero, false) == overwrites);
  CHECK(atomic_effect("And_u32", SecondArgument::one, false) == other);
  CHECK(atomic_effect("Min_u32", SecondArgument::zero, false) == overwrites);
  CHECK(atomic_effect("Min_i32", SecondArgument::zero, false) == other);
  CHECK(atomic_effect("Max_u32", SecondArgument::zero, false) == other);
  CHECK(atomic_effect("Inc_u32", SecondArgument::zero, false) == overwrites);
  CHECK(atomic_effect("Inc_u32", SecondArgument::another, false) == adds);
  CHECK(atomic_effect("Dec_u32", SecondArgument::zero, true) == other);
  CHECK(atomic_effect("CAS_u32", SecondArgument::zero, false) == other);
}

TEST_CASE("a call has a site; a range has more sites on the last bytes of the call") {
  KernelSites sites;
  sites.add_call("__tsan_write4", function(AccessKind::store, 4), 100);
  sites.add_call("memset", function(AccessKind::store, 1, 1), 200);
  sites.add_call("memcpy", function(AccessKind::store, 1, 2), 300);
  CHECK(sites.calls == Sites{100, 200, 199, 300, 299, 298, 297});
  const auto is = [&](SiteNumber number, AccessKind kind, int bytes) {
    const Site& site = (*sites.table)[number];
    return site.kind == kind && site.bytes == bytes;
  };
  CHECK(is(100, AccessKind::store, 4));
  CHECK(is(199, AccessKind::store, 0));
  CHECK(is(299, AccessKind::store, 0));
  CHECK(is(298, AccessKind::load, 1));
  CHECK(is(297, AccessKind::load, 0));
  CHECK(sites.barriers.empty());
  CHECK_FALSE(sites.has_compare_and_swap);
}

TEST_CASE("barriers and compare-and-swaps are noted") {
  KernelSites sites;
  sites.add_call("histolab_syncthreads", function(AccessKind::load, 0), 10);
  sites.add_call("histolab_syncthreads_count", function(AccessKind::load, 0), 20);
  sites.add_call("histolab_syncwarp", function(AccessKind::load, 0), 30);
  CHECK(sites.barriers == Sites{10, 20});
  sites.add_call("histolab_atomicCAS_u32", function(AccessKind::compare_and_swap, 4), 40);
  CHECK(sites.has_compare_and_swap);
}

TEST_CASE("a check is a site in pieces; an update has a second site for its read") {
  using enum NeededCheck::What;
  ConfinedCode code;
  const ReportToCompare none, of_range{2, true, false};
  code.checks = {{5, write, 4, true, of_range},
                 {15, update, 8, false, none},
                 {25, read, 2, false, none},
                 {35, frame, 0, false, none},
                 {45, stack_pointer, 8, false, none}};
  code.early_reports = {{.of_write = 60, .next = 70}};
  KernelSites sites;
  sites.add_checks(code, 1000);
  CHECK(sites.calls == Sites{1005, 1015, 1014, 1025});
  const SiteTable& table = *sites.table;
  CHECK(table[1005].kind == AccessKind::store);
  CHECK(table[1005].bytes == 4);
  CHECK(table[1005].in_pieces);
  CHECK(table[1005].store_is_due);
  CHECK(table[1005].report_age == 2);
  CHECK(table[1005].report_is_range);
  CHECK_FALSE(table[1005].report_writes);
  CHECK_FALSE(table[1005].is_update);
  CHECK(table[1015].is_update);
  CHECK(table[1014].kind == AccessKind::load);
  CHECK(table[1014].bytes == 8);
  CHECK(table[1014].in_pieces);
  CHECK(table[1025].kind == AccessKind::load);
  CHECK(table[1035].kind == AccessKind::store);
  CHECK(table[1035].bytes == 0);
  CHECK(table[1045].kind == AccessKind::load);
  CHECK(table[1045].bytes == 0);
  CHECK(table[1060].is_early);
  CHECK(table[1070].ends_early);
}

TEST_CASE("a site has the line of the byte before it") {
  SourcePlaces places;
  places.of = {{7, 1}, {7, 1}, {8, 2}};
  const std::vector<WideAccess> wide{{7, 8}, {7, 4}, {9, 16}};
  const std::vector<int> local{8};
  KernelSites sites;
  sites.set_lines(places, wide, local);
  const SiteTable& table = *sites.table;
  CHECK(table[0].line == 0);
  CHECK(table[1].line == 7);
  CHECK(table[2].line == 7);
  CHECK(table[3].line == 8);
  CHECK(table[3].origin == 2);
  CHECK(table[4].line == 0);
  CHECK(table[1].wide == (8 | 4));
  CHECK(table[3].wide == 0);
  CHECK_FALSE(table[2].is_local);
  CHECK(table[3].is_local);
}

}  // namespace histolab::kernels::emulator
