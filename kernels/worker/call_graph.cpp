#include "kernels/worker/call_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace histolab::kernels::worker {
namespace {

struct Node {
  std::string name;
  std::vector<std::string> calls;  // numbers of nodes
};

// "T twice(T) [with T = int]" -> "twice", "void Bins::add(int)" -> "add".
std::string plain_name(std::string_view declaration) {
  if (declaration.find("<lambda") != std::string_view::npos) return {};
  std::string_view name = declaration.substr(0, declaration.find('('));
  name = name.substr(0, name.find('<'));
  const std::size_t before = name.find_last_of(" :*&");
  return std::string(before == std::string_view::npos ? name : name.substr(before + 1));
}

// The number behind the last slash of "_Z6secondi/112".
std::string number_of(std::string_view symbol) {
  const std::size_t slash = symbol.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(symbol.substr(slash + 1));
}

// "_Z6secondi/112 (int second(int)) @0x7f" as g++ 12 writes it, without the address as later ones do. No node: no number.
struct Heading {
  std::string number, name;
};

Heading heading_of(std::string_view line) {
  line = line.substr(0, line.rfind(" @0x"));
  const std::size_t open = line.find(" (");
  if (line.starts_with(' ') || !line.ends_with(')') || open == std::string_view::npos) return {};
  return {number_of(line.substr(0, open)), plain_name(line.substr(open + 2, line.size() - open - 3))};
}

// Of the first table in the dump. A node begins at the margin; what is known of it follows, indented.
std::map<std::string, Node> read_nodes(std::string_view dump) {
  std::map<std::string, Node> nodes;
  const std::size_t table = dump.find("Symbol table:");
  Node* current = nullptr;
  for (std::size_t begin = table; begin < dump.size();) {
    const std::size_t end = std::min(dump.find('\n', begin), dump.size());
    const std::string_view line = dump.substr(begin, end - begin);
    begin = end + 1;
    constexpr std::string_view calls = "  Calls: ";
    if (const Heading heading = heading_of(line); !heading.number.empty()) {
      const auto [node, added] = nodes.try_emplace(heading.number, Node{heading.name, {}});
      if (!added) break;  // the next table
      current = &node->second;
    } else if (line.starts_with(calls) && current != nullptr) {
      for (std::size_t at = calls.size(); at < line.size();) {
        const std::size_t space = std::min(line.find(' ', at), line.size());
        if (std::string number = number_of(line.substr(at, space - at)); !number.empty()) current->calls.push_back(std::move(number));
        at = space + 1;
      }
    }
  }
  return nodes;
}

}  // namespace

std::vector<Call> calls_below(std::string_view dump, const std::string& kernel) {
  const std::map<std::string, Node> nodes = read_nodes(dump);
  std::vector<Call> calls;
  std::deque<const Node*> todo;
  std::set<const Node*> seen;
  for (const auto& [number, node] : nodes)
    if (node.name == kernel && seen.insert(&node).second) todo.push_back(&node);
  for (; !todo.empty(); todo.pop_front())
    for (const std::string& number : todo.front()->calls) {
      const auto callee = nodes.find(number);
      if (callee == nodes.end()) continue;
      const Call call{todo.front()->name, callee->second.name};
      if (!call.callee.empty() && std::find(calls.begin(), calls.end(), call) == calls.end()) calls.push_back(call);
      if (seen.insert(&callee->second).second) todo.push_back(&callee->second);
    }
  return calls;
}

}  // namespace histolab::kernels::worker
