// Buffer: a block of bytes that two processes can look at.
//
// Backed by an anonymous memory file, so that a worker maps it by descriptor and the owner reads what the kernel left
// there even when the worker died. Its size is sealed. Move-only; the descriptor is close-on-exec and never has a name in
// a file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "reference/result.h"

namespace histolab::kernels {

class Buffer {
 public:
  // `bytes` zeroed bytes (0 is allowed). Returns an Error if the machine has no memory or no
  // descriptor left.
  static Result<Buffer> zeroed(std::size_t bytes);
  static Result<Buffer> copy_of(std::span<const std::uint8_t> bytes);
  // Another process's, by a descriptor of it that this takes over. Returns an Error if it is not a
  // buffer, or cannot be written.
  static Result<Buffer> of_descriptor(int descriptor);

  Buffer(Buffer&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(fd_, other.fd_), std::swap(data_, other.data_), std::swap(size_, other.size_);
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
