// Spool: moves texts out of memory into an unnamed temporary file until they are needed.
//
// The file is in TMPDIR, or by default in /var/tmp, because /tmp may be in memory. It disappears
// with the process, even if that is killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace histolab::grader {

class Spool;

// A text that is in memory, or in a Spool.
class SpooledText {
 public:
  SpooledText() = default;
  SpooledText(std::string text)
      : text_(std::move(text)), size_(text_.size()) {}  // NOLINT(google-explicit-constructor)
  SpooledText(const char* text)
      : SpooledText(std::string{text}) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Returns an Error if the disk cannot be read.
  [[nodiscard]] Result<std::string> text() const;

  friend bool operator==(const SpooledText& a, const SpooledText& b);

 private:
  friend class Spool;
  std::string text_;  // empty while it is in the spool
  std::size_t size_ = 0;
  std::shared_ptr<const Spool> spool_;
  std::uint64_t at_ = 0;
};

// Only one thread at a time may write; any number may read.
class Spool : public std::enable_shared_from_this<Spool> {
 public:
  static Result<std::shared_ptr<Spool>> make();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();
  // Moves a text out of memory. Returns an Error if the disk is full; the text is unchanged then.
  [[nodiscard]] Status take(SpooledText& text);

 private:
  friend class SpooledText;
  explicit Spool(int fd) : fd_(fd) {}
  int fd_;
  std::uint64_t end_ = 0;
};

}  // namespace histolab::grader
