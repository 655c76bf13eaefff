// Tests the grouping of records against a model of the hardware. In the model, a warp with a mask
// of active lanes executes random kernels of branches and loops. Lanes part at a branch and meet
// behind it. Then each lane's accesses are logged in pieces, as if the emulator's lanes ran in some
// order. The rows passed on must be those of the model.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/emulator/testing/random.h"
#include "kernels/emulator/testing/warp_fixture.h"

namespace histolab::kernels::emulator {
namespace {

using namespace testing;

// A statement of a kernel. It has no conditions: lanes decide at random.
struct Statement {
  enum class What {
    access,
    branch,
    loop,
    go_on,
    leave,
    end
  } what = What::access;  // go_on: continue; leave: break; end: return
  SiteNumber site = 0;    // for accesses
  // For accesses: the number of records, and of words between it and the lane's next access here.
  std::uint32_t pieces = 1, gap = 0;
  std::vector<Statement> body, otherwise;
};
using Block = std::vector<Statement>;

class Generator {
 public:
  explicit Generator(Random& random) : random_(random) {}
  // Every loop begins with an access, like a loop whose condition reads the data: rounds without
  // any access cannot be distinguished.
  Block block(std::uint32_t depth, bool in_loop) {
    Block statements{access()};
    for (std::uint32_t n = random_.below(4); n > 0; --n) {
      Statement s;
      switch (depth > 3 ? 0 : random_.below(in_loop ? 8 : 6)) {
        case 0:
        case 1:
        case 2: s = access(); break;
        case 3:
          s.what = Statement::What::branch;
          s.body = block(depth + 1, in_loop);
          if (random_.one_in(2)) s.otherwise = block(depth + 1, in_loop);
          break;
        case 4:
        case 5:
          s.what = Statement::What::loop;
          s.body = block(depth + 1, true);
          break;
        default:
          s.what = random_.one_in(6)   ? Statement::What::end
                   : random_.one_in(2) ? Statement::What::go_on
                                       : Statement::What::leave;
          break;
      }
      statements.push_back(std::move(s));
    }
    return statements;
  }
  Statement access() {
    Statement s;
    s.site = next_site_++;
    if (random_.one_in(3)) s.pieces = 2 + random_.below(5);
    if (random_.one_in(2)) s.gap = random_.below(3);
    return s;
  }

 private:
  Random& random_;
  SiteNumber next_site_ = 1;
};

// Builds the flow graph that a compiler would make. Nodes are in the order of the text, one per
// access.
class Compiler {
 public:
  explicit Compiler(const Block& kernel) {
    add();  // the entry of the kernel
    compile(kernel, 0);
  }
  [[nodiscard]] ControlFlow flow() const { return {graph_, sites_}; }

 private:
  // Adds a node. A node without an access is between two sites.
  std::uint32_t add(SiteNumber site = 0) {
    if (site != 0) {
      sites_.push_back(site);
      text_ = site;
    }
    graph_.push_back({text_, text_, {}});
    if (site != 0) graph_.back().begin = text_ - 1;
    return static_cast<std::uint32_t>(graph_.size() - 1);
  }
  void connect(std::uint32_t from, std::uint32_t to) { graph_[from].next.push_back(to); }

  // Returns the node at which the block ends, coming from `from`.
  std::uint32_t compile(const Block& block, std::uint32_t from) {
    for (const Statement& s : block) {
      switch (s.what) {
        case Statement::What::access: {
          const std::uint32_t here = add(s.site);
          connect(from, here);
          from = here;
          break;
        }
        case Statement::What::branch: {
          const std::uint32_t then = compile(s.body, from), otherwise = compile(s.otherwise, from);
          const std::uint32_t behind = add();
          connect(then, behind);
          connect(otherwise, behind);
          from = behind;
          break;
        }
        case Statement::What::loop: {
          const std::uint32_t head = add(), outer_head = head_;
          const std::vector<std::uint32_t> outer_left = std::move(left_);
          connect(from, head);
          head_ = head;
          left_.clear();
          const std::uint32_t end = compile(s.body, head);
          connect(end, head);
          const std::uint32_t behind = add();
          connect(from, behind);
          connect(end, behind);
          for (const std::uint32_t node : left_) connect(node, behind);
          head_ = outer_head;
          left_ = outer_left;
          from = behind;
          break;
        }
        // The loop may end at the condition.
        case Statement::What::go_on:
          connect(from, head_);
          left_.push_back(from);
          break;
        case Statement::What::leave: left_.push_back(from); break;
        case Statement::What::end: break;
      }
    }
    return from;
  }

  FlowGraph graph_;
  std::vector<SiteNumber> sites_;
  std::uint32_t text_ = 0, head_ = 0;
  std::vector<std::uint32_t> left_;
};

// Per lane: its records.
struct Logged {
  SiteNumber site;
  std::uint32_t offset;
};
using Traces = std::array<std::vector<Logged>, 32>;

// A warp whose lanes execute statements in step.
class Hardware {
 public:
  explicit Hardware(Random& random) : random_(random) {}

  // Returns the lanes that reach the end of the block.
  LaneBits run(const Block& block, LaneBits active) {
    for (const Statement& s : block) {
      if (active == 0 || rows.size() > 3000) return 0;
      switch (s.what) {
        case Statement::What::access:
          for (std::uint32_t piece = 0; piece < s.pieces; ++piece) rows.push_back({s.site, active});
          for_each_lane(active, [&](std::uint32_t l) {
            std::uint32_t& word = next_word_[l][s.site];
            for (std::uint32_t piece = 0; piece < s.pieces; ++piece)
              trace[l].push_back({s.site, 4 * word++});
            word += s.gap;
          });
          break;
        case Statement::What::branch: {
          const LaneBits taken = active & some();
          active = run(s.body, taken) | run(s.otherwise, active & ~taken);
          break;
        }
        case Statement::What::loop: {
          const LaneBits entering = active & some();
          active = loop(s.body, entering) | (active & ~entering);
          break;
        }
        case Statement::What::go_on: active = divert(active, continued_); break;
        case Statement::What::leave: active = divert(active, left_); break;
        case Statement::What::end: active &= ~some(); break;
      }
    }
    return active;
  }

  LoggedRows rows;
  Traces trace;

 private:
  LaneBits some() { return random_.one_in(3) ? (random_.one_in(2) ? ~0u : 0) : random_.bits(); }
  LaneBits divert(LaneBits active, LaneBits& to) {
    const LaneBits gone = active & some();
    to |= gone;
    return active & ~gone;
  }
  LaneBits loop(const Block& body, LaneBits active) {
    const LaneBits outer_continued = continued_, outer_left = left_;
    LaneBits behind = 0;
    for (left_ = 0; active != 0 && rows.size() < 3000; left_ = 0) {
      continued_ = 0;
      const LaneBits at_end = run(body, active) | continued_;
      const LaneBits again = random_.one_in(8) ? 0 : at_end & some();
      behind |= left_ | (at_end & ~again);
      active = again;
    }
    continued_ = outer_continued;
    left_ = outer_left;
    return behind;
  }

  Random& random_;
  LaneBits continued_ = 0, left_ = 0;
  std::array<std::map<SiteNumber, std::uint32_t>, 32> next_word_;
};

void mark_pieces(const Block& block, SiteTable& sites) {
  for (const Statement& s : block) {
    if (s.what == Statement::What::access) sites[s.site].pieces = s.pieces == 1 ? 0 : s.pieces;
    mark_pieces(s.body, sites);
    mark_pieces(s.otherwise, sites);
  }
}

// Logs the lanes' accesses in random pieces. Judges if no lane has room, and at random. Returns the
// rows passed on.
LoggedRows judged(LoggedWarp& warp, Random& random, const Traces& trace) {
  std::array<std::size_t, 32> done{};
  LaneBits running = ~0u, full = 0;
  const std::uint32_t stretch = random.one_in(2) ? 1000 : 1 + random.below(20);
  while (running != 0) {
    for_each_lane(running & ~full & (random.one_in(3) ? random.lanes() : ~0u),
                  [&](std::uint32_t l) {
                    for (std::uint32_t n = 1 + random.below(stretch);
                         n > 0 && done[l] < trace[l].size(); --n) {
                      const Logged& next = trace[l][done[l]++];
                      warp.put(l, next.site, warp.buffer.address() + next.offset);
                      if (!warp.full(l)) continue;
                      full |= 1u << l;
                      break;
                    }
                    if (done[l] == trace[l].size()) running &= ~(1u << l);
                  });
    if ((running & ~full) != 0 && random.one_in(2)) continue;
    const WarpLog::Judged result = warp.judge(running);
    for (std::uint32_t l = 0; l < 32; ++l)
      if (result.level ? result.most != 0 : result.rows[l] != 0) full &= ~(1u << l);
  }
  warp.judge(0);
  return warp.recorder.rows();
}

TEST_CASE("per-lane logs are merged into the warp's accesses, whatever pieces they arrive in") {
  std::size_t parted = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    static LoggedWarp warp;
    const Block kernel = Generator(random).block(0, false);
    warp.flow = Compiler(kernel).flow();
    mark_pieces(kernel, *warp.launch.sites);
    Hardware hardware(random);
    hardware.run(kernel, random.one_in(2) ? ~0u : random.lanes());
    parted += std::ranges::any_of(
        hardware.rows, [&](const LoggedRow& row) { return row.lanes != hardware.rows[0].lanes; });
    for (int pieces = 0; pieces < 3; ++pieces) {
      warp.recorder.accesses.clear();
      warp.log.begin(3);
      for (std::uint32_t l = 0; l < 32; ++l) warp.cursors[l] = warp.log.start(l);
      const LoggedRows got = judged(warp, random, hardware.trace);
      REQUIRE_MESSAGE(got == hardware.rows, "\nthe warp did ", text(hardware.rows),
                      "\npassed on was ", text(got));
    }
  }
  CHECK(parted > 100);
}

}  // namespace
}  // namespace histolab::kernels::emulator
