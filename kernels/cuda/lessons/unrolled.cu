#include "kernels/cuda/lessons/factors.cuh"

namespace histolab::kernels::cuda::lessons {

bool launch_unrolled(const Choice& choice, const Work& work) {
  return launch_named<Unrolled>(choice, work, "shared-unrolled");
}

}  // namespace histolab::kernels::cuda::lessons
