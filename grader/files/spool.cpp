#include "grader/files/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace histolab::grader {
namespace {

constexpr const char* usual_folder = "/var/tmp";

std::string folder() {
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : usual_folder;
}

// If the file system lacks O_TMPFILE, makes a named file and removes its name immediately.
int nameless_file(const std::string& in) {
  if (const int fd = open(in.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600); fd >= 0)
    return fd;
  std::string name = in + "/histolab-XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

Error problem(const char* action, int number) {
  if (number == ENOSPC || number == EDQUOT)
    return Error{fmt::format(
        "{}: the disk is full. Free some space, or set TMPDIR to another folder", folder())};
  return Error{
      fmt::format("{}: cannot {} a temporary file: {}", folder(), action, std::strerror(number))};
}

}  // namespace

Result<std::string> SpooledText::text() const {
  if (spool_ == nullptr) return text_;
  std::string text(size_, '\0');
  for (std::size_t done = 0; done < size_;) {
    const ssize_t got =
        pread(spool_->fd_, text.data() + done, size_ - done, static_cast<off_t>(at_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return problem("read", got < 0 ? errno : EIO);
    done += static_cast<std::size_t>(got);
  }
  return text;
}

bool operator==(const SpooledText& a, const SpooledText& b) {
  if (a.size_ != b.size_) return false;
  const Result<std::string> one = a.text(), other = b.text();
  return one && other && *one == *other;
}

Result<std::shared_ptr<Spool>> Spool::make() {
  int fd = nameless_file(folder());
  if (fd < 0) return problem("create", errno);
  if (fd <= STDERR_FILENO) {  // a standard stream was closed; code may reopen its number
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int failed = errno;
    close(fd);
    if (higher < 0) return problem("create", failed);
    fd = higher;
  }
  return std::shared_ptr<Spool>{new Spool(fd)};
}

Spool::~Spool() { close(fd_); }

Status Spool::take(SpooledText& text) {
  if (text.spool_ != nullptr || text.empty()) return Done{};
  for (std::size_t done = 0; done < text.size_;) {
    const ssize_t put =
        pwrite(fd_, text.text_.data() + done, text.size_ - done, static_cast<off_t>(end_ + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return problem("write", errno);
    done += static_cast<std::size_t>(put);
  }
  text.spool_ = shared_from_this(), text.at_ = end_;
  end_ += text.size_;
  text.text_ = {};
  return Done{};
}

}  // namespace histolab::grader
