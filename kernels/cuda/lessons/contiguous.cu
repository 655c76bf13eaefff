#include "kernels/cuda/lessons/factors.cuh"

namespace histolab::kernels::cuda::lessons {

bool launch_contiguous(const Choice& choice, const Work& work) {
  return launch_named<Contiguous>(choice, work, "shared-contiguous");
}

}  // namespace histolab::kernels::cuda::lessons
