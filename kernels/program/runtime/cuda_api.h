// CUDA's declarations for the library. dim3 has the shape that programs see.
#pragma once

struct dim3 {
  unsigned int x, y, z;
};

#include "kernels/emulator/include/histolab/runtime_api.h"
