// Painter: adds terminal colours if they are enabled.
#pragma once

#include <fmt/format.h>

#include <string>

namespace histolab::grader {

class Painter {
 public:
  explicit Painter(bool on) : on_(on) {}
  [[nodiscard]] std::string green(const std::string& text) const { return paint("32", text); }
  [[nodiscard]] std::string red(const std::string& text) const { return paint("31", text); }
  [[nodiscard]] std::string bold(const std::string& text) const { return paint("1", text); }
  [[nodiscard]] std::string dim(const std::string& text) const { return paint("2", text); }

 private:
  [[nodiscard]] std::string paint(const char* code, const std::string& text) const {
    return on_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
  }
  bool on_;
};

}  // namespace histolab::grader
