#include "kernels/program/state/device_facts.h"

#include <algorithm>
#include <string_view>

namespace histolab::kernels::program {
namespace {

struct Row {
  std::string_view name;
  DeviceFacts facts;
};
constexpr int mib = 1 << 20;
// Columns: clock, memory clock, bus, L2, ratio of double precision, copies: host, device.
constexpr Row rows[] = {
    {"h200", {1'980'000, 3'201'000, 6016, 60 * mib, 2, 50, 2000}},
    {"h100", {1'980'000, 2'619'000, 5120, 50 * mib, 2, 50, 1400}},
    {"a100", {1'410'000, 1'215'000, 5120, 40 * mib, 2, 24, 650}},
    {"rtx4090", {2'520'000, 10'501'000, 384, 72 * mib, 64, 24, 450}},
    {"t4", {1'590'000, 5'001'000, 256, 4 * mib, 32, 12, 120}},
};

}  // namespace

const DeviceFacts& facts_of(const reference::DeviceProfile& profile) {
  const auto* row = std::ranges::find(rows, profile.name, &Row::name);
  return row == std::end(rows) ? rows[0].facts : row->facts;
}

cudaDeviceProp properties_of(const reference::DeviceProfile& profile, std::uint64_t memory_bytes) {
  const DeviceFacts& facts = facts_of(profile);
  cudaDeviceProp p{};
  profile.title.copy(p.name, sizeof p.name - 1);
  p.major = profile.compute_capability / 10;
  p.minor = profile.compute_capability % 10;
  p.warpSize = 32;
  const auto number = [](std::uint64_t value) { return static_cast<int>(value); };
  p.maxThreadsPerBlock = number(profile.max_threads_per_block);
  p.maxThreadsDim[0] = number(profile.max_block_x);
  p.maxThreadsDim[1] = number(profile.max_block_y);
  p.maxThreadsDim[2] = number(profile.max_block_z);
  p.maxGridSize[0] = number(profile.max_grid_x);
  p.maxGridSize[1] = number(profile.max_grid_y);
  p.maxGridSize[2] = number(profile.max_grid_z);
  p.multiProcessorCount = number(profile.multiprocessors);
  p.maxThreadsPerMultiProcessor = number(profile.max_threads_per_multiprocessor);
  p.maxBlocksPerMultiProcessor = number(profile.max_blocks_per_multiprocessor);
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.sharedMemPerBlock = profile.shared_bytes_per_block;
  p.sharedMemPerBlockOptin = profile.shared_bytes_per_block_opt_in;
  p.sharedMemPerMultiprocessor = profile.shared_bytes_per_multiprocessor;
  p.reservedSharedMemPerBlock = profile.shared_bytes_reserved_per_block;
  p.totalGlobalMem = memory_bytes;
  p.totalConstMem = 65536;
  p.memPitch = 0x7fffffff;
  p.clockRate = facts.clock_khz;
  p.memoryClockRate = facts.memory_clock_khz;
  p.memoryBusWidth = facts.memory_bus_bits;
  p.l2CacheSize = facts.l2_bytes;
  p.singleToDoublePrecisionPerfRatio = facts.double_ratio;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = p.concurrentKernels = p.streamPrioritiesSupported = 1;
  p.asyncEngineCount = profile.compute_capability >= 80 ? 3 : 2;
  p.computePreemptionSupported = p.canMapHostMemory = p.unifiedAddressing = 1;
  p.managedMemory = p.concurrentManagedAccess = 1;
  p.hostRegisterSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.accessPolicyMaxWindowSize = 0;
  p.deviceNumaId = -1;
  return p;
}

std::optional<int> attribute_of(const cudaDeviceProp& p, int attribute) {
  const auto number = [](std::size_t value) {
    return static_cast<int>(std::min<std::size_t>(value, 0x7fffffff));
  };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return number(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory: return number(p.totalConstMem);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxPitch: return number(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrClockRate: return p.clockRate;
    case cudaDevAttrTextureAlignment: return number(p.textureAlignment);
    case cudaDevAttrGpuOverlap: return p.deviceOverlap;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
    case cudaDevAttrComputeMode: return p.computeMode;
    case cudaDevAttrSurfaceAlignment: return number(p.surfaceAlignment);
    case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
    case cudaDevAttrMemoryClockRate: return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
    case cudaDevAttrTexturePitchAlignment: return number(p.texturePitchAlignment);
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrStreamPrioritiesSupported: return p.streamPrioritiesSupported;
    case cudaDevAttrGlobalL1CacheSupported: return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported: return p.localL1CacheSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return number(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory: return p.managedMemory;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p.singleToDoublePrecisionPerfRatio;
    case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
    case cudaDevAttrComputePreemptionSupported: return p.computePreemptionSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return number(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported: return p.hostRegisterSupported;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock: return number(p.reservedSharedMemPerBlock);
    case cudaDevAttrNumaId: return p.deviceNumaId;
    default: break;
  }
  // The others are features and textures that the emulator does not have.
  if (attribute >= 1 && attribute <= cudaDevAttrOnlyPartialHostNativeAtomicSupported) return 0;
  return std::nullopt;
}

}  // namespace histolab::kernels::program
