// The order of instructions, as decoded from machine code.
#include "kernels/emulator/code/flow_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace histolab::kernels::emulator {
namespace {

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // offsets

Edges edges(const FlowGraph& graph) {
  Edges all;
  for (const FlowNode& node : graph)
    for (const std::uint32_t next : node.next) all.insert({node.begin, graph[next].begin});
  return all;
}

}  // namespace

TEST_CASE("decoding follows the instructions up to the return and ignores the bytes after it") {
  const std::vector<std::uint8_t> text{0x90, 0x31, 0xc0, 0xc3,
                                       0x06};  // nop; xor eax, eax; ret; invalid
  const FlowGraph graph = decode_flow(text, 0);
  CHECK(edges(graph) == Edges{{0, 1}, {1, 3}});
  CHECK(graph.size() == 3);
  CHECK(graph[1].end == 3);
}

TEST_CASE("a conditional jump has two successors, an unconditional one has one") {
  const std::vector<std::uint8_t> text{
      0x74, 0x02,  // 0: je 4
      0xeb, 0x01,  // 2: jmp 5
      0x90,        // 4: nop
      0x75, 0xf9,  // 5: jne 0
      0xc3,        // 7: ret
  };
  CHECK(edges(decode_flow(text, 0)) == Edges{{0, 2}, {0, 4}, {2, 5}, {4, 5}, {5, 0}, {5, 7}});
  CHECK(edges(decode_flow(text, 4)) == Edges{{4, 5}, {5, 7}, {5, 0}, {0, 2}, {0, 4}, {2, 5}});
}

TEST_CASE(
    "a call within the text leads to the function and back to each call site; others fall "
    "through") {
  const std::vector<std::uint8_t> text{
      0xe8, 0x0d, 0, 0, 0,     // 0: call 18
      0xe8, 0x08, 0, 0, 0,     // 5: call 18
      0xe8, 0,    0, 0, 0x40,  // 10: call far away
      0xff, 0xd0,              // 15: call rax
      0xc3,                    // 17: ret
      0xc3,                    // 18: ret
  };
  CHECK(edges(decode_flow(text, 0)) ==
        Edges{{0, 18}, {18, 5}, {5, 18}, {18, 10}, {10, 15}, {15, 17}});
}

TEST_CASE("a jump out of the text ends a function as its return does") {
  const std::vector<std::uint8_t> text{
      0xe8, 0x01, 0,    0, 0,     // 0: call 6
      0xc3,                       // 5: ret
      0xff, 0x25, 0x02, 0, 0, 0,  // 6: jmp [rip + 2]
  };
  CHECK(edges(decode_flow(text, 0)) == Edges{{0, 6}, {6, 5}});
}

TEST_CASE("truncated code and offsets outside the text have no successor") {
  CHECK(edges(decode_flow(std::vector<std::uint8_t>{0x90}, 0)) == Edges{{0, 1}});
  CHECK(decode_flow(std::vector<std::uint8_t>{0xe8, 0x00}, 0)[0].next.empty());
  CHECK(decode_flow(std::vector<std::uint8_t>{0x90}, 7)[0].next.empty());
  CHECK(decode_flow({}, 0)[0].next.empty());
}

}  // namespace histolab::kernels::emulator
