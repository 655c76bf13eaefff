#include "kernels/cuda/bench/aliased.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace histolab::kernels::cuda::bench {
namespace {

// The driver's functions, found through the runtime. The program must also start on machines
// without a driver, so it cannot link them.
struct Driver {
  decltype(&cuMemGetAllocationGranularity) granularity =
      find<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity");
  decltype(&cuMemAddressReserve) reserve =
      find<decltype(&cuMemAddressReserve)>("cuMemAddressReserve");
  decltype(&cuMemAddressFree) free_addresses =
      find<decltype(&cuMemAddressFree)>("cuMemAddressFree");
  decltype(&cuMemCreate) create = find<decltype(&cuMemCreate)>("cuMemCreate");
  decltype(&cuMemRelease) release = find<decltype(&cuMemRelease)>("cuMemRelease");
  decltype(&cuMemMap) map = find<decltype(&cuMemMap)>("cuMemMap");
  decltype(&cuMemUnmap) unmap = find<decltype(&cuMemUnmap)>("cuMemUnmap");
  decltype(&cuMemSetAccess) set_access = find<decltype(&cuMemSetAccess)>("cuMemSetAccess");

  [[nodiscard]] bool complete() const {
    return granularity && reserve && free_addresses && create && release && map && unmap &&
           set_access;
  }

 private:
  template <class Function>
  static Function find(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found) !=
        cudaSuccess)
      return nullptr;
    return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(function) : nullptr;
  }
};

const Driver& driver() {
  static const Driver functions;
  return functions;
}

}  // namespace

AliasedMemory::AliasedMemory(int device, std::size_t bytes, std::size_t physical) {
  if (!driver().complete()) return;
  CUmemAllocationProp what{};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location = {CU_MEM_LOCATION_TYPE_DEVICE, {device}};
  std::size_t granularity = 0;
  if (driver().granularity(&granularity, &what, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) !=
      CUDA_SUCCESS)
    return;
  physical_ = (physical + granularity - 1) / granularity * granularity;
  bytes_ = (bytes + physical_ - 1) / physical_ * physical_;
  CUdeviceptr address = 0;
  CUmemGenericAllocationHandle memory = 0;
  if (driver().reserve(&address, bytes_, granularity, 0, 0) != CUDA_SUCCESS) return;
  const bool created = driver().create(&memory, physical_, &what, 0) == CUDA_SUCCESS;
  memory_ = memory;
  bool ok = created;
  for (; ok && mapped_ < bytes_; mapped_ += ok ? physical_ : 0)
    ok = driver().map(address + mapped_, physical_, 0, memory, 0) == CUDA_SUCCESS;
  const CUmemAccessDesc access{what.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  ok = ok && driver().set_access(address, bytes_, &access, 1) == CUDA_SUCCESS;
  if (ok) {
    data_ = reinterpret_cast<void*>(address);
    return;
  }
  if (mapped_ > 0) driver().unmap(address, mapped_);
  if (created) driver().release(memory);
  driver().free_addresses(address, bytes_);
}

AliasedMemory::~AliasedMemory() {
  if (data_ == nullptr) return;
  const auto address = reinterpret_cast<CUdeviceptr>(data_);
  driver().unmap(address, bytes_);
  driver().release(memory_);
  driver().free_addresses(address, bytes_);
}

}  // namespace histolab::kernels::cuda::bench
