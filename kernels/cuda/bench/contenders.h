// Who counts: one struct for each kernel of the benchmark.
//
// To add one, write a function that makes it for a case (or says that it does not fit there), and name it in
// contenders.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/cuda/bench/cases.h"

namespace histolab::kernels::cuda::bench {

enum class ResultType { count64, count32 };

struct Contender {
  std::string name;      // the row's "kernel"
  std::string strategy;  // how it goes about it, for the row
  ResultType result_type = ResultType::count64;
  // Enqueues one whole count of the case's samples into `histogram`: with all that it needs, zeroing included.
  std::function<void(void* histogram, cudaStream_t stream)> run;
};

using Maker = std::optional<Contender> (*)(const Case& c, const Problem& problem);

struct Kernel {
  std::string name, description;
  Maker make;
};
[[nodiscard]] const std::vector<Kernel>& kernels();

// CUB's own, in contender_cub.cpp.
[[nodiscard]] std::optional<Contender> make_cub(const Case& c, const Problem& problem);

}  // namespace histolab::kernels::cuda::bench
