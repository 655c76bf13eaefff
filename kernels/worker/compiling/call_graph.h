// CallGraph: which functions a kernel calls, by g++'s own account (-fdump-ipa-visibility), before anything is inlined or folded.
//
// The format of that dump is not promised; what it does not say is simply not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::worker {

struct Call {
  std::string caller, callee;  // without types, namespaces, classes and template arguments; empty for a lambda
  bool gets_memory = false;    // the callee is the standard library's, and from there operator new is reached, as by std::vector
  bool operator==(const Call&) const = default;
};

// The calls that `kernel` makes, and those of what it calls; nearest first.
[[nodiscard]] std::vector<Call> calls_below(std::string_view dump, const std::string& kernel);

// The variables of the file that are set by code before anything is launched: their initial values are no constants.
[[nodiscard]] std::vector<std::string> set_before_launch(std::string_view dump);

}  // namespace histolab::kernels::worker
