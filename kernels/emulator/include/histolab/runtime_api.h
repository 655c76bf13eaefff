// CUDA's runtime API for host code: declarations, types and values.
//
// The functions are defined in kernels/program/runtime, the library that each program links.
// kernels/program/calls/functions.h lists them. Include this file after the definition of dim3.
// Valid C++11.
//
// A function that is a template in CUDA takes a small class here, which converts from each of the
// template's arguments. So each call in a program is a direct call of the library: its return
// address belongs to the program's own line.
#pragma once

// clang-format off
#include <stddef.h>

#define CUDART_CB
#define CUDARTAPI
#define CUDART_VERSION 13000

// ---- errors -------------------------------------------------------------------------------------
#define HISTOLAB_CUDA_ERRORS(X) \
  X(cudaSuccess, 0, "no error") \
  X(cudaErrorInvalidValue, 1, "invalid argument") \
  X(cudaErrorMemoryAllocation, 2, "out of memory") \
  X(cudaErrorInitializationError, 3, "initialization error") \
  X(cudaErrorCudartUnloading, 4, "driver shutting down") \
  X(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool") \
  X(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()") \
  X(cudaErrorProfilerAlreadyStarted, 7, "profiler already started") \
  X(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped") \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference") \
  X(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer") \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  X(cudaErrorAddressOfConstant, 22, "invalid address of constant") \
  X(cudaErrorTextureFetchFailed, 23, "fetch from texture failed") \
  X(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound") \
  X(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()") \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
  X(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type") \
  X(cudaErrorMixedDeviceExecution, 28, \
    "device emulation mode and device execution mode cannot be mixed") \
  X(cudaErrorNotYetImplemented, 31, "feature not yet implemented") \
  X(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit") \
  X(cudaErrorStubLibrary, 34, "CUDA driver is a stub library") \
  X(cudaErrorInsufficientDriver, 35, \
    "CUDA driver version is insufficient for CUDA runtime version") \
  X(cudaErrorCallRequiresNewerDriver, 36, \
    "API call is not supported in the installed CUDA driver") \
  X(cudaErrorInvalidSurface, 37, "invalid surface reference") \
  X(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name") \
  X(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name") \
  X(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name") \
  X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable") \
  X(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context") \
  X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") \
  X(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch") \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
  X(cudaErrorLaunchFileScopedTex, 66, \
    "launch failed because kernel uses unsupported, file-scoped textures (texture objects " \
    "are supported)") \
  X(cudaErrorLaunchFileScopedSurf, 67, \
    "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects " \
    "are supported)") \
  X(cudaErrorSyncDepthExceeded, 68, \
    "cudaDeviceSynchronize failed because caller's grid depth exceeds " \
    "cudaLimitDevRuntimeSyncDepth") \
  X(cudaErrorLaunchPendingCountExceeded, 69, \
    "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount") \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  X(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license") \
  X(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed") \
  X(cudaErrorStartupFailure, 127, "startup failure in cuda runtime") \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context") \
  X(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed") \
  X(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed") \
  X(cudaErrorArrayIsMapped, 207, "array is mapped") \
  X(cudaErrorAlreadyMapped, 208, "resource already mapped") \
  X(cudaErrorNoKernelImageForDevice, 209, \
    "no kernel image is available for execution on the device") \
  X(cudaErrorAlreadyAcquired, 210, "resource already acquired") \
  X(cudaErrorNotMapped, 211, "resource not mapped") \
  X(cudaErrorNotMappedAsArray, 212, "resource not mapped as array") \
  X(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer") \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered") \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture") \
  X(cudaErrorDeviceAlreadyInUse, 216, \
    "exclusive-thread device already in use by a different thread") \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed") \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context") \
  X(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution") \
  X(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found") \
  X(cudaErrorUnsupportedPtxVersion, 222, \
    "the provided PTX was compiled with an unsupported toolchain.") \
  X(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled") \
  X(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported") \
  X(cudaErrorUnsupportedDevSideSync, 225, \
    "the provided PTX contains unsupported call to cudaDeviceSynchronize") \
  X(cudaErrorContained, 226, "Invalid access of peer GPU memory over nvlink or a hardware error") \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid") \
  X(cudaErrorFileNotFound, 301, "file not found") \
  X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found") \
  X(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed") \
  X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS") \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state") \
  X(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy") \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found") \
  X(cudaErrorNotReady, 600, "device not ready") \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  X(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode") \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
  X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process") \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
  X(cudaErrorAssert, 710, "device-side assert triggered") \
  X(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted") \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, \
    "part or all of the requested memory range is already mapped") \
  X(cudaErrorHostMemoryNotRegistered, 713, \
    "pointer does not correspond to a registered memory region") \
  X(cudaErrorHardwareStackError, 714, "hardware stack error") \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
  X(cudaErrorMisalignedAddress, 716, "misaligned address") \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space") \
  X(cudaErrorInvalidPc, 718, "invalid program counter") \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  X(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed") \
  X(cudaErrorNotPermitted, 800, "operation not permitted") \
  X(cudaErrorNotSupported, 801, "operation not supported") \
  X(cudaErrorSystemNotReady, 802, "system not yet initialized") \
  X(cudaErrorSystemDriverMismatch, 803, \
    "system has unsupported display driver / cuda driver combination") \
  X(cudaErrorCompatNotSupportedOnDevice, 804, \
    "forward compatibility was attempted on non supported HW") \
  X(cudaErrorMpsConnectionFailed, 805, \
    "MPS client failed to connect to the MPS control daemon or the MPS server") \
  X(cudaErrorMpsRpcFailure, 806, \
    "the remote procedural call between the MPS server and the MPS client failed") \
  X(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests") \
  X(cudaErrorMpsMaxClientsReached, 808, \
    "the hardware resources required to create MPS client have been exhausted") \
  X(cudaErrorMpsMaxConnectionsReached, 809, \
    "the hardware resources required to support device connections have been exhausted") \
  X(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server") \
  X(cudaErrorCdpNotSupported, 811, \
    "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not " \
    "support it") \
  X(cudaErrorCdpVersionMismatch, 812, \
    "unsupported interaction between different versions of CUDA Dynamic Parallelism") \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
  X(cudaErrorStreamCaptureInvalidated, 901, \
    "operation failed due to a previous error during capture") \
  X(cudaErrorStreamCaptureMerge, 902, \
    "operation would result in a merge of separate capture sequences") \
  X(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
  X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
  X(cudaErrorStreamCaptureIsolation, 905, \
    "dependency created on uncaptured work in another stream") \
  X(cudaErrorStreamCaptureImplicit, 906, \
    "operation would make the legacy stream depend on a capturing blocking stream") \
  X(cudaErrorCapturedEvent, 907, \
    "operation not permitted on an event last recorded in a capturing stream") \
  X(cudaErrorStreamCaptureWrongThread, 908, \
    "attempt to terminate a thread-local capture sequence from another thread") \
  X(cudaErrorTimeout, 909, "wait operation timed out") \
  X(cudaErrorGraphExecUpdateFailure, 910, \
    "the graph update was not performed because it included changes which violated " \
    "constraints specific to instantiated graph update") \
  X(cudaErrorExternalDevice, 911, "an async error has occured in external entity outside of CUDA") \
  X(cudaErrorInvalidClusterSize, 912, \
    "a kernel launch error has occurred due to cluster misconfiguration") \
  X(cudaErrorFunctionNotLoaded, 913, \
    "the function handle is not loaded when calling an API that requires a loaded function") \
  X(cudaErrorInvalidResourceType, 914, \
    "one or more resources passed in are not valid resource types for the operation") \
  X(cudaErrorInvalidResourceConfiguration, 915, \
    "one or more resources are insufficient or non-applicable for the operation") \
  X(cudaErrorUnknown, 999, "unknown error")

#define HISTOLAB_CUDA_ERROR(name, value, text) name = value,
enum cudaError { HISTOLAB_CUDA_ERRORS(HISTOLAB_CUDA_ERROR) cudaErrorApiFailureBase = 10000 };
#undef HISTOLAB_CUDA_ERROR
typedef enum cudaError cudaError_t;

// ---- types and values ---------------------------------------------------------------------------
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
enum cudaComputeMode {
  cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0, cudaFuncCachePreferShared = 1, cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0, cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11, cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13, cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15, cudaFuncAttributeMax
};
enum cudaLimit {
  cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3, cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5, cudaLimitPersistingL2CacheSize = 6
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5, cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeNone = 0, cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2, cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3, cudaDevP2PAttrCudaArrayAccessSupported = 4
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7, cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9, cudaDevAttrWarpSize = 10, cudaDevAttrMaxPitch = 11,
  cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13,
  cudaDevAttrTextureAlignment = 14, cudaDevAttrGpuOverlap = 15,
  cudaDevAttrMultiProcessorCount = 16, cudaDevAttrKernelExecTimeout = 17,
  cudaDevAttrIntegrated = 18, cudaDevAttrCanMapHostMemory = 19, cudaDevAttrComputeMode = 20,
  cudaDevAttrMaxTexture1DWidth = 21, cudaDevAttrMaxTexture2DWidth = 22,
  cudaDevAttrMaxTexture2DHeight = 23, cudaDevAttrMaxTexture3DWidth = 24,
  cudaDevAttrMaxTexture3DHeight = 25, cudaDevAttrMaxTexture3DDepth = 26,
  cudaDevAttrMaxTexture2DLayeredWidth = 27, cudaDevAttrMaxTexture2DLayeredHeight = 28,
  cudaDevAttrMaxTexture2DLayeredLayers = 29, cudaDevAttrSurfaceAlignment = 30,
  cudaDevAttrConcurrentKernels = 31, cudaDevAttrEccEnabled = 32, cudaDevAttrPciBusId = 33,
  cudaDevAttrPciDeviceId = 34, cudaDevAttrTccDriver = 35, cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41, cudaDevAttrMaxTexture1DLayeredWidth = 42,
  cudaDevAttrMaxTexture1DLayeredLayers = 43, cudaDevAttrMaxTexture2DGatherWidth = 45,
  cudaDevAttrMaxTexture2DGatherHeight = 46, cudaDevAttrMaxTexture3DWidthAlt = 47,
  cudaDevAttrMaxTexture3DHeightAlt = 48, cudaDevAttrMaxTexture3DDepthAlt = 49,
  cudaDevAttrPciDomainId = 50, cudaDevAttrTexturePitchAlignment = 51,
  cudaDevAttrMaxTextureCubemapWidth = 52, cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
  cudaDevAttrMaxTextureCubemapLayeredLayers = 54, cudaDevAttrMaxSurface1DWidth = 55,
  cudaDevAttrMaxSurface2DWidth = 56, cudaDevAttrMaxSurface2DHeight = 57,
  cudaDevAttrMaxSurface3DWidth = 58, cudaDevAttrMaxSurface3DHeight = 59,
  cudaDevAttrMaxSurface3DDepth = 60, cudaDevAttrMaxSurface1DLayeredWidth = 61,
  cudaDevAttrMaxSurface1DLayeredLayers = 62, cudaDevAttrMaxSurface2DLayeredWidth = 63,
  cudaDevAttrMaxSurface2DLayeredHeight = 64, cudaDevAttrMaxSurface2DLayeredLayers = 65,
  cudaDevAttrMaxSurfaceCubemapWidth = 66, cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
  cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68, cudaDevAttrMaxTexture1DLinearWidth = 69,
  cudaDevAttrMaxTexture2DLinearWidth = 70, cudaDevAttrMaxTexture2DLinearHeight = 71,
  cudaDevAttrMaxTexture2DLinearPitch = 72, cudaDevAttrMaxTexture2DMipmappedWidth = 73,
  cudaDevAttrMaxTexture2DMipmappedHeight = 74, cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrMaxTexture1DMipmappedWidth = 77,
  cudaDevAttrStreamPrioritiesSupported = 78, cudaDevAttrGlobalL1CacheSupported = 79,
  cudaDevAttrLocalL1CacheSupported = 80, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82, cudaDevAttrManagedMemory = 83,
  cudaDevAttrIsMultiGpuBoard = 84, cudaDevAttrMultiGpuBoardGroupID = 85,
  cudaDevAttrHostNativeAtomicSupported = 86, cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
  cudaDevAttrPageableMemoryAccess = 88, cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrComputePreemptionSupported = 90, cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
  cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrCanFlushRemoteWrites = 98, cudaDevAttrHostRegisterSupported = 99,
  cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
  cudaDevAttrDirectManagedMemAccessFromHost = 101, cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMaxPersistingL2CacheSize = 108, cudaDevAttrMaxAccessPolicyWindowSize = 109,
  cudaDevAttrReservedSharedMemoryPerBlock = 111, cudaDevAttrSparseCudaArraySupported = 112,
  cudaDevAttrHostRegisterReadOnlySupported = 113,
  cudaDevAttrTimelineSemaphoreInteropSupported = 114, cudaDevAttrMemoryPoolsSupported = 115,
  cudaDevAttrGPUDirectRDMASupported = 116, cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
  cudaDevAttrGPUDirectRDMAWritesOrdering = 118, cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
  cudaDevAttrClusterLaunch = 120, cudaDevAttrDeferredMappingCudaArraySupported = 121,
  cudaDevAttrIpcEventSupport = 125, cudaDevAttrMemSyncDomainCount = 126,
  cudaDevAttrNumaConfig = 130, cudaDevAttrNumaId = 131, cudaDevAttrMpsEnabled = 133,
  cudaDevAttrHostNumaId = 134, cudaDevAttrD3D12CigSupported = 135,
  cudaDevAttrVulkanCigSupported = 138, cudaDevAttrGpuPciDeviceId = 139,
  cudaDevAttrGpuPciSubsystemId = 140, cudaDevAttrHostNumaMemoryPoolsSupported = 142,
  cudaDevAttrHostNumaMultinodeIpcSupported = 143, cudaDevAttrHostMemoryPoolsSupported = 144,
  cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147
};

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaPeerAccessDefault 0x00
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitDefault 0x00
#define cudaEventWaitExternal 0x01
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaDeviceSyncMemops 0x80
#define cudaDeviceMask 0xff
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

// Handles: numbers that only the library understands.
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef void (CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
typedef void (CUDART_CB *cudaHostFn_t)(void* data);

struct CUuuid_st { char bytes[16]; };
typedef struct CUuuid_st CUuuid;
typedef struct CUuuid_st cudaUUID_t;

struct cudaExtent { size_t width, height, depth; };  // width in bytes
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void* ptr; size_t pitch, xsize, ysize; };
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
struct cudaMemLocation { cudaMemLocationType type; int id; };
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
  int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
  int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
};

// The members of CUDA 12 and of CUDA 13.
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  // Compute capability and limits of a launch.
  int major, minor;
  int warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  // Multiprocessors.
  int multiProcessorCount, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int regsPerBlock, regsPerMultiprocessor;
  size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  size_t reservedSharedMemPerBlock;
  // Memory; clock rates in kHz.
  size_t totalGlobalMem, totalConstMem, memPitch;
  int clockRate, memoryClockRate, memoryBusWidth;
  int l2CacheSize, persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
  int globalL1CacheSupported, localL1CacheSupported, ECCEnabled;
  size_t textureAlignment, texturePitchAlignment, surfaceAlignment;
  // Features.
  int deviceOverlap, asyncEngineCount, concurrentKernels, streamPrioritiesSupported;
  int kernelExecTimeoutEnabled, computeMode, computePreemptionSupported;
  int integrated, canMapHostMemory, unifiedAddressing, managedMemory, concurrentManagedAccess;
  int directManagedMemAccessFromHost, pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
  int hostNativeAtomicSupported, canUseHostPointerForRegisteredMem;
  int hostRegisterSupported, hostRegisterReadOnlySupported;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch, clusterLaunch, unifiedFunctionPointers;
  int memoryPoolsSupported, ipcEventSupported, mpsEnabled, singleToDoublePrecisionPerfRatio;
  unsigned int memoryPoolSupportedHandleTypes;
  int sparseCudaArraySupported, deferredMappingCudaArraySupported;
  int timelineSemaphoreInteropSupported, gpuDirectRDMASupported, gpuDirectRDMAWritesOrdering;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  // Position in the machine.
  int pciBusID, pciDeviceID, pciDomainID, tccDriver, isMultiGpuBoard, multiGpuBoardGroupID;
  int deviceNumaConfig, deviceNumaId, hostNumaId, hostNumaMultinodeIpcSupported;
  unsigned int gpuPciDeviceID, gpuPciSubsystemID;
  // Textures and surfaces.
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture1DLayered[2];
  int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
  int maxTexture2DLayered[3], maxTexture3D[3], maxTexture3DAlt[3];
  int maxTextureCubemap, maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface1DLayered[2], maxSurface2D[2], maxSurface2DLayered[3];
  int maxSurface3D[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
};

// ---- arguments that are templates in CUDA -------------------------------------------------------
// The address of a pointer that an allocation sets.
struct histolab_result {
  void** address;
  template <class T> histolab_result(T** pointer) : address((void**)pointer) {}
};

// A variable on the device, by its host variable.
struct histolab_symbol {
  const void* address;
  histolab_symbol(const void* pointer) : address(pointer) {}
  template <class T> histolab_symbol(const T& variable)
      : address(const_cast<const char*>(&reinterpret_cast<const volatile char&>(variable))) {}
};

template <class... P> struct histolab_parameters {};
template <class... P, class... Taken>
void histolab_call(void (*kernel)(P...), void**, histolab_parameters<>, Taken*... taken) {
  kernel(*taken...);
}
template <class... P, class First, class... Rest, class... Taken>
void histolab_call(void (*kernel)(P...), void** arguments, histolab_parameters<First, Rest...>,
                   Taken*... taken) {
  histolab_call(kernel, arguments + 1, histolab_parameters<Rest...>(), taken...,
                static_cast<First*>(*arguments));
}

// A kernel, by its host function. `call` calls it with arguments given by their addresses; null if
// the program hides the kernel's type in a void*.
struct histolab_kernel {
  const void* address;
  void (*call)(const void* kernel, void** arguments);
  histolab_kernel(const void* pointer) : address(pointer), call(nullptr) {}
  template <class... P> histolab_kernel(void (*kernel)(P...))
      : address(reinterpret_cast<const void*>(kernel)), call(&with_addresses<P...>) {}
 private:
  template <class... P> static void with_addresses(const void* kernel, void** arguments) {
    histolab_call(reinterpret_cast<void (*)(P...)>(const_cast<void*>(kernel)), arguments,
                  histolab_parameters<P...>());
  }
};

// ---- launches -----------------------------------------------------------------------------------
// Launches the kernel that this thread called last: `k<<<grid, block>>>(x)` is compiled as
// `k(x), histolab_go(grid, block)`.
extern "C" void histolab_go(dim3 grid, dim3 block, size_t shared = 0,
                            cudaStream_t stream = nullptr) noexcept;
#define HISTOLAB_AS(name) __asm__(#name)
cudaError_t cudaLaunchKernel(histolab_kernel kernel, dim3 grid, dim3 block, void** arguments,
    size_t shared = 0, cudaStream_t stream = nullptr) HISTOLAB_AS(cudaLaunchKernel);
cudaError_t cudaLaunchCooperativeKernel(histolab_kernel kernel, dim3 grid, dim3 block,
    void** arguments, size_t shared = 0, cudaStream_t stream = nullptr)
    HISTOLAB_AS(cudaLaunchCooperativeKernel);
cudaError_t cudaFuncSetAttribute(histolab_kernel kernel, cudaFuncAttribute attribute, int value)
    HISTOLAB_AS(cudaFuncSetAttribute);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, histolab_kernel kernel)
    HISTOLAB_AS(cudaFuncGetAttributes);
cudaError_t cudaFuncSetCacheConfig(histolab_kernel kernel, cudaFuncCache config)
    HISTOLAB_AS(cudaFuncSetCacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(histolab_kernel kernel, cudaSharedMemConfig config)
    HISTOLAB_AS(cudaFuncSetSharedMemConfig);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, histolab_kernel kernel,
    int block_size, size_t shared) HISTOLAB_AS(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
    histolab_kernel kernel, int block_size, size_t shared, unsigned int flags)
    HISTOLAB_AS(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size,
    histolab_kernel kernel, size_t shared = 0, int limit = 0)
    HISTOLAB_AS(cudaOccupancyMaxPotentialBlockSize);
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
    histolab_kernel kernel, size_t shared = 0, int limit = 0, unsigned int flags = 0)
    HISTOLAB_AS(cudaOccupancyMaxPotentialBlockSizeWithFlags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, histolab_kernel kernel,
    int blocks, int block_size) HISTOLAB_AS(cudaOccupancyAvailableDynamicSMemPerBlock);

// ---- memory -------------------------------------------------------------------------------------
cudaError_t cudaMalloc(histolab_result pointer, size_t bytes) HISTOLAB_AS(cudaMalloc);
cudaError_t cudaMallocManaged(histolab_result pointer, size_t bytes,
    unsigned int flags = cudaMemAttachGlobal) HISTOLAB_AS(cudaMallocManaged);
cudaError_t cudaMallocAsync(histolab_result pointer, size_t bytes, cudaStream_t stream)
    HISTOLAB_AS(cudaMallocAsync);
cudaError_t cudaMallocPitch(histolab_result pointer, size_t* pitch, size_t width, size_t height)
    HISTOLAB_AS(cudaMallocPitch);
cudaError_t cudaMallocHost(histolab_result pointer, size_t bytes, unsigned int flags = 0)
    HISTOLAB_AS(cudaMallocHost);
cudaError_t cudaHostAlloc(histolab_result pointer, size_t bytes, unsigned int flags)
    HISTOLAB_AS(cudaHostAlloc);
cudaError_t cudaHostGetDevicePointer(histolab_result device, void* host, unsigned int flags = 0)
    HISTOLAB_AS(cudaHostGetDevicePointer);
cudaError_t cudaMemcpyToSymbol(histolab_symbol symbol, const void* source, size_t bytes,
    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
    HISTOLAB_AS(cudaMemcpyToSymbol);
cudaError_t cudaMemcpyFromSymbol(void* destination, histolab_symbol symbol, size_t bytes,
    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
    HISTOLAB_AS(cudaMemcpyFromSymbol);
cudaError_t cudaMemcpyToSymbolAsync(histolab_symbol symbol, const void* source, size_t bytes,
    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr)
    HISTOLAB_AS(cudaMemcpyToSymbolAsync);
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, histolab_symbol symbol, size_t bytes,
    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr)
    HISTOLAB_AS(cudaMemcpyFromSymbolAsync);
cudaError_t cudaGetSymbolAddress(histolab_result pointer, histolab_symbol symbol)
    HISTOLAB_AS(cudaGetSymbolAddress);
cudaError_t cudaGetSymbolSize(size_t* bytes, histolab_symbol symbol)
    HISTOLAB_AS(cudaGetSymbolSize);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
    unsigned int flags, cudaStream_t stream = nullptr) HISTOLAB_AS(histolab_prefetch_to);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
    cudaMemLocation location) HISTOLAB_AS(histolab_advise_for);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags)
    HISTOLAB_AS(cudaEventCreateWithFlags);

extern "C" {
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer);
cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
    cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
    int source_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
    int source_device, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
    size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
    size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
    cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
    cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
    cudaStream_t stream = nullptr);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
    cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// ---- errors -------------------------------------------------------------------------------------
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

// ---- the device ---------------------------------------------------------------------------------
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
    int destination);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaThreadSynchronize(void);  // the old name of cudaDeviceSynchronize
cudaError_t cudaThreadExit(void);         // the old name of cudaDeviceReset

// ---- streams and events -------------------------------------------------------------------------
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
    unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes = 0,
    unsigned int flags = cudaMemAttachSingle);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
    unsigned int flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);
}
#undef HISTOLAB_AS

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  cudaExtent extent = {width, height, depth};
  return extent;
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos position = {x, y, z};
  return position;
}
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize,
                                                 size_t ysize) {
  cudaPitchedPtr pitched = {pointer, pitch, xsize, ysize};
  return pitched;
}

// `shared_of` returns the dynamic shared memory of a block of so many threads.
template <class Function>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size,
    histolab_kernel kernel, Function shared_of, int limit = 0) {
  int most = 0, blocks = 0;
  *grid_size = *block_size = 0;
  for (int size = limit > 0 && limit < 1024 ? limit : 1024; size > 0; size = (size - 1) / 32 * 32) {
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size,
                                                                      (size_t)shared_of(size));
    if (error != cudaSuccess) return error;
    if (blocks * size > most) most = blocks * size, *block_size = size, *grid_size = blocks;
  }
  int device = 0, multiprocessors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  *grid_size *= multiprocessors;
  return error;
}
