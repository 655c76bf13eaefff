// Included before each file of a whole CUDA program, as nvcc includes cuda_runtime.h: CUDA's
// declarations for host and device code, and the headers that CUDA's own headers include.
#pragma once
#define HISTOLAB_PROGRAM
// Programs test the guards of CUDA's headers (helper_cuda.h).
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

// clang-format off: each file needs those before it, and <math.h> must see the intrinsics
#include "cuda_shim.h"
#include "float_intrinsics.h"
#include "nv_atomics.h"
#include "simd_intrinsics.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "runtime_api.h"

#ifdef __clang__  // the student's editor: clang calls one of them at each launch
extern "C" unsigned int __cudaPushCallConfiguration(dim3 blocks, dim3 threads, size_t bytes = 0,
                                                    cudaStream_t stream = 0);
// Without a CUDA toolkit, clang uses the old function.
extern "C" unsigned int cudaConfigureCall(dim3 blocks, dim3 threads, size_t bytes = 0,
                                          cudaStream_t stream = 0);
#endif
