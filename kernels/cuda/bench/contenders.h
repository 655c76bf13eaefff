// The counting kernels of the benchmark, one struct per kernel. To add a kernel, write a Maker and
// add it to contenders.cpp.
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
  std::string strategy;  // the row's "strategy"
  ResultType result_type = ResultType::count64;
  // Enqueues a complete count of the case's samples into `histogram`, including the zeroing.
  std::function<void(void* histogram, cudaStream_t stream)> run;
};

// Returns the contender for a case, or nullopt if the kernel does not support the case.
using Maker = std::function<std::optional<Contender>(const Case& c, const Problem& problem)>;

struct Kernel {
  std::string name, description;
  Maker make;
};
// Returns the kernels of the project, of CUB and of the textbook. A program may add kernels before
// it starts measuring.
[[nodiscard]] std::vector<Kernel>& kernels();

// Returns a kernel of the course: histogram(const char*, unsigned, unsigned*), 7 letter bins,
// compiled by NVRTC for the current device. `description` is an object with name, source (a file),
// block, shared_bytes and opt_in. The grid is either `grid` (blocks) or `share` (elements per
// block). If there is a `factor`, the name of an export of the source, the share is multiplied by
// its value, or by `fallback` if the source does not have the export. Throws std::runtime_error
// that describes the mistake. In contender_lab.cpp.
[[nodiscard]] Kernel lab_kernel(const nlohmann::json& description);

// Returns the kernels of the lessons (kernels/cuda/lessons), except the race, which miscounts. They
// support letters, and even bins over the type's whole range if their number is a power of two; up
// to 2^28 samples. In contender_textbook.cpp.
[[nodiscard]] std::vector<Kernel> textbook_kernels();

// Makes CUB's kernel. In contender_cub.cpp.
[[nodiscard]] std::optional<Contender> make_cub(const Case& c, const Problem& problem);

}  // namespace histolab::kernels::cuda::bench
