// Tests reads of memory that begins unset: the reported reads and their bytes, both for rows and
// for lanes in order.
#include "kernels/emulator/observers/fresh_memory.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <utility>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;

struct Fresh {
  LaunchFixture launch;
  const Region& data;
  FreshMemoryObserver observer{launch.context};
  explicit Fresh(bool in_order, std::uint32_t element_bytes = 4)
      : data(launch.add({.role = Region::Role::output,
                         .space = Space::global,
                         .name = "data",
                         .size = 16,
                         .element_bytes = element_bytes})) {
    launch.context.in_order = in_order;
    launch.window.begins_unset(data, std::make_shared<WrittenBytes>(data.size));
    launch.site(1, AccessKind::store, 2, 1);
    launch.site(2, AccessKind::load, 4, 2);
    launch.site(3, AccessKind::atomic, 4, 3);
  }
  // Makes the access both as a row and as a lane. The observer must use only one of them.
  void act(SiteNumber site, std::uint32_t lane, std::uint32_t offset) {
    std::array<std::uint32_t, 32> offsets;
    offsets.fill(offset);
    observer.on_access(access(launch, site, data, 0, 1u << lane, offsets));
    const Site& at = (*launch.sites)[site];
    observer.on_lane_access({.site = site,
                             .kind = at.kind,
                             .bytes = at.bytes,
                             .lane = lane,
                             .region = &data,
                             .offset = offset});
  }
  // Returns "line: thread, element xcount" of the first finding.
  [[nodiscard]] std::string told() const {
    if (launch.findings.findings().empty()) return {};
    const Finding& f = launch.findings.findings()[0];
    return fmt::format("{}: {} x{}", f.line,
                       f.message.substr(0, f.message.find(" before anything")), f.count);
  }
};

}  // namespace

TEST_CASE(
    "uninitialized reads are counted, and the first one is reported with its byte of the element") {
  for (const bool in_order : {false, true}) {
    Fresh fresh(in_order);
    for (const std::uint32_t offset : {0u, 2u, 4u}) fresh.act(1, 0, offset);
    fresh.act(2, 1, 0);
    CHECK(fresh.told().empty());
    fresh.act(2, 1, 4);
    fresh.act(2, 2, 8);
    fresh.act(3, 3, 12);
    fresh.act(2, 4, 12);  // the atomic operation has written it
    CHECK(fresh.told() == "2: thread 1 of block 0 reads data[1] (byte 2 of it) x3");
    const Finding& first = fresh.launch.findings.findings()[0];
    CHECK((first.kind == FindingKind::uninitialized_read && first.space == Space::global &&
           first.variable == "data" && first.index == 1 && first.thread->thread.x == 1));
  }
}

TEST_CASE("the index counts elements of the variable, or units of the read's width if unknown") {
  for (const bool in_order : {false, true})
    for (const auto& [element_bytes, index] :
         {std::pair(0, 2), std::pair(1, 8), std::pair(2, 4), std::pair(8, 1)}) {
      Fresh fresh(in_order, static_cast<std::uint32_t>(element_bytes));
      fresh.act(2, 0, 8);
      REQUIRE(fresh.launch.findings.findings().size() == 1);
      CHECK(fresh.launch.findings.findings()[0].index == index);
    }
}

TEST_CASE("a line that reads two unwritten variables is reported with each of them") {
  for (const bool in_order : {false, true}) {
    LaunchFixture launch;
    launch.context.in_order = in_order;
    launch.site(2, AccessKind::load, 4, 2);
    FreshMemoryObserver observer(launch.context);
    for (const char* name : {"one", "other"}) {
      const Region& region = launch.add({.role = Region::Role::output,
                                         .space = Space::global,
                                         .name = name,
                                         .size = 16,
                                         .element_bytes = 4});
      launch.window.begins_unset(region, std::make_shared<WrittenBytes>(region.size));
      observer.on_access(access(launch, 2, region, 0, 1, {}));
      observer.on_lane_access({.site = 2, .kind = AccessKind::load, .bytes = 4, .region = &region});
    }
    REQUIRE(launch.findings.findings().size() == 2);
    CHECK(launch.findings.findings()[0].variable == "one");
    CHECK(launch.findings.findings()[1].variable == "other");
  }
}

}  // namespace histolab::kernels::emulator
