// PrintedText: the text that a kernel prints, cut after 64 KiB.
#pragma once

#include <string>
#include <string_view>

namespace histolab::kernels::emulator {

class PrintedText {
 public:
  static constexpr std::size_t most_bytes = 64 * 1024;

  // Appends. If the text is too long then, its end is replaced by a note, and it stays as it is.
  void print(std::string_view more);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace histolab::kernels::emulator
