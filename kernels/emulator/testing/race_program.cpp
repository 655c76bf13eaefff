#include "kernels/emulator/testing/race_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <stdexcept>

#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator::testing {
namespace {

constexpr std::size_t most_events = 1024;
using Events = std::bitset<most_events>;

struct Event {
  enum class What { access, fence, together };  // `together` is a barrier or a __syncwarp.
  What what;
  std::size_t step;
  std::uint32_t block, epoch, thread;
  Site site;
  std::uint32_t region, offset;
  std::uint8_t value;
  bool failed;
  Scope scope;
  bool validated = false;     // a plain read that a compare-and-swap has confirmed.
  bool publishes = false;     // a volatile store that releases.
  bool brought_news = false;  // a volatile read of a store that another thread has published.
  bool acquired = false;
  Events before{};   // all events that happened before it.
  Events at_once{};  // those before it by program order, barriers and __syncwarp only.
  // Atomic and publishing accesses that are known by a release with or after them.
  Events operations{};
  [[nodiscard]] bool overlaps(const Event& other) const {
    return region == other.region && offset < other.offset + other.site.bytes &&
           other.offset < offset + site.bytes;
  }
  [[nodiscard]] bool covers(std::uint32_t in_region, std::uint32_t byte) const {
    return what == What::access && region == in_region && offset <= byte &&
           byte < offset + site.bytes;
  }
  [[nodiscard]] bool same_thread(const Event& other) const {
    return block == other.block && thread == other.thread;
  }
  [[nodiscard]] bool is_operation() const {
    return what == What::access && (is_atomic(site.kind) || publishes);
  }
};

constexpr bool is_shared(std::uint32_t region) { return region == 1; }

// The events in the order in which they were made, and the relations between them.
class Graph {
 public:
  explicit Graph(const Program& program) {
    std::uint32_t block = 0, epoch = 0;
    GridBarriers grid = grid_barriers(program);
    bool any_grid_barrier = false;
    const auto enter = [&](std::uint32_t next) {
      blocks_[block] = {latest_, state_};
      block = next;
      latest_.fill(none);
      state_.fill({});
      if (const auto known = blocks_.find(block); known != blocks_.end()) {
        latest_ = known->second.latest;
        state_ = known->second.state;
      }
      std::erase_if(released_, [](const auto& entry) { return is_shared(entry.first.first); });
    };
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      const Step& step = program.steps[i];
      const auto each_lane = [&](Event::What what) {
        const auto [site, region] = what == Event::What::access ? program.sites.at(step.site)
                                                                : std::pair<Site, std::uint32_t>{};
        for_each_lane(step.lanes, [&](std::uint32_t l) {
          add({what, i, block, epoch, step.warp * 32 + l, site, region, step.offset[l], step.value,
               (step.failing >> l & 1) != 0, step.scope});
        });
      };
      switch (step.what) {
        case Step::What::access: each_lane(Event::What::access); break;
        case Step::What::fence: each_lane(Event::What::fence); break;
        case Step::What::barrier: meet(i, block, epoch++, 0, threads); break;
        case Step::What::warp_sync: meet(i, block, epoch, step.warp * 32, 32, step.lanes); break;
        case Step::What::next_block:
          if (any_grid_barrier && block + 1 == grid.blocks) break;
          ++epoch;
          enter(block + 1);
          break;
        case Step::What::grid_barrier:
          any_grid_barrier = true;
          enter(grid.blocks);
          meet_all(i, epoch++);
          enter(0);
          break;
      }
    }
  }

  std::vector<Event> events;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct State {
    bool touched = false, unpublished = false, may_publish = false;
    std::size_t synchronized = 0;  // the first event after the thread's last synchronization.
  };

  void follow(Event& event, std::size_t earlier) const {
    if (earlier == none) return;
    event.before |= events[earlier].before;
    event.before.set(earlier);
    event.at_once |= events[earlier].at_once;
    event.at_once.set(earlier);
    event.operations |= events[earlier].operations;
  }

  void meet(std::size_t step, std::uint32_t block, std::uint32_t epoch, std::uint32_t first,
            std::uint32_t count, std::uint32_t mask = ~0u) {
    Event event{Event::What::together, step, block, epoch, first, {}, 0, 0, 0, false,
                Scope::device};
    bool may_publish = false;
    const auto each = [&](auto&& f) {
      for (std::uint32_t i = 0; i < count && first + i < threads; ++i)
        if (count > 32 || (mask >> i & 1) != 0) f(first + i);
    };
    each([&](std::uint32_t t) {
      follow(event, latest_[t]);
      may_publish |= state_[t].may_publish;
    });
    each([&](std::uint32_t t) {
      latest_[t] = events.size();
      state_[t].may_publish = may_publish;
      state_[t].synchronized = events.size() + 1;
    });
    events.push_back(event);
  }

  // All threads of the blocks that have begun meet.
  void meet_all(std::size_t step, std::uint32_t epoch) {
    Event event{Event::What::together, step, 0, epoch, 0, {}, 0, 0, 0, false, Scope::device};
    bool may_publish = false;
    for (auto& [number, block] : blocks_)
      for (std::uint32_t t = 0; t < threads; ++t) {
        follow(event, block.latest[t]);
        may_publish |= block.state[t].may_publish;
      }
    for (auto& [number, block] : blocks_) {
      block.latest.fill(events.size());
      for (State& state : block.state) {
        state.may_publish = may_publish;
        state.synchronized = events.size() + 1;
      }
    }
    released_.clear();  // all threads know it.
    events.push_back(event);
  }

  void add(Event event) {
    follow(event, latest_[event.thread]);
    State& state = state_[event.thread];
    if (event.what == Event::What::fence) {
      if (state.touched) state.may_publish = state.unpublished;
      state.touched = state.unpublished = false;
      state.synchronized = events.size() + 1;
      fences_.push_back(events.size());
    } else {
      access(event, state);
    }
    latest_[event.thread] = events.size();
    events.push_back(event);
  }

  void access(Event& event, State& state) {
    const AccessKind kind = event.site.kind;
    if (kind == AccessKind::volatile_load) event.brought_news = sees_news(event);
    if (kind == AccessKind::store)
      event.publishes = event.site.is_volatile && state.may_publish && !reacts(event);
    state.touched = true;
    state.unpublished |= !is_atomic(kind);
    if (kind == AccessKind::store && !event.publishes) state.may_publish = false;
    if (kind == AccessKind::store)
      std::erase_if(released_,
                    [&](const auto& e) { return event.covers(e.first.first, e.first.second); });
    auto& sequence = released_[{event.region, event.offset}];
    const bool releases =
        event.publishes ||
        (is_atomic(kind) && !(kind == AccessKind::compare_and_swap && event.failed));
    if (kind == AccessKind::volatile_load || is_atomic(kind))
      for (const std::size_t release : sequence) acquire(event, release);
    if (releases) sequence.push_back(events.size());
  }

  // The event acquires all that happened before a fence, if the release is ordered after that fence
  // by program order, barriers and __syncwarp.
  void acquire(Event& event, std::size_t number) {
    const Event& release = events[number];
    const bool same_block = release.block == event.block;
    if (!same_block && (release.site.scope == Scope::block || event.site.scope == Scope::block))
      return;
    bool any = false;
    for (const std::size_t f : fences_) {
      if (!release.at_once[f] || (!same_block && events[f].scope == Scope::block)) continue;
      event.before |= events[f].before;
      event.before.set(f);
      event.operations |= events[f].operations;
      any = true;
    }
    if (!any) return;
    event.acquired = true;
    for (std::size_t o = 0; o <= number; ++o)
      if (events[o].is_operation() && events[o].same_thread(release)) event.operations.set(o);
  }

  [[nodiscard]] bool known(const Event& to, std::size_t number) const {
    return to.before[number] || to.operations[number] || to.same_thread(events[number]);
  }

  [[nodiscard]] bool sees_news(const Event& read) const {
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (!events[e].publishes || !events[e].covers(read.region, read.offset) || known(read, e))
        continue;
      if (is_shared(read.region) && events[e].block != read.block) continue;
      bool overwritten = false;
      for (std::size_t w = e + 1; w < events.size(); ++w)
        overwritten |= events[w].site.kind == AccessKind::store && !events[w].publishes &&
                       events[w].covers(read.region, read.offset) && known(events[w], e);
      if (!overwritten) return true;
    }
    return false;
  }

  // Returns true if the thread has read another thread's published store at this address, with no
  // synchronization since.
  [[nodiscard]] bool reacts(const Event& store) const {
    for (std::size_t e = state_[store.thread].synchronized; e < events.size(); ++e)
      if (events[e].same_thread(store) && events[e].brought_news &&
          events[e].covers(store.region, store.offset))
        return true;
    return false;
  }

  using Latest = std::array<std::size_t, threads>;
  struct Block {
    Latest latest;
    std::array<State, threads> state;
  };
  Latest latest_ = [] {
    Latest a;
    a.fill(none);
    return a;
  }();
  std::array<State, threads> state_{};
  std::map<std::uint32_t, Block> blocks_;  // blocks that do not run.
  std::vector<std::size_t> fences_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>>
      released_;  // by (region, offset)
};

// A plain read counts as part of a compare-and-swap if that is the thread's next step on the word.
// Up to four reads of a thread can wait for their compare-and-swap. A synchronization ends the
// wait.
void validate_reads(std::vector<Event>& events) {
  using What = Event::What;
  for (std::size_t r = 0; r < events.size(); ++r) {
    Event& read = events[r];
    if (read.what != What::access || read.site.kind != AccessKind::load) continue;
    std::set<std::pair<std::uint32_t, std::uint32_t>> waiting_besides;  // words read after it.
    for (std::size_t i = r + 1; i < events.size(); ++i) {
      const Event& next = events[i];
      if (next.block != read.block || next.epoch != read.epoch) break;
      const bool synchronized = next.what == What::together && next.at_once[r];
      if (synchronized) break;
      if (next.thread != read.thread || next.what == What::together) continue;
      if (next.what == What::fence) break;
      const bool same_word = next.region == read.region && next.offset == read.offset;
      if (next.site.kind == AccessKind::load) {
        waiting_besides.insert({next.region, next.offset});
        if (same_word || waiting_besides.size() == 4) break;
      }
      if (writes(next.site.kind) && same_word) {
        read.validated =
            next.site.kind == AccessKind::compare_and_swap && next.site.bytes == read.site.bytes;
        break;
      }
      if (next.acquired) break;
      if (writes(next.site.kind)) waiting_besides.erase({next.region, next.offset});
    }
  }
}

std::vector<Event> events_of(const Program& program) {
  Graph graph(program);
  if (has_swap(program)) validate_reads(graph.events);
  return std::move(graph.events);
}

bool ordered(const std::vector<Event>& events, std::size_t first, const Event& then) {
  return events[first].same_thread(then) || then.before[first] || then.operations[first];
}

bool may_meet(const Event& a, const Event& b) {
  const auto is_store = [](const Event& e) { return e.site.kind == AccessKind::store; };
  const auto writes_there = [](const Event& e) { return writes(e.site.kind); };
  if (!writes_there(a) && !writes_there(b)) return true;
  const auto is_good_with_atomics = [](const Event& e) {
    return is_atomic(e.site.kind) || e.publishes || e.site.kind == AccessKind::volatile_load ||
           e.validated;
  };
  const auto for_block = [&](const Event& e) {
    return is_atomic(e.site.kind) && e.site.scope == Scope::block && !is_shared(e.region);
  };
  if (is_store(a) && is_store(b)) return false;
  if (a.block != b.block && (for_block(a) || for_block(b))) return false;
  return is_good_with_atomics(a) && is_good_with_atomics(b);
}

template <class F>
void for_each_race(const std::vector<Event>& events, F&& f) {
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t j = i + 1; j < events.size(); ++j) {
      const Event &a = events[i], &b = events[j];
      if (a.what != Event::What::access || b.what != Event::What::access || !a.overlaps(b))
        continue;
      if (may_meet(a, b) || (is_shared(a.region) && a.block != b.block) || ordered(events, i, b))
        continue;
      f(i, j);
    }
}

}  // namespace

bool has_swap(const Program& program) {
  return std::ranges::any_of(program.sites, [](const auto& site) {
    return site.second.first.kind == AccessKind::compare_and_swap;
  });
}

bool has_fence(const Program& program) {
  return std::ranges::any_of(program.steps,
                             [](const Step& step) { return step.what == Step::What::fence; });
}

GridBarriers grid_barriers(const Program& program) {
  GridBarriers grid{0, 1};
  for (const Step& step : program.steps) {
    grid.count += step.what == Step::What::grid_barrier;
    grid.blocks += grid.count == 0 && step.what == Step::What::next_block;
  }
  return grid;
}

Races races_of(const Program& program) {
  const std::vector<Event> events = events_of(program);
  Races races;
  for_each_race(events, [&](std::size_t a, std::size_t b) {
    races.insert({region_names[events[a].region], events[a].site.line, events[b].site.line});
  });
  return races;
}

Races same_value_races(const Program& program) {
  const std::vector<Event> events = events_of(program);
  Races same, others;
  for_each_race(events, [&](std::size_t i, std::size_t j) {
    const Event &a = events[i], &b = events[j];
    const bool stores = a.site.kind == AccessKind::store && b.site.kind == AccessKind::store;
    // If the value has been overwritten since, it does not matter.
    const bool is_over =
        std::any_of(events.begin() + static_cast<std::ptrdiff_t>(i),
                    events.begin() + static_cast<std::ptrdiff_t>(j), [&](const Event& w) {
                      return w.what == Event::What::access && w.site.kind == AccessKind::store &&
                             w.overlaps(a) && &w != &a && ordered(events, i, w);
                    });
    const auto [low, high] = std::minmax(a.site.line, b.site.line);
    (stores && (a.value == b.value || is_over) ? same : others)
        .insert({region_names[a.region], low, high});
  });
  std::erase_if(same, [&](const auto& race) { return others.contains(race); });
  return same;
}

int uninitialized_read(const Program& program) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> written;  // block, region, byte
  int first = 0;
  for (const Event& e : events_of(program)) {
    if (e.what != Event::What::access || !is_shared(e.region)) continue;
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
    if (step.what == Step::What::grid_barrier) all += "-- grid.sync() --\n";
    if (step.what == Step::What::warp_sync)
      all += fmt::format("warp {}: __syncwarp({:#x})\n", step.warp, step.lanes);
    if (step.what == Step::What::fence)
      all += fmt::format("warp {}, lanes {:#x}: __threadfence{}()\n", step.warp, step.lanes,
                         step.scope == Scope::block ? "_block" : "");
    if (step.what != Step::What::access) continue;
    static constexpr const char* verbs[] = {
        "reads",    "reads (volatile)", "writes", "atomically adds to", "compares and swaps",
        "exchanges"};
    const auto& [site, region] = program.sites.at(step.site);
    const bool volatile_write = site.kind == AccessKind::store && site.is_volatile;
    all += fmt::format(
        "warp {}, line {}: {}{}{} {} bytes of {}, value {}, failing {:#x}, lane:offset", step.warp,
        site.line, verbs[static_cast<int>(site.kind)], volatile_write ? " (volatile)" : "",
        site.scope == Scope::block ? " (_block)" : "", site.bytes, region_names[region], step.value,
        step.failing);
    for_each_lane(step.lanes,
                  [&](std::uint32_t l) { all += fmt::format(" {}:{}", l, step.offset[l]); });
    all += "\n";
  }
  return all;
}

std::string text(const Races& races) {
  std::string all;
  for (const auto& [variable, line, other] : races)
    all += fmt::format(" {} {}/{}", variable, line, other);
  return all.empty() ? " nothing" : all;
}

Program smallest(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      Program without = program;
      without.steps.erase(without.steps.begin() + static_cast<std::ptrdiff_t>(i));
      if (fails(without)) {
        program = without;
        smaller = true;
        --i;
      }
    }
    for (Step& step : program.steps)
      for (std::uint32_t l = 0; l < 32; ++l) {
        if (step.lanes == 1u << l || (step.lanes >> l & 1) == 0) continue;
        step.lanes ^= 1u << l;
        if (fails(program))
          smaller = true;
        else
          step.lanes ^= 1u << l;
      }
  }
  return program;
}

}  // namespace histolab::kernels::emulator::testing
