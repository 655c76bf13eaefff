// MappedFile: the file behind a descriptor, mapped as bytes.
#pragma once

#include <cstdint>
#include <span>

namespace histolab::kernels::gpu {

class MappedFile {
 public:
  enum class Access { read, write };  // write: other users of the file see the changes
  // Maps the first `bytes` bytes of the file; 0 is allowed. Throws std::runtime_error if they
  // cannot be mapped.
  MappedFile(int descriptor, std::uint64_t bytes, Access access = Access::read);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  std::uint8_t* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace histolab::kernels::gpu
