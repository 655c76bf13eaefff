#include "tools/fuzzer/model.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "tools/fuzzer/hidden_rounds.h"

namespace histolab::fuzzer {
namespace {

using kernels::FindingKind;
using What = Stmt::What;

// The state in which an expression is evaluated.
struct Thread {
  std::uint32_t thread, block, block_size, grid_size, length;
  std::vector<std::uint32_t> variables;
};

std::uint32_t evaluate(const Expr& e, const Thread& t) {
  using Op = Expr::Op;
  switch (e.op) {
    case Op::number: return e.value;
    case Op::variable: return t.variables[e.value];
    case Op::thread: return t.thread;
    case Op::block: return t.block;
    case Op::block_size: return t.block_size;
    case Op::grid_size: return t.grid_size;
    case Op::length: return t.length;
    default: break;
  }
  const std::uint32_t a = evaluate(e.of[0], t), b = evaluate(e.of[1], t);
  switch (e.op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return b == 0 ? 0 : a / b;
    case Op::remainder: return b == 0 ? 0 : a % b;
    case Op::shift_left: return b < 32 ? a << b : 0;
    case Op::shift_right: return b < 32 ? a >> b : 0;
    case Op::bit_and: return a & b;
    case Op::bit_or: return a | b;
    case Op::bit_xor: return a ^ b;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    default: return a == b;
  }
}

enum class Kind { read, write, atomic };

// An access to a byte, reduced to what the model needs.
struct Touch {
  std::uint32_t phase, block, epoch, thread;  // phase: number of preceding grid barriers
  Kind kind;
};

bool is_race(const Touch& a, const Touch& b) {
  if (a.phase != b.phase) return false;
  if (a.block == b.block && (a.thread == b.thread || a.epoch != b.epoch)) return false;
  return !(a.kind == Kind::read && b.kind == Kind::read) &&
         !(a.kind == Kind::atomic && b.kind == Kind::atomic);
}

using Lanes = std::vector<bool>;  // one per thread of a block

bool any(const Lanes& lanes) { return std::find(lanes.begin(), lanes.end(), true) != lanes.end(); }
Lanes unite(Lanes a, const Lanes& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
  return a;
}

using LanesAt =
    std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // per lane of a warp: lane, offset

class Machine {
 public:
  Machine(const Program& program, std::uint32_t most_rounds)
      : program_(program), most_rounds_(most_rounds), rounds_(program.body) {
    for (const Array& array : program.arrays) {
      memory_.emplace_back(std::size_t{array.elements} * array.element_bytes);
      written_.emplace_back();
      touches_.emplace_back(memory_.back().size());
    }
    std::copy(program.data.begin(), program.data.end(), memory_[data_array].begin());
  }

  void launch() {
    expected.counters = {};
    expected.counters.blocks = program_.grid;
    expected.counters.threads = std::uint64_t{program_.grid} * program_.block;
    expected.counters.block_size = program_.block;
    for (auto& bytes : touches_) bytes.assign(bytes.size(), {});
    std::vector<Waiting> waiting(program_.grid);
    const auto is_grid_barrier = [](const Stmt& s) { return s.what == What::grid_barrier; };
    phase_ = 0;
    for (auto begin = program_.body.begin();; ++phase_) {
      const auto end = std::find_if(begin, program_.body.end(), is_grid_barrier);
      const bool is_last = end == program_.body.end();
      for (block_ = 0; block_ < program_.grid && !ended_; ++block_) {
        if (phase_ == 0)
          begin_block();
        else
          go_on_with(std::move(waiting[block_]));
        continued_ = left_ = Lanes(program_.block);
        rounds_.begin_block(program_.block);
        const Lanes at_end = run({begin, end}, Lanes(program_.block, true));
        if (ended_) return;
        if (is_last)
          end_block();
        else {
          barrier(at_end);
          waiting[block_] = wait();
        }
      }
      if (is_last || ended_) return;
      begin = end + 1;
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> histo() const {
    std::vector<std::uint32_t> bins(program_.arrays[histo_array].elements);
    std::memcpy(bins.data(), memory_[histo_array].data(), memory_[histo_array].size());
    return bins;
  }
  [[nodiscard]] bool ended() const { return ended_; }

  Expected expected;

 private:
  // The loads of one warp of this block.
  struct Loads {
    std::uint64_t global = 0, shared = 0;
    int array = -1;  // array of the last load, until its memory may have changed
    LanesAt places;
    std::uint32_t bytes = 0;
  };

  // The state of a block that waits for the grid. Arrays are only those in shared memory.
  struct Waiting {
    std::uint32_t epoch = 0;
    std::vector<Thread> threads;
    std::vector<std::vector<std::uint8_t>> memory;
    std::vector<std::vector<bool>> written;
    std::vector<std::vector<std::vector<Touch>>> touches;
    std::map<std::uint32_t, Loads> loads_of_warp;
  };

  void begin_block() {
    epoch_ = 0;
    threads_.assign(program_.block, {});
    for (std::uint32_t t = 0; t < program_.block; ++t)
      threads_[t] = {t,
                     block_,
                     program_.block,
                     program_.grid,
                     program_.length,
                     std::vector<std::uint32_t>(static_cast<std::size_t>(program_.variables))};
    for (std::size_t a = 0; a < program_.arrays.size(); ++a)
      if (program_.arrays[a].shared) {
        written_[a].assign(memory_[a].size(), false);
        touches_[a].assign(memory_[a].size(), {});
      }
  }

  Waiting wait() {
    Waiting block{epoch_, threads_, {}, {}, {}, std::move(loads_of_warp_)};
    loads_of_warp_.clear();
    for (std::size_t a = 0; a < program_.arrays.size(); ++a)
      if (program_.arrays[a].shared) {
        block.memory.push_back(memory_[a]);
        block.written.push_back(written_[a]);
        block.touches.push_back(touches_[a]);
      }
    return block;
  }

  void go_on_with(Waiting block) {
    epoch_ = block.epoch;
    threads_ = std::move(block.threads);
    loads_of_warp_ = std::move(block.loads_of_warp);
    std::size_t next = 0;
    for (std::size_t a = 0; a < program_.arrays.size(); ++a) {
      if (!program_.arrays[a].shared) continue;
      memory_[a] = std::move(block.memory[next]);
      written_[a] = std::move(block.written[next]);
      touches_[a] = std::move(block.touches[next]);
      ++next;
    }
  }

  void fault(FindingKind kind, bool ends) {
    expected.faults.insert(kind);
    ended_ = ended_ || ends;
  }

  // Returns the lanes that reach the end.
  Lanes run(std::span<const Stmt> body, Lanes active) {
    for (const Stmt& s : body) {
      if (ended_ || !any(active)) return Lanes(active.size());
      switch (s.what) {
        case What::let:
          for_each(active, [&](Thread& t) { set(t, s.variable, evaluate(s.value, t)); });
          break;
        case What::load: load(s, active, s.bytes != 0 ? s.bytes : element_bytes(s)); break;
        case What::store:
          touch(s, active, Kind::write);
          for_each(active, [&](Thread& t) { put(s, t, evaluate(s.value, t)); });
          break;
        case What::atomic_add:
          touch(s, active, Kind::atomic);
          for_each(active, [&](Thread& t) { put(s, t, get(s, t) + evaluate(s.value, t)); });
          break;
        case What::bump:
          touch(s, active, Kind::read);
          touch(s, active, Kind::write);
          for_each(active, [&](Thread& t) { put(s, t, get(s, t) + evaluate(s.value, t)); });
          break;
        case What::pass:
          touch(s, active, Kind::write);
          touch(s, active, Kind::read);
          break;
        case What::branch: {
          const Lanes taken = where(active, s.value, true), others = where(active, s.value, false);
          const Lanes from_body = run(s.body, taken);
          active = unite(from_body, run(s.otherwise, others));
          break;
        }
        case What::loop: active = loop(s, active); break;
        case What::barrier: barrier(active); break;
        case What::grid_barrier: break;
        case What::go_on: continued_ = unite(continued_, active); return Lanes(active.size());
        case What::leave: left_ = unite(left_, active); return Lanes(active.size());
        case What::end: return Lanes(active.size());
        case What::count: break;
      }
    }
    return active;
  }

  Lanes loop(const Stmt& s, Lanes live) {
    const Lanes outer_continued = continued_, outer_left = left_;
    left_.assign(live.size(), false);
    Lanes done(live.size());
    for_each(live, [&](Thread& t) { set(t, s.variable, evaluate(s.start, t)); });
    for (std::uint32_t round = 0;; ++round) {
      done = unite(done, where(live, s.value, false));
      live = where(live, s.value, true);
      if (!any(live) || ended_) break;
      if (round == most_rounds_) {
        fault(FindingKind::step_limit, true);
        break;
      }
      continued_.assign(live.size(), false);
      live = unite(run(s.body, live), continued_);
      for_each(live, [&](Thread& t) {
        rounds_.goes_round(t.thread, s);
        set(t, s.variable, t.variables[static_cast<std::size_t>(s.variable)] + evaluate(s.step, t));
      });
    }
    done = unite(done, left_);
    continued_ = outer_continued;
    left_ = outer_left;
    return done;
  }

  void barrier(const Lanes& active) {
    if (std::find(active.begin(), active.end(), false) != active.end())
      return fault(FindingKind::barrier_divergence, true);
    ++epoch_;
    rounds_.barrier();
    expected.counters.barriers += (program_.block + 31) / 32;
    for (auto& [warp, loads] : loads_of_warp_) loads.array = -1;
  }

  template <class F>
  void for_each(const Lanes& active, F&& f) {
    for (std::size_t t = 0; t < active.size(); ++t)
      if (active[t]) f(threads_[t]);
  }
  Lanes where(const Lanes& active, const Expr& condition, bool wanted) {
    Lanes result(active.size());
    for_each(active,
             [&](Thread& t) { result[t.thread] = (evaluate(condition, t) != 0) == wanted; });
    return result;
  }
  static void set(Thread& t, int variable, std::uint32_t value) {
    t.variables[static_cast<std::size_t>(variable)] = value;
  }
  [[nodiscard]] const Array& array(const Stmt& s) const {
    return program_.arrays[static_cast<std::size_t>(s.array)];
  }
  [[nodiscard]] std::uint32_t element_bytes(const Stmt& s) const { return array(s).element_bytes; }
  [[nodiscard]] std::uint64_t offset(const Stmt& s, const Thread& t, std::uint32_t bytes) const {
    return std::uint64_t{evaluate(s.index, t)} * bytes +
           std::uint64_t{s.skipped} * element_bytes(s);
  }
  [[nodiscard]] bool inside(const Stmt& s, std::uint64_t offset, std::uint32_t bytes) const {
    return offset + bytes <= memory_[static_cast<std::size_t>(s.array)].size();
  }

  std::uint32_t get(const Stmt& s, const Thread& t) {
    const std::uint64_t at = offset(s, t, element_bytes(s));
    std::uint32_t value = 0;
    if (inside(s, at, element_bytes(s)))
      std::memcpy(&value, &memory_[static_cast<std::size_t>(s.array)][at],
                  std::min(element_bytes(s), 4u));
    return value;
  }
  void put(const Stmt& s, const Thread& t, std::uint32_t value) {
    const std::uint64_t at = offset(s, t, element_bytes(s));
    std::uint8_t bytes[8] = {};
    std::memcpy(bytes, &value, 4);
    if (inside(s, at, element_bytes(s)))
      std::memcpy(&memory_[static_cast<std::size_t>(s.array)][at], bytes, element_bytes(s));
  }

  void load(const Stmt& s, const Lanes& active, std::uint32_t bytes) {
    touch(s, active, Kind::read);
    for_each(active, [&](Thread& t) {
      const std::uint64_t at = offset(s, t, bytes);
      std::uint32_t words[4] = {};
      if (inside(s, at, bytes))
        std::memcpy(words, &memory_[static_cast<std::size_t>(s.array)][at], std::min(bytes, 16u));
      for (std::uint32_t w = 0; w < std::max(1u, bytes / 4); ++w)
        if (s.bytes != 0 || w == 0) set(t, s.variable + static_cast<int>(w), words[w]);
    });
  }

  // Records an access of the active lanes: its faults and its cost.
  void touch(const Stmt& s, const Lanes& active, Kind kind) {
    const bool passes = s.what == What::pass;
    const std::uint32_t bytes =
        (s.what == What::load && s.bytes != 0) || passes ? s.bytes : element_bytes(s);
    std::map<std::uint32_t, LanesAt> warps;
    for_each(active, [&](Thread& t) {
      const std::uint64_t at = offset(s, t, passes ? element_bytes(s) : bytes);
      if (!passes && at % bytes != 0) fault(FindingKind::misaligned_access, false);
      if (!inside(s, at, bytes)) return fault(FindingKind::out_of_bounds, false);
      for (std::uint64_t b = at; b < at + bytes; ++b)
        touch_byte(s, b, {phase_, block_, epoch_, t.thread, kind});
      const bool again =
          (s.what == What::bump && kind == Kind::write) || (passes && kind == Kind::read);
      expected.hidden_round |= rounds_.accesses(t.thread, s, again);
      expected.in_pieces |= passes;
      const bool reads_its_own = s.form == Stmt::Form::by_value || s.form == Stmt::Form::placed;
      // g++ copies the last bytes by a move that overlaps the one before it.
      const bool may_overlap =
          bytes % 4 != 0 || (bytes % 16 != 0 && !std::has_single_bit(bytes % 16));
      expected.unclear_bytes |= passes && (may_overlap || reads_its_own);
      warps[t.thread / 32].emplace_back(t.thread % 32, at);
    });
    for (const auto& [warp, lanes] : warps) {
      const bool adds_one = s.value.op == Expr::Op::number && s.value.value == 1;
      array(s).shared ? count_shared(lanes, bytes, kind, adds_one)
                      : count_global(lanes, bytes, kind);
      expected.unclear_additions |=
          kind == Kind::atomic && array(s).shared && s.value.op != Expr::Op::number;
      if (kind == Kind::read)
        count_load(warp, s, lanes, bytes);
      else if (!array(s).shared)
        loads_of_warp_[warp].array = -1;
    }
  }

  void touch_byte(const Stmt& s, std::uint64_t at, const Touch& now) {
    const auto a = static_cast<std::size_t>(s.array);
    if (array(s).shared && now.kind != Kind::write && !written_[a][at])
      fault(FindingKind::uninitialized_read, false);
    if (array(s).shared && now.kind != Kind::read) written_[a][at] = true;
    if (a == data_array) return;
    std::vector<Touch>& known = touches_[a][at];
    int alike = 0;
    for (const Touch& before : known) {
      if (is_race(before, now)) {
        fault(FindingKind::data_race, false);
        expected.shared_race |= array(s).shared;
      }
      alike += before.block == now.block && before.epoch == now.epoch && before.kind == now.kind;
      if (before.block == now.block && before.epoch == now.epoch && before.kind == now.kind &&
          before.thread == now.thread)
        return;
    }
    if (alike < 2) known.push_back(now);  // two threads are enough to represent all
  }

  void count_global(const LanesAt& lanes, std::uint32_t bytes, Kind kind) {
    auto& c = expected.counters;
    auto& traffic = kind == Kind::read    ? c.global_load
                    : kind == Kind::write ? c.global_store
                                          : c.global_atomic;
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>>
        lanes_of;  // of a sector: of each address in it
    for (const auto& [lane, at] : lanes)
      for (std::uint64_t b = at; b < at + bytes; ++b) lanes_of[b / 32][at] += b == at;
    ++traffic.requests;
    for (const auto& [sector, at_address] : lanes_of)
      traffic.sectors +=
          kind != Kind::atomic ? 1 : std::ranges::max_element(at_address, {}, [](const auto& each) {
                                       return each.second;
                                     })->second;
    traffic.bytes += addresses(lanes) * bytes;
    traffic.lanes += lanes.size();
    if (kind == Kind::atomic) count_contention(c.global_contention, lanes);
  }

  static std::uint64_t addresses(const LanesAt& lanes) {
    std::set<std::uint64_t> all;
    for (const auto& [lane, at] : lanes) all.insert(at);
    return all.size();
  }

  void count_shared(const LanesAt& lanes, std::uint32_t bytes, Kind kind, bool adds_one) {
    auto& c = expected.counters;
    auto& traffic = kind == Kind::read    ? c.shared_load
                    : kind == Kind::write ? c.shared_store
                                          : c.shared_atomic;
    std::uint32_t at_once =
        bytes <= 4 ? 32 : 128 / bytes;  // number of lanes: a pass moves 128 bytes
    if (bytes > 4 && kind == Kind::read &&
        (neighbours_agree(lanes, 1) || neighbours_agree(lanes, 2)))
      at_once *= 2;
    ++traffic.requests;
    traffic.bytes += addresses(lanes) * bytes;
    traffic.lanes += lanes.size();
    const bool in_turn =
        kind == Kind::atomic && bytes == 4 && !adds_one;  // a bank takes lane after lane
    std::uint64_t passes = 0;
    for (std::uint32_t first = 0; first < 32; first += at_once) {
      std::map<std::uint64_t, std::set<std::pair<std::uint64_t, std::uint32_t>>>
          words_of_bank;  // each with the lane if lanes share no word
      for (const auto& [lane, at] : lanes)
        if (lane >= first && lane < first + at_once)
          for (std::uint64_t word = at / 4; word <= (at + bytes - 1) / 4; ++word)
            words_of_bank[word % 32].emplace(word, in_turn ? lane : 0);
      std::uint64_t of_part = 0;
      for (const auto& [bank, words] : words_of_bank)
        of_part = std::max<std::uint64_t>(of_part, words.size());
      passes += of_part;
    }
    const std::uint64_t least = 32 / at_once;  // also if a part has no active lane
    passes = std::max(passes, least);
    traffic.wavefronts += passes;
    traffic.bank_conflicts += passes - least;
    if (kind == Kind::atomic) count_contention(c.shared_contention, lanes);
  }

  // Whether lanes n and n ^ distance have the same address if both are active.
  static bool neighbours_agree(const LanesAt& lanes, std::uint32_t distance) {
    const std::map<std::uint32_t, std::uint64_t> address(lanes.begin(), lanes.end());
    return std::all_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
      const auto neighbour = address.find(lane.first ^ distance);
      return neighbour == address.end() || neighbour->second == lane.second;
    });
  }

  // A repeated load of the same memory does not wait again, unless it is volatile.
  void count_load(std::uint32_t warp, const Stmt& s, const LanesAt& lanes, std::uint32_t bytes) {
    Loads& loads = loads_of_warp_[warp];
    const int read = static_cast<int>(s.array);
    if (array(s).shared) {
      ++loads.shared;
    } else if (s.form == Stmt::Form::member || loads.array != read || loads.places != lanes ||
               loads.bytes < bytes) {
      ++loads.global;
      loads.array = read;
      loads.places = lanes;
      loads.bytes = bytes;
    }
  }

  void end_block() {
    auto& most = expected.counters.busiest.most;
    for (const auto& [warp, loads] : loads_of_warp_) {
      most.global = std::max(most.global, loads.global);
      most.shared = std::max(most.shared, loads.shared);
    }
    loads_of_warp_.clear();
  }

  static void count_contention(reference::AtomicContention& contention, const LanesAt& lanes) {
    std::map<std::uint64_t, std::uint64_t> lanes_at;
    for (const auto& [lane, at] : lanes) ++lanes_at[at];
    std::uint64_t degree = 0;
    for (const auto& [at, count] : lanes_at) degree = std::max(degree, count);
    contention.updates += lanes.size();
    if (degree > 0) ++contention.requests_of_degree.at(degree - 1);
  }

  const Program& program_;
  const std::uint32_t most_rounds_;
  std::vector<std::vector<std::uint8_t>> memory_;
  std::map<std::uint32_t, Loads> loads_of_warp_;
  std::vector<std::vector<bool>> written_;
  std::vector<std::vector<std::vector<Touch>>> touches_;
  std::vector<Thread> threads_;
  std::uint32_t phase_ = 0, block_ = 0, epoch_ = 0;
  Lanes continued_, left_;
  HiddenRounds rounds_;
  bool ended_ = false;
};

// Returns how the body ended: What::let at its end, else What::go_on or What::leave.
What count_element(const Body& body, Thread& t, std::vector<std::uint32_t>& bins) {
  for (const Stmt& s : body) {
    What how = What::let;
    if (s.what == What::let)
      t.variables[static_cast<std::size_t>(s.variable)] = evaluate(s.value, t);
    else if (s.what == What::count)
      bins[evaluate(s.index, t)] += evaluate(s.value, t);
    else if (s.what == What::go_on || s.what == What::leave)
      how = s.what;
    else if (s.what == What::branch)
      how = count_element(evaluate(s.value, t) != 0 ? s.body : s.otherwise, t, bins);
    else if (s.what == What::loop)
      for (std::uint32_t& v = t.variables[static_cast<std::size_t>(s.variable)] =
               evaluate(s.start, t);
           evaluate(s.value, t) != 0; v += evaluate(s.step, t))
        if (count_element(s.body, t, bins) == What::leave) break;
    if (how != What::let) return how;
  }
  return What::let;
}

}  // namespace

Expected execute(const Program& program, std::uint32_t most_rounds) {
  Machine machine(program, most_rounds);
  for (int launch = 0; launch < program.launches && !machine.ended(); ++launch) machine.launch();
  machine.expected.histo = machine.histo();
  return std::move(machine.expected);
}

std::vector<std::uint32_t> count_sequentially(const Program& program) {
  std::vector<std::uint32_t> bins(program.arrays[histo_array].elements);
  const std::uint32_t bytes = program.arrays[data_array].element_bytes;
  for (int launch = 0; launch < program.launches; ++launch)
    for (std::uint32_t i = 0; i < program.length; ++i) {
      Thread t{0,
               0,
               0,
               0,
               program.length,
               std::vector<std::uint32_t>(static_cast<std::size_t>(program.variables))};
      std::memcpy(&t.variables[static_cast<std::size_t>(program.element_variable)],
                  &program.data[std::size_t{i} * bytes], bytes);
      count_element(program.element, t, bins);
    }
  return bins;
}

}  // namespace histolab::fuzzer
