#include "kernels/worker/compiling/call_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace histolab::kernels::worker {
namespace {

struct Node {
  std::string symbol, name;        // "_Z6secondi", "second"
  std::vector<std::string> calls;  // node numbers
  // Number of the node that has the calls, or empty: a constructor's two symbols are one function.
  std::string alias_of;
  std::vector<std::string> sets;    // numbers of the variables that it writes
  std::vector<std::string> passes;  // numbers of the variables whose address it takes
  bool reads = false;               // reads any variable
};

using Nodes = std::map<std::string, Node>;  // keyed by number

// "T twice(T) [with T = int]" -> "twice", "void Bins<T>::add(int)" -> "add".
std::string plain_name(std::string_view declaration) {
  if (declaration.find("<lambda") != std::string_view::npos) return {};
  std::string name;
  int templates = 0;
  for (const char c : declaration.substr(0, declaration.find_first_of("(["))) {
    templates += c == '<';
    if (templates == 0) name += c;
    templates -= c == '>' && templates > 0;
  }
  name.erase(name.find_last_not_of(' ') + 1);  // in "int table [4]"
  const std::size_t before = name.find_last_of(" :*&");
  return before == std::string::npos ? name : name.substr(before + 1);
}

// Returns the number after the last slash of "_Z6secondi/112".
std::string number_of(std::string_view symbol) {
  const std::size_t slash = symbol.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(symbol.substr(slash + 1));
}

// "_Z6secondi/112 (int second(int)) @0x7f" in g++ 12; later versions write no address. `number` is
// empty if the line does not begin a node.
struct Heading {
  std::string number, symbol, name;
};

Heading heading_of(std::string_view line) {
  line = line.substr(0, line.rfind(" @0x"));
  const std::size_t open = line.find(" (");
  if (line.starts_with(' ') || !line.ends_with(')') || open == std::string_view::npos) return {};
  const std::string_view symbol = line.substr(0, open);
  return {number_of(symbol), std::string(symbol.substr(0, symbol.rfind('/'))),
          plain_name(line.substr(open + 2, line.size() - open - 3))};
}

// Reads "n/1 (write) _ZN4Bins5tableE/4 (addr) _ZN4BinsC2Ev/3 (alias) ".
void read_references(std::string_view line, Node& node) {
  for (std::size_t at = 0, open = 0; (open = line.find(" (", at)) != std::string_view::npos;
       at = std::min(line.find(") ", open), line.size() - 2) + 2) {
    const std::string_view symbol = line.substr(at, open - at), how = line.substr(open + 2);
    if (how.starts_with("alias)"))
      node.alias_of = number_of(symbol);
    else if (how.starts_with("write)"))
      node.sets.push_back(number_of(symbol));
    else if (how.starts_with("addr)"))
      node.passes.push_back(number_of(symbol));
    else
      node.reads |= how.starts_with("read)");
  }
}

// Reads the first table in the dump. A node begins at the margin; its properties follow, indented.
Nodes read_nodes(std::string_view dump) {
  Nodes nodes;
  const std::size_t table = dump.find("Symbol table:");
  Node* current = nullptr;
  for (std::size_t begin = table; begin < dump.size();) {
    const std::size_t end = std::min(dump.find('\n', begin), dump.size());
    const std::string_view line = dump.substr(begin, end - begin);
    begin = end + 1;
    constexpr std::string_view calls = "  Calls: ", references = "  References: ";
    if (const Heading heading = heading_of(line); !heading.number.empty()) {
      const auto [node, added] =
          nodes.try_emplace(heading.number, Node{heading.symbol, heading.name, {}, {}, {}, {}});
      if (!added) break;  // the next table
      current = &node->second;
    } else if (line.starts_with(calls) && current != nullptr) {
      for (std::size_t at = calls.size(); at < line.size();) {
        const std::size_t space = std::min(line.find(' ', at), line.size());
        if (std::string number = number_of(line.substr(at, space - at)); !number.empty())
          current->calls.push_back(std::move(number));
        at = space + 1;
      }
    } else if (line.starts_with(references) && current != nullptr) {
      read_references(line.substr(references.size()), *current);
    }
  }
  return nodes;
}

// Returns the node with the calls of this number, or nullptr if the dump has no such node.
const Node* called(const Nodes& nodes, const std::string& number) {
  const auto found = nodes.find(number);
  if (found == nodes.end()) return nullptr;
  const auto whole = nodes.find(found->second.alias_of);
  return whole == nodes.end() ? &found->second : &whole->second;
}

// Decides by the mangled name: std:: and its templates.
bool is_of_standard_library(const Node& node) {
  static constexpr std::string_view beginnings[] = {
      "_ZNSt", "_ZNKSt", "_ZSt", "_ZNSa", "_ZNSs", "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  return std::ranges::any_of(beginnings,
                             [&](std::string_view each) { return node.symbol.starts_with(each); });
}

// Returns operator new and the library's functions that reach it.
std::set<const Node*> those_that_get_memory(const Nodes& nodes) {
  std::map<const Node*, std::vector<const Node*>> callers;
  std::deque<const Node*> todo;
  for (const auto& [number, node] : nodes) {
    if (node.symbol.starts_with("_Znwm") || node.symbol.starts_with("_Znam")) todo.push_back(&node);
    if (!is_of_standard_library(node)) continue;
    for (const std::string& callee : node.calls) callers[called(nodes, callee)].push_back(&node);
  }
  std::set<const Node*> found(todo.begin(), todo.end());
  for (; !todo.empty(); todo.pop_front())
    for (const Node* caller : callers[todo.front()])
      if (found.insert(caller).second) todo.push_back(caller);
  return found;
}

}  // namespace

std::vector<Call> calls_below(std::string_view dump, const std::string& kernel) {
  const Nodes nodes = read_nodes(dump);
  const std::set<const Node*> get_memory = those_that_get_memory(nodes);
  std::vector<Call> calls;
  std::deque<const Node*> todo;
  std::set<const Node*> seen;
  for (const auto& [number, node] : nodes)
    if (node.name == kernel && seen.insert(&node).second) todo.push_back(&node);
  for (; !todo.empty(); todo.pop_front())
    for (const std::string& number : todo.front()->calls) {
      const Node* callee = called(nodes, number);
      if (callee == nullptr) continue;
      const bool enters_library =
          is_of_standard_library(*callee) && !is_of_standard_library(*todo.front());
      const Call call{todo.front()->name, callee->name,
                      enters_library && get_memory.contains(callee)};
      if (!call.callee.empty() && std::find(calls.begin(), calls.end(), call) == calls.end())
        calls.push_back(call);
      if (seen.insert(callee).second) todo.push_back(callee);
    }
  return calls;
}

std::vector<std::string> set_before_launch(std::string_view dump) {
  const Nodes nodes = read_nodes(dump);
  std::vector<std::string> names;
  for (const auto& [number, node] : nodes)
    if (node.name == "__static_initialization_and_destruction_0") {
      std::vector<std::string> variables = node.sets;
      // Without calls and reads it is a loop over an array whose constructor does nothing.
      if (!node.calls.empty() || node.reads)
        variables.insert(variables.end(), node.passes.begin(), node.passes.end());
      for (const std::string& variable : variables)
        // plain_name() fails for a declaration with parentheses. Such a name is not part of the
        // symbol.
        if (const auto found = nodes.find(variable);
            found != nodes.end() && !found->second.name.empty() &&
            found->second.symbol.find(found->second.name) != std::string::npos)
          names.push_back(found->second.name);
    }
  return names;
}

}  // namespace histolab::kernels::worker
