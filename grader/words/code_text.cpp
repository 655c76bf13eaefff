#include "grader/words/code_text.h"

#include <algorithm>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

constexpr std::size_t least_room = 16;

// Byte offset of the end of the first `room` columns after `begin`.
std::size_t end_of_columns(std::string_view text, std::size_t begin, std::size_t room) {
  std::size_t at = begin;
  for (std::size_t seen = 0; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && seen++ == room) break;
  return at;
}

}  // namespace

std::string flat(const std::string& line) {
  std::string text;
  for (const char c : harmless(line))
    text += c == '\t' ? std::string(4 - text.size() % 4, ' ') : std::string(1, c);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::vector<CodeRow> rows_of(std::string_view line, std::size_t room) {
  room = std::max(room, least_room);
  std::vector<CodeRow> rows;
  const std::size_t indent = std::min(std::min(line.find_first_not_of(' '), line.size()), room / 3);
  CodeRow row;
  while ((row.end = end_of_columns(line, row.begin, room - row.indent)) < line.size()) {
    const std::size_t pause = line.substr(row.begin, row.end - row.begin).find_last_of(" ,([");
    std::size_t good = pause == std::string::npos ? pause : row.begin + pause;
    if (line[row.end] == ' ') good = row.end - 1;
    const auto column = [&](std::size_t at) { return at - row.begin + row.indent; };
    if (good != std::string::npos && good > row.begin && column(good) > indent + 4 &&
        column(good) > column(row.end) / 3)
      row.end = good + 1;
    rows.push_back(row);
    row = {std::min(line.find_first_not_of(' ', row.end), line.size()), line.size(), indent + 4};
  }
  rows.push_back(row);
  return rows;
}

}  // namespace histolab::grader
