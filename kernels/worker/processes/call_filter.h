// A system call filter (seccomp) that is read from a descriptor and installed in this process. It
// does not use the heap: some processes that install one have little memory left.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace histolab::kernels::worker {

class CallFilter {
 public:
  // Reads the whole file: an array of struct sock_filter. Returns false if it does not hold such a
  // program, or one that is too long.
  [[nodiscard]] bool read(int descriptor) {
    struct stat about {};
    if (fstat(descriptor, &about) != 0) return false;
    const ssize_t got = pread(descriptor, code_, sizeof code_, 0);
    // mutant 0 -> 1: one byte is not a complete instruction, as the same line checks
    if (got <= 0 || got != about.st_size ||
        static_cast<unsigned long>(got) % sizeof(sock_filter) != 0)
      return false;
    instructions_ =
        static_cast<unsigned short>(static_cast<unsigned long>(got) / sizeof(sock_filter));
    return true;
  }
  [[nodiscard]] bool is_there() const { return instructions_ != 0; }
  // Installs the filter in all threads, permanently. (A kernel could make a thread without a filter
  // continue at another address.) Needs PR_SET_NO_NEW_PRIVS. Returns false if the system refuses
  // it.
  [[nodiscard]] bool take() {
    const sock_fprog program{instructions_, code_};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  sock_filter code_[4096] = {};  // BPF_MAXINSNS
  unsigned short instructions_ = 0;
};

}  // namespace histolab::kernels::worker
