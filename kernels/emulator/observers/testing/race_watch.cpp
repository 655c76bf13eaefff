#include "kernels/emulator/observers/testing/race_watch.h"

#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace histolab::kernels::emulator::testing {
namespace {

struct TestBed {
  LaunchFixture launch{{threads, 1, 1}, {2, 1, 1}};
  std::array<const Region*, 2> regions{&launch.add({.role = Region::Role::output,
                                                    .name = region_names[0],
                                                    .size = region_bytes,
                                                    .element_bytes = 4}),
                                       &launch.add({.role = Region::Role::shared_static,
                                                    .space = Space::shared,
                                                    .name = region_names[1],
                                                    .size = region_bytes})};
  TestBed() { make_writable({regions.begin(), regions.end()}); }
};

template <class Observer, class Access, class Fence>
Judgement judged(const Program& program, Access&& make_access, Fence&& make_fence) {
  static TestBed bed;
  LaunchFixture& launch = bed.launch;
  FindingLog findings;
  launch.context.findings = &findings;
  launch.context.has_compare_and_swap = has_swap(program);
  launch.context.has_warp_sync = std::ranges::any_of(
      program.steps, [](const Step& s) { return s.what == Step::What::warp_sync; });
  launch.context.has_fence = has_fence(program);
  for (const auto& [number, site] : program.sites) (*launch.sites)[number] = site.first;
  Observer observer(launch.context, true, true);
  launch.context.observers = {&observer};
  launch.begin_block(0);
  const GridBarriers grid = grid_barriers(program);
  std::size_t grid_barriers_left = grid.count;
  const auto leave_block = [&] {
    if (grid_barriers_left > 0)
      launch.suspend_block();
    else
      launch.end_block();
  };
  const auto enter_block = [&](std::uint32_t number) {
    if (grid_barriers_left == grid.count)
      launch.begin_block(number);
    else
      launch.resume_block(number);
  };
  for (const Step& step : program.steps) switch (step.what) {
      case Step::What::access:
        make_access(observer, launch, step, *bed.regions[program.sites.at(step.site).second]);
        break;
      case Step::What::fence: make_fence(observer, step); break;
      case Step::What::warp_sync: observer.on_warp_sync(step.warp, step.lanes); break;
      case Step::What::barrier: launch.barrier(); break;
      case Step::What::next_block:
        if (grid_barriers_left != grid.count && launch.context.block + 1 == grid.blocks) break;
        leave_block();
        enter_block(launch.context.block + 1);
        break;
      case Step::What::grid_barrier:
        leave_block();
        while (launch.context.block + 1 < grid.blocks) {
          enter_block(launch.context.block + 1);
          leave_block();
        }
        observer.on_grid_barrier();
        --grid_barriers_left;
        enter_block(0);
        break;
    }
  launch.end_block();
  observer.on_launch_end();
  Judgement judgement;
  for (const Finding& f : findings.findings()) {
    if (f.kind == FindingKind::uninitialized_read)
      judgement.told.insert({f.variable, f.line, 0});
    else
      judgement.told.insert(
          {f.variable, std::min(f.line, f.other_line), std::max(f.line, f.other_line)});
    if (f.severity == Severity::note)
      judgement.notes.insert(
          {f.variable, std::min(f.line, f.other_line), std::max(f.line, f.other_line)});
  }
  return judgement;
}

}  // namespace

void make_writable(const std::vector<const Region*>& regions) {
  for (const Region* region : regions)
    REQUIRE(mprotect(region->begin, region->size, PROT_READ | PROT_WRITE) == 0);
}

Told observed(const Program& program) {
  return judged<RaceObserver>(
             program,
             [](RaceObserver& observer, LaunchFixture& launch, const Step& step,
                const Region& region) {
               observer.on_access(
                   access(launch, step.site, region, step.warp, step.lanes, step.offset));
             },
             [](RaceObserver&, const Step&) {})
      .told;
}

Judgement observed_in_order(const Program& program) {
  return judged<LaneRaces>(
      program,
      [](LaneRaces& observer, LaunchFixture& launch, const Step& step, const Region& region) {
        const Site& site = (*launch.sites)[step.site];
        const std::uint8_t piece = !site.in_pieces ? site.bytes : site.bytes > 4 ? 4 : 1;
        for_each_lane(step.lanes, [&](std::uint32_t l) {
          for (std::uint32_t i = 0; i < site.bytes; i += piece)
            observer.on_lane_access({step.site, site.kind, piece, site.is_volatile,
                                     (step.failing >> l & 1) == 0, step.warp * 32 + l, &region,
                                     step.offset[l] + i, i != 0});
          if (site.kind == AccessKind::store)
            std::memset(region.begin + step.offset[l], step.value, site.bytes);
        });
      },
      [](LaneRaces& observer, const Step& step) {
        for_each_lane(step.lanes,
                      [&](std::uint32_t l) { observer.on_fence(step.warp * 32 + l, step.scope); });
      });
}

Program by_hand(const std::vector<Act>& acts, bool warp_sync) {
  Program program;
  for (const Act& act : acts) {
    if (act.thread == Act::next_block) {
      program.steps.push_back({Step::What::next_block, 0, 0, 0, {}});
      continue;
    }
    const auto line = static_cast<SiteNumber>(program.sites.size() + 1);
    program.sites[line] = {Site{.kind = act.kind, .bytes = act.bytes, .line = line}, act.region};
    Step step{Step::What::access, act.thread / 32, 1u << act.thread % 32, line, {}};
    step.offset.fill(act.offset);
    program.steps.push_back(step);
  }
  if (warp_sync) program.steps.push_back({Step::What::warp_sync, 0, ~0u, 0, {}});
  return program;
}

std::size_t memory_in_use() {
  const auto memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

}  // namespace histolab::kernels::emulator::testing
