#include "grader/batch/same_source.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace histolab::batch;

TEST_CASE("comments are blanked in place, and nothing else") {
  CHECK(without_comments("int a; // one\nint /* two */ b;") == "int a;\nint           b;\n");
  CHECK(without_comments("a /* ä */ b") == "a         b\n");  // one column per character
  CHECK(without_comments("/* x\n y */int a;\n\n\n") == "\n     int a;\n");
  CHECK(without_comments("// a \\\n still a comment\nint b;") == "\n\nint b;\n");
  CHECK(without_comments("const char* s = \"// no /* comment */\";") ==
        "const char* s = \"// no /* comment */\";\n");
  CHECK(without_comments("char c = '\"'; // x") == "char c = '\"';\n");
  CHECK(without_comments("int n = 1'000; // it's") == "int n = 1'000;\n");
  CHECK(without_comments("auto r = R\"x(// \" )\" )x\"; // gone") ==
        "auto r = R\"x(// \" )\" )x\";\n");
  CHECK(without_comments("s = \"a\\\"// b\"; // c") == "s = \"a\\\"// b\";\n");
  CHECK(without_comments("#define A 1 \\\n  + 2") == "#define A 1 \\\n  + 2\n");
  CHECK(without_comments("/* never ends") == "\n");
  CHECK(without_comments("int a;\r\nint b;  \t\n") == "int a;\nint b;\n");
}

TEST_CASE("a word of a megabyte is scanned once, not at each of its apostrophes") {
  std::string number = "1";
  while (number.size() < 1 << 20) number += "'1";
  const bool as_it_was = without_comments("int n = " + number + "; // it's") ==
                         "int n = " + number + ";\n";  // avoids printing a megabyte on failure
  CHECK(as_it_was);
}

TEST_CASE(
    "sources share a result if they differ only in comments and each token has the same position") {
  const std::string source = "__global__ void histogram() {\n  int a = 1;  // mine\n}\n";
  CHECK(sharing_key(source) ==
        sharing_key("__global__ void histogram() {\n  int a = 1;  // Bob's, and longer\n}\n\n\n"));
  CHECK(sharing_key(source) == sharing_key("__global__ void histogram() {\n  int a = 1;\n}"));
  for (const char* other : {"__global__ void histogram() {\n  int a = 2;  // mine\n}\n",
                            "\n__global__ void histogram() {\n  int a = 1;  // mine\n}\n",
                            "__global__ void histogram() {\n   int a = 1;  // mine\n}\n",
                            "__global__ void histogram() {\n  int b = 1;  // mine\n}\n"})
    CHECK(sharing_key(source) != sharing_key(other));
  CHECK(sharing_key("int a = 1; // x \\\nint b;") != sharing_key("int a = 1; // x\nint b;"));
  CHECK(sharing_key("char* s = \"/*\"; int a; char* t = \"*/\";") !=
        sharing_key("char* s = \"/*\"; int b; char* t = \"*/\";"));
}

TEST_CASE("sources that g++ may read differently share no result") {
  const std::string code = "#define F (i)\nint a;\n";
  const std::pair<std::string, std::string> pairs[] = {
      // An unterminated comment, string or character literal.
      {code, code + "/* no end"},
      {code, code + "// x\n/*"},
      {"int a; /*", "int a; /* other"},
      {"char* s = \"x // a\n", "char* s = \"x // b\n"},
      {"#if 0\ndon't // a\n#endif\n", "#if 0\ndon't // b\n#endif\n"},
      {"auto s = R\"(x // a", "auto s = R\"(x // b"},
      // Lines that end at a carriage return.
      {"int a; // x\rint b;", "int a; // x\rint c;"},
      {"int a; // x\r", "int a; // y\r"},
      {"#define F (i)\rint a;\r", "#define F(i) \rint a;\r"},
      {"// x\r#define F (i)\n", "// x\r#define F(i)\n"},
      {"int a; /* x */\r\r\nint b;", "int a;        \r\nint b;"},
      // Other control characters.
      {"int a; // x \\\fint b;\n", "int a; // x \\\fint c;\n"},
      {std::string("int a; // x\0y\n", 14), "int a; // x y\n"},
      // Characters of different widths before code.
      {"/* \xe5\x85\xa8 */ int a;", "/* \xe2\x82\xac */ int a;"},
      {"/* \xcc\x81 */ int a;", "/* a */ int a;"},
      {"/* \xff */ int a;", "/* a */ int a;"},
      {"/*\n \xe5\x85\xa8 */ /* b */ int a;", "/*\n \xc3\xa4 */ /* b */ int a;"},
      // Comments that only one of the two lexers sees.
      {"/\\\n/ a\nint b;", "/\\\n/ c\nint b;"},
      {"/* x *\\\n/ int a; /* */", "/* x *\\\n/ int b; /* */"},
      {"#include <a//b>\n", "#include <a//c>\n"},
      {"int n = 1'/*' '*/';\n#define F (i) /**/", "int n = 1'/*' '*/';\n#define F(i)  /**/"},
      // A comment with a line feed in a directive.
      {"#define A /*\n */ 1\nint a;", "#define A \n    1\nint a;"}};
  for (const auto& [one, other] : pairs) {
    CAPTURE(one);
    CAPTURE(other);
    CHECK(sharing_key(one) != sharing_key(other));
    CHECK(sharing_key(one) == sharing_key(std::string{one}));
  }
}

TEST_CASE("sources with non-ASCII comments or different line ends share a result") {
  const std::string source = "// M\xc3\xbcller\n/* \xe5\x85\xa8\n */\nint a;  // \xe2\x82\xac\n";
  CHECK(sharing_key(source) == sharing_key("//\n/*\n*/\nint a;\n"));
  CHECK(sharing_key("int a;  // x\r\nint b;\r\n") == sharing_key("int a;\nint b;\n"));
}
