#include "grader/batch/same_source.h"

#include <doctest/doctest.h>

using namespace histolab::batch;

TEST_CASE("comments are blanked in place, and nothing else") {
  CHECK(without_comments("int a; // one\nint /* two */ b;") == "int a;\nint           b;\n");
  CHECK(without_comments("a /* ä */ b") == "a         b\n");  // a column a character
  CHECK(without_comments("/* x\n y */int a;\n\n\n") == "\n     int a;\n");
  CHECK(without_comments("// a \\\n still a comment\nint b;") == "\n\nint b;\n");
  CHECK(without_comments("const char* s = \"// no /* comment */\";") == "const char* s = \"// no /* comment */\";\n");
  CHECK(without_comments("char c = '\"'; // x") == "char c = '\"';\n");
  CHECK(without_comments("int n = 1'000; // it's") == "int n = 1'000;\n");
  CHECK(without_comments("auto r = R\"x(// \" )\" )x\"; // gone") == "auto r = R\"x(// \" )\" )x\";\n");
  CHECK(without_comments("s = \"a\\\"// b\"; // c") == "s = \"a\\\"// b\";\n");
  CHECK(without_comments("#define A 1 \\\n  + 2") == "#define A 1 \\\n  + 2\n");
  CHECK(without_comments("/* never ends") == "\n");
  CHECK(without_comments("int a;\r\nint b;  \t\n") == "int a;\nint b;\n");
}

TEST_CASE("a word of a megabyte is looked through once, not at each of its apostrophes") {
  std::string number = "1";
  while (number.size() < 1 << 20) number += "'1";
  const bool as_it_was = without_comments("int n = " + number + "; // it's") == "int n = " + number + ";\n";  // a failure need not print it
  CHECK(as_it_was);
}

TEST_CASE("a result is shared by sources that differ in comments alone, with every token where it was") {
  const std::string source = "__global__ void histogram() {\n  int a = 1;  // mine\n}\n";
  CHECK(sharing_key(source) == sharing_key("__global__ void histogram() {\n  int a = 1;  // Bob's, and longer\n}\n\n\n"));
  CHECK(sharing_key(source) == sharing_key("__global__ void histogram() {\n  int a = 1;\n}"));
  for (const char* other : {"__global__ void histogram() {\n  int a = 2;  // mine\n}\n", "\n__global__ void histogram() {\n  int a = 1;  // mine\n}\n",
                            "__global__ void histogram() {\n   int a = 1;  // mine\n}\n", "__global__ void histogram() {\n  int b = 1;  // mine\n}\n"})
    CHECK(sharing_key(source) != sharing_key(other));
  CHECK(sharing_key("int a = 1; // x \\\nint b;") != sharing_key("int a = 1; // x\nint b;"));
  CHECK(sharing_key("char* s = \"/*\"; int a; char* t = \"*/\";") != sharing_key("char* s = \"/*\"; int b; char* t = \"*/\";"));
}
