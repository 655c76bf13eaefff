#include "kernels/emulator/code/control_flow.h"

#include <algorithm>
#include <map>
#include <utility>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t none = ~0u;

using Bits = std::vector<std::uint64_t>;
bool has(const Bits& bits, std::size_t i) { return (bits[i / 64] >> i % 64 & 1) != 0; }
void set(Bits& bits, std::size_t i) { bits[i / 64] |= 1ull << i % 64; }

struct Edge {
  std::uint32_t from, to;
};

struct Order {
  std::vector<std::uint32_t> rank;     // per node, in reverse postorder; `none` if unreachable
  std::vector<std::uint32_t> forward;  // the reachable nodes in that order
  std::vector<Edge> backward;          // edges to a node that is still being visited
};

// Visits the graph depth first. Of two successors, the one that comes first in the text also comes
// first in the order.
Order depth_first(const FlowGraph& graph) {
  enum class State : std::uint8_t { fresh, open, closed };
  struct Visit {
    std::uint32_t node;
    std::vector<std::uint32_t> left;  // successors, the next one last
  };
  Order order;
  order.rank.assign(graph.size(), none);
  if (graph.empty()) return order;
  std::vector<State> state(graph.size(), State::fresh);
  std::vector<Visit> path;
  const auto open = [&](std::uint32_t node) {
    state[node] = State::open;
    path.push_back({node, graph[node].next});
    std::ranges::sort(path.back().left, {}, [&](std::uint32_t next) { return graph[next].begin; });
  };
  for (open(0); !path.empty();) {
    Visit& visit = path.back();
    if (visit.left.empty()) {
      state[visit.node] = State::closed;
      order.forward.push_back(visit.node);
      path.pop_back();
      continue;
    }
    const std::uint32_t next = visit.left.back();
    visit.left.pop_back();
    if (state[next] == State::open) order.backward.push_back({visit.node, next});
    if (state[next] == State::fresh) open(next);
  }
  std::ranges::reverse(order.forward);
  for (std::uint32_t i = 0; i < order.forward.size(); ++i) order.rank[order.forward[i]] = i;
  return order;
}

struct Loop {
  std::uint32_t head = 0, size = 0;
  Bits nodes;
  std::uint32_t parent = none;
};

// Returns the loops, inner loops before the loops around them.
std::vector<Loop> natural_loops(const FlowGraph& graph, const Order& order) {
  std::vector<std::vector<std::uint32_t>> before(graph.size());
  for (const std::uint32_t node : order.forward)
    for (const std::uint32_t next : graph[node].next) before[next].push_back(node);
  std::map<std::uint32_t, Loop> by_head;
  for (const Edge& edge : order.backward) {
    Loop& loop = by_head[edge.to];
    if (loop.nodes.empty()) {
      loop = {edge.to, 1, Bits(graph.size() / 64 + 1), none};
      set(loop.nodes, edge.to);
    }
    for (std::vector<std::uint32_t> todo{edge.from}; !todo.empty();) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      if (has(loop.nodes, node)) continue;
      set(loop.nodes, node);
      ++loop.size;
      todo.insert(todo.end(), before[node].begin(), before[node].end());
    }
  }
  std::vector<Loop> loops;
  for (auto& [head, loop] : by_head) loops.push_back(std::move(loop));
  std::ranges::stable_sort(loops, {}, &Loop::size);
  for (std::uint32_t i = 0; i < loops.size(); ++i)
    for (std::uint32_t j = i + 1; j < loops.size() && loops[i].parent == none; ++j)
      if (has(loops[j].nodes, loops[i].head)) loops[i].parent = j;
  return loops;
}

// Returns the indices of the loops around a node, outermost first, at most max_level.
std::vector<std::uint32_t> loops_around(const std::vector<Loop>& loops, std::uint32_t node) {
  std::vector<std::uint32_t> around;
  for (std::uint32_t i = 0; i < loops.size() && around.empty(); ++i)
    if (has(loops[i].nodes, node))
      for (std::uint32_t loop = i; loop != none; loop = loops[loop].parent) around.push_back(loop);
  std::ranges::reverse(around);
  if (around.size() > ControlFlow::max_level) around.resize(ControlFlow::max_level);
  return around;
}

}  // namespace

ControlFlow::ControlFlow(const FlowGraph& whole, std::span<const SiteNumber> sites) {
  const bool simplify = sites.size() > max_sites;
  const FlowGraph& graph = simplify ? FlowGraph{} : whole;
  const Order order = depth_first(graph);
  const std::vector<Loop> loops = natural_loops(graph, order);
  const std::size_t count = count_ = sites.size() + 1;
  level_.resize(count);
  rank_.resize(count * (max_level + 1));

  // Per node: bytes of the text that precede it in that order. This gives unique ranks, since nodes
  // do not overlap and each site has a byte of its own.
  std::vector<std::uint32_t> before(graph.size());
  std::uint32_t all = 0;
  for (const std::uint32_t node : order.forward)
    before[node] = std::exchange(all, all + graph[node].end - graph[node].begin);

  // Number 0 is the kernel's begin. A site that is unreachable in the graph comes after all others.
  std::vector<std::uint32_t> node_of(count, none);
  std::vector<std::vector<std::uint32_t>> around(count);
  std::vector<std::vector<std::uint16_t>> sites_of(graph.size());
  std::map<std::uint32_t, std::uint32_t> node_at;  // by the offset behind it
  for (std::uint32_t node = 0; node < graph.size(); ++node)
    if (graph[node].begin < graph[node].end) node_at[graph[node].end] = node;
  for (std::uint16_t n = 1; n < count; ++n) {
    number_[sites[n - 1]] = n;
    const auto node = node_at.lower_bound(sites[n - 1]);  // a site may precede the end of its call
    if (node != node_at.end() && graph[node->second].begin < sites[n - 1] &&
        order.rank[node->second] != none)
      node_of[n] = node->second;
    if (node_of[n] == none) {
      rank_[n] = all + n;
      continue;
    }
    sites_of[node_of[n]].push_back(n);
    around[n] = loops_around(loops, node_of[n]);
    level_[n] = static_cast<std::uint8_t>(around[n].size());
    for (std::uint32_t level = 0; level < level_[n]; ++level)
      rank_[level * count + n] = before[loops[around[n][level]].head];
    rank_[level_[n] * count + n] = before[node_of[n]] + sites[n - 1] - graph[node_of[n]].begin - 1;
  }

  // Finds the sites that each node reaches going forward, from the last node to the first.
  std::vector<Bits> reached(graph.size(), Bits(count / 64 + 1));
  for (std::size_t i = order.forward.size(); i-- > 0;) {
    const std::uint32_t node = order.forward[i];
    for (const std::uint32_t next : graph[node].next) {
      if (order.rank[next] <= i) continue;
      for (std::size_t word = 0; word < reached[node].size(); ++word)
        reached[node][word] |= reached[next][word];
      for (const std::uint16_t n : sites_of[next]) set(reached[node], n);
    }
  }

  if (simplify) {
    steps_.assign(2 * count, {0, 0});
    std::fill_n(steps_.begin(), count + 1, Step{0, 1});
    first_row_ = static_cast<std::ptrdiff_t>(count);
    to_next_row_ = -1;
    return;
  }
  to_next_row_ = static_cast<std::ptrdiff_t>(count);
  steps_.resize(count * count);
  for (std::uint16_t to = 1; to < count; ++to) steps_[to] = {0, 0};
  for (std::uint16_t from = 1; from < count; ++from)
    for (std::uint16_t to = 1; to < count; ++to) {
      const auto common =
          std::ranges::mismatch(around[from], around[to]).in1 - around[from].begin();
      const bool in_one_node =
          node_of[from] != none && node_of[from] == node_of[to] && sites[from - 1] < sites[to - 1];
      const bool forward =
          in_one_node || (node_of[from] != none && has(reached[node_of[from]], to));
      steps_[from * count + to] = {static_cast<std::uint8_t>(common & max_level), !forward};
    }
}

}  // namespace histolab::kernels::emulator
