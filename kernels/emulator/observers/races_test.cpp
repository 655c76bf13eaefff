// Races against an oracle: random small programs, of which every two accesses are compared. A program that the observer
// and the oracle judge differently is made as small as it can be before it is shown.
#include "kernels/emulator/observers/races.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/observers/lane_races.h"
#include "kernels/emulator/testing/launch_fixture.h"
#include "kernels/emulator/testing/race_program.h"
#include "kernels/emulator/testing/random.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;

// What is told: (variable, line, other line), the lower line first; (variable, line, 0) of an uninitialized read.
using Told = Races;

struct Judgement {
  Told told, notes;
};

struct TestBed {
  LaunchFixture launch{{threads, 1, 1}, {2, 1, 1}};
  std::array<const Region*, 2> regions{
      &launch.add({.role = Region::Role::output, .name = region_names[0], .size = region_bytes, .element_bytes = 4}),
      &launch.add({.role = Region::Role::shared_static, .space = Space::shared, .name = region_names[1], .size = region_bytes})};
  TestBed() {
    for (const Region* region : regions) REQUIRE(mprotect(region->begin, 4096, PROT_READ | PROT_WRITE) == 0);
  }
};

template <class Observer, class Access, class Fence>
Judgement judged(const Program& program, Access&& make_access, Fence&& make_fence) {
  static TestBed bed;
  LaunchFixture& launch = bed.launch;
  FindingLog findings;
  launch.context.findings = &findings;
  launch.context.has_compare_and_swap = has_swap(program);
  launch.context.has_warp_sync = std::ranges::any_of(program.steps, [](const Step& s) { return s.what == Step::What::warp_sync; });
  launch.context.has_fence = has_fence(program);
  for (const auto& [number, site] : program.sites) (*launch.sites)[number] = site.first;
  Observer observer(launch.context, true, true);
  launch.context.observers = {&observer};
  launch.begin_block(0);
  for (const Step& step : program.steps) switch (step.what) {
      case Step::What::access: make_access(observer, launch, step, *bed.regions[program.sites.at(step.site).second]); break;
      case Step::What::fence: make_fence(observer, step); break;
      case Step::What::warp_sync: observer.on_warp_sync(step.warp, step.lanes); break;
      case Step::What::barrier: launch.barrier(); break;
      case Step::What::next_block: launch.end_block(), launch.begin_block(launch.context.block + 1); break;
    }
  launch.end_block();
  observer.on_launch_end();
  Judgement judgement;
  for (const Finding& f : findings.findings()) {
    if (f.kind == FindingKind::uninitialized_read) judgement.told.insert({f.variable, f.line, 0});
    else judgement.told.insert({f.variable, std::min(f.line, f.other_line), std::max(f.line, f.other_line)});
    if (f.severity == Severity::note) judgement.notes.insert({f.variable, std::min(f.line, f.other_line), std::max(f.line, f.other_line)});
  }
  return judgement;
}

// By rows, as long as there is no fence.
Told observed(const Program& program) {
  return judged<RaceObserver>(program, [](RaceObserver& observer, LaunchFixture& launch, const Step& step, const Region& region) {
    observer.on_access(access(launch, step.site, region, step.warp, step.lanes, step.offset));
  }, [](RaceObserver&, const Step&) {}).told;
}

// By lanes, as they make their accesses.
Judgement observed_in_order(const Program& program) {
  return judged<LaneRaces>(program, [](LaneRaces& observer, LaunchFixture& launch, const Step& step, const Region& region) {
    const Site& site = (*launch.sites)[step.site];
    const std::uint8_t piece = !site.in_pieces ? site.bytes : site.bytes > 4 ? 4 : 1;
    for_each_lane(step.lanes, [&](std::uint32_t l) {
      for (std::uint32_t i = 0; i < site.bytes; i += piece)
        observer.on_lane_access({step.site, site.kind, piece, site.scope, site.is_volatile, (step.failing >> l & 1) == 0, step.warp * 32 + l, &region, step.offset[l] + i, i != 0});
      if (site.kind == AccessKind::store) std::memset(region.begin + step.offset[l], step.value, site.bytes);
    });
  }, [](LaneRaces& observer, const Step& step) {
    for_each_lane(step.lanes, [&](std::uint32_t l) { observer.on_fence(step.warp * 32 + l, step.scope); });
  });
}

struct Style {
  std::string title;
  std::uint32_t max_steps, max_sites, warp_sync_one_in, barrier_one_in;
  std::vector<AccessKind> kinds;
  std::vector<std::uint8_t> widths;
  std::uint32_t fence_one_in = 0;  // 0: never
  bool single_lanes = false;
};

std::uint32_t existing(std::uint32_t warp) { return warp == warps - 1 ? (1u << threads % 32) - 1 : ~0u; }

std::uint32_t some_lanes(Random& random, std::uint32_t warp) {
  const std::uint32_t few = existing(warp) & 0b111;
  std::uint32_t lanes = 0;
  switch (random.below(5)) {
    case 0: lanes = existing(warp); break;
    case 1: lanes = existing(warp) & random.lanes(); break;
    case 2: lanes = few & random.bits(); break;
    default: lanes = 1u << random.below(3); break;
  }
  return lanes != 0 ? lanes : 1;
}

Program some_program(Random& random, const Style& style) {
  Program program;
  const std::uint32_t sites = 1 + random.below(style.max_sites);
  for (std::uint32_t i = 1; i <= sites; ++i) {
    Site site;
    site.kind = style.kinds[random.below(static_cast<std::uint32_t>(style.kinds.size()))];
    site.bytes = style.widths[random.below(static_cast<std::uint32_t>(style.widths.size()))];
    if (is_atomic(site.kind)) site.bytes = std::clamp<std::uint8_t>(site.bytes, 4, 8);
    if (is_atomic(site.kind) && random.one_in(4)) site.scope = Scope::block;
    if (site.kind == AccessKind::store) site.is_volatile = random.one_in(2), site.in_pieces = !site.is_volatile && random.one_in(2);
    site.line = static_cast<int>(i);
    program.sites[static_cast<SiteNumber>(i)] = {site, random.below(2)};
  }
  for (std::uint32_t steps = 2 + random.below(style.max_steps - 1); steps > 0; --steps) {
    Step step;
    step.warp = random.one_in(3) ? random.below(warps) : 0;
    step.lanes = style.single_lanes ? 1u << random.below(3) : some_lanes(random, step.warp);
    step.value = static_cast<std::uint8_t>(random.below(2));
    step.failing = random.one_in(3) ? random.bits() : 0;
    step.scope = random.one_in(3) ? Scope::block : Scope::device;
    if (random.one_in(style.barrier_one_in)) {
      step.what = Step::What::barrier;
    } else if (random.one_in(2 * style.barrier_one_in)) {
      step.what = Step::What::next_block;
    } else if (random.one_in(style.warp_sync_one_in)) {
      step.what = Step::What::warp_sync;
    } else if (style.fence_one_in != 0 && random.one_in(style.fence_one_in)) {
      step.what = Step::What::fence;
    } else {
      step.site = static_cast<SiteNumber>(1 + random.below(sites));
      const std::uint32_t bytes = program.sites[step.site].first.bytes, elements = static_cast<std::uint32_t>(region_bytes) / bytes;
      const std::uint32_t shape = random.below(3), first = random.below(elements);
      for (std::uint32_t l = 0; l < 32; ++l)
        step.offset[l] = (shape == 0 ? first : shape == 1 ? (first + l) % elements : random.below(elements)) * bytes;
    }
    program.steps.push_back(step);
  }
  return program;
}

// Threads that pass on words to each other by fences, in the right way and in all sorts of wrong ones: each phrase is data,
// fence, operation, or operation, data; now and then a part is missing.
Program passing_program(Random& random) {
  using enum AccessKind;
  static constexpr AccessKind data_kinds[] = {load, store, store, store, volatile_load}, operations[] = {atomic, exchange, compare_and_swap, store, volatile_load, atomic};
  Program program;
  const auto access = [&](std::uint32_t thread, AccessKind kind, std::uint32_t region, std::uint32_t offset, bool is_volatile, Scope scope) {
    const auto line = static_cast<SiteNumber>(program.sites.size() + 1);
    program.sites[line] = {Site{.kind = kind, .bytes = 4, .scope = is_atomic(kind) ? scope : Scope::device, .is_volatile = is_volatile, .line = line}, region};
    Step step{Step::What::access, thread / 32, 1u << thread % 32, line, {}};
    step.offset.fill(offset);
    step.value = static_cast<std::uint8_t>(random.below(2));
    step.failing = random.one_in(4) ? ~0u : 0;
    program.steps.push_back(step);
  };
  const auto some_scope = [&] { return random.one_in(6) ? Scope::block : Scope::device; };
  const bool volatile_data = random.one_in(3);
  const std::uint32_t region = random.below(2), places = 1 + random.below(2);
  for (std::uint32_t phrases = 2 + random.below(5); phrases > 0; --phrases) {
    static constexpr std::uint32_t some_threads[] = {0, 1, 33};
    const std::uint32_t thread = some_threads[random.below(3)], flag = 8 + 4 * random.below(places);
    const auto data = [&] { if (!random.one_in(6)) access(thread, data_kinds[random.below(5)], random.one_in(4) ? 0 : region, 4 * random.below(places), volatile_data, Scope::device); };
    const auto fence = [&] { if (!random.one_in(5)) program.steps.push_back({.what = Step::What::fence, .warp = thread / 32, .lanes = 1u << thread % 32, .scope = some_scope()}); };
    const auto operation = [&] { if (!random.one_in(8)) access(thread, operations[random.below(6)], region, flag, true, some_scope()); };
    switch (random.below(4)) {
      case 0: operation(), data(); break;
      case 1: operation(), fence(), data(), fence(), operation(); break;
      default: data(), fence(), operation(); break;
    }
    if (random.one_in(8)) program.steps.push_back({.what = Step::What::barrier});
    if (random.one_in(8)) program.steps.push_back({.what = Step::What::warp_sync, .lanes = 0b11});
    if (region == 0 && random.one_in(5)) program.steps.push_back({.what = Step::What::next_block});
  }
  return program;
}

// What is wrong with what was told; "" when nothing is. A read that may belong to a swap is judged late, so then either
// access may be the later one, and it may have been written meanwhile.
std::string complaint(const Program& program, const Told& told) {
  const Races races = races_of(program);
  int uninitialized = 0;
  for (const auto& [variable, line, other] : told)
    if (other == 0) uninitialized = line;
    else if (!races.contains({variable, line, other}) && !races.contains({variable, other, line})) return "a race was told that is none";
  for (const auto& [variable, earlier, later] : races) {
    const auto tells = [&](const auto& t) {
      const std::set<int> lines{std::get<1>(t), std::get<2>(t)};
      if (std::get<2>(t) == 0) return false;
      return std::get<0>(t) == variable && (lines.contains(later) || (has_swap(program) && lines.contains(earlier)));
    };
    if (std::ranges::none_of(told, tells)) return fmt::format("of line {}, which races with line {} on {}, nothing was told", later, earlier, variable);
  }
  if (!has_swap(program) && uninitialized != uninitialized_read(program))
    return fmt::format("the first uninitialized read is at line {}, told was {}", uninitialized_read(program), uninitialized);
  return {};
}

std::string complaint(const Program& program) {
  if (const std::string wrong = has_fence(program) ? "" : complaint(program, observed(program)); !wrong.empty()) return "by rows: " + wrong;
  const Judgement judgement = observed_in_order(program);
  if (const std::string wrong = complaint(program, judgement.told); !wrong.empty()) return "in order: " + wrong;
  const Races same = same_value_races(program);
  for (const auto& note : judgement.notes)
    if (!same.contains(note)) return fmt::format("lines {} and {} do not write the same value", std::get<1>(note), std::get<2>(note));
  return {};
}

// Single threads, one after the other, each at a line of its own: 1, 2, ...
struct Act {
  static constexpr std::uint32_t next_block = ~0u;
  std::uint32_t thread;
  AccessKind kind;
  std::uint8_t bytes;
  std::uint32_t region, offset;
};

Program by_hand(const std::vector<Act>& acts, bool warp_sync = false) {
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

// Rows at one word each: which threads are told, and how often.
struct Rows {
  LaunchFixture launch{{threads, 1, 1}, {2, 1, 1}};
  const Region& out = launch.add({.role = Region::Role::output, .name = "out", .size = 64, .element_bytes = 4});
  RaceObserver observer{launch.context, true, true};
  Rows() {
    launch.site(1, AccessKind::store, 4, 1), launch.site(2, AccessKind::store, 4, 2);
    launch.site(3, AccessKind::load, 4, 3), launch.site(4, AccessKind::load, 4, 4);
    launch.begin_block(0);
  }
  void act(SiteNumber site, std::uint32_t warp, std::uint32_t lanes, std::uint32_t word) {
    std::array<std::uint32_t, 32> offsets;
    offsets.fill(4 * word);
    observer.on_access(access(launch, site, out, warp, lanes, offsets));
  }
  // "line/other line: block.thread, block.other thread xcount", one a race.
  [[nodiscard]] std::string told() const {
    std::string all;
    for (const Finding& f : launch.findings.findings())
      all += fmt::format("{}{}/{}: {}.{}, {}.{} x{}", all.empty() ? "" : "\n", f.line, f.other_line, f.thread->block.x, f.thread->thread.x, f.other_thread->block.x,
                         f.other_thread->thread.x, f.count);
    return all;
  }
};

// Single threads of a grid so large that what is released is kept of few places.
struct Places {
  static constexpr std::uint32_t most = 1024;
  LaunchFixture launch{{32, 1, 1}, {1 << 20, 1, 1}};
  const Region& out = launch.add({.role = Region::Role::output, .name = "out", .size = 1 << 16, .element_bytes = 4});
  const Region& s = launch.add({.role = Region::Role::shared_static, .space = Space::shared, .name = "s", .size = 1 << 15});
  LaneRaces observer{launch.context, true, false};
  Places() {
    for (const Region* region : {&out, &s}) REQUIRE(mprotect(region->begin, region->size, PROT_READ | PROT_WRITE) == 0);
    launch.site(1, AccessKind::store, 4, 1), launch.site(2, AccessKind::atomic, 4, 2), launch.site(3, AccessKind::load, 4, 3);
    launch.context.has_fence = true;
    launch.context.observers = {&observer};
    launch.begin_block(0);
  }
  ~Places() { launch.context.observers = {}; }
  void act(SiteNumber site, std::uint32_t lane, std::uint32_t offset) { act(site, lane, out, offset); }
  void act(SiteNumber site, std::uint32_t lane, const Region& region, std::uint32_t offset) {
    observer.on_lane_access({.site = site, .kind = (*launch.sites)[site].kind, .bytes = 4, .lane = lane, .region = &region, .offset = offset});
  }
  void release(std::uint32_t lane, const Region& region, std::uint32_t places) {
    for (std::uint32_t place = 1; place <= places; ++place) act(2, lane, region, 4 * place);
  }
  void next_block() { launch.end_block(), launch.begin_block(launch.context.block + 1); }
  // "kind line/other line xcount", one a finding.
  [[nodiscard]] std::string told() const {
    std::string all;
    for (const Finding& f : launch.findings.findings()) all += fmt::format("{}{} {}/{} x{}", all.empty() ? "" : "\n", name(f.kind), f.line, f.other_line, f.count);
    return all;
  }
};

}  // namespace

TEST_CASE("a cell that was last touched in its block's first epoch was not left by another block") {
  RaceCells cells;
  cells.state = {{.epoch = 7, .now = 1u << write, .written = true}};
  const RunSeen own = look_at(cells, {.lanes = 1, .epoch = 8, .block_epoch = 7, .who = {}}), next = look_at(cells, {.lanes = 1, .epoch = 8, .block_epoch = 8, .who = {}});
  CHECK((own.written && !own.left_by_another && own.earlier == 0));
  CHECK((!next.written && next.left_by_another && next.earlier == 1u << write));
}

TEST_CASE_FIXTURE(Rows, "each lane that races is counted with the race that it is one more sight of") {
  act(1, 0, ~0u, 0);  // 31 of them race with the first one
  for (const std::uint32_t word : {1u, 2u, 3u}) act(2, 0, ~0u, word);
  CHECK(told() == "1/1: 0.1, 0.0 x31\n2/2: 0.1, 0.0 x93");
}

TEST_CASE_FIXTURE(Rows, "of many lanes that write one word, the latest is remembered") {
  act(1, 0, ~0u, 0);
  act(1, 1, 0b0110, 0);
  act(3, 0, 0b0001, 0);  // by the first that wrote it
  launch.begin_block(1);
  act(4, 0, 0b1000, 0);
  CHECK(told() == "1/1: 0.1, 0.0 x33\n3/1: 0.0, 0.34 x1\n4/1: 1.3, 0.34 x1");
}

TEST_CASE_FIXTURE(Rows, "that one line's accesses to a word are all alike says nothing of another line's, which is looked up at the same place") {
  for (const std::uint32_t warp : {0u, 1u}) act(2, warp, ~0u, 0);
  act(3, 2, 0b0011, 0);
  CHECK(told() == "2/2: 0.1, 0.0 x63\n3/2: 0.64, 0.63 x2");
}

TEST_CASE_FIXTURE(Rows, "what would order the two is said for one warp, for one block and for two") {
  act(1, 0, 0b0001, 0);
  act(3, 0, 0b0010, 0);
  act(4, 1, 0b0001, 0);
  launch.begin_block(1);
  act(2, 0, 0b0001, 0);
  const auto says = [&](std::size_t number, const char* what) { return launch.findings.findings()[number].message.find(what) != std::string::npos; };
  CHECK(told() == "3/1: 0.1, 0.0 x1\n4/1: 0.32, 0.0 x1\n2/4: 1.0, 0.32 x1");
  CHECK(says(0, "that they are in one warp orders nothing"));
  CHECK(says(1, "where every thread of the block gets to it"));
  CHECK(says(2, "nothing orders two blocks"));
}

TEST_CASE("an access that begins within a word touches no more than its own bytes") {
  using enum AccessKind;
  for (const std::uint32_t second : {5u, 6u}) {
    const Program program = by_hand({{0, store, 4, 0, 2}, {1, store, 4, 0, second}});
    const char* races = second == 5 ? " out 1/2" : " nothing";
    CHECK(text(observed(program)) == races);
    CHECK(text(observed_in_order(program).told) == races);
  }
}

TEST_CASE("of lanes of one warp that nothing orders, another warp meets the latest, with __syncwarp in the kernel or without") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true})
    CHECK(text(observed(by_hand({{0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {2, load, 4, 0, 0}, {32, store, 4, 0, 0}}, warp_sync))) == " out 3/4");
}

TEST_CASE("of what two threads did, each again and again, the latest of each is met") {
  using enum AccessKind;
  CHECK(text(observed_in_order(by_hand({{0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {0, load, 4, 0, 0}, {2, store, 4, 0, 0}})).told) == " out 2/4 out 3/4");
}

TEST_CASE("what is known of single lanes takes no more memory from barrier to barrier, nor from block to block") {
  LaunchFixture launch({32, 1, 1}, {1 << 15, 1, 1});
  const Region& out = launch.add({.role = Region::Role::output, .name = "out", .size = 64, .element_bytes = 4});
  launch.site(1, AccessKind::load, 4, 1);
  launch.context.has_warp_sync = true;
  RaceObserver observer(launch.context, true, true);
  launch.context.observers = {&observer};
  for (const bool blocks : {false, true}) {
    launch.begin_block(0);
    const std::size_t before = memory_in_use();
    for (std::uint32_t round = 1; round < 1 << 15; ++round) {
      observer.on_access(access(launch, 1, out, 0, 0b11, {}));
      if (blocks) launch.end_block(), launch.begin_block(round);
      else launch.barrier();
    }
    CHECK(memory_in_use() < before + (1 << 20));
  }
}

TEST_CASE("what is known of the threads of many blocks that did the same takes little memory; one that knows whole epochs is among them") {
  constexpr std::uint32_t blocks = 1 << 12, threads = 1 << 10, other = blocks / 2;
  const std::size_t before = memory_in_use();
  Knowledge knowledge(0);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    knowledge.add(7, 3, threads);
    if (block == other) knowledge.add_epochs_before(1);
    knowledge.enter_block(block + 1);
  }
  CHECK(memory_in_use() < before + (1 << 20));
  CHECK((knowledge.knows({other - 1, 0, 2, 7}) && knowledge.knows({other, 0, 9, 7}) && knowledge.knows({other + 1, 0, 2, 7})));
  CHECK_FALSE((knowledge.knows({other - 1, 0, 3, 7}) || knowledge.knows({other, 1, 0, 7}) || knowledge.knows({other + 1, 0, 2, 6})));
}

TEST_CASE("a row that covers as many words as it has lanes need not have one in each, nor in the order of the lanes") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0}, {1, store, 4, 0, 8}});
  Step& row = program.steps[0];
  row.lanes = 0b111;
  row.offset[1] = 8, row.offset[2] = 4;
  CHECK(text(observed(program)) == " nothing");
  row.offset[1] = 0, row.offset[2] = 8;
  CHECK(text(observed(program)) == " out 1/1 out 1/2");
}

// Of each line, one access that nobody is ever ordered after is remembered. A later one that somebody may be ordered after does not stand for it.
TEST_CASE("what a thread has released hides nothing of other threads at its line, which the next block knows nothing of") {
  using enum AccessKind;
  Program program = by_hand({{0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {1, atomic, 4, 0, 8}, {Act::next_block, load, 4, 0, 0}, {2, atomic, 4, 0, 8}, {2, store, 4, 0, 0}});
  program.steps[1].site = 1;
  program.steps.insert(program.steps.begin() + 2, {.what = Step::What::fence, .lanes = 0b10});
  CHECK(text(observed_in_order(program).told) == " out 1/5");
  program.steps[0].lanes = 0;  // the thread that released nothing
  CHECK(text(observed_in_order(program).told) == " nothing");
}

TEST_CASE("who answers to news behind a volatile pointer publishes nothing, be it read twice; after a barrier it is news no longer") {
  using enum AccessKind;
  Program program = by_hand({{0, store, 4, 0, 0}, {0, store, 4, 0, 8}, {1, store, 4, 0, 4}, {1, volatile_load, 4, 0, 8}, {1, volatile_load, 4, 0, 8}, {1, store, 4, 0, 8},
                             {2, volatile_load, 4, 0, 8}, {2, load, 4, 0, 4}});
  for (const SiteNumber line : std::array<SiteNumber, 2>{2, 6}) program.sites[line].first.is_volatile = true;
  program.steps.insert(program.steps.begin() + 3, {.what = Step::What::fence, .lanes = 0b10});
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::fence, .lanes = 0b01});
  CHECK(text(observed_in_order(program).told) == " out 3/8 out 6/7");
  program.steps.insert(program.steps.begin() + 6, {.what = Step::What::barrier});
  CHECK(text(observed_in_order(program).told) == " nothing");
}

TEST_CASE("of writers of one value in an earlier block, one that stands for a reader is not forgotten") {
  using enum AccessKind;
  Program program = by_hand({{1, load, 4, 0, 0}, {0, store, 4, 0, 0}, {2, store, 4, 0, 0}, {Act::next_block, load, 4, 0, 0}, {0, store, 4, 0, 0}});
  program.steps[2].site = 2;
  program.steps.insert(program.steps.begin() + 1, {.what = Step::What::barrier});
  CHECK(text(observed_in_order(program).notes) == " nothing");
  program.steps[0].lanes = 0;
  CHECK(text(observed_in_order(program).notes) == " out 2/2 out 2/4");
}

TEST_CASE("four reads of a thread can wait for their swap; one more makes the oldest a plain read") {
  using enum AccessKind;
  std::vector<Act> acts{{0, load, 4, 0, 0}, {0, load, 4, 0, 4}, {0, load, 4, 0, 8}, {0, load, 4, 0, 12}};
  acts.push_back({40, atomic, 4, 0, 0});
  acts.push_back({0, compare_and_swap, 4, 0, 0});
  CHECK(text(observed(by_hand(acts))) == " nothing");
  acts.insert(acts.begin() + 4, {0, load, 4, 1, 0});
  CHECK(observed(by_hand(acts)).contains({"out", 1, 6}));
}

TEST_CASE("atomics of many threads on a word that an earlier block has read: each line of them is told") {
  using enum AccessKind;
  const Act next_block{Act::next_block, load, 4, 0, 0};
  const Told told = observed(by_hand({{0, load, 4, 0, 8}, next_block, {1, atomic, 4, 0, 8}, {2, atomic, 4, 0, 8}, {3, atomic, 4, 0, 8}}));
  CHECK(text(told) == " out 1/2 out 1/3 out 1/4");
}

TEST_CASE("the bytes of a word that was accessed as a whole have a common past, but each its own future") {
  using enum AccessKind;
  for (const bool warp_sync : {false, true}) {
    Program program = by_hand({{0, store, 8, 0, 8}, {1, store, 8, 0, 8}, {2, store, 1, 0, 10}, {3, store, 1, 0, 11}}, warp_sync);
    program.steps[3].site = 3;  // the same line as the other byte's
    const Told told = observed(program);
    CHECK(told.contains({"out", 1, 2}));
    CHECK((told.contains({"out", 1, 3}) || told.contains({"out", 2, 3})));
    CHECK_FALSE(told.contains({"out", 3, 3}));
  }
}

TEST_CASE_FIXTURE(Places, "what is released at more places than are told apart makes no false alarm; from the first one too many on, a note says so") {
  act(1, 3, 0);
  observer.on_fence(3, Scope::device);
  release(3, out, most);
  CHECK(launch.findings.findings().empty());
  for (std::uint32_t place = most + 1; place < 3000; ++place) act(2, 3, 4 * place);
  CHECK(told() == "unsupported 2/0 x1");
  next_block();
  act(2, 5, 4 * 2900);
  act(3, 5, 0);
  CHECK(told() == "unsupported 2/0 x1");
  act(3, 6, 0);
  CHECK(told() == "unsupported 2/0 x1\ndata_race 3/1 x1");
}

TEST_CASE_FIXTURE(Places, "too many places in shared memory, which the next block does not have, leave one in global memory as one of those that are not told apart") {
  act(1, 3, 0);
  observer.on_fence(3, Scope::device);
  release(3, s, most);
  act(2, 3, 8);
  next_block();
  act(2, 5, 8);
  act(3, 5, 0);
  CHECK(told() == "unsupported 2/0 x1");
  act(1, 7, 4);
  observer.on_fence(7, Scope::device);
  act(2, 7, 8);  // adds to what was released there
  next_block();
  act(2, 6, 8);
  act(3, 6, 0);
  act(3, 6, 4);
  CHECK(told() == "unsupported 2/0 x1");
}

TEST_CASE("what the earlier one of two did is said, whether lanes are watched or rows") {
  const auto said = [](LaunchFixture& launch, auto&& act) {
    launch.site(5, AccessKind::load, 4, 5), launch.site(6, AccessKind::store, 4, 6), launch.site(7, AccessKind::atomic, 4, 7), launch.site(8, AccessKind::store, 4, 8);
    for (const SiteNumber earlier : std::array<SiteNumber, 3>{5, 6, 7}) act(earlier, 0, earlier), act(8, 1, earlier);
    launch.end_block();
    std::string all;
    for (const Finding& f : launch.findings.findings()) all += f.message.substr(f.message.find("while"), f.message.find(';') - f.message.find("while")) + "\n";
    return all;
  };
  const std::string expected = "while thread 0 of block 0 reads it (line 5)\nwhile thread 0 of block 0 writes it (line 6)\nwhile thread 0 of block 0 atomically updates it (line 7)\n";
  Places lanes;
  CHECK(said(lanes.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) { lanes.act(site, lane, 4 * word); }) == expected);
  Rows rows;
  CHECK(said(rows.launch, [&](SiteNumber site, std::uint32_t lane, std::uint32_t word) { rows.act(site, 0, 1u << lane, word); }) == expected);
}

TEST_CASE_FIXTURE(Places, "each access that races is counted with the race that it is one more sight of, also where lanes are watched") {
  act(1, 0, 0);
  for (const std::uint32_t lane : {1u, 2u, 3u}) act(3, lane, 0);
  CHECK(told() == "data_race 3/1 x3");
}

TEST_CASE_FIXTURE(Places, "of a read of shared memory that was written in part, the first byte that was not is named") {
  launch.site(5, AccessKind::load, 8, 5);
  const auto names_it = [&] { return std::exchange(launch.findings, {}).findings().at(0).message.find("before byte 4 of its 8 was written") != std::string::npos; };
  LaneRaces lanes(launch.context, false, true);
  lanes.on_block_begin();
  for (const SiteNumber site : std::array<SiteNumber, 2>{1, 5})
    lanes.on_lane_access({.site = site, .kind = (*launch.sites)[site].kind, .bytes = (*launch.sites)[site].bytes, .lane = 0, .region = &s, .offset = 8});
  CHECK(names_it());
  RaceObserver rows(launch.context, false, true);
  std::array<std::uint32_t, 32> offsets;
  offsets.fill(8);
  for (const SiteNumber site : std::array<SiteNumber, 2>{1, 5}) rows.on_access(access(launch, site, s, 0, 1, offsets));
  CHECK(names_it());
}

TEST_CASE_FIXTURE(Places, "a second look is over once each of its variables has a race that is not of one value; a first one goes on") {
  const auto is_over_with = [&](const Region& region) {
    act(1, 0, region, 4), act(3, 1, region, 4);
    return launch.context.decided;
  };
  CHECK_FALSE(is_over_with(out));
  launch.context.undecided = {"out", "s"};
  CHECK_FALSE(is_over_with(out));
  CHECK(is_over_with(s));
}

TEST_CASE_FIXTURE(Places, "what is known of blocks that released nothing takes no more memory from block to block") {
  std::size_t before = 0;
  for (std::uint32_t block = 0; block < 64; ++block) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) act(3, lane, 0);
    next_block();
    if (block == 1) before = memory_in_use();
  }
  CHECK(memory_in_use() < before + (1 << 14));
}

TEST_CASE("of the accesses of earlier blocks that somebody may be ordered after, the latest 64 of each kind are remembered") {
  using enum AccessKind;
  Program program = by_hand({{0, load, 4, 0, 0}, {1, load, 4, 0, 0}, {32, load, 4, 0, 0}, {64, load, 4, 0, 0}, {0, atomic, 4, 0, 8}, {32, atomic, 4, 0, 8}, {64, atomic, 4, 0, 8}, {Act::next_block, load, 4, 0, 0}, {0, store, 4, 0, 0}});
  program.steps[1].lanes = ~1u;
  for (const std::size_t i : {2u, 4u, 5u}) program.steps[i].lanes = ~0u;
  program.steps[2].site = program.steps[3].site = 2;
  for (const std::uint32_t warp : {0u, 1u, 2u}) program.steps.insert(program.steps.begin() + 4, {.what = Step::What::fence, .warp = warp, .lanes = warp == 2 ? 1 : ~0u});
  CHECK(text(observed_in_order(program).told) == " out 2/8");
  program.steps[3].lanes = 0;
  CHECK(text(observed_in_order(program).told) == " out 1/8 out 2/8");
}

TEST_CASE("every race that is told is one, to the lines; no access that races with an earlier one, and no uninitialized read, goes untold") {
  using enum AccessKind;
  std::uint32_t seed = 10;
  std::size_t racy = 0, clean = 0;
  for (const Style& style : {
           Style{"loads and stores of words", 8, 4, 4, 12, {load, store}, {4}},
           Style{"all kinds and widths", 10, 6, 6, 12, {load, volatile_load, store, atomic, exchange, compare_and_swap}, {1, 2, 4, 8, 16}},
           Style{"atomics", 10, 5, 6, 12, {atomic, atomic, exchange, volatile_load, load}, {4, 8}},
           Style{"updates and a commit", 16, 3, 1000, 4, {atomic, atomic, atomic, load}, {4}},
           Style{"compare-and-swap loops", 10, 5, 8, 12, {load, compare_and_swap, compare_and_swap, volatile_load, atomic}, {4}},
           Style{"more reads than are kept for a swap", 16, 5, 20, 20, {load, load, load, load, compare_and_swap}, {4}},
           Style{"much warp synchronization", 14, 4, 2, 12, {load, load, store}, {4}},
           Style{"narrow accesses", 10, 6, 5, 12, {load, store, atomic}, {1, 1, 2, 4}},
           Style{"words passed on by fences", 0, 0, 0, 0, {}, {}},
           Style{"fences and flags", 14, 5, 40, 12, {load, store, store, volatile_load, atomic}, {4}, 4, true},
           Style{"fences and atomics", 16, 5, 12, 10, {load, store, store, atomic, atomic, exchange, compare_and_swap}, {4}, 4, true},
           Style{"fences, few lines", 20, 3, 20, 10, {store, atomic, volatile_load, load}, {4}, 4, true},
           Style{"fences of many lanes", 14, 5, 8, 8, {load, store, volatile_load, atomic}, {4}, 4},
           Style{"fences, all kinds and widths", 16, 6, 12, 10, {load, volatile_load, store, atomic, exchange, compare_and_swap}, {1, 2, 4, 8}, 4},
           Style{"long", 30, 8, 4, 12, {load, load, volatile_load, store, atomic, compare_and_swap}, {1, 4, 4, 4, 8}},
       }) {
    Random random(++seed);
    const bool passing = style.max_steps == 0;
    for (int round = 0; round < (passing ? 10000 : 4000); ++round) {
      const Program program = passing ? passing_program(random) : some_program(random, style);
      (races_of(program).empty() ? clean : racy) += 1;
      if (complaint(program).empty()) continue;
      const Program small = smallest(program, [](const Program& p) { return !complaint(p).empty(); });
      FAIL(style.title, ": ", complaint(small), "\n", text(small), "races (earlier/later):", text(races_of(small)), "\ntold: ", text(has_fence(small) ? observed_in_order(small).told : observed(small)), "; in order: ", text(observed_in_order(small).told));
    }
  }
  CHECK(racy > 1000);
  CHECK(clean > 1000);
}

}  // namespace histolab::kernels::emulator
