// Buffer: bytes that two processes share, in an anonymous memory file.
//
// A worker maps the file by its descriptor. So the owner can read the kernel's output even if the
// worker died. The size is sealed. A Buffer is move-only. Its descriptor is close-on-exec and has
// no name in a file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "reference/result.h"

namespace histolab::kernels {

class Buffer {
 public:
  // Returns a buffer of `bytes` zeroed bytes (0 is allowed) or a copy of `bytes`. Returns an Error
  // if no memory or no descriptor is left.
  static Result<Buffer> zeroed(std::size_t bytes);
  static Result<Buffer> copy_of(std::span<const std::uint8_t> bytes);
  // Maps another process's buffer and takes over its descriptor. Returns an Error if the descriptor
  // cannot be mapped for reading and writing.
  static Result<Buffer> of_descriptor(int descriptor);

  Buffer(Buffer&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer();

  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data_, size_}; }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] int fd() const { return fd_; }

 private:
  Buffer(int fd, std::uint8_t* data, std::size_t size) : fd_(fd), data_(data), size_(size) {}
  int fd_ = -1;
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace histolab::kernels
