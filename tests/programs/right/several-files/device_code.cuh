// Device functions of several files.
#pragma once

__device__ inline int index_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
