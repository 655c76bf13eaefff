#include "kernels/emulator/run/printed_text.h"

namespace histolab::kernels::emulator {

void PrintedText::print(std::string_view more) {
  constexpr std::string_view cut = "\n(printf: more than 64 KiB, the rest is left out)\n";
  if (text_.size() >= most_bytes) return;
  text_.append(more);
  if (text_.size() >= most_bytes) text_.replace(most_bytes - cut.size(), std::string::npos, cut);
}

}  // namespace histolab::kernels::emulator
