#include "kernels/worker/source/source_text.h"

#include <doctest/doctest.h>

namespace histolab::kernels::worker {
namespace {

// Returns the blanked code without spaces at the ends of lines.
std::string code(const std::string& text) {
  const SourceText source(text);
  CHECK(source.code().size() == text.size());
  std::string shown;
  for (const char c : source.code()) {
    if (c == '\n') shown.erase(shown.find_last_not_of(' ') + 1);
    shown += c;
  }
  return shown.erase(shown.find_last_not_of(' ') + 1);
}

TEST_CASE("comments and quoted text are blanked, and every character keeps its position") {
  CHECK(code("a = 'b' + \"c // d\"; // e\n/* f\n */ g") == "a = ' ' + \"      \";\n\n    g");
  CHECK(code("R\"x(a)\" // b\n)x\" c") == "R\"\n  \" c");
  CHECK(code("L'\"' a") == "L' ' a");  // no string begins here
  CHECK(code("// a \\\nb\nc") == "\n\nc");
  CHECK(code("/\\\n/ a\nb") == "\n\nb");
  CHECK(code("1'000 'a") == "1'000 '");
}

TEST_CASE("directives and inactive code are blanked to their logical end") {
  CHECK(code("#define A \\\n  b\nc") == "\n\nc");
  CHECK(code("#define A /* b\n */ c\nd") == "\n\nd");
  CHECK(code("a\n# if (0) // never\nb 'c\n#if 1\n#endif\n#else\nd\n#endif\ne") ==
        "a\n\n\n\n\n\nd\n\ne");
  CHECK(code("#if 0\na\n#elif 1\nb\n#endif") == "\n\n\nb\n");
  CHECK(code("#if 0 + 1\na\n#endif") == "\na\n");
  CHECK(code("#if0\na") == "\na");
}

TEST_CASE("macros and includes, however they are written") {
  const SourceText source(
      "#define ONE 1\n%:define TWO\n#define\n/**/ # /**/ define THREE\nx #define FOUR\n#if "
      "0\n#define FIVE\n#endif\n"
      "#include <a/b.h>\n%:include \"c.h\"\n#ifdef X\n#include <d>\n#endif\n#include MACRO\n");
  CHECK(source.macros() == std::vector<std::string>{"ONE", "TWO", "THREE"});
  REQUIRE(source.includes().size() == 2);
  CHECK(source.includes()[0].name == "a/b.h");
  CHECK(source.includes()[0].line == 9);
  CHECK(source.includes()[1].name == "c.h");
  CHECK(source.includes()[1].line == 10);
}

}  // namespace
}  // namespace histolab::kernels::worker
