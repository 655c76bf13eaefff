// Tests how the records of a warp's lanes become warp-level accesses: which lanes act together, in
// which order, and which records are held back.
#include "kernels/emulator/lanes/warp_log.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/warp_fixture.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;

constexpr LaneBits all = ~0u, even = 0x55555555, odd = 0xaaaaaaaa;
constexpr LaneBits lane(std::uint32_t l) { return 1u << l; }
constexpr LaneBits first(std::uint32_t n) { return (1u << n) - 1; }

}  // namespace

TEST_CASE("lanes with equal logs yield one access of all lanes per record") {
  LoggedWarp warp;
  warp.put(all, {10, 20, 30, 20});
  const WarpLog::Judged judged = warp.judge(all);
  CHECK(judged.level);
  CHECK(judged.most == 4);
  CHECK(warp.passed_on() == text({{10, all}, {20, all}, {30, all}, {20, all}}));
  CHECK(warp.cursors[5] == warp.log.start(5));
  CHECK(warp.log.last_site(5) == 20);
}

TEST_CASE("an access has its site, kind, width, warp, region, and the offset of each lane") {
  LoggedWarp warp;
  warp.launch.site(10, AccessKind::compare_and_swap, 8);
  for (std::uint32_t l = 0; l < 32; ++l) warp.put(l, 10, warp.buffer.address() + 1000 - 24 * l);
  warp.judge();
  REQUIRE(warp.recorder.accesses.size() == 1);
  const WarpAccess& access = warp.recorder.accesses[0];
  CHECK(access.site == 10);
  CHECK(access.kind == AccessKind::compare_and_swap);
  CHECK(access.bytes == 8);
  CHECK(access.warp == 3);
  CHECK(access.region == &warp.buffer);
  std::uint32_t any = 0;
  for (std::uint32_t l = 0; l < 32; ++l) {
    CHECK(access.offset[l] == 1000 - 24 * l);
    any |= 1000 - 24 * l;
  }
  CHECK(access.lowest == 1000 - 24 * 31);
  CHECK(access.highest == 1000);
  CHECK(access.any_bits == any);
}

TEST_CASE("inactive lanes of an access repeat an active lane's offset") {
  LoggedWarp warp;
  for (int time = 0; time < 2; ++time) {  // without and with a usual region of the site
    warp.put(~lane(0), {30});
    for (const std::uint32_t l : {4u, 9u}) warp.put(l, 30, warp.buffer.address() + 100 * l);
    warp.judge();
    REQUIRE(warp.recorder.accesses.size() == 2);
    const WarpAccess& access = warp.recorder.accesses[1];
    CHECK(access.active == (lane(4) | lane(9)));
    for (std::uint32_t l = 0; l < 32; ++l) CHECK(access.offset[l] == (l == 9 ? 900 : 400));
    CHECK(access.lowest == 400);
    CHECK(access.highest == 900);
    CHECK(access.any_bits == (400 | 900));
    warp.log.converge(0);
    warp.passed_on();
  }
}

TEST_CASE("the branches of an if run one after the other, and all lanes reconverge after it") {
  struct Case {
    std::string title;
    std::vector<std::pair<LaneBits, std::vector<SiteNumber>>> lanes;
    LoggedRows rows;
  };
  for (const Case& c : {
           Case{"then and else",
                {{even, {10, 20, 40}}, {odd, {10, 30, 40}}},
                {{10, all}, {20, even}, {30, odd}, {40, all}}},
           Case{"then only",
                {{even, {10, 20, 25, 40}}, {odd, {10, 40}}},
                {{10, all}, {20, even}, {25, even}, {40, all}}},
           Case{"first thing in the kernel",
                {{even, {20, 40}}, {odd, {30, 40}}},
                {{20, even}, {30, odd}, {40, all}}},
           Case{"last thing in the kernel",
                {{even, {10, 20}}, {odd, {10}}},
                {{10, all}, {20, even}}},
           Case{"an if in an if",
                {{first(8), {10, 20, 22, 28, 40}},
                 {all & ~first(16), {10, 30, 40}},
                 {first(16) & ~first(8), {10, 20, 24, 28, 40}}},
                {{10, all},
                 {20, first(16)},
                 {22, first(8)},
                 {24, first(16) & ~first(8)},
                 {28, first(16)},
                 {30, ~first(16)},
                 {40, all}}},
           Case{"a switch",
                {{first(1), {11, 50}},
                 {first(2) & ~first(1), {12, 50}},
                 {first(3) & ~first(2), {13, 50}},
                 {~first(3), {50}}},
                {{11, lane(0)}, {12, lane(1)}, {13, lane(2)}, {50, all}}},
           Case{"a lane that returns early",
                {{~lane(7), {10, 20, 40}}, {lane(7), {10, 20}}},
                {{10, all}, {20, all}, {40, ~lane(7)}}},
           Case{"a lane that does nothing at all",
                {{~lane(7), {10, 20}}},
                {{10, ~lane(7)}, {20, ~lane(7)}}},
       }) {
    CAPTURE(c.title);
    LoggedWarp warp;
    for (const auto& [lanes, sites] : c.lanes) warp.put(lanes, sites);
    warp.judge();
    CHECK(warp.passed_on() == text(c.rows));
  }
}

TEST_CASE("in a loop, lanes in the same round act together; lanes that left wait after the loop") {
  struct Case {
    std::string title;
    std::vector<LoopOfSites> loops;
    std::vector<std::pair<LaneBits, std::vector<SiteNumber>>> lanes;
    LoggedRows rows;
  };
  const LaneBits a = lane(0), b = lane(1), c = lane(2), abc = a | b | c;
  for (const Case& test : {
           Case{"one, two and three rounds",
                {{20, 20}},
                {{a, {10, 20, 50}}, {b, {10, 20, 20, 50}}, {c, {10, 20, 20, 20, 50}}},
                {{10, abc}, {20, abc}, {20, b | c}, {20, c}, {50, abc}}},
           Case{"no round",
                {{20, 20}},
                {{a, {10, 50}}, {b, {10, 20, 20, 50}}},
                {{10, a | b}, {20, b}, {20, b}, {50, a | b}}},
           Case{"two sites",
                {{30, 20}},
                {{a, {20, 30, 50}}, {b, {20, 30, 20, 30, 50}}},
                {{20, a | b}, {30, a | b}, {20, b}, {30, b}, {50, a | b}}},
           Case{
               "an if in the loop",
               {{30, 20}},
               {{a, {20, 25, 30, 20, 30, 50}}, {b, {20, 30, 20, 25, 30, 50}}},
               {{20, a | b}, {25, a}, {30, a | b}, {20, a | b}, {25, b}, {30, a | b}, {50, a | b}}},
           Case{"break",
                {{30, 20}},
                {{a, {20, 30, 20, 50}}, {b, {20, 30, 20, 30, 20, 30, 50}}},
                {{20, a | b}, {30, a | b}, {20, a | b}, {30, b}, {20, b}, {30, b}, {50, a | b}}},
           Case{"two loops, one after the other",
                {{20, 20}, {30, 30}},
                {{a, {20, 30, 30, 30, 50}}, {b, {20, 20, 20, 30, 50}}},
                {{20, a | b}, {20, b}, {20, b}, {30, a | b}, {30, a}, {30, a}, {50, a | b}}},
           Case{
               "a loop in a loop",
               {{30, 30}, {30, 20}},
               {{a, {20, 30, 20, 30, 30, 50}}, {b, {20, 30, 30, 20, 30, 50}}},
               {{20, a | b}, {30, a | b}, {30, b}, {20, a | b}, {30, a | b}, {30, a}, {50, a | b}}},
           Case{"a loop in a loop, another number of rounds of both",
                {{30, 30}, {30, 20}},
                {{a, {20, 30, 30, 30, 50}}, {b, {20, 30, 20, 30, 20, 50}}},
                {{20, a | b},
                 {30, a | b},
                 {30, a},
                 {30, a},
                 {20, b},
                 {30, b},
                 {20, b},
                 {50, a | b}}},
           Case{"continue: the rest of the round goes before the next",
                {{30, 20}},
                {{a, {20, 20, 30, 50}}, {b, {20, 30, 20, 50}}},
                {{20, a | b}, {30, b}, {20, a | b}, {30, a}, {50, a | b}}},
           Case{"a lane that returns in the loop",
                {{30, 20}},
                {{a, {20, 30}}, {b, {20, 30, 20, 30, 50}}},
                {{20, a | b}, {30, a | b}, {20, b}, {30, b}, {50, b}}},
       }) {
    CAPTURE(test.title);
    LoggedWarp warp(test.loops);
    for (const auto& [lanes, sites] : test.lanes) warp.put(lanes, sites);
    warp.judge();
    CHECK(warp.passed_on() == text(test.rows));
  }
}

TEST_CASE("an access is withheld while a running lane may still log an earlier one") {
  LoggedWarp warp;
  const LaneBits a = lane(0), b = lane(1);
  warp.put(a, {10, 20, 40});
  WarpLog::Judged judged = warp.judge(a | b);
  CHECK(warp.passed_on() == "");
  CHECK_FALSE(judged.level);
  CHECK(judged.most == 0);
  warp.put(b, {10, 30});
  judged = warp.judge(a | b);
  // Not 40: b may still reach it, or a site before it.
  CHECK(warp.passed_on() == text({{10, a | b}, {20, a}, {30, b}}));
  CHECK(judged.rows[0] == 2);
  CHECK(judged.rows[1] == 2);
  CHECK(judged.most == 2);
  CHECK(warp.cursors[0] == warp.log.start(0) + 32);
  warp.put(b, {40});
  warp.judge(0);
  CHECK(warp.passed_on() == text({{40, a | b}}));
}

TEST_CASE("a lane that has returned does not delay the others") {
  LoggedWarp warp;
  warp.put(lane(0), {10, 20});
  warp.judge(lane(0));  // the other lanes have returned
  CHECK(warp.passed_on() == text({{10, lane(0)}, {20, lane(0)}}));
}

TEST_CASE(
    "lanes that diverged and reconverged act together, also if the log was judged in between") {
  LoggedWarp warp;
  warp.put(even, {10, 20, 40});
  warp.put(odd, {10, 30, 40});
  CHECK_FALSE(warp.judge(all).level);
  warp.put(all, {50, 60});
  const WarpLog::Judged judged = warp.judge(all);
  CHECK(judged.level);
  CHECK(judged.most == 2);
  CHECK(warp.passed_on() ==
        text({{10, all}, {20, even}, {30, odd}, {40, all}, {50, all}, {60, all}}));
}

TEST_CASE("a barrier joins lanes that took different paths to it") {
  LoggedWarp warp;
  warp.put(even, {10, 20, 20, 20});
  warp.put(odd, {10, 30});
  warp.judge(0);
  warp.passed_on();
  warp.log.converge(4);
  CHECK(warp.log.last_site(4) == 20);
  warp.put(all, {40, 10});
  CHECK(warp.judge(all).level);
  CHECK(warp.passed_on() == text({{40, all}, {10, all}}));
  CHECK(warp.log.last_site(31) == 10);
}

TEST_CASE("after a barrier in a loop all lanes are in one round, whatever inner loops they ran") {
  LoggedWarp warp({{30, 30}, {30, 20}});
  for (int round = 0; round < 3; ++round) {
    warp.put(even, {20, 30, 30, 30});
    warp.put(odd, {20, 30});
    warp.judge(0);
    warp.log.converge(1);
  }
  const LoggedRows once{{20, all}, {30, all}, {30, even}, {30, even}};
  CHECK(warp.passed_on() == text(once) + text(once) + text(once));
}

TEST_CASE("a log is full after 64 records, and empty after they are judged") {
  LoggedWarp warp;
  for (int batch = 0; batch < 3; ++batch) {
    for (std::uint32_t row = 0; row < WarpLog::rows; ++row) {
      CHECK_FALSE((row > 0 && warp.full(9)));
      warp.put(all, {static_cast<SiteNumber>(10 + row % 3)});
    }
    CHECK(warp.full(0));
    CHECK(warp.full(9));
    CHECK(warp.judge(all).most == 64);
    CHECK(warp.cursors[9] == warp.log.start(9));
  }
  CHECK(warp.recorder.accesses.size() == 3 * 64);
}

TEST_CASE("a full log of one lane is kept while another lane may still come first") {
  LoggedWarp warp({{20, 20}});
  warp.put(lane(0), std::vector<SiteNumber>(WarpLog::rows, 20));
  CHECK(warp.judge(lane(0) | lane(1)).most == 0);
  CHECK(warp.full(0));
  warp.put(lane(1), {20, 20, 50});
  const WarpLog::Judged judged = warp.judge(lane(0) | lane(1));
  CHECK(judged.rows[0] == 64);  // rounds of its loop; lane 1 waits behind the loop
  CHECK(judged.rows[1] == 2);
  warp.put(lane(0), {50});
  warp.judge(0);
  const LoggedRows rows = warp.recorder.rows();
  CHECK(rows.size() == 65);
  CHECK(rows[1] == LoggedRow{20, lane(0) | lane(1)});
  CHECK(rows[2] == LoggedRow{20, lane(0)});
  CHECK(rows[64] == LoggedRow{50, lane(0) | lane(1)});
}

TEST_CASE("in a partial warp only its lanes act") {
  LoggedWarp warp;
  warp.put(first(6), {10, 20});
  warp.judge(first(6));
  CHECK(warp.passed_on() == text({{10, first(6)}, {20, first(6)}}));
}

TEST_CASE("a new block starts without the state of the last one") {
  LoggedWarp warp;
  warp.put(even, {10, 20, 20});
  warp.put(odd, {10});
  warp.judge(0);
  warp.passed_on();
  warp.log.begin(5);
  warp.put(all, {10});
  CHECK(warp.judge(all).level);
  CHECK(warp.recorder.accesses.at(0).warp == 5);
  CHECK(warp.passed_on() == text({{10, all}}));
}

TEST_CASE("a log's memory is passed from warp to warp") {
  LoggedWarp warp;
  warp.log.give(warp.idle);
  CHECK_FALSE(warp.log.has_memory());
  CHECK(warp.idle.size() == 1);
  WarpLog next;
  next.take(warp.idle);
  CHECK(next.has_memory());
  CHECK(warp.idle.empty());
}

TEST_CASE("lanes in two regions make one access per region") {
  LoggedWarp warp;
  const LaneBits fourths = 0x11111111;
  for (int time = 0; time < 2; ++time) {  // whatever the usual region of the site is
    for (std::uint32_t l = 0; l < 32; ++l)
      warp.put(l, 10, l % 4 == 0 ? warp.other.address() + 2 * l : warp.buffer.address() + 4 * l);
    warp.judge();
    REQUIRE(warp.recorder.accesses.size() == 2);
    for (const WarpAccess& access : warp.recorder.accesses) {
      const bool is_other = access.region == &warp.other;
      CHECK((is_other || access.region == &warp.buffer));
      CHECK(access.active == (is_other ? fourths : ~fourths));
      CHECK(access.words().count == (is_other ? 8 : 24));
      CHECK(access.offset[is_other ? 8 : 9] == (is_other ? 16 : 36));
    }
    CHECK(warp.recorder.accesses[0].region != warp.recorder.accesses[1].region);
    warp.passed_on();
  }
  CHECK(warp.recorder.strays.empty());
}

TEST_CASE("a lane outside every region is a stray; the other lanes' access does not include it") {
  const std::int64_t size = 1 << 20, gib = 1 << 30;
  for (const std::int64_t offset : {size, size - 3 /* its last byte is outside */, std::int64_t{-1},
                                    4 * gib, 4 * gib + 64, -gib / 2}) {
    CAPTURE(offset);
    LoggedWarp warp;
    const std::uint64_t at = warp.buffer.address() + static_cast<std::uint64_t>(offset);
    warp.put(all, {10});
    warp.judge();
    CHECK(warp.passed_on() == text({{10, all}}));
    warp.put(~lane(5), {10});
    warp.put(5, 10, at);
    warp.judge();
    REQUIRE(warp.recorder.strays.size() == 1);
    const StrayAccess& stray = warp.recorder.strays[0];
    CHECK(stray.site == 10);
    CHECK(stray.bytes == 4);
    CHECK(stray.lane == 3 * 32 + 5);
    CHECK(stray.address == at);
    CHECK(warp.passed_on() == text({{10, ~lane(5)}}));
  }
}

TEST_CASE("all lanes of a row may stray; each is reported, in lane order") {
  LoggedWarp warp;
  for (std::uint32_t l = 0; l < 32; ++l)
    warp.put(l, 10, warp.buffer.address() + warp.buffer.size + l);
  warp.judge();
  CHECK(warp.recorder.accesses.empty());
  REQUIRE(warp.recorder.strays.size() == 32);
  for (std::uint32_t l = 0; l < 32; ++l) CHECK(warp.recorder.strays[l].lane == 3 * 32 + l);
}

TEST_CASE("accesses to stacks are neither recorded nor strays") {
  LoggedWarp warp;
  for (std::uint32_t l = 0; l < 32; ++l)
    warp.put(l, 10, reinterpret_cast<std::uint64_t>(warp.launch.window.stack_top(l)) - 64);
  warp.put(all, {20});
  warp.judge();
  CHECK(warp.passed_on() == text({{20, all}}));
  CHECK(warp.recorder.strays.empty());
}

TEST_CASE("an access has its actual region, not the one that its site used before") {
  LoggedWarp warp;
  warp.put(all, {10});
  for (std::uint32_t l = 0; l < 32; ++l) warp.put(l, 10, warp.other.address() + 2 * (l & ~1u));
  warp.put(all, {10});
  warp.judge();
  REQUIRE(warp.recorder.accesses.size() == 3);
  CHECK(warp.recorder.accesses[0].region == &warp.buffer);
  CHECK(warp.recorder.accesses[1].region == &warp.other);
  CHECK(warp.recorder.accesses[2].region == &warp.buffer);
}

}  // namespace histolab::kernels::emulator
