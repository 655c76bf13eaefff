// The counting kernels: one struct for each kernel of the benchmark.
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

using Maker = std::function<std::optional<Contender>(const Case& c, const Problem& problem)>;

struct Kernel {
  std::string name, description;
  Maker make;
};
// The project's own, CUB and the textbook's; a program may add to them before it begins.
[[nodiscard]] std::vector<Kernel>& kernels();

// A kernel of the course: histogram(const char*, unsigned, unsigned*), 7 letter bins, compiled by NVRTC for the current device.
// `description` is an object: name, source (a file), block, shared_bytes, opt_in, and for the grid either `grid` (blocks) or
// `share` (elements of a block), which is multiplied by the source's export `factor` (or `fallback`) where there is one.
// Throws std::runtime_error with the mistake in it. In contender_lab.cpp.
[[nodiscard]] Kernel lab_kernel(const nlohmann::json& description);

// The kernels that the lessons speak of (kernels/cuda/lessons), without the race, which miscounts: letters, and powers of two
// of even bins over the type's whole range; up to 2^28 samples. In contender_textbook.cpp.
[[nodiscard]] std::vector<Kernel> textbook_kernels();

// CUB's own, in contender_cub.cpp.
[[nodiscard]] std::optional<Contender> make_cub(const Case& c, const Problem& problem);

}  // namespace histolab::kernels::cuda::bench
