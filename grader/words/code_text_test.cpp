#include "grader/words/code_text.h"

#include <doctest/doctest.h>

namespace histolab::grader {
namespace {

std::vector<std::string> shown(const std::string& line, std::size_t room) {
  std::vector<std::string> rows;
  for (const CodeRow& row : rows_of(line, room))
    rows.push_back(std::string(row.indent, ' ') + line.substr(row.begin, row.end - row.begin));
  return rows;
}

TEST_CASE(
    "tabs become blanks up to a multiple of four columns, and control characters are replaced") {
  CHECK(flat("\tif (i)\t{  ") == "    if (i)  {");
  CHECK(flat("a\x1b[2J") == "a?[2J");
  CHECK(flat("") == "");
}

TEST_CASE("a line that fits is one row; an empty one too") {
  CHECK(shown("short", 20) == std::vector<std::string>{"short"});
  CHECK(shown("", 20) == std::vector<std::string>{""});
  CHECK(shown("exactly twenty chars", 20).size() == 1);
}

TEST_CASE("a long line is wrapped after punctuation, and continues with more indentation") {
  CHECK(shown("  atomicAdd(&histo[letter / 4], 1u);", 24) ==
        std::vector<std::string>{"  atomicAdd(&histo[", "      letter / 4], 1u);"});
}

TEST_CASE("wrapping keeps all characters and no row is too long, for every width") {
  std::string line =
      "    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; // "
      "\xc3\xa4\xc3\xb6\xc3\xbc " +
      std::string(200, 'x');
  for (std::size_t room = 16; room < 120; ++room) {
    std::string together;
    for (const CodeRow& row : rows_of(line, room)) {
      std::size_t columns = row.indent;
      for (std::size_t at = row.begin; at < row.end; ++at)
        columns += (static_cast<unsigned char>(line[at]) & 0xC0) != 0x80;
      CHECK(columns <= room + 1);  // a blank may follow the last column
      together += line.substr(row.begin, row.end - row.begin);
    }
    std::string without, expected;
    for (const char c : together)
      if (c != ' ') without += c;
    for (const char c : line)
      if (c != ' ') expected += c;
    CHECK(without == expected);
  }
  CHECK(rows_of(std::string(1'000'000, 'y'), 0).size() > 60'000);
}

}  // namespace
}  // namespace histolab::grader
