#include "grader/lessons/markdown.h"

#include <doctest/doctest.h>

using namespace histolab::grader::lessons;

namespace {

std::string laid(const std::string& page, std::size_t width = 40) {
  return laid_out(blocks_of(page), width);
}

}  // namespace

TEST_CASE("paragraphs and items are filled") {
  CHECK(laid("one two three four five six seven eight nine ten eleven\ntwelve\n") ==
        "one two three four five six seven eight\nnine ten eleven twelve\n");
  CHECK(laid("- one two three four five six seven eight nine\n  ten\n- eleven\n") ==
        "- one two three four five six seven\n  eight nine ten\n- eleven\n");
  CHECK(laid("10. one two three four five six seven eight nine\n") ==
        "10. one two three four five six seven\n    eight nine\n");
  CHECK(laid("one to\n256. two three four five six seven eight nine\n") ==
        "one to 256. two three four five six\nseven eight nine\n");
  CHECK(laid("one:\n1. two\n2. three\n") == "one:\n1. two\n2. three\n");
}

TEST_CASE("lines are not broken within a unit, such as a number with its unit") {
  CHECK(laid("one two three four five six seven 16 387 eight\n") ==
        "one two three four five six seven 16 387\neight\n");
  CHECK(laid("one two three four five six seven e 16 387 eight\n") ==
        "one two three four five six seven e\n16 387 eight\n");
  CHECK(laid("one two three four five six `seven eight nine`\n") ==
        "one two three four five six\n`seven eight nine`\n");
  CHECK(laid("one two three four five six seven eigh - nine\n") ==
        "one two three four five six seven eigh -\nnine\n");
  CHECK(laid("one two three four five six seven eig 1. nine\n") ==
        "one two three four five six seven eig 1.\nnine\n");
}

TEST_CASE("columns of tables are aligned") {
  CHECK(laid("| a | number |\n|---|---:|\n| long name | 7 |\n") ==
        "| a         | number |\n| --------- | -----: |\n| long name |      7 |\n");
  CHECK(cells_of("| `a | b` | c |") == std::vector<std::string>{"`a | b`", "c"});
}

TEST_CASE("code and headings are kept, comments are removed") {
  const std::string page =
      "# Title\n\n    code   here\n\n    and here\n\ntext\n\n```cuda\na   b\n\nc\n```\n";
  CHECK(laid("<!-- a\n comment -->\n" + page) == page);
  const std::vector<Block> blocks = blocks_of(page);
  REQUIRE(blocks.size() == 7);
  CHECK(blocks[2].kind == BlockKind::indented);
  CHECK(blocks[2].lines.size() == 3);
  CHECK(blocks[6].info == "cuda");
  CHECK(blocks[6].line == 9);
  CHECK(code_of(blocks[6]) == "a   b\n\nc\n");
}

TEST_CASE("links have lines, and headings have anchors") {
  const auto links = links_of(
      blocks_of("# A\n\none [two\nthree](x.md#y) and `[no](z)`\n\n- [four](u)\n\n    [code](v)\n"));
  REQUIRE(links.size() == 2);
  CHECK(links[0].target == "x.md#y");
  CHECK(links[0].line == 4);
  CHECK(links[1].line == 6);
  CHECK(anchors_of(blocks_of("# What's here: `a_b`, on 2 lines\n\n## Same\n\n## Same\n")) ==
        std::vector<std::string>{"whats-here-a_b-on-2-lines", "same", "same-1"});
}

TEST_CASE("formatting for a terminal") {
  CHECK(
      for_terminal("# Title\n\nSome **bold** [text](a.md), [lab 3](../03-interleaved/lesson.md#x), "
                   "[words](../../docs/glossary.md).\n\n```cuda\nint i;\n```\n",
                   40) ==
      "Title\n=====\n\nSome bold text, lab 3 (histolab lesson\n03), words (histolab glossary).\n\n "
      "   int i;\n");
  CHECK(for_terminal("\x1b[2Jhello\n", 40) == "?[2Jhello\n");
  CHECK(for_terminal("**A `float** p` b** and `**`.\n", 40) == "A `float** p` b and `**`.\n");
}
