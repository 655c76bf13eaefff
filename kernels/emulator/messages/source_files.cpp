#include "kernels/emulator/messages/source_files.h"

#include <fmt/format.h>

#include <charconv>

#include "kernels/emulator/memory/source_line.h"

namespace histolab::kernels::emulator {

std::string file_name(int line_number, std::span<const std::string> files) {
  const auto file = static_cast<std::size_t>(file_of_line(line_number));
  return file == 0 || file > files.size() ? std::string{} : files[file - 1];
}

std::string with_file_names(std::string text, std::span<const std::string> files) {
  for (std::size_t at = 0; (at = text.find(line_mark, at)) != std::string::npos;) {
    int number = 0;
    const char* const digits = text.data() + at + 1;
    const char* const end = std::from_chars(digits, text.data() + text.size(), number).ptr;
    const std::string named = fmt::format("{}:{}", file_name(number, files), line_in_file(number));
    text.replace(at, static_cast<std::size_t>(end - digits) + 1, named);
    at += named.size();
  }
  return text;
}

void name_files(Finding& finding, std::span<const std::string> files) {
  finding.file = file_name(finding.line, files);
  finding.other_file = file_name(finding.other_line, files);
  finding.line = line_in_file(finding.line);
  finding.other_line = line_in_file(finding.other_line);
  finding.message = with_file_names(std::move(finding.message), files);
  finding.variable = with_file_names(std::move(finding.variable), files);
}

}  // namespace histolab::kernels::emulator
