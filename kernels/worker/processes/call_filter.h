// A filter of system calls (seccomp), from a descriptor to this process. Without memory of the heap: some who take one have little left.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace histolab::kernels::worker {

class CallFilter {
 public:
  // struct sock_filter, one after another, from the beginning. False: it holds no such program.
  [[nodiscard]] bool read(int descriptor) {
    struct stat about {};
    if (fstat(descriptor, &about) != 0) return false;
    const ssize_t got = pread(descriptor, code_, sizeof code_, 0);
    if (got <= 0 || got != about.st_size || static_cast<unsigned long>(got) % sizeof(sock_filter) != 0) return false;
    instructions_ = static_cast<unsigned short>(static_cast<unsigned long>(got) / sizeof(sock_filter));
    return true;
  }
  [[nodiscard]] bool is_there() const { return instructions_ != 0; }
  // In all threads and for good: one that waits could be made to go on elsewhere. Needs PR_SET_NO_NEW_PRIVS. False: the system does not let it.
  [[nodiscard]] bool take() {
    const sock_fprog program{instructions_, code_};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  sock_filter code_[4096] = {};  // BPF_MAXINSNS
  unsigned short instructions_ = 0;
};

}  // namespace histolab::kernels::worker
