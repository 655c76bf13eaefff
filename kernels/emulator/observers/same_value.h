// SameValue: which data races are only of threads that write the same value to the same place. The outcome is then the same
// whoever comes last, so they are remarks, not errors, as long as nothing else races on the variable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

class SameValue {
 public:
  // One more sight of a race, which is finding `number`.
  void saw(std::size_t number, bool same_value) {
    bool& only = only_same_value_.try_emplace(number, true).first->second;
    only = only && same_value;
  }

  // The findings' numbers.
  [[nodiscard]] std::vector<std::size_t> findings(const std::vector<Finding>& all) const {
    std::vector<std::size_t> remarks;
    for (const auto& [number, only] : only_same_value_) {
      const Finding& finding = all[number];
      const bool alone = std::ranges::none_of(only_same_value_, [&](const auto& entry) {
        const Finding& other = all[entry.first];
        return !entry.second && other.variable == finding.variable && other.space == finding.space;
      });
      if (alone) remarks.push_back(number);
    }
    return remarks;
  }

 private:
  std::map<std::size_t, bool> only_same_value_;
};

}  // namespace histolab::kernels::emulator
