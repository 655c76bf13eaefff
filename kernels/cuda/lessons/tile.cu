#include "kernels/cuda/lessons/factors.cuh"

namespace histolab::kernels::cuda::lessons {

bool launch_tile(const Choice& choice, const Work& work) {
  return launch_named<Tile>(choice, work, "shared-tile");
}

}  // namespace histolab::kernels::cuda::lessons
