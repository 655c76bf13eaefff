#include "grader/files/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

Error problem(const std::string& path, const std::string& text) {
  return Error{fmt::format("{}: {}", path, text)};
}

Error too_large(const std::string& path, const std::string& what, std::uint64_t bytes,
                std::uint64_t most) {
  return problem(path, fmt::format("is {} bytes long; the limit for a {} is {}", grouped(bytes),
                                   what, grouped(most)));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Status check_text(const std::string& path, const std::string& what, std::string_view text,
                  std::uint64_t most_bytes) {
  if (text.size() > most_bytes) return too_large(path, what, text.size(), most_bytes);
  if (text.empty() && what == "kernel")
    return problem(path,
                   "is empty; write the kernel, or restore the stub with `histolab reset` and "
                   "the lab's number");
  if (text.empty()) return problem(path, fmt::format("is empty; a {} needs some text", what));
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return problem(path, "is UTF-16; save it as UTF-8");
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    return problem(path, fmt::format("is a binary file (byte {} on line {} is zero); a {} is text",
                                     nul, line, what));
  }
  return Done{};
}

Result<std::string> read_text_file(const std::string& path, const std::string& what,
                                   std::uint64_t most_bytes) {
  // O_NONBLOCK: opening a FIFO without a writer must not hang before fstat can refuse it.
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.get() < 0) {
    if (errno == ENOENT) return problem(path, "there is no such file");
    if (errno == EACCES)
      return problem(path, "cannot be read: permission denied (chmod +r grants it)");
    return problem(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  struct stat info {};
  if (fstat(file.get(), &info) != 0)
    return problem(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (S_ISDIR(info.st_mode)) return problem(path, fmt::format("is a folder; a {} is a file", what));
  if (!S_ISREG(info.st_mode))
    return problem(path, fmt::format("is a pipe or a device; a {} is a regular file", what));
  if (static_cast<std::uint64_t>(info.st_size) > most_bytes)
    return too_large(path, what, static_cast<std::uint64_t>(info.st_size), most_bytes);

  // Enforce the limit on the bytes read: the file may grow meanwhile. One extra byte makes end of
  // file visible in the same read.
  std::string text(static_cast<std::uint64_t>(info.st_size) + 1, '\0');
  std::size_t length = 0;
  for (;;) {
    if (length == text.size() && length > most_bytes) break;
    if (length == text.size()) text.resize(std::min(most_bytes + 1, 2 * length));
    const ssize_t got = read(file.get(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return problem(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  text.resize(length);
  TRY(check_text(path, what, text, most_bytes));
  return text;
}

}  // namespace histolab::grader
