#include "kernels/buffer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace histolab::kernels {

Result<Buffer> Buffer::zeroed(std::size_t bytes) {
  const auto failed = [bytes] {
    return Error{fmt::format("cannot get {} bytes of memory: {}", bytes, std::strerror(errno))};
  };
  const int fd = memfd_create("histolab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return failed();
  Buffer buffer(fd, nullptr, bytes);  // owns the descriptor from here on
  if (bytes == 0) return buffer;
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) return failed();
  // Without the seal, another process with the descriptor could shrink the file. The owner's next
  // access would then be a bus error.
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return failed();
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) return failed();
  buffer.data_ = static_cast<std::uint8_t*>(data);
  return buffer;
}

Result<Buffer> Buffer::copy_of(std::span<const std::uint8_t> bytes) {
  Result<Buffer> buffer = zeroed(bytes.size());
  if (buffer && !bytes.empty()) std::memcpy(buffer->bytes().data(), bytes.data(), bytes.size());
  return buffer;
}

Result<Buffer> Buffer::of_descriptor(int descriptor) {
  const auto failed = [] {
    return Error{fmt::format("cannot map another process's buffer: {}", std::strerror(errno))};
  };
  struct stat file {};
  Buffer buffer(descriptor, nullptr, 0);  // owns the descriptor also if a step fails
  if (fstat(descriptor, &file) != 0) return failed();
  buffer.size_ = static_cast<std::size_t>(file.st_size);
  if (buffer.size_ == 0) return buffer;
  void* data = mmap(nullptr, buffer.size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) return failed();
  buffer.data_ = static_cast<std::uint8_t*>(data);
  return buffer;
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, size_);
  if (fd_ >= 0) close(fd_);
}

}  // namespace histolab::kernels
