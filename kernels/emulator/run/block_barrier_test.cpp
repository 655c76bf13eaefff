#include "kernels/emulator/run/block_barrier.h"

#include <doctest/doctest.h>

#include <vector>

#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t threads = 40;  // in two warps
constexpr SiteNumber here = 8, copy_of_here = 9, elsewhere = 10;

// A block whose lanes are in states that a test chooses. At first all of them wait at one barrier.
struct Block {
  Block() {
    launch.site(here, AccessKind::load, 0, 20);
    launch.site(copy_of_here, AccessKind::load, 0, 20);
    launch.site(elsewhere, AccessKind::load, 0, 30);
    launch.context.origins = &origins;
    lanes.begin_block();
    state = lanes.suspend_block();
    state.sites.assign(threads, here);
    for (Warp& warp : state.warps) warp.at_barrier = std::exchange(warp.runnable, 0);
  }
  void put(std::uint32_t lane, SiteNumber site) { state.sites[lane] = site; }
  void end(std::uint32_t lane) { state.warps[lane / 32].at_barrier &= ~(1u << lane % 32); }
  BlockBarrier& barrier() {
    lanes.resume_block(state);
    return barrier_;
  }
  std::uint32_t diverging() { return barrier().diverging_from(barrier_.first()); }

  testing::LaunchFixture launch{{threads, 1, 1}};
  std::vector<Origin> origins = std::vector<Origin>(1);
  Lanes lanes{launch.window, std::vector<Uint3>(threads), {}};
  Lanes::Suspended state;

 private:
  BlockBarrier barrier_{launch.context, lanes};
};

TEST_CASE("all lanes meet that wait at one barrier of the source") {
  Block block;
  CHECK(block.barrier().first() == 0);
  CHECK(block.diverging() == Lanes::none);
  block.put(35, copy_of_here);
  CHECK(block.diverging() == Lanes::none);
}

TEST_CASE("a lane diverges that waits elsewhere, or else one that has returned") {
  Block block;
  block.end(2);
  block.end(7);
  CHECK(block.diverging() == 2);
  CHECK_FALSE(block.barrier().arrival(2).site.has_value());
  block.put(36, elsewhere);
  CHECK(block.diverging() == 36);
  CHECK(block.barrier().arrival(36).site == elsewhere);
  CHECK(block.barrier().arrival(36).thread.thread.x == 36);
}

TEST_CASE("the first lane that waits is not always lane 0, and there may be none") {
  Block block;
  for (std::uint32_t lane = 0; lane < 33; ++lane) block.end(lane);
  CHECK(block.barrier().first() == 33);
  for (std::uint32_t lane = 33; lane < threads; ++lane) block.end(lane);
  CHECK(block.barrier().first() == Lanes::none);
}

TEST_CASE("a barrier reduces the predicates of the lanes that wait") {
  using enum BlockBarrier::Reduction;
  Block block;
  BlockBarrier& barrier = block.barrier();
  for (const std::uint32_t lane : {0u, 31u, 32u}) barrier.arrive(lane, true);
  barrier.arrive(5, false);
  barrier.open();
  CHECK(block.lanes.warps()[0].runnable == ~0u);
  CHECK(block.lanes.warps()[1].runnable == 0xff);
  CHECK(block.lanes.warps()[1].at_barrier == 0);
  CHECK(barrier.result(count) == 3);
  CHECK(barrier.result(any) == 1);
  CHECK(barrier.result(all) == 0);
  block.barrier().open();  // without any predicate
  CHECK(barrier.result(count) == 0);
  CHECK(barrier.result(any) == 0);
  for (std::uint32_t lane = 0; lane < threads; ++lane) block.barrier().arrive(lane, true);
  barrier.open();
  CHECK(barrier.result(all) == 1);
  CHECK(barrier.result(count) == threads);
}

TEST_CASE("each block has its own predicates") {
  Block block;
  BlockBarrier& barrier = block.barrier();
  barrier.arrive(4, true);
  barrier.open();
  barrier.arrive(6, true);
  BlockBarrier::Predicates saved = barrier.take_predicates();
  CHECK(barrier.result(BlockBarrier::Reduction::count) == 0);
  block.barrier().open();
  CHECK(barrier.result(BlockBarrier::Reduction::count) == 0);
  barrier.restore(std::move(saved));
  CHECK(barrier.result(BlockBarrier::Reduction::count) == 1);
  block.barrier().open();
  CHECK(barrier.result(BlockBarrier::Reduction::count) == 1);
}

TEST_CASE("a divergence names both lines, and the lines of the calls if both are in one helper") {
  Block block;
  const Arrival waits{block.launch.context.thread_id(0), here};
  const Finding apart = divergence_finding(block.launch.context, waits,
                                           {block.launch.context.thread_id(1), elsewhere}, false);
  CHECK(apart.kind == FindingKind::barrier_divergence);
  CHECK(apart.line == 20);
  CHECK(apart.other_line == 30);
  CHECK(apart.thread->thread.x == 0);
  CHECK(apart.other_thread->thread.x == 1);
  const Finding returned = divergence_finding(
      block.launch.context, waits, {block.launch.context.thread_id(2), std::nullopt}, true);
  CHECK(returned.other_line == 0);
  CHECK(returned.message != apart.message);
}

}  // namespace
}  // namespace histolab::kernels::emulator
