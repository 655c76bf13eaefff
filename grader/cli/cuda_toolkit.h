// The CUDA toolkit that this program was built with.
#pragma once

#include <string>

namespace histolab::cli {

struct CudaToolkit {
  std::string version;  // "13.0.88"; empty if built without one
  std::string folder;   // "/usr/local/cuda"; empty if built without one
};

[[nodiscard]] CudaToolkit built_with_cuda();

}  // namespace histolab::cli
