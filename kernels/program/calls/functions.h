// The functions of CUDA's runtime API that a program can call, in the order of the manual.
//
// X(name, remark): the remark says what differs from CUDA; it is empty if nothing does. The
// documentation's table of functions comes from here. A call's message has the function's number.
#pragma once

#include <cstdint>

// clang-format off
#define HISTOLAB_RUNTIME_FUNCTIONS(X)                                                             \
  /* Device */                                                                                    \
  X(cudaChooseDevice, "always device 0")                                                          \
  X(cudaDeviceGetAttribute, "values from the device profile")                                     \
  X(cudaDeviceGetByPCIBusId, "")                                                                  \
  X(cudaDeviceGetCacheConfig, "")                                                                 \
  X(cudaDeviceGetLimit, "")                                                                       \
  X(cudaDeviceGetP2PAttribute, "there is one device: cudaErrorInvalidDevice")                     \
  X(cudaDeviceGetPCIBusId, "0000:00:00.0")                                                        \
  X(cudaDeviceGetSharedMemConfig, "")                                                             \
  X(cudaDeviceGetStreamPriorityRange, "")                                                         \
  X(cudaDeviceReset, "frees everything; reports memory that was not freed")                       \
  X(cudaDeviceSetCacheConfig, "no effect")                                                        \
  X(cudaDeviceSetLimit, "stored, but kernels ignore it")                                          \
  X(cudaDeviceSetSharedMemConfig, "no effect")                                                    \
  X(cudaDeviceSynchronize, "")                                                                    \
  X(cudaGetDevice, "")                                                                            \
  X(cudaGetDeviceCount, "1")                                                                      \
  X(cudaGetDeviceFlags, "")                                                                       \
  X(cudaGetDeviceProperties, "values from the device profile")                                    \
  X(cudaInitDevice, "")                                                                           \
  X(cudaSetDevice, "")                                                                            \
  X(cudaSetDeviceFlags, "no effect")                                                              \
  X(cudaSetValidDevices, "")                                                                      \
  X(cudaThreadExit, "same as cudaDeviceReset")                                                    \
  X(cudaThreadSynchronize, "same as cudaDeviceSynchronize")                                       \
  /* Errors */                                                                                    \
  X(cudaGetErrorName, "")                                                                         \
  X(cudaGetErrorString, "")                                                                       \
  X(cudaGetLastError, "")                                                                         \
  X(cudaPeekAtLastError, "")                                                                      \
  /* Streams */                                                                                   \
  X(cudaStreamAddCallback, "the function runs at the call, after the stream's earlier work")      \
  X(cudaStreamAttachMemAsync, "no effect")                                                        \
  X(cudaStreamCreate, "")                                                                         \
  X(cudaStreamCreateWithFlags, "")                                                                \
  X(cudaStreamCreateWithPriority, "the priority has no effect")                                   \
  X(cudaStreamDestroy, "")                                                                        \
  X(cudaStreamGetFlags, "")                                                                       \
  X(cudaStreamGetPriority, "")                                                                    \
  X(cudaStreamQuery, "the work is always complete")                                               \
  X(cudaStreamSynchronize, "")                                                                    \
  X(cudaStreamWaitEvent, "")                                                                      \
  /* Events */                                                                                    \
  X(cudaEventCreate, "")                                                                          \
  X(cudaEventCreateWithFlags, "")                                                                 \
  X(cudaEventDestroy, "")                                                                         \
  X(cudaEventElapsedTime, "modelled time of the work, the same in every run")                     \
  X(cudaEventQuery, "the work is always complete")                                                \
  X(cudaEventRecord, "")                                                                          \
  X(cudaEventRecordWithFlags, "")                                                                 \
  X(cudaEventSynchronize, "")                                                                     \
  /* Launches */                                                                                  \
  X(cudaFuncGetAttributes, "registers per thread are unknown: 32")                                \
  X(cudaFuncSetAttribute, "")                                                                     \
  X(cudaFuncSetCacheConfig, "no effect")                                                          \
  X(cudaFuncSetSharedMemConfig, "no effect")                                                      \
  X(cudaLaunchCooperativeKernel, "")                                                              \
  X(cudaLaunchHostFunc, "the function runs at the call, after the stream's earlier work")         \
  X(cudaLaunchKernel, "")                                                                         \
  /* Occupancy */                                                                                 \
  X(cudaOccupancyAvailableDynamicSMemPerBlock, "ignores the register limit")                      \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessor, "ignores the register limit")                  \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, "ignores the register limit")         \
  X(cudaOccupancyMaxPotentialBlockSize, "ignores the register limit")                             \
  X(cudaOccupancyMaxPotentialBlockSizeVariableSMem, "ignores the register limit")                 \
  X(cudaOccupancyMaxPotentialBlockSizeWithFlags, "ignores the register limit")                    \
  /* Memory */                                                                                    \
  X(cudaFree, "")                                                                                 \
  X(cudaFreeAsync, "same as cudaFree")                                                            \
  X(cudaFreeHost, "")                                                                             \
  X(cudaGetSymbolAddress, "")                                                                     \
  X(cudaGetSymbolSize, "")                                                                        \
  X(cudaHostAlloc, "")                                                                            \
  X(cudaHostGetDevicePointer, "not for registered host memory")                                   \
  X(cudaHostGetFlags, "")                                                                         \
  X(cudaHostRegister, "kernels cannot use the memory")                                            \
  X(cudaHostUnregister, "")                                                                       \
  X(cudaMalloc, "at most 4 GiB each and 32 GiB together")                                         \
  X(cudaMalloc3D, "")                                                                             \
  X(cudaMallocAsync, "same as cudaMalloc")                                                        \
  X(cudaMallocHost, "")                                                                           \
  X(cudaMallocManaged, "")                                                                        \
  X(cudaMallocPitch, "")                                                                          \
  X(cudaMemAdvise, "no effect")                                                                   \
  X(cudaMemGetInfo, "for the emulator's 32 GiB")                                                  \
  X(cudaMemPrefetchAsync, "no effect")                                                            \
  X(cudaMemcpy, "")                                                                               \
  X(cudaMemcpy2D, "")                                                                             \
  X(cudaMemcpy2DAsync, "")                                                                        \
  X(cudaMemcpy3D, "pitched pointers only, no arrays")                                             \
  X(cudaMemcpy3DAsync, "pitched pointers only, no arrays")                                        \
  X(cudaMemcpyAsync, "")                                                                          \
  X(cudaMemcpyFromSymbol, "")                                                                     \
  X(cudaMemcpyFromSymbolAsync, "")                                                                \
  X(cudaMemcpyPeer, "both devices must be 0")                                                     \
  X(cudaMemcpyPeerAsync, "both devices must be 0")                                                \
  X(cudaMemcpyToSymbol, "")                                                                       \
  X(cudaMemcpyToSymbolAsync, "")                                                                  \
  X(cudaMemset, "")                                                                               \
  X(cudaMemset2D, "")                                                                             \
  X(cudaMemset2DAsync, "")                                                                        \
  X(cudaMemset3D, "")                                                                             \
  X(cudaMemset3DAsync, "")                                                                        \
  X(cudaMemsetAsync, "")                                                                          \
  X(cudaPointerGetAttributes, "")                                                                 \
  /* Peers, versions, profiler */                                                                 \
  X(cudaDeviceCanAccessPeer, "0")                                                                 \
  X(cudaDeviceDisablePeerAccess, "there is one device: an error")                                 \
  X(cudaDeviceEnablePeerAccess, "there is one device: an error")                                  \
  X(cudaDriverGetVersion, "13000")                                                                \
  X(cudaProfilerStart, "no effect")                                                               \
  X(cudaProfilerStop, "no effect")                                                                \
  X(cudaRuntimeGetVersion, "13000")
// clang-format on

namespace histolab::kernels::program {

// The last four are not CUDA's: the start of the program, a launch by <<<>>>, an access of the host
// that its memory forbids, and a question for the places of a kernel's arguments.
#define HISTOLAB_FUNCTION(name, remark) name,
enum class Function : std::uint32_t {
  HISTOLAB_RUNTIME_FUNCTIONS(HISTOLAB_FUNCTION) hello,
  launch,
  fault,
  argument_places
};
#undef HISTOLAB_FUNCTION
inline constexpr std::uint32_t function_count =
    static_cast<std::uint32_t>(Function::argument_places) + 1;

// Returns "cudaMalloc", "<<<>>>", ...
constexpr const char* name(Function function) {
#define HISTOLAB_FUNCTION(name, remark) #name,
  constexpr const char* names[] = {HISTOLAB_RUNTIME_FUNCTIONS(HISTOLAB_FUNCTION) "start of the "
                                                                                 "program",
                                   "<<<>>>", "access by the host", "arguments of a kernel"};
#undef HISTOLAB_FUNCTION
  return static_cast<std::uint32_t>(function) < function_count
             ? names[static_cast<std::uint32_t>(function)]
             : "unknown function";
}

}  // namespace histolab::kernels::program
