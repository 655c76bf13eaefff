// An owned file descriptor, closed by its destructor, and a pipe of two of them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace histolab::kernels::worker {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read, write;
  bool open() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return false;
    read = Descriptor(fds[0]);
    write = Descriptor(fds[1]);
    return true;
  }
};

}  // namespace histolab::kernels::worker
