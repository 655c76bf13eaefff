#include "kernels/cuda/bench/data.h"

namespace histolab::kernels::cuda::bench {

const std::vector<std::string>& byte_datasets() {
  static const std::vector<std::string> names = {
      "bytes", "uniform-letters", "english",   "zipf", "constant", "two-bins",
      "runs",  "sorted",          "adversary", "edges"};
  return names;
}

const std::vector<std::string>& wide_datasets() {
  static const std::vector<std::string> names = {"uniform", "zipf",   "constant", "two-bins",
                                                 "runs",    "sorted", "adversary"};
  return names;
}

}  // namespace histolab::kernels::cuda::bench
