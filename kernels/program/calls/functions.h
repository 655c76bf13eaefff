// The functions of CUDA's runtime API that a program can call, in the order of the manual.
//
// X(name, group, remark): ProgramState has a member function for each group. The remark says what
// differs from CUDA; it is empty if nothing does. The documentation's table of functions comes from
// here. A call's message has the function's number.
#pragma once

#include <cstdint>

// clang-format off
#define HISTOLAB_RUNTIME_FUNCTIONS(X)                                                             \
  /* Device */                                                                                    \
  X(cudaChooseDevice, device, "always device 0")                                                  \
  X(cudaDeviceGetAttribute, device, "values from the device profile")                             \
  X(cudaDeviceGetByPCIBusId, device, "")                                                          \
  X(cudaDeviceGetCacheConfig, device, "")                                                         \
  X(cudaDeviceGetLimit, device, "")                                                               \
  X(cudaDeviceGetP2PAttribute, device, "there is one device: cudaErrorInvalidDevice")             \
  X(cudaDeviceGetPCIBusId, device, "0000:00:00.0")                                                \
  X(cudaDeviceGetSharedMemConfig, device, "")                                                     \
  X(cudaDeviceGetStreamPriorityRange, device, "")                                                 \
  X(cudaDeviceReset, device, "frees everything; reports memory that was not freed")               \
  X(cudaDeviceSetCacheConfig, device, "no effect")                                                \
  X(cudaDeviceSetLimit, device, "stored, but kernels ignore it")                                  \
  X(cudaDeviceSetSharedMemConfig, device, "no effect")                                            \
  X(cudaDeviceSynchronize, device, "")                                                            \
  X(cudaGetDevice, device, "")                                                                    \
  X(cudaGetDeviceCount, device, "1")                                                              \
  X(cudaGetDeviceFlags, device, "")                                                               \
  X(cudaGetDeviceProperties, device, "values from the device profile")                            \
  X(cudaInitDevice, device, "")                                                                   \
  X(cudaSetDevice, device, "")                                                                    \
  X(cudaSetDeviceFlags, device, "no effect")                                                      \
  X(cudaSetValidDevices, device, "")                                                              \
  X(cudaThreadExit, device, "same as cudaDeviceReset")                                            \
  X(cudaThreadSynchronize, device, "same as cudaDeviceSynchronize")                               \
  /* Errors */                                                                                    \
  X(cudaGetErrorName, error, "")                                                                  \
  X(cudaGetErrorString, error, "")                                                                \
  X(cudaGetLastError, error, "")                                                                  \
  X(cudaPeekAtLastError, error, "")                                                               \
  /* Streams */                                                                                   \
  X(cudaStreamAddCallback, stream,                                                                \
    "the function runs at the call, after the stream's earlier work")                             \
  X(cudaStreamAttachMemAsync, stream, "no effect")                                                \
  X(cudaStreamCreate, stream, "")                                                                 \
  X(cudaStreamCreateWithFlags, stream, "")                                                        \
  X(cudaStreamCreateWithPriority, stream, "the priority has no effect")                           \
  X(cudaStreamDestroy, stream, "")                                                                \
  X(cudaStreamGetFlags, stream, "")                                                               \
  X(cudaStreamGetPriority, stream, "")                                                            \
  X(cudaStreamQuery, stream, "the work is always complete")                                       \
  X(cudaStreamSynchronize, stream, "")                                                            \
  X(cudaStreamWaitEvent, stream, "")                                                              \
  /* Events */                                                                                    \
  X(cudaEventCreate, event, "")                                                                   \
  X(cudaEventCreateWithFlags, event, "")                                                          \
  X(cudaEventDestroy, event, "")                                                                  \
  X(cudaEventElapsedTime, event, "modelled time of the work, the same in every run")              \
  X(cudaEventQuery, event, "the work is always complete")                                         \
  X(cudaEventRecord, event, "")                                                                   \
  X(cudaEventRecordWithFlags, event, "")                                                          \
  X(cudaEventSynchronize, event, "")                                                              \
  /* Launches */                                                                                  \
  X(cudaFuncGetAttributes, kernel, "registers per thread are unknown: 32")                        \
  X(cudaFuncSetAttribute, kernel, "")                                                             \
  X(cudaFuncSetCacheConfig, kernel, "no effect")                                                  \
  X(cudaFuncSetSharedMemConfig, kernel, "no effect")                                              \
  X(cudaLaunchCooperativeKernel, launch, "")                                                      \
  X(cudaLaunchHostFunc, stream, "the function runs at the call, after the stream's earlier work") \
  X(cudaLaunchKernel, launch, "")                                                                 \
  /* Occupancy */                                                                                 \
  X(cudaOccupancyAvailableDynamicSMemPerBlock, kernel, "ignores the register limit")              \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessor, kernel, "ignores the register limit")          \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, kernel, "ignores the register limit") \
  X(cudaOccupancyMaxPotentialBlockSize, kernel, "ignores the register limit")                     \
  X(cudaOccupancyMaxPotentialBlockSizeVariableSMem, kernel, "ignores the register limit")         \
  X(cudaOccupancyMaxPotentialBlockSizeWithFlags, kernel, "ignores the register limit")            \
  /* Memory */                                                                                    \
  X(cudaFree, allocation, "")                                                                     \
  X(cudaFreeAsync, allocation, "same as cudaFree")                                                \
  X(cudaFreeHost, allocation, "")                                                                 \
  X(cudaGetSymbolAddress, memory, "")                                                             \
  X(cudaGetSymbolSize, memory, "")                                                                \
  X(cudaHostAlloc, allocation, "")                                                                \
  X(cudaHostGetDevicePointer, memory, "not for registered host memory")                           \
  X(cudaHostGetFlags, memory, "")                                                                 \
  X(cudaHostRegister, memory, "kernels cannot use the memory")                                    \
  X(cudaHostUnregister, memory, "")                                                               \
  X(cudaMalloc, allocation, "at most 4 GiB each and 32 GiB together")                             \
  X(cudaMalloc3D, allocation, "")                                                                 \
  X(cudaMallocAsync, allocation, "same as cudaMalloc")                                            \
  X(cudaMallocHost, allocation, "")                                                               \
  X(cudaMallocManaged, allocation, "")                                                            \
  X(cudaMallocPitch, allocation, "")                                                              \
  X(cudaMemAdvise, memory, "no effect")                                                           \
  X(cudaMemGetInfo, memory, "for the emulator's 32 GiB")                                          \
  X(cudaMemPrefetchAsync, memory, "no effect")                                                    \
  X(cudaMemcpy, memory, "")                                                                       \
  X(cudaMemcpy2D, memory, "")                                                                     \
  X(cudaMemcpy2DAsync, memory, "")                                                                \
  X(cudaMemcpy3D, memory, "pitched pointers only, no arrays")                                     \
  X(cudaMemcpy3DAsync, memory, "pitched pointers only, no arrays")                                \
  X(cudaMemcpyAsync, memory, "")                                                                  \
  X(cudaMemcpyFromSymbol, memory, "")                                                             \
  X(cudaMemcpyFromSymbolAsync, memory, "")                                                        \
  X(cudaMemcpyPeer, memory, "both devices must be 0")                                             \
  X(cudaMemcpyPeerAsync, memory, "both devices must be 0")                                        \
  X(cudaMemcpyToSymbol, memory, "")                                                               \
  X(cudaMemcpyToSymbolAsync, memory, "")                                                          \
  X(cudaMemset, memory, "")                                                                       \
  X(cudaMemset2D, memory, "")                                                                     \
  X(cudaMemset2DAsync, memory, "")                                                                \
  X(cudaMemset3D, memory, "")                                                                     \
  X(cudaMemset3DAsync, memory, "")                                                                \
  X(cudaMemsetAsync, memory, "")                                                                  \
  X(cudaPointerGetAttributes, memory, "")                                                         \
  /* Peers, versions, profiler */                                                                 \
  X(cudaDeviceCanAccessPeer, device, "0")                                                         \
  X(cudaDeviceDisablePeerAccess, device, "there is one device: an error")                         \
  X(cudaDeviceEnablePeerAccess, device, "there is one device: an error")                          \
  X(cudaDriverGetVersion, device, "13000")                                                        \
  X(cudaProfilerStart, device, "no effect")                                                       \
  X(cudaProfilerStop, device, "no effect")                                                        \
  X(cudaRuntimeGetVersion, device, "13000")
// clang-format on

namespace histolab::kernels::program {

enum class Group : std::uint8_t {
  start,
  device,
  error,
  stream,
  event,
  kernel,
  launch,
  allocation,
  memory,
  fault
};

// X(name, group, text for messages). Not CUDA's: the start of the program, a launch by <<<>>>, an
// access of the host that its memory forbids, and a question for the places of a kernel's
// arguments.
// clang-format off
#define HISTOLAB_OWN_FUNCTIONS(X)         \
  X(hello, start, "start of the program") \
  X(launch, launch, "<<<>>>")             \
  X(fault, fault, "access by the host")   \
  X(argument_places, kernel, "arguments of a kernel")

#define HISTOLAB_FUNCTION(name, group, remark) name,
enum class Function : std::uint32_t {
  HISTOLAB_RUNTIME_FUNCTIONS(HISTOLAB_FUNCTION)
  HISTOLAB_OWN_FUNCTIONS(HISTOLAB_FUNCTION)
};
#undef HISTOLAB_FUNCTION
inline constexpr std::uint32_t function_count =
    static_cast<std::uint32_t>(Function::argument_places) + 1;

// Returns "cudaMalloc", "<<<>>>", ...
constexpr const char* name(Function function) {
#define HISTOLAB_FUNCTION(name, group, remark) #name,
#define HISTOLAB_OWN_FUNCTION(name, group, text) text,
  constexpr const char* names[] = {HISTOLAB_RUNTIME_FUNCTIONS(HISTOLAB_FUNCTION)
                                   HISTOLAB_OWN_FUNCTIONS(HISTOLAB_OWN_FUNCTION)};
#undef HISTOLAB_OWN_FUNCTION
#undef HISTOLAB_FUNCTION
  return static_cast<std::uint32_t>(function) < function_count
             ? names[static_cast<std::uint32_t>(function)]
             : "unknown function";
}

// The function must be one of the list.
constexpr Group group_of(Function function) {
#define HISTOLAB_FUNCTION(name, group, remark) Group::group,
  constexpr Group groups[] = {HISTOLAB_RUNTIME_FUNCTIONS(HISTOLAB_FUNCTION)
                              HISTOLAB_OWN_FUNCTIONS(HISTOLAB_FUNCTION)};
#undef HISTOLAB_FUNCTION
  return groups[static_cast<std::uint32_t>(function)];
}
// clang-format on

}  // namespace histolab::kernels::program
