# CUDA, where there is a toolkit of 12.8 or later (the first whose runtime loads a cubin from memory: cudaLibraryLoadData).
# Nothing else in the project needs one, and none is needed to run the emulator.
#
# Looked for in this order: -DCUDAToolkit_ROOT or the environment's, build/<preset>/cuda (what `./histolab setup cuda`
# makes), the system. Gives HISTOLAB_CUDA (TRUE or FALSE) and, when TRUE, CUDA::cudart_static and CUDA::nvrtc;
# HISTOLAB_NVCC tells whether the language CUDA works too, and
# HISTOLAB_CUDA_INCLUDE is the folder of the toolkit's headers.
#
#   HISTOLAB_CUDA_ARCHITECTURES   of what nvcc compiles; the GPU's of this machine, or 90 where there is none
set(HISTOLAB_CUDA FALSE)
set(HISTOLAB_NVCC FALSE)

set(fetched "${CMAKE_BINARY_DIR}/cuda/nvidia/cu13")
if(NOT DEFINED CUDAToolkit_ROOT AND NOT DEFINED ENV{CUDAToolkit_ROOT} AND EXISTS "${fetched}/bin/nvcc")
  set(CUDAToolkit_ROOT "${fetched}")
endif()
find_package(CUDAToolkit 12.8 QUIET)
if(CUDAToolkit_FOUND AND TARGET CUDA::nvrtc AND TARGET CUDA::cudart_static)
  set(HISTOLAB_CUDA TRUE)
  message(STATUS "CUDA ${CUDAToolkit_VERSION}: ${CUDAToolkit_BIN_DIR}")
  list(GET CUDAToolkit_INCLUDE_DIRS 0 HISTOLAB_CUDA_INCLUDE)
else()
  message(STATUS "no CUDA toolkit of 12.8 or later: no GPU device in this build (./histolab setup cuda gets one)")
endif()

if(HISTOLAB_CUDA)
  if(EXISTS /dev/nvidia0)
    set(architectures native)
  else()
    set(architectures 90-real)
  endif()
  set(HISTOLAB_CUDA_ARCHITECTURES ${architectures} CACHE STRING "What nvcc compiles for, as CMAKE_CUDA_ARCHITECTURES")
  set(CMAKE_CUDA_ARCHITECTURES ${HISTOLAB_CUDA_ARCHITECTURES})
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS "${CUDAToolkit_BIN_DIR}/nvcc")
    set(CMAKE_CUDA_COMPILER "${CUDAToolkit_BIN_DIR}/nvcc")
  endif()
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(HISTOLAB_NVCC TRUE)
  endif()
endif()
