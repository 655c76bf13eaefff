#include "grader/class_report/side_by_side.h"

#include <doctest/doctest.h>

#include <string>

#include "grader/class_report/code_view.h"

using namespace histolab::class_report;

namespace {

// "1=1", "2~2" (words differ), "3-" (only left), "-3" (only right).
std::string aligned(std::string_view left, std::string_view right) {
  std::string out;
  for (const SideBySideRow& row : side_by_side(left, right)) {
    bool changed = false;
    for (const Piece& piece : row.left_code) changed |= piece.changed;
    for (const Piece& piece : row.right_code) changed |= piece.changed;
    out += out.empty() ? "" : " ";
    if (row.left != 0) out += std::to_string(row.left);
    out += row.left == 0 || row.right == 0 ? "-" : changed ? "~" : "=";
    if (row.right != 0) out += std::to_string(row.right);
  }
  return out;
}

std::string text_of(const std::vector<Piece>& pieces) {
  std::string text;
  for (const Piece& piece : pieces) text += piece.text;
  return text;
}

}  // namespace

TEST_CASE("equal lines face each other, and lines of only one source face nothing") {
  CHECK(aligned("a;\nb;\nc;\n", "a;\nb;\nc;\n") == "1=1 2=2 3=3");
  CHECK(aligned("a;\nb;\nc;\n", "a;\nc;\n") == "1=1 2- 3=2");
  CHECK(aligned("a;\nc;\n", "a;\nb;\nc;\n") == "1=1 -2 2=3");
  CHECK(aligned("// mine\nif (x) {\n  a();\n}\n", "if (x) {\n    a();\n}\n// end\n") ==
        "1- 2=1 3=2 4=3 -4");
  CHECK(aligned("", "a;\n") == "-1");
  CHECK(aligned("", "").empty());
}

TEST_CASE("lines with other names face each other, with only the names marked") {
  const char* const left =
      "const int letter = data[i] - 'a';\nif (letter >= 0 && letter < 26) {\n  "
      "atomicAdd(&histo[letter / 4], 1u);\n}\n";
  const char* const right =
      "// hm\nconst int ch = data[i] - 'a';\nif (ch >= 0 && ch < 26) {\n  atomicAdd(&histo[ch / "
      "4], 1u);\n}\n";
  CHECK(aligned(left, right) == "-1 1~2 2~3 3~4 4=5");
  const std::vector<SideBySideRow> rows = side_by_side(left, right);
  CHECK(rows[1].left_code ==
        std::vector<Piece>{{"const int ", false}, {"letter", true}, {" = data[i] - 'a';", false}});
  CHECK(rows[1].right_code ==
        std::vector<Piece>{{"const int ", false}, {"ch", true}, {" = data[i] - 'a';", false}});
}

TEST_CASE("no text is lost, and time and memory are bounded for any source") {
  std::string wide, tall, signs;
  for (int i = 0; i < 5000; ++i)
    wide += "w" + std::to_string(i % 7) + " ", tall += "x = " + std::to_string(i * i % 997) + ";\n",
        signs += "+-*/%<>="[i * i % 8];
  const std::string sources[] = {"",
                                 "\n\n\n",
                                 "a;\n\nb;\n",
                                 wide,
                                 tall,
                                 signs,
                                 tall.substr(3) + wide,
                                 "\xff\xfe\n\x1b[31m\n",
                                 "no end of line"};
  for (const std::string& left : sources)
    for (const std::string& right : sources) {
      std::string of_left, of_right;
      int next_left = 1, next_right = 1;
      for (const SideBySideRow& row : side_by_side(left, right)) {
        CHECK((row.left != 0 || row.right != 0));
        if (row.left != 0) {
          CHECK(row.left == next_left++);
          of_left += text_of(row.left_code) + "\n";
        }
        if (row.right != 0) {
          CHECK(row.right == next_right++);
          of_right += text_of(row.right_code) + "\n";
        }
      }
      std::string alone;
      for (const SideBySideRow& row : side_by_side(left, left))
        alone += text_of(row.left_code) + "\n";
      CHECK((of_left == alone));
      CHECK(next_left <= CodeView::most_lines + 1);
    }
}

TEST_CASE("a student's text never becomes markup") {
  const std::string table =
      side_by_side_table("<b>Ann</b>", "\"Bob\" & co",
                         side_by_side("<script>alert(1)</script>\n", "</table><script>\n"))
          .markup();
  CHECK(table.find("<script>") == std::string::npos);
  CHECK(table.find("<b>") == std::string::npos);
  CHECK(table.find("&lt;b&gt;Ann") != std::string::npos);
  CHECK(table.find("</table>") == table.rfind("</table>"));
}
