#include "kernels/emulator/run/printed_text.h"

#include <doctest/doctest.h>

namespace histolab::kernels::emulator {
namespace {

TEST_CASE("printed text is kept up to its limit, and then says that it is cut") {
  PrintedText printed;
  printed.print("a");
  printed.print(std::string(PrintedText::most_bytes - 2, 'b'));
  CHECK(printed.text() == "a" + std::string(PrintedText::most_bytes - 2, 'b'));
  printed.print("cd");
  CHECK(printed.text().size() == PrintedText::most_bytes);
  CHECK(printed.text().starts_with("abb"));
  CHECK(printed.text().ends_with("b\n(printf: more than 64 KiB, the rest is left out)\n"));
  const std::string text = printed.text();
  printed.print("e");
  CHECK(printed.text() == text);
}

}  // namespace
}  // namespace histolab::kernels::emulator
