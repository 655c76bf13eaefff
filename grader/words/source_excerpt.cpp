#include "grader/words/source_excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"

namespace histolab::grader {

std::string source_excerpt(const std::string& path, const std::string& source, int line, int column,
                           std::size_t width) {
  const std::string text = harmless(line_of(source, line)), name = harmless(path);
  const std::size_t start = text.find_first_not_of(" \t");
  if (line < 1 || start == std::string::npos)
    return line < 1 ? std::string{} : fmt::format("  {}:{}\n", name, line);
  // Replace tabs by blanks, so that the mark is below its character. The compiler counts a tab as
  // up to eight columns.
  std::string flat;
  for (const char c : text)
    flat += c == '\t' ? std::string(column > 0 ? 8 - flat.size() % 8 : 2, ' ') : std::string(1, c);
  const std::size_t indent = flat.find_first_not_of(' ');
  std::string mark;
  if (column > 0) {
    const auto at = static_cast<std::size_t>(column - 1);
    mark = std::string(at > indent ? at - indent : 0, ' ') + "^";
  } else {
    std::size_t end = std::min(flat.find("//", indent + 1), flat.size());
    while (end > indent + 1 && flat[end - 1] == ' ') --end;
    mark = std::string(columns(flat.substr(indent, end - indent)), '~');
    mark.front() = '^';
  }
  const std::string gutter = fmt::format("  {:>5} | ", line);
  const std::size_t room = width - gutter.size();
  std::string code = flat.substr(indent);
  const bool is_beyond_edge = column > 0 && mark.size() + 3 > room;
  if (is_beyond_edge) {  // cut the beginning of the line
    std::size_t cut = std::min(mark.size() - room / 2, code.size());
    while (cut < code.size() && (static_cast<unsigned char>(code[cut]) & 0xc0u) == 0x80u)
      ++cut;  // not within a character
    code = "..." + code.substr(cut);
    mark = mark.substr(std::min(cut, mark.size() - 1) - 3);
  }
  if (columns(code) > room) code = code.substr(0, room - 3) + "...";
  if (mark.size() > room) mark = mark.substr(0, room);
  return fmt::format("  {}:{}\n{}{}\n{:>{}} | {}\n", path, line, gutter, code, "",
                     gutter.size() - 3, mark);
}

}  // namespace histolab::grader
