// CUDA's runtime API: each function sends a call to the parent, and does what the reply allows.
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/program/calls/messages.h"
#include "kernels/program/runtime/callbacks.h"
#include "kernels/program/runtime/connection.h"
#include "kernels/program/runtime/cuda_api.h"
#include "kernels/program/runtime/memory.h"
#include "kernels/program/runtime/processor.h"

using namespace histolab::kernels::program;

namespace {

// The line of a call is found by its return address.
#define HISTOLAB_CALLER reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

template <class T>
std::uint64_t number(T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
cudaError_t error_of(const Reply& reply) { return static_cast<cudaError_t>(reply.error); }

template <class T>
cudaError_t set(T* result, const Reply& reply, std::uint64_t value) {
  if (reply.error == cudaSuccess && result != nullptr) *result = static_cast<T>(value);
  return error_of(reply);
}

template <class T>
cudaError_t set_from_text(T* result, const Reply& reply) {
  if (reply.error == cudaSuccess && result != nullptr && reply.text.size() == sizeof *result)
    std::memcpy(result, reply.text.data(), sizeof *result);
  return error_of(reply);
}

// ---- groups of calls ----------------------------------------------------------------------------
Reply on_device(Function function, std::uint64_t caller, int device = 0, std::uint64_t what = 0,
                std::uint64_t value = 0) {
  return request(
      Call(function, caller, calls::Device{static_cast<std::uint64_t>(device), what, value}));
}
Reply on_stream(Function function, std::uint64_t caller, cudaStream_t stream,
                std::uint64_t flags = 0, std::uint64_t event = 0, int priority = 0) {
  return request(Call(function, caller, calls::Stream{number(stream), flags, event, priority}));
}
Reply on_event(Function function, std::uint64_t caller, cudaEvent_t event,
               cudaStream_t stream = nullptr, std::uint64_t flags = 0, cudaEvent_t end = nullptr) {
  return request(
      Call(function, caller, calls::Event{number(event), number(stream), flags, number(end)}));
}
Reply on_pointer(Function function, std::uint64_t caller, const void* pointer,
                 std::uint64_t bytes = 0, std::uint64_t flags = 0, int device = 0,
                 cudaStream_t stream = nullptr) {
  return request(Call(function, caller,
                      calls::Pointer{number(pointer), bytes, flags,
                                     static_cast<std::uint64_t>(device), number(stream)}));
}
Reply on_kernel(Function function, std::uint64_t caller, const void* kernel, std::uint64_t what = 0,
                std::uint64_t block_size = 0, std::uint64_t shared = 0, std::int64_t value = 0) {
  return request(
      Call(function, caller, calls::Kernel{number(kernel), what, block_size, shared, value}));
}
cudaError_t allocate(Function function, std::uint64_t caller, void** result, std::uint64_t width,
                     std::uint64_t flags = 0, cudaStream_t stream = nullptr,
                     std::uint64_t height = 1, std::uint64_t depth = 1, size_t* pitch = nullptr) {
  const Reply reply =
      request(Call(function, caller,
                   calls::Allocate{number(result), width, height, depth, flags, number(stream)}));
  if (reply.error != cudaSuccess) return error_of(reply);
  const std::uint64_t address = reply.values[0];
  const bool for_host = function == Function::cudaMallocManaged ||
                        function == Function::cudaMallocHost || function == Function::cudaHostAlloc;
  if (address != 0 && for_host) map_for_host(address, width);
  *result = reinterpret_cast<void*>(address);
  if (pitch != nullptr) *pitch = reply.values[1];
  return cudaSuccess;
}

// Moves the bytes of a copy that the parent has allowed.
cudaError_t move(const calls::Copy& copy, std::uint64_t caller, const Reply& reply) {
  if (reply.error != cudaSuccess || copy.width == 0 || copy.height == 0 || copy.depth == 0)
    return error_of(reply);
  make_deferred_copies();
  bool guards_destination = false;
  for (const GuardedRange& each : reply.guarded)
    guards_destination = guards_destination || (each.begin == copy.destination && each.reads == 0);
  if (guards_destination)
    defer_copy(reply.operation, copy);
  else
    copy_rows(copy, caller);
  return cudaSuccess;
}
cudaError_t copy(Function function, std::uint64_t caller, const calls::Copy& copy) {
  return move(copy, caller, request(Call(function, caller, copy)));
}
calls::Copy line(const void* destination, const void* source, std::uint64_t bytes,
                 std::uint64_t kind, cudaStream_t stream = nullptr) {
  return {number(destination), number(source), bytes, 1, 1, bytes, bytes, bytes, bytes, kind,
          number(stream)};
}
calls::Copy rows(const void* destination, std::uint64_t destination_pitch, const void* source,
                 std::uint64_t source_pitch, std::uint64_t width, std::uint64_t height,
                 std::uint64_t kind, cudaStream_t stream = nullptr) {
  return {number(destination),
          number(source),
          width,
          height,
          1,
          destination_pitch,
          destination_pitch * height,
          source_pitch,
          source_pitch * height,
          kind,
          number(stream)};
}
cudaError_t copy_3d(Function function, std::uint64_t caller, const cudaMemcpy3DParms* wanted,
                    cudaStream_t stream) {
  if (wanted == nullptr) return cudaErrorInvalidValue;
  if (wanted->srcArray != nullptr || wanted->dstArray != nullptr) return cudaErrorNotSupported;
  const auto address = [](const cudaPitchedPtr& pointer, const cudaPos& position) {
    return number(pointer.ptr) + position.x + position.y * pointer.pitch +
           position.z * pointer.pitch * pointer.ysize;
  };
  const cudaExtent& extent = wanted->extent;
  return copy(function, caller,
              {address(wanted->dstPtr, wanted->dstPos), address(wanted->srcPtr, wanted->srcPos),
               extent.width, extent.height, extent.depth, wanted->dstPtr.pitch,
               wanted->dstPtr.pitch * wanted->dstPtr.ysize, wanted->srcPtr.pitch,
               wanted->srcPtr.pitch * wanted->srcPtr.ysize,
               static_cast<std::uint64_t>(wanted->kind), number(stream)});
}
cudaError_t copy_peer(Function function, std::uint64_t caller, void* destination,
                      int destination_device, const void* source, int source_device, size_t bytes,
                      cudaStream_t stream) {
  if (destination_device != 0 || source_device != 0)
    return error_of(on_device(Function::cudaDeviceCanAccessPeer, caller, 1));
  return copy(function, caller, line(destination, source, bytes, cudaMemcpyDefault, stream));
}
cudaError_t copy_symbol(Function function, std::uint64_t caller, const void* symbol,
                        const void* other, std::uint64_t bytes, std::uint64_t offset,
                        std::uint64_t kind, cudaStream_t stream, bool to_symbol) {
  const Reply reply = request(
      Call(function, caller,
           calls::SymbolCopy{number(symbol), number(other), bytes, offset, kind, number(stream)}));
  const void* device = reinterpret_cast<const void*>(reply.values[0]);
  return move(to_symbol ? line(device, other, bytes, kind, stream)
                        : line(other, device, bytes, kind, stream),
              caller, reply);
}
cudaError_t set_memory(Function function, std::uint64_t caller, void* pointer, int value,
                       std::uint64_t width, std::uint64_t height, std::uint64_t depth,
                       std::uint64_t pitch, std::uint64_t slice, cudaStream_t stream) {
  const Reply reply = request(Call(function, caller,
                                   calls::Set{number(pointer), static_cast<std::uint64_t>(value),
                                              width, height, depth, pitch, slice, number(stream)}));
  if (reply.error != cudaSuccess) return error_of(reply);
  make_deferred_copies();
  for (std::uint64_t z = 0; z < depth; ++z)
    for (std::uint64_t y = 0; y < height; ++y)
      std::memset(accessible(number(pointer)) + z * slice + y * pitch, value, width);
  return cudaSuccess;
}

// ---- launches -----------------------------------------------------------------------------------
cudaError_t launch(Function function, std::uint64_t caller, const CapturedCall& captured, dim3 grid,
                   dim3 block, size_t shared, cudaStream_t stream) {
  make_deferred_copies();
  Call call(function, caller,
            calls::Launch{captured.kernel,
                          {grid.x, grid.y, grid.z},
                          {block.x, block.y, block.z},
                          shared,
                          number(stream)});
  call.arguments = captured.arguments;
  return error_of(request(call));
}

// The arguments at these addresses, as a call would pass them.
cudaError_t arguments_at(histolab_kernel kernel, std::uint64_t caller, void** addresses,
                         CapturedCall& captured) {
  if (kernel.call != nullptr && captures_calls_of(kernel.address)) {
    kernel.call(kernel.address, addresses);
    captured = take_captured_call();
    return cudaSuccess;
  }
  // The program hides the kernel's type, so the parent says where each argument belongs.
  captured = {};
  captured.kernel = number(kernel.address);
  const Reply reply = on_kernel(Function::argument_places, caller, kernel.address);
  ArgumentPlace place;
  for (std::size_t at = 0; at + sizeof place <= reply.text.size(); at += sizeof place) {
    std::memcpy(&place, reply.text.data() + at, sizeof place);
    auto& to = captured.arguments;
    std::uint8_t* where = nullptr;
    if (place.where == ArgumentPlace::Where::integer && place.index < to.integers.size())
      where = reinterpret_cast<std::uint8_t*>(&to.integers[place.index]);
    else if (place.where == ArgumentPlace::Where::vector && place.index < to.vectors.size())
      where = to.vectors[place.index].data();
    else if (place.where == ArgumentPlace::Where::stack &&
             place.index + place.bytes <= to.stack.size())
      where = &to.stack[place.index];
    if (where != nullptr)
      std::memcpy(where, static_cast<const char*>(addresses[place.argument]) + place.offset,
                  place.bytes);
  }
  captured.arguments.stack_bytes = static_cast<std::uint32_t>(captured.arguments.stack.size());
  captured.arguments.has_vectors = 1;
  return error_of(reply);
}

cudaError_t launch_at(Function function, std::uint64_t caller, histolab_kernel kernel, dim3 grid,
                      dim3 block, void** addresses, size_t shared, cudaStream_t stream) {
  CapturedCall captured;
  const cudaError_t error = arguments_at(kernel, caller, addresses, captured);
  if (error != cudaSuccess) return error;
  return launch(function, caller, captured, grid, block, shared, stream);
}

}  // namespace

void histolab_go(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) noexcept {
  const CapturedCall captured = take_captured_call();
  launch(Function::launch, HISTOLAB_CALLER, captured, grid, block, shared, stream);
}
cudaError_t cudaLaunchKernel(histolab_kernel kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return launch_at(Function::cudaLaunchKernel, HISTOLAB_CALLER, kernel, grid, block, arguments,
                   shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(histolab_kernel kernel, dim3 grid, dim3 block,
                                        void** arguments, size_t shared, cudaStream_t stream) {
  return launch_at(Function::cudaLaunchCooperativeKernel, HISTOLAB_CALLER, kernel, grid, block,
                   arguments, shared, stream);
}

// ---- kernels ------------------------------------------------------------------------------------
cudaError_t cudaFuncSetAttribute(histolab_kernel kernel, cudaFuncAttribute attribute, int value) {
  return error_of(on_kernel(Function::cudaFuncSetAttribute, HISTOLAB_CALLER, kernel.address,
                            attribute, 0, 0, value));
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, histolab_kernel kernel) {
  return set_from_text(attributes,
                       on_kernel(Function::cudaFuncGetAttributes, HISTOLAB_CALLER, kernel.address));
}
cudaError_t cudaFuncSetCacheConfig(histolab_kernel kernel, cudaFuncCache) {
  return error_of(on_kernel(Function::cudaFuncSetCacheConfig, HISTOLAB_CALLER, kernel.address));
}
cudaError_t cudaFuncSetSharedMemConfig(histolab_kernel kernel, cudaSharedMemConfig) {
  return error_of(on_kernel(Function::cudaFuncSetSharedMemConfig, HISTOLAB_CALLER, kernel.address));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, histolab_kernel kernel,
                                                          int block_size, size_t shared) {
  const Reply reply =
      on_kernel(Function::cudaOccupancyMaxActiveBlocksPerMultiprocessor, HISTOLAB_CALLER,
                kernel.address, 0, static_cast<std::uint64_t>(block_size), shared);
  return set(blocks, reply, reply.values[0]);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   histolab_kernel kernel,
                                                                   int block_size, size_t shared,
                                                                   unsigned int) {
  const Reply reply =
      on_kernel(Function::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, HISTOLAB_CALLER,
                kernel.address, 0, static_cast<std::uint64_t>(block_size), shared);
  return set(blocks, reply, reply.values[0]);
}
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size,
                                               histolab_kernel kernel, size_t shared, int limit) {
  const Reply reply = on_kernel(Function::cudaOccupancyMaxPotentialBlockSize, HISTOLAB_CALLER,
                                kernel.address, 0, 0, shared, limit);
  set(grid_size, reply, reply.values[0]);
  return set(block_size, reply, reply.values[1]);
}
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                        histolab_kernel kernel, size_t shared,
                                                        int limit, unsigned int) {
  const Reply reply = on_kernel(Function::cudaOccupancyMaxPotentialBlockSizeWithFlags,
                                HISTOLAB_CALLER, kernel.address, 0, 0, shared, limit);
  set(grid_size, reply, reply.values[0]);
  return set(block_size, reply, reply.values[1]);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, histolab_kernel kernel,
                                                      int blocks, int block_size) {
  const Reply reply =
      on_kernel(Function::cudaOccupancyAvailableDynamicSMemPerBlock, HISTOLAB_CALLER,
                kernel.address, 0, static_cast<std::uint64_t>(block_size), 0, blocks);
  return set(shared, reply, reply.values[0]);
}

// ---- memory -------------------------------------------------------------------------------------
cudaError_t cudaMalloc(histolab_result result, size_t bytes) {
  return allocate(Function::cudaMalloc, HISTOLAB_CALLER, result.address, bytes);
}
cudaError_t cudaMallocManaged(histolab_result result, size_t bytes, unsigned int flags) {
  return allocate(Function::cudaMallocManaged, HISTOLAB_CALLER, result.address, bytes, flags);
}
cudaError_t cudaMallocAsync(histolab_result result, size_t bytes, cudaStream_t stream) {
  return allocate(Function::cudaMallocAsync, HISTOLAB_CALLER, result.address, bytes, 0, stream);
}
cudaError_t cudaMallocPitch(histolab_result result, size_t* pitch, size_t width, size_t height) {
  return allocate(Function::cudaMallocPitch, HISTOLAB_CALLER, result.address, width, 0, nullptr,
                  height, 1, pitch);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  void* address = nullptr;
  size_t pitch = 0;
  const cudaError_t error =
      allocate(Function::cudaMalloc3D, HISTOLAB_CALLER, pointer == nullptr ? nullptr : &address,
               extent.width, 0, nullptr, extent.height, extent.depth, &pitch);
  if (error == cudaSuccess) *pointer = {address, pitch, extent.width, extent.height};
  return error;
}
cudaError_t cudaMallocHost(histolab_result result, size_t bytes, unsigned int flags) {
  return allocate(Function::cudaMallocHost, HISTOLAB_CALLER, result.address, bytes, flags);
}
cudaError_t cudaHostAlloc(histolab_result result, size_t bytes, unsigned int flags) {
  return allocate(Function::cudaHostAlloc, HISTOLAB_CALLER, result.address, bytes, flags);
}
cudaError_t cudaHostGetDevicePointer(histolab_result device, void* pointer, unsigned int) {
  const Reply reply = on_pointer(Function::cudaHostGetDevicePointer, HISTOLAB_CALLER, pointer);
  if (reply.error == cudaSuccess && device.address != nullptr)
    *device.address = reinterpret_cast<void*>(reply.values[0]);
  return error_of(reply);
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  const Reply reply = on_pointer(Function::cudaHostGetFlags, HISTOLAB_CALLER, pointer);
  return set(flags, reply, reply.values[0]);
}
cudaError_t cudaFree(void* pointer) {
  const Reply reply = on_pointer(Function::cudaFree, HISTOLAB_CALLER, pointer);
  if (reply.error == cudaSuccess) unmap_for_host(number(pointer));
  return error_of(reply);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const Reply reply =
      on_pointer(Function::cudaFreeAsync, HISTOLAB_CALLER, pointer, 0, 0, 0, stream);
  if (reply.error == cudaSuccess) unmap_for_host(number(pointer));
  return error_of(reply);
}
cudaError_t cudaFreeHost(void* pointer) {
  const Reply reply = on_pointer(Function::cudaFreeHost, HISTOLAB_CALLER, pointer);
  if (reply.error == cudaSuccess) unmap_for_host(number(pointer));
  return error_of(reply);
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return error_of(on_pointer(Function::cudaHostRegister, HISTOLAB_CALLER, pointer, bytes, flags));
}
cudaError_t cudaHostUnregister(void* pointer) {
  return error_of(on_pointer(Function::cudaHostUnregister, HISTOLAB_CALLER, pointer));
}
cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return copy(Function::cudaMemcpy, HISTOLAB_CALLER, line(destination, source, bytes, kind));
}
cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(Function::cudaMemcpyAsync, HISTOLAB_CALLER,
              line(destination, source, bytes, kind, stream));
}
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t bytes) {
  return copy_peer(Function::cudaMemcpyPeer, HISTOLAB_CALLER, destination, destination_device,
                   source, source_device, bytes, nullptr);
}
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t bytes, cudaStream_t stream) {
  return copy_peer(Function::cudaMemcpyPeerAsync, HISTOLAB_CALLER, destination, destination_device,
                   source, source_device, bytes, stream);
}
cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy(Function::cudaMemcpy2D, HISTOLAB_CALLER,
              rows(destination, destination_pitch, source, source_pitch, width, height, kind));
}
cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy(
      Function::cudaMemcpy2DAsync, HISTOLAB_CALLER,
      rows(destination, destination_pitch, source, source_pitch, width, height, kind, stream));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* wanted) {
  return copy_3d(Function::cudaMemcpy3D, HISTOLAB_CALLER, wanted, nullptr);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* wanted, cudaStream_t stream) {
  return copy_3d(Function::cudaMemcpy3DAsync, HISTOLAB_CALLER, wanted, stream);
}
cudaError_t cudaMemcpyToSymbol(histolab_symbol symbol, const void* source, size_t bytes,
                               size_t offset, cudaMemcpyKind kind) {
  return copy_symbol(Function::cudaMemcpyToSymbol, HISTOLAB_CALLER, symbol.address, source, bytes,
                     offset, kind, nullptr, true);
}
cudaError_t cudaMemcpyFromSymbol(void* destination, histolab_symbol symbol, size_t bytes,
                                 size_t offset, cudaMemcpyKind kind) {
  return copy_symbol(Function::cudaMemcpyFromSymbol, HISTOLAB_CALLER, symbol.address, destination,
                     bytes, offset, kind, nullptr, false);
}
cudaError_t cudaMemcpyToSymbolAsync(histolab_symbol symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol(Function::cudaMemcpyToSymbolAsync, HISTOLAB_CALLER, symbol.address, source,
                     bytes, offset, kind, stream, true);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, histolab_symbol symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol(Function::cudaMemcpyFromSymbolAsync, HISTOLAB_CALLER, symbol.address,
                     destination, bytes, offset, kind, stream, false);
}
cudaError_t cudaGetSymbolAddress(histolab_result pointer, histolab_symbol symbol) {
  const Reply reply = request(
      Call(Function::cudaGetSymbolAddress, HISTOLAB_CALLER, calls::Symbol{number(symbol.address)}));
  if (reply.error == cudaSuccess && pointer.address != nullptr)
    *pointer.address = reinterpret_cast<void*>(reply.values[0]);
  return error_of(reply);
}
cudaError_t cudaGetSymbolSize(size_t* bytes, histolab_symbol symbol) {
  const Reply reply = request(
      Call(Function::cudaGetSymbolSize, HISTOLAB_CALLER, calls::Symbol{number(symbol.address)}));
  return set(bytes, reply, reply.values[1]);
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return set_memory(Function::cudaMemset, HISTOLAB_CALLER, pointer, value, bytes, 1, 1, bytes,
                    bytes, nullptr);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return set_memory(Function::cudaMemsetAsync, HISTOLAB_CALLER, pointer, value, bytes, 1, 1, bytes,
                    bytes, stream);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return set_memory(Function::cudaMemset2D, HISTOLAB_CALLER, pointer, value, width, height, 1,
                    pitch, pitch * height, nullptr);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return set_memory(Function::cudaMemset2DAsync, HISTOLAB_CALLER, pointer, value, width, height, 1,
                    pitch, pitch * height, stream);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return set_memory(Function::cudaMemset3D, HISTOLAB_CALLER, pointer.ptr, value, extent.width,
                    extent.height, extent.depth, pointer.pitch, pointer.pitch * pointer.ysize,
                    nullptr);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return set_memory(Function::cudaMemset3DAsync, HISTOLAB_CALLER, pointer.ptr, value, extent.width,
                    extent.height, extent.depth, pointer.pitch, pointer.pitch * pointer.ysize,
                    stream);
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  const Reply reply = on_device(Function::cudaMemGetInfo, HISTOLAB_CALLER);
  set(total, reply, reply.values[1]);
  return set(free, reply, reply.values[0]);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return error_of(on_pointer(Function::cudaMemPrefetchAsync, HISTOLAB_CALLER, pointer, bytes, 0,
                             device, stream));
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int, cudaStream_t stream) {
  const int device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  return error_of(on_pointer(Function::cudaMemPrefetchAsync, HISTOLAB_CALLER, pointer, bytes, 0,
                             device, stream));
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, int device) {
  return error_of(on_pointer(Function::cudaMemAdvise, HISTOLAB_CALLER, pointer, bytes, 0, device));
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise,
                          cudaMemLocation location) {
  const int device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  return error_of(on_pointer(Function::cudaMemAdvise, HISTOLAB_CALLER, pointer, bytes, 0, device));
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return set_from_text(attributes,
                       on_pointer(Function::cudaPointerGetAttributes, HISTOLAB_CALLER, pointer));
}

// ---- errors -------------------------------------------------------------------------------------
cudaError_t cudaGetLastError() {
  return error_of(on_device(Function::cudaGetLastError, HISTOLAB_CALLER));
}
cudaError_t cudaPeekAtLastError() {
  return error_of(on_device(Function::cudaPeekAtLastError, HISTOLAB_CALLER));
}
const char* cudaGetErrorString(cudaError_t error) {
  // The program has seen the error.
  if (error != cudaSuccess) on_device(Function::cudaGetErrorString, HISTOLAB_CALLER);
  switch (static_cast<int>(error)) {
#define HISTOLAB_ERROR(name, value, text) \
  case value: return text;
    HISTOLAB_CUDA_ERRORS(HISTOLAB_ERROR)
#undef HISTOLAB_ERROR
    default: return "unrecognized error code";
  }
}
const char* cudaGetErrorName(cudaError_t error) {
  if (error != cudaSuccess) on_device(Function::cudaGetErrorName, HISTOLAB_CALLER);
  switch (static_cast<int>(error)) {
#define HISTOLAB_ERROR(name, value, text) \
  case value: return #name;
    HISTOLAB_CUDA_ERRORS(HISTOLAB_ERROR)
#undef HISTOLAB_ERROR
    default: return "unrecognized error code";
  }
}

// ---- the device ---------------------------------------------------------------------------------
cudaError_t cudaGetDeviceCount(int* count) {
  const Reply reply = on_device(Function::cudaGetDeviceCount, HISTOLAB_CALLER);
  return set(count, reply, reply.values[0]);
}
cudaError_t cudaSetDevice(int device) {
  return error_of(on_device(Function::cudaSetDevice, HISTOLAB_CALLER, device));
}
cudaError_t cudaGetDevice(int* device) {
  const Reply reply = on_device(Function::cudaGetDevice, HISTOLAB_CALLER);
  return set(device, reply, reply.values[0]);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return error_of(on_device(Function::cudaInitDevice, HISTOLAB_CALLER, device));
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  const Reply reply = on_device(Function::cudaChooseDevice, HISTOLAB_CALLER);
  return set(device, reply, reply.values[0]);
}
cudaError_t cudaSetValidDevices(int*, int) {
  return error_of(on_device(Function::cudaSetValidDevices, HISTOLAB_CALLER));
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return error_of(on_device(Function::cudaSetDeviceFlags, HISTOLAB_CALLER, 0, 0, flags));
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  const Reply reply = on_device(Function::cudaGetDeviceFlags, HISTOLAB_CALLER);
  return set(flags, reply, reply.values[0]);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return set_from_text(properties,
                       on_device(Function::cudaGetDeviceProperties, HISTOLAB_CALLER, device));
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const Reply reply =
      on_device(Function::cudaDeviceGetAttribute, HISTOLAB_CALLER, device, attribute);
  return set(value, reply, reply.values[0]);
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source, int) {
  const Reply reply =
      on_device(Function::cudaDeviceGetP2PAttribute, HISTOLAB_CALLER, source, attribute);
  return set(value, reply, 0);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const Reply reply = on_device(Function::cudaDeviceCanAccessPeer, HISTOLAB_CALLER, device,
                                static_cast<std::uint64_t>(peer));
  return set(can, reply, 0);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int) {
  return error_of(on_device(Function::cudaDeviceEnablePeerAccess, HISTOLAB_CALLER, peer));
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return error_of(on_device(Function::cudaDeviceDisablePeerAccess, HISTOLAB_CALLER, peer));
}
static constexpr char bus_id[] = "0000:00:00.0";
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  const Reply reply = on_device(Function::cudaDeviceGetPCIBusId, HISTOLAB_CALLER, device);
  if (device != 0 || text == nullptr || bytes < static_cast<int>(sizeof bus_id))
    return cudaErrorInvalidValue;
  std::memcpy(text, bus_id, sizeof bus_id);
  return error_of(reply);
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  const Reply reply = on_device(Function::cudaDeviceGetByPCIBusId, HISTOLAB_CALLER);
  if (text == nullptr || std::strcmp(text, bus_id) != 0) return cudaErrorInvalidValue;
  return set(device, reply, 0);
}
cudaError_t cudaDeviceSynchronize() {
  return error_of(on_device(Function::cudaDeviceSynchronize, HISTOLAB_CALLER));
}
cudaError_t cudaThreadSynchronize() {
  return error_of(on_device(Function::cudaThreadSynchronize, HISTOLAB_CALLER));
}
cudaError_t cudaDeviceReset() {
  const Reply reply = on_device(Function::cudaDeviceReset, HISTOLAB_CALLER);
  unmap_all_for_host();
  return error_of(reply);
}
cudaError_t cudaThreadExit() {
  const Reply reply = on_device(Function::cudaThreadExit, HISTOLAB_CALLER);
  unmap_all_for_host();
  return error_of(reply);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return error_of(on_device(Function::cudaDeviceSetLimit, HISTOLAB_CALLER, 0, limit, value));
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const Reply reply = on_device(Function::cudaDeviceGetLimit, HISTOLAB_CALLER, 0, limit);
  return set(value, reply, reply.values[0]);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return error_of(on_device(Function::cudaDeviceSetCacheConfig, HISTOLAB_CALLER));
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return set(config, on_device(Function::cudaDeviceGetCacheConfig, HISTOLAB_CALLER), 0);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return error_of(on_device(Function::cudaDeviceSetSharedMemConfig, HISTOLAB_CALLER));
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return set(config, on_device(Function::cudaDeviceGetSharedMemConfig, HISTOLAB_CALLER),
             cudaSharedMemBankSizeFourByte);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const Reply reply = on_device(Function::cudaDeviceGetStreamPriorityRange, HISTOLAB_CALLER);
  set(least, reply, reply.values[0]);
  return set(greatest, reply, reply.values[1]);
}
cudaError_t cudaDriverGetVersion(int* version) {
  return set(version, on_device(Function::cudaDriverGetVersion, HISTOLAB_CALLER), CUDART_VERSION);
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return set(version, on_device(Function::cudaRuntimeGetVersion, HISTOLAB_CALLER), CUDART_VERSION);
}
cudaError_t cudaProfilerStart() {
  return error_of(on_device(Function::cudaProfilerStart, HISTOLAB_CALLER));
}
cudaError_t cudaProfilerStop() {
  return error_of(on_device(Function::cudaProfilerStop, HISTOLAB_CALLER));
}

// ---- streams and events -------------------------------------------------------------------------
namespace {

cudaError_t new_stream(Function function, std::uint64_t caller, cudaStream_t* stream,
                       unsigned int flags, int priority) {
  if (stream == nullptr) return cudaErrorInvalidValue;
  const Reply reply = on_stream(function, caller, nullptr, flags, 0, priority);
  if (reply.error == cudaSuccess) *stream = reinterpret_cast<cudaStream_t>(reply.values[0]);
  return error_of(reply);
}
cudaError_t new_event(Function function, std::uint64_t caller, cudaEvent_t* event,
                      unsigned int flags) {
  if (event == nullptr) return cudaErrorInvalidValue;
  const Reply reply = on_event(function, caller, nullptr, nullptr, flags);
  if (reply.error == cudaSuccess) *event = reinterpret_cast<cudaEvent_t>(reply.values[0]);
  return error_of(reply);
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return new_stream(Function::cudaStreamCreate, HISTOLAB_CALLER, stream, 0, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return new_stream(Function::cudaStreamCreateWithFlags, HISTOLAB_CALLER, stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return new_stream(Function::cudaStreamCreateWithPriority, HISTOLAB_CALLER, stream, flags,
                    priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return error_of(on_stream(Function::cudaStreamDestroy, HISTOLAB_CALLER, stream));
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return error_of(on_stream(Function::cudaStreamSynchronize, HISTOLAB_CALLER, stream));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return error_of(on_stream(Function::cudaStreamQuery, HISTOLAB_CALLER, stream));
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return error_of(
      on_stream(Function::cudaStreamWaitEvent, HISTOLAB_CALLER, stream, flags, number(event)));
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  const Reply reply = on_stream(Function::cudaStreamGetFlags, HISTOLAB_CALLER, stream);
  return set(flags, reply, reply.values[0]);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const Reply reply = on_stream(Function::cudaStreamGetPriority, HISTOLAB_CALLER, stream);
  return set(priority, reply, reply.values[0]);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  const Reply reply = on_stream(Function::cudaStreamAddCallback, HISTOLAB_CALLER, stream);
  if (reply.error != cudaSuccess || callback == nullptr) return error_of(reply);
  make_deferred_copies();
  run_callback([=] { callback(stream, cudaSuccess, data); });
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const Reply reply = on_stream(Function::cudaLaunchHostFunc, HISTOLAB_CALLER, stream);
  if (reply.error != cudaSuccess || function == nullptr) return error_of(reply);
  make_deferred_copies();
  run_callback([=] { function(data); });
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int) {
  return error_of(on_stream(Function::cudaStreamAttachMemAsync, HISTOLAB_CALLER, stream));
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return new_event(Function::cudaEventCreate, HISTOLAB_CALLER, event, 0);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return new_event(Function::cudaEventCreateWithFlags, HISTOLAB_CALLER, event, flags);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return error_of(on_event(Function::cudaEventRecord, HISTOLAB_CALLER, event, stream));
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return error_of(
      on_event(Function::cudaEventRecordWithFlags, HISTOLAB_CALLER, event, stream, flags));
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return error_of(on_event(Function::cudaEventSynchronize, HISTOLAB_CALLER, event));
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return error_of(on_event(Function::cudaEventQuery, HISTOLAB_CALLER, event));
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (milliseconds == nullptr) return cudaErrorInvalidValue;
  const Reply reply =
      on_event(Function::cudaEventElapsedTime, HISTOLAB_CALLER, begin, nullptr, 0, end);
  if (reply.error == cudaSuccess) std::memcpy(milliseconds, &reply.values[0], sizeof *milliseconds);
  return error_of(reply);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return error_of(on_event(Function::cudaEventDestroy, HISTOLAB_CALLER, event));
}
