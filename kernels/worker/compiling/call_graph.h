// CallGraph: the functions that a kernel calls, read from a g++ dump (-fdump-ipa-visibility). The
// dump is written before inlining and folding. Its format is not guaranteed: functions that are
// missing in it are missing here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::worker {

struct Call {
  // Names without types, namespaces, classes and template arguments; empty for a lambda.
  std::string caller, callee;
  // True for a standard library function that reaches operator new, such as one of std::vector.
  bool gets_memory = false;
  bool operator==(const Call&) const = default;
};

// Returns the calls of `kernel` and of its callees, breadth first.
[[nodiscard]] std::vector<Call> calls_below(std::string_view dump, const std::string& kernel);

// Returns the file's variables that code sets before the launch: their initial values are not
// constant.
[[nodiscard]] std::vector<std::string> set_before_launch(std::string_view dump);

}  // namespace histolab::kernels::worker
