#include "grader/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "grader/words/words.h"

namespace histolab::cli {

int complain(const Error& error) {
  note(fmt::format("histolab: {}\n", grader::harmless(error.message)));
  return cannot;
}

void note(const std::string& text) {
  wait_if_interrupted();
  std::fputs(text.c_str(), stderr);
}

int print(const std::string& text) {
  wait_if_interrupted();
  if (Status written = grader::write_file("-", text); !written) return complain(written.error());
  return done;
}

bool color_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return isatty(STDOUT_FILENO) != 0 && !refused && (terminal == nullptr || std::string_view{terminal} != "dumb");
}

std::size_t columns_to_use(std::size_t least) {
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return std::max<std::size_t>(least, known && size.ws_col > 0 ? size.ws_col : 80);
}

}  // namespace histolab::cli
