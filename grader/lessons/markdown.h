// Markdown as the lessons use it: a page as a list of blocks, and a page laid out for eighty
// columns.
//
// Headings (#), paragraphs, items (- or 1.) without paragraphs of their own, tables, code (fenced,
// or indented by four columns after an empty line), comments (<!-- --> on lines of their own).
// Nothing else is told apart from a paragraph.
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
  int line = 1;                    // of the file, 1-based: the first of `lines`
  std::vector<std::string> lines;  // as they stand in the file; of fenced code with the fences
  std::string info;                // of fenced code: what follows the opening fence
};

[[nodiscard]] std::vector<Block> blocks_of(std::string_view page);

// The text of a heading without its marks, and how many there are.
struct Heading {
  std::size_t level = 1;
  std::string text;
};
[[nodiscard]] Heading heading_of(const Block& block);

// The cells of a row of a table, without blanks around them. A bar within `code` is none.
[[nodiscard]] std::vector<std::string> cells_of(const std::string& row);

// The lines of fenced code between the fences, with newlines.
[[nodiscard]] std::string code_of(const Block& block);

// Paragraphs and items filled to `width` columns, the columns of tables aligned; all else as it is,
// without comments. Empty lines: none in front, one at most between blocks.
[[nodiscard]] std::string laid_out(const std::vector<Block>& blocks, std::size_t width = 80);

// For a terminal: `laid_out` without marks for emphasis, headings underlined. A link is its text
// and, in brackets, the command that prints its page, or the address of a web page; of other files
// the text alone.
[[nodiscard]] std::string for_terminal(std::string_view page, std::size_t width = 80);

// The targets of links, [text](target), outside code; with the line of the file.
struct Link {
  int line = 1;
  std::string target;
};
[[nodiscard]] std::vector<Link> links_of(const std::vector<Block>& blocks);

// The anchors that a page's headings have on GitHub and its like: "What you will see" is
// "what-you-will-see".
[[nodiscard]] std::vector<std::string> anchors_of(const std::vector<Block>& blocks);

// [begin, end) of each stretch within backticks, these included.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> code_spans(std::string_view text);

}  // namespace histolab::grader::lessons
