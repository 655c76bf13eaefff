// Markdown for the lessons: splits a page into blocks, and formats a page for 80 columns.
//
// There are headings (#), paragraphs, items (- or 1.) with a single paragraph, tables, fenced or
// indented code, and comments (<!-- --> on lines of their own). Anything else counts as a
// paragraph.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace histolab::grader::lessons {

enum class BlockKind { blank, heading, paragraph, item, table, fenced, indented, comment };

struct Block {
  BlockKind kind = BlockKind::paragraph;
  int line = 1;                    // line of the file, from 1, of the first of `lines`
  std::vector<std::string> lines;  // as in the file; fenced code includes the fences
  std::string info;                // the text after the opening fence
};

[[nodiscard]] std::vector<Block> blocks_of(std::string_view page);

// The text of a heading and the number of its marks.
struct Heading {
  std::size_t level = 1;
  std::string text;
};
[[nodiscard]] Heading heading_of(const Block& block);

// Returns the trimmed cells of a table row. A bar within `code` does not separate cells.
[[nodiscard]] std::vector<std::string> cells_of(const std::string& row);

// Returns the lines between the fences, with newlines.
[[nodiscard]] std::string code_of(const Block& block);

// Fills paragraphs and items to `width` columns and aligns the columns of tables. Comments are
// removed, other blocks are unchanged. There is at most one empty line between blocks, and none at
// the top.
[[nodiscard]] std::string laid_out(const std::vector<Block>& blocks, std::size_t width = 80);

// Formats a page for a terminal: like `laid_out`, but without marks for emphasis and with
// underlined headings. A link shows its text, and in brackets the command that prints its page or
// the address of a web page. A link to another file shows only its text.
[[nodiscard]] std::string for_terminal(std::string_view page, std::size_t width = 80);

// A link outside of code, with its target and its line of the file.
struct Link {
  int line = 1;
  std::string target;
};
[[nodiscard]] std::vector<Link> links_of(const std::vector<Block>& blocks);

// Returns the anchors of a page's headings as GitHub defines them: "What you will see" is
// "what-you-will-see".
[[nodiscard]] std::vector<std::string> anchors_of(const std::vector<Block>& blocks);

// Returns the range [begin, end) of each text within backticks, including the backticks.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> code_spans(std::string_view text);

}  // namespace histolab::grader::lessons
