#include "kernels/emulator/testing/race_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/emulator/observer.h"

namespace histolab::kernels::emulator::testing {
namespace {

struct Event {
  std::size_t step;
  std::uint32_t block, epoch, thread;
  Site site;
  std::uint32_t region, offset;
  bool validated = false;  // a plain read that a compare-and-swap made good
  [[nodiscard]] bool overlaps(const Event& other) const {
    return region == other.region && offset < other.offset + other.site.bytes && other.offset < offset + site.bytes;
  }
};

std::vector<Event> events_of(const Program& program) {
  std::vector<Event> events;
  std::uint32_t block = 0, epoch = 0;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    if (step.what == Step::What::next_block) ++block;
    if (step.what != Step::What::access && step.what != Step::What::warp_sync) ++epoch;
    if (step.what != Step::What::access) continue;
    const auto& [site, region] = program.sites.at(step.site);
    for_each_lane(step.lanes, [&](std::uint32_t l) {
      events.push_back({i, block, epoch, step.warp * 32 + l, site, region, step.offset[l]});
    });
  }
  return events;
}

// A plain read counts as part of a compare-and-swap when that is the thread's next step on the word. Up to four reads of
// a thread can wait for theirs; a synchronization ends the wait.
void validate_reads(const Program& program, std::vector<Event>& events) {
  for (std::size_t r = 0; r < events.size(); ++r) {
    Event& read = events[r];
    if (read.site.kind != AccessKind::load) continue;
    std::set<std::pair<std::uint32_t, std::uint32_t>> waiting_besides;  // words read after it
    std::size_t step = read.step;
    for (std::size_t i = r + 1; i < events.size(); ++i) {
      const Event& next = events[i];
      if (next.block != read.block || next.epoch != read.epoch) break;
      bool synchronized = false;
      for (; step < next.step; ++step) {
        const Step& s = program.steps[step];
        synchronized |= s.what == Step::What::warp_sync && s.warp == read.thread / 32 && (s.lanes >> read.thread % 32 & 1) != 0;
      }
      if (synchronized) break;
      if (next.thread != read.thread) continue;
      const bool same_word = next.region == read.region && next.offset == read.offset;
      if (next.site.kind == AccessKind::load) {
        waiting_besides.insert({next.region, next.offset});
        if (same_word || waiting_besides.size() == 4) break;
      }
      if (!writes(next.site.kind)) continue;
      if (!same_word) {
        waiting_besides.erase({next.region, next.offset});
        continue;
      }
      read.validated = next.site.kind == AccessKind::compare_and_swap && next.site.bytes == read.site.bytes;
      break;
    }
  }
}

// Does a chain of __syncwarps lead from one thread to the other?
bool ordered(const Program& program, const Event& first, const Event& then) {
  if (first.thread == then.thread && first.block == then.block) return true;
  if (first.block != then.block) return false;
  if (first.epoch != then.epoch) return true;
  if (first.thread / 32 != then.thread / 32) return false;
  std::uint32_t reached = 1u << first.thread % 32;
  for (std::size_t i = first.step; i < then.step; ++i) {
    const Step& step = program.steps[i];
    if (step.what == Step::What::warp_sync && step.warp == first.thread / 32 && (step.lanes & reached) != 0) reached |= step.lanes;
  }
  return (reached >> then.thread % 32 & 1) != 0;
}

bool may_meet(const Event& a, const Event& b) {
  const bool a_writes = writes(a.site.kind), b_writes = writes(b.site.kind);
  if (!a_writes && !b_writes) return true;
  const auto is_good_with_atomics = [](const Event& e) {
    return is_atomic(e.site.kind) || e.site.kind == AccessKind::volatile_load || e.validated;
  };
  return is_good_with_atomics(a) && is_good_with_atomics(b);
}

constexpr bool is_shared(std::uint32_t region) { return region == 1; }

}  // namespace

bool has_swap(const Program& program) {
  return std::ranges::any_of(program.sites, [](const auto& site) { return site.second.first.kind == AccessKind::compare_and_swap; });
}

Races races_of(const Program& program) {
  std::vector<Event> events = events_of(program);
  if (has_swap(program)) validate_reads(program, events);
  Races races;
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t j = i + 1; j < events.size(); ++j) {
      const Event &a = events[i], &b = events[j];
      if (!a.overlaps(b) || may_meet(a, b) || (is_shared(a.region) && a.block != b.block) || ordered(program, a, b)) continue;
      races.insert({region_names[a.region], a.site.line, b.site.line});
    }
  return races;
}

int uninitialized_read(const Program& program) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> written;  // block, region, byte
  int first = 0;
  for (const Event& e : events_of(program)) {
    if (!is_shared(e.region)) continue;
    for (std::uint32_t byte = e.offset; byte < e.offset + e.site.bytes; ++byte) {
      const bool uninitialized = reads(e.site.kind) && !written.contains({e.block, e.region, byte});
      if (uninitialized && (first == 0 || e.site.line < first)) first = e.site.line;
      if (writes(e.site.kind)) written.insert({e.block, e.region, byte});
    }
  }
  return first;
}

std::string text(const Program& program) {
  std::string all;
  for (const Step& step : program.steps) {
    if (step.what == Step::What::barrier) all += "__syncthreads()\n";
    if (step.what == Step::What::next_block) all += "-- next block --\n";
    if (step.what == Step::What::warp_sync) all += fmt::format("warp {}: __syncwarp({:#x})\n", step.warp, step.lanes);
    if (step.what != Step::What::access) continue;
    static constexpr const char* verbs[] = {"reads", "reads (volatile)", "writes", "atomically adds to", "compares and swaps", "exchanges"};
    const auto& [site, region] = program.sites.at(step.site);
    all += fmt::format("warp {}, line {}: {} {} bytes of {}, lane:offset", step.warp, site.line, verbs[static_cast<int>(site.kind)], site.bytes, region_names[region]);
    for_each_lane(step.lanes, [&](std::uint32_t l) { all += fmt::format(" {}:{}", l, step.offset[l]); });
    all += "\n";
  }
  return all;
}

std::string text(const Races& races) {
  std::string all;
  for (const auto& [variable, line, other] : races) all += fmt::format(" {} {}/{}", variable, line, other);
  return all.empty() ? " nothing" : all;
}

Program smallest(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      Program without = program;
      without.steps.erase(without.steps.begin() + static_cast<std::ptrdiff_t>(i));
      if (fails(without)) program = without, smaller = true, --i;
    }
    for (Step& step : program.steps)
      for (std::uint32_t l = 0; l < 32; ++l) {
        if (step.lanes == 1u << l || (step.lanes >> l & 1) == 0) continue;
        step.lanes ^= 1u << l;
        if (fails(program)) smaller = true;
        else step.lanes ^= 1u << l;
      }
  }
  return program;
}

}  // namespace histolab::kernels::emulator::testing
