#include "grader/cli/help.h"

#include <fmt/format.h>

#include "grader/words/words.h"

namespace histolab::cli {
namespace {

constexpr std::size_t width = 80;

// `name`, and its text from column `indent` on.
std::string entry(const std::string& name, const std::string& text, std::size_t indent) {
  if (grader::columns(name) + 2 > width) {  // a name that lists excluded options
    std::string out;
    for (const std::string& line : grader::wrapped(name, width - 4))
      out += std::string(out.empty() ? 2 : 4, ' ') + line + "\n";
    for (const std::string& line : grader::wrapped(text, width - indent))
      out += std::string(indent, ' ') + line + "\n";
    return out;
  }
  std::string out = "  " + name;
  if (text.empty()) return out + "\n";
  bool beside = out.size() + 1 < indent;
  if (!beside) out += "\n";
  for (const std::string& line : grader::wrapped(text, width - indent)) {
    out += beside ? grader::padded(out, indent).substr(out.size()) : std::string(indent, ' ');
    out += line + "\n";
    beside = false;
  }
  return out;
}

// Wraps a long line: it continues under its second column, or two spaces further in.
std::string folded(const std::string& line) {
  if (grader::columns(line) <= width) return line + "\n";
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", begin);
  const std::size_t second = gap == std::string::npos || gap > width / 2
                                 ? std::string::npos
                                 : line.find_first_not_of(' ', gap);
  if (second != std::string::npos)
    return entry(line.substr(begin, gap - begin), line.substr(second), second);
  std::string out;
  for (const std::string& part : grader::wrapped(line.substr(begin), width - begin - 2))
    out += std::string(out.empty() ? begin : begin + 2, ' ') + part + "\n";
  return out;
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option), column_width_);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description(), column_width_);
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  std::string out;
  for (const std::string& line : grader::wrapped(app->get_description(), width)) out += line + "\n";
  return out;
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  std::string out;
  for (const std::string& line : grader::lines_of(footer)) out += folded(line);
  return out;
}

}  // namespace histolab::cli
