// The C library's functions that open files. They report a refused write to the parent process,
// which then names the option that allows it. Otherwise they do what the C library does.
#include <dlfcn.h>
#include <fcntl.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "kernels/program/runtime/connection.h"

namespace {

using OpenStream = FILE*(const char*, const char*);
using Open = int(const char*, int, ...);

template <class Function>
Function* of_library(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Called after an opening for writing that failed.
void note_failure() {
  const int error = errno;
  if (error == EACCES || error == EROFS || error == EPERM)
    histolab::kernels::program::report_refused_write();
  errno = error;
}

FILE* open_stream(const char* function, const char* path, const char* mode) {
  FILE* const stream = of_library<OpenStream>(function)(path, mode);
  if (stream == nullptr && strpbrk(mode, "wa+") != nullptr) note_failure();
  return stream;
}

int open_file(const char* function, const char* path, int flags, va_list more) {
  const bool has_mode = (flags & (O_CREAT | __O_TMPFILE)) != 0;
  const int file = of_library<Open>(function)(path, flags, has_mode ? va_arg(more, mode_t) : 0);
  if (file < 0 && (flags & O_ACCMODE) != O_RDONLY) note_failure();
  return file;
}

}  // namespace

extern "C" {

FILE* fopen(const char* path, const char* mode) { return open_stream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return open_stream("fopen64", path, mode); }

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_file("open", path, flags, more);
  va_end(more);
  return file;
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int file = open_file("open64", path, flags, more);
  va_end(more);
  return file;
}

}  // extern "C"

namespace histolab::kernels::program {

void watch_writes() {}

}  // namespace histolab::kernels::program
