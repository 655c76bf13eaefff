// Compares the race observers with an oracle on random small programs. The oracle compares every
// two accesses. If an observer and the oracle differ, the program is reduced as far as possible and
// printed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/emulator/observers/testing/race_watch.h"
#include "kernels/emulator/testing/random.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;

struct Style {
  std::string title;
  std::uint32_t max_steps, max_sites, warp_sync_one_in, barrier_one_in;
  std::vector<AccessKind> kinds;
  std::vector<std::uint8_t> widths;
  std::uint32_t fence_one_in = 0;  // 0 means never.
  bool single_lanes = false;
  std::uint32_t grid_barrier_one_in = 0;  // 0 means never.
};

std::uint32_t existing(std::uint32_t warp) {
  return warp == warps - 1 ? (1u << threads % 32) - 1 : ~0u;
}

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
    if (site.kind == AccessKind::store) {
      site.is_volatile = random.one_in(2);
      site.in_pieces = !site.is_volatile && random.one_in(2);
    }
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
    if (style.grid_barrier_one_in != 0 && random.one_in(style.grid_barrier_one_in)) {
      step.what = Step::What::grid_barrier;
    } else if (random.one_in(style.barrier_one_in)) {
      step.what = Step::What::barrier;
    } else if (random.one_in(2 * style.barrier_one_in)) {
      step.what = Step::What::next_block;
    } else if (random.one_in(style.warp_sync_one_in)) {
      step.what = Step::What::warp_sync;
    } else if (style.fence_one_in != 0 && random.one_in(style.fence_one_in)) {
      step.what = Step::What::fence;
    } else {
      step.site = static_cast<SiteNumber>(1 + random.below(sites));
      const std::uint32_t bytes = program.sites[step.site].first.bytes,
                          elements = static_cast<std::uint32_t>(region_bytes) / bytes;
      const std::uint32_t shape = random.below(3), first = random.below(elements);
      for (std::uint32_t l = 0; l < 32; ++l)
        step.offset[l] = (shape == 0   ? first
                          : shape == 1 ? (first + l) % elements
                                       : random.below(elements)) *
                         bytes;
    }
    program.steps.push_back(step);
  }
  return program;
}

// Makes a program in which threads pass words to each other by fences, correctly or not. Each
// phrase is either data, fence, operation, or operation, data. At random a part is missing.
Program passing_program(Random& random) {
  using enum AccessKind;
  static constexpr AccessKind data_kinds[] = {load, store, store, store, volatile_load},
                              operations[] = {atomic, exchange,      compare_and_swap,
                                              store,  volatile_load, atomic};
  Program program;
  const auto access = [&](std::uint32_t thread, AccessKind kind, std::uint32_t region,
                          std::uint32_t offset, bool is_volatile, Scope scope) {
    const auto line = static_cast<SiteNumber>(program.sites.size() + 1);
    program.sites[line] = {Site{.kind = kind,
                                .bytes = 4,
                                .scope = is_atomic(kind) ? scope : Scope::device,
                                .is_volatile = is_volatile,
                                .line = line},
                           region};
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
    const auto data = [&] {
      if (!random.one_in(6))
        access(thread, data_kinds[random.below(5)], random.one_in(4) ? 0 : region,
               4 * random.below(places), volatile_data, Scope::device);
    };
    const auto fence = [&] {
      if (!random.one_in(5))
        program.steps.push_back({.what = Step::What::fence,
                                 .warp = thread / 32,
                                 .lanes = 1u << thread % 32,
                                 .scope = some_scope()});
    };
    const auto operation = [&] {
      if (!random.one_in(8))
        access(thread, operations[random.below(6)], region, flag, true, some_scope());
    };
    switch (random.below(4)) {
      case 0:
        operation();
        data();
        break;
      case 1:
        operation();
        fence();
        data();
        fence();
        operation();
        break;
      default:
        data();
        fence();
        operation();
        break;
    }
    if (random.one_in(8)) program.steps.push_back({.what = Step::What::barrier});
    if (random.one_in(8)) program.steps.push_back({.what = Step::What::warp_sync, .lanes = 0b11});
    if (region == 0 && random.one_in(5)) program.steps.push_back({.what = Step::What::next_block});
    if (random.one_in(10)) program.steps.push_back({.what = Step::What::grid_barrier});
  }
  return program;
}

// Returns the first difference between reported races and the oracle's, or "". A read that may
// belong to a swap is judged late. So either access may be the later one, and the word may have
// been written meanwhile.
std::string complaint(const Program& program, const Told& told) {
  const Races races = races_of(program);
  int uninitialized = 0;
  for (const auto& [variable, line, other] : told)
    if (other == 0)
      uninitialized = line;
    else if (!races.contains({variable, line, other}) && !races.contains({variable, other, line}))
      return "a race was told that is none";
  for (const auto& [variable, earlier, later] : races) {
    const auto tells = [&](const auto& t) {
      const std::set<int> lines{std::get<1>(t), std::get<2>(t)};
      if (std::get<2>(t) == 0) return false;
      return std::get<0>(t) == variable &&
             (lines.contains(later) || (has_swap(program) && lines.contains(earlier)));
    };
    if (std::ranges::none_of(told, tells))
      return fmt::format("of line {}, which races with line {} on {}, nothing was told", later,
                         earlier, variable);
  }
  if (!has_swap(program) && uninitialized != uninitialized_read(program))
    return fmt::format("the first uninitialized read is at line {}, told was {}",
                       uninitialized_read(program), uninitialized);
  return {};
}

std::string complaint(const Program& program) {
  if (const std::string wrong = has_fence(program) ? "" : complaint(program, observed(program));
      !wrong.empty())
    return "by rows: " + wrong;
  const Judgement judgement = observed_in_order(program);
  if (const std::string wrong = complaint(program, judgement.told); !wrong.empty())
    return "in order: " + wrong;
  const Races same = same_value_races(program);
  for (const auto& note : judgement.notes)
    if (!same.contains(note))
      return fmt::format("lines {} and {} do not write the same value", std::get<1>(note),
                         std::get<2>(note));
  return {};
}

}  // namespace

TEST_CASE("every reported race is real; every racy access and uninitialized read is reported") {
  using enum AccessKind;
  std::uint32_t seed = 10;
  std::size_t racy = 0, clean = 0;
  for (const Style& style : {
           Style{"loads and stores of words", 8, 4, 4, 12, {load, store}, {4}},
           Style{"all kinds and widths",
                 10,
                 6,
                 6,
                 12,
                 {load, volatile_load, store, atomic, exchange, compare_and_swap},
                 {1, 2, 4, 8, 16}},
           Style{"atomics", 10, 5, 6, 12, {atomic, atomic, exchange, volatile_load, load}, {4, 8}},
           Style{"updates and a commit", 16, 3, 1000, 4, {atomic, atomic, atomic, load}, {4}},
           Style{"compare-and-swap loops",
                 10,
                 5,
                 8,
                 12,
                 {load, compare_and_swap, compare_and_swap, volatile_load, atomic},
                 {4}},
           Style{"more reads than are kept for a swap",
                 16,
                 5,
                 20,
                 20,
                 {load, load, load, load, compare_and_swap},
                 {4}},
           Style{"much warp synchronization", 14, 4, 2, 12, {load, load, store}, {4}},
           Style{"narrow accesses", 10, 6, 5, 12, {load, store, atomic}, {1, 1, 2, 4}},
           Style{"words passed on by fences", 0, 0, 0, 0, {}, {}},
           Style{"fences and flags",
                 14,
                 5,
                 40,
                 12,
                 {load, store, store, volatile_load, atomic},
                 {4},
                 4,
                 true},
           Style{"fences and atomics",
                 16,
                 5,
                 12,
                 10,
                 {load, store, store, atomic, atomic, exchange, compare_and_swap},
                 {4},
                 4,
                 true},
           Style{"fences, few lines",
                 20,
                 3,
                 20,
                 10,
                 {store, atomic, volatile_load, load},
                 {4},
                 4,
                 true},
           Style{"fences of many lanes", 14, 5, 8, 8, {load, store, volatile_load, atomic}, {4}, 4},
           Style{"fences, all kinds and widths",
                 16,
                 6,
                 12,
                 10,
                 {load, volatile_load, store, atomic, exchange, compare_and_swap},
                 {1, 2, 4, 8},
                 4},
           Style{"grid barriers", 16, 5, 20, 4, {load, load, store, atomic}, {4}, 0, false, 4},
           Style{"grid barriers, all kinds and widths",
                 20,
                 6,
                 8,
                 4,
                 {load, volatile_load, store, atomic, exchange, compare_and_swap},
                 {1, 2, 4, 8, 16},
                 0,
                 false,
                 5},
           Style{"grid barriers and fences",
                 16,
                 5,
                 40,
                 4,
                 {load, store, store, volatile_load, atomic},
                 {4},
                 4,
                 true,
                 5},
           Style{"grid barriers and fences, few lines",
                 20,
                 3,
                 12,
                 4,
                 {store, atomic, volatile_load, load, compare_and_swap},
                 {4},
                 4,
                 true,
                 5},
           Style{"long",
                 30,
                 8,
                 4,
                 12,
                 {load, load, volatile_load, store, atomic, compare_and_swap},
                 {1, 4, 4, 4, 8}},
       }) {
    Random random(++seed);
    const bool passing = style.max_steps == 0;
    for (int round = 0; round < (passing ? 10000 : 4000); ++round) {
      const Program program = passing ? passing_program(random) : some_program(random, style);
      (races_of(program).empty() ? clean : racy) += 1;
      if (complaint(program).empty()) continue;
      const Program small =
          smallest(program, [](const Program& p) { return !complaint(p).empty(); });
      FAIL(style.title, ": ", complaint(small), "\n", text(small),
           "races (earlier/later):", text(races_of(small)),
           "\ntold: ", text(has_fence(small) ? observed_in_order(small).told : observed(small)),
           "; in order: ", text(observed_in_order(small).told));
    }
  }
  CHECK(racy > 1000);
  CHECK(clean > 1000);
}

}  // namespace histolab::kernels::emulator
