#include "kernels/gpu/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace histolab::kernels::gpu {

MappedFile::MappedFile(int descriptor, std::uint64_t bytes, Access access) {
  if (bytes == 0) return;
  const bool writes = access == Access::write;
  void* data = mmap(nullptr, bytes, writes ? PROT_READ | PROT_WRITE : PROT_READ,
                    writes ? MAP_SHARED : MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED)
    throw std::runtime_error(std::string("cannot map a file of the launch: ") +
                             std::strerror(errno));
  data_ = static_cast<std::uint8_t*>(data);
  size_ = bytes;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace histolab::kernels::gpu
