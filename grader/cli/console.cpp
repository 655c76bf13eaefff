#include "grader/cli/console.h"

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
namespace {

// Returns 0 if it is not a terminal or its width is unknown.
std::size_t columns_of(int terminal) {
  winsize size{};
  return isatty(terminal) != 0 && ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int complain(const Error& error) {
  const std::string said = "histolab: " + error.message;
  const std::size_t columns = columns_of(STDERR_FILENO);
  note(columns > 0 ? grader::paragraph(said, 0, columns) : grader::harmless(said) + "\n");
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
  return isatty(STDOUT_FILENO) != 0 && !refused &&
         (terminal == nullptr || std::string_view{terminal} != "dumb");
}

std::size_t columns_to_use(std::size_t least) {
  const std::size_t columns = columns_of(STDOUT_FILENO);
  return std::max<std::size_t>(least, columns > 0 ? columns : 80);
}

}  // namespace histolab::cli
