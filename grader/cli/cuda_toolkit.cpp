#include "grader/cli/cuda_toolkit.h"

namespace histolab::cli {

CudaToolkit built_with_cuda() { return {HISTOLAB_CUDA_VERSION, HISTOLAB_CUDA_FOLDER}; }

}  // namespace histolab::cli
