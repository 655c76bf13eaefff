// Steps from site to site: forward, or round a loop.
#include "kernels/emulator/code/control_flow.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

// Builds a graph from the successors of each node. Node i is site i + 1.
ControlFlow flow_of(const std::vector<std::vector<std::uint32_t>>& next) {
  FlowGraph graph;
  std::vector<SiteNumber> sites;
  for (std::uint32_t i = 0; i < next.size(); ++i) {
    graph.push_back({i, i + 1, next[i]});
    sites.push_back(static_cast<SiteNumber>(i + 1));
  }
  return {graph, sites};
}

bool forward(const ControlFlow& flow, SiteNumber from, SiteNumber to) {
  return !flow.step(flow.number(from), flow.number(to)).round;
}
std::uint32_t common(const ControlFlow& flow, SiteNumber from, SiteNumber to) {
  return flow.step(flow.number(from), flow.number(to)).level;
}
std::uint32_t level(const ControlFlow& flow, SiteNumber site) {
  return flow.level(flow.number(site));
}

}  // namespace

TEST_CASE("without loops, only steps along the code are forward; a step back counts at level 0") {
  const ControlFlow flow = flow_of({{1}, {2}, {}});
  CHECK(forward(flow, 1, 2));
  CHECK(forward(flow, 1, 3));
  CHECK_FALSE(forward(flow, 2, 2));
  CHECK_FALSE(forward(flow, 3, 1));
  CHECK(common(flow, 3, 1) == 0);
  for (SiteNumber site = 1; site <= 3; ++site) {
    CHECK(level(flow, site) == 0);
    CHECK(forward(flow, 0, site));  // 0 is the number of the kernel's begin
  }
}

TEST_CASE("in nested loops, a step back belongs to the innermost loop that contains both sites") {
  // 1 [2 [3 4] 5] 6
  const ControlFlow flow = flow_of({{1}, {2}, {3}, {4, 2}, {5, 1}, {}});
  CHECK(level(flow, 1) == 0);
  CHECK(level(flow, 2) == 1);
  CHECK(level(flow, 3) == 2);
  CHECK(level(flow, 4) == 2);
  CHECK(level(flow, 5) == 1);
  CHECK(level(flow, 6) == 0);
  CHECK_FALSE(forward(flow, 4, 3));
  CHECK(common(flow, 4, 3) == 2);
  CHECK_FALSE(forward(flow, 4, 2));
  CHECK(common(flow, 4, 2) == 1);
  CHECK(forward(flow, 4, 5));
  CHECK(common(flow, 4, 5) == 1);
  CHECK(forward(flow, 4, 6));
  CHECK(common(flow, 4, 6) == 0);
}

TEST_CASE("a step from one branch of an if to the other is a new round of the loop") {
  // while (1) if (2) 3 else 4;  5
  const ControlFlow flow = flow_of({{1, 4}, {2, 3}, {0}, {0}, {}});
  CHECK(forward(flow, 2, 4));
  CHECK_FALSE(forward(flow, 3, 4));
  CHECK(common(flow, 3, 4) == 1);
  CHECK_FALSE(forward(flow, 4, 3));
}

TEST_CASE("a loop that is entered at its condition begins with the condition") {
  // goto 3; do 2 while (3); 4
  const ControlFlow flow = flow_of({{2}, {2}, {1, 3}, {}});
  CHECK(forward(flow, 3, 2));
  CHECK_FALSE(forward(flow, 2, 3));
  CHECK(flow.rank(flow.number(3), 1) < flow.rank(flow.number(2), 1));
}

TEST_CASE("ranks order the sites of a loop; a nested loop has one rank, at its first site") {
  // 1 [2 [3 4] 5] 6
  const ControlFlow flow = flow_of({{1}, {2}, {3}, {4, 2}, {5, 1}, {}});
  const auto rank = [&](SiteNumber site, std::uint32_t at) {
    return flow.rank(flow.number(site), at);
  };
  CHECK(rank(1, 0) < rank(2, 0));
  for (const int inside : {3, 4, 5}) CHECK(rank(static_cast<SiteNumber>(inside), 0) == rank(2, 0));
  CHECK(rank(2, 0) < rank(6, 0));
  CHECK(rank(2, 1) < rank(3, 1));
  CHECK(rank(3, 1) == rank(4, 1));
  CHECK(rank(4, 1) < rank(5, 1));
  CHECK(rank(3, 2) < rank(4, 2));
}

TEST_CASE("any two sites of a loop with two entries differ in level or rank") {
  const ControlFlow flow = flow_of({{1, 2}, {2}, {1, 3}, {}});
  for (SiteNumber a = 1; a <= 4; ++a)
    for (SiteNumber b = 1; b < a; ++b)
      CHECK((level(flow, a) != level(flow, b) || flow.rank(flow.number(a), level(flow, a)) !=
                                                     flow.rank(flow.number(b), level(flow, b))));
}

TEST_CASE("unreachable sites come last, each with its own rank") {
  const ControlFlow flow = flow_of({{1}, {}, {}, {}});
  CHECK(flow.rank(flow.number(2), 0) < flow.rank(flow.number(3), 0));
  CHECK(flow.rank(flow.number(3), 0) < flow.rank(flow.number(4), 0));
}

TEST_CASE("loops deeper than the maximum level share that level") {
  std::vector<std::vector<std::uint32_t>> next;
  constexpr std::uint32_t depth = 12;
  for (std::uint32_t i = 0; i < depth; ++i) next.push_back({i + 1});
  for (std::uint32_t i = 0; i < depth; ++i) next.push_back({depth + i + 1, depth - 1 - i});
  next.push_back({});
  const ControlFlow flow = flow_of(next);
  CHECK(level(flow, 1) == 1);
  CHECK(level(flow, depth) == ControlFlow::max_level);
}

TEST_CASE("sites of one call are ordered, and precede the loop after the call") {
  // A call of five bytes with sites on the last four; behind it a loop.
  const FlowGraph graph{{0, 5, {1}}, {5, 6, {1, 2}}, {6, 7, {}}};
  const ControlFlow flow(graph, std::vector<SiteNumber>{2, 3, 4, 5, 6, 7});
  for (SiteNumber site = 3; site <= 5; ++site) {
    CHECK(forward(flow, static_cast<SiteNumber>(site - 1), site));
    CHECK(flow.rank(flow.number(static_cast<SiteNumber>(site - 1)), 0) <
          flow.rank(flow.number(site), 0));
  }
  CHECK(level(flow, 6) == 1);
  CHECK(flow.rank(flow.number(5), 0) < flow.rank(flow.number(6), 0));
  CHECK(flow.rank(flow.number(6), 0) < flow.rank(flow.number(7), 0));
}

TEST_CASE("above the site limit, sites are ordered by their position in the text") {
  std::vector<SiteNumber> sites;
  for (std::uint32_t site = 5; site < 65536; site += 5)
    sites.push_back(static_cast<SiteNumber>(site));  // no text has more calls
  REQUIRE(sites.size() > 6 * ControlFlow::max_sites);
  const ControlFlow flow({}, sites);
  CHECK(forward(flow, 5, 10));
  CHECK_FALSE(forward(flow, 10, 10));
  CHECK(flow.rank(flow.number(5), 0) < flow.rank(flow.number(65535), 0));
  const std::vector<SiteNumber> some{5, 29'995, 30'000, 30'005, 65'535};
  for (const SiteNumber from : some)
    for (const SiteNumber to : some) {
      CHECK(forward(flow, from, to) == (from < to));
      CHECK(common(flow, from, to) == 0);
    }
  for (const SiteNumber first : some) CHECK(forward(flow, 0, first));
}

}  // namespace histolab::kernels::emulator
