#include "kernels/cuda/lessons/factors.cuh"

namespace histolab::kernels::cuda::lessons {

bool launch_strided(const Choice& choice, const Work& work) { return launch_named<Strided>(choice, work, "shared-unrolled"); }

}  // namespace histolab::kernels::cuda::lessons
