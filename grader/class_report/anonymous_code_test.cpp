#include "grader/class_report/anonymous_code.h"

#include <doctest/doctest.h>

using namespace histolab::class_report;

namespace {

std::string shown(const std::string& source) {
  CourseWords words;
  words.learn("unsigned int private_histo[7]; int letter; histo[letter / 4]");
  std::string all;
  for (const std::string& line : anonymous_code(source, words)) all += line + "\n";
  return all;
}

}  // namespace

TEST_CASE("comments and strings say nothing, and the lines keep their numbers") {
  CHECK(shown("// Jane Roe\nint i;  /* Jane\n Roe */ int j;\n") == "\nint i;\n int j;\n");
  CHECK(shown("printf(\"Jane \\\" Roe\");\n") == "printf(\"\");\n");
  CHECK(shown("// Jane \\\nRoe\nint i;\n") == "\n\nint i;\n");
  CHECK(shown("printf(R\"x(Jane\n\" Roe)x\");\nint i;\n") == "printf(R\"\"\n);\nint i;\n");
  CHECK(shown("printf(u8R\"(Jane)\", L\"Roe\");\n") == "printf(R\"\", \"\");\n");
  CHECK(shown("/\\\n/ Jane\nint i;\n") == "\n\nint i;\n");
  CHECK(shown("/* Jane") == "");
  CHECK(shown("\"Jane\nint i;\n") == "\"\"\nint i;\n");  // a string that never ends
}

TEST_CASE("a name that is not the course's is renamed, the same one always alike") {
  CHECK(shown("int jane = letter; jane += roe2;\n") == "int name1 = letter; name1 += name2;\n");
  CHECK(shown("atomicAdd(&private_histo[letter / 4], 1u);\n") ==
        "atomicAdd(&private_histo[letter / 4], 1u);\n");
  CHECK(shown("int J\xC3\xA4ne;\n") == "int name1;\n");
  CHECK(shown("int ja\\\nne;\njane;\n") == "int name1\n;\nname1;\n");
  CHECK(shown("#include \"jane.h\"\n#include <cuda/jane>\n") ==
        "#include \"\"\n#include <cuda/name1>\n");
}

TEST_CASE("a character is code, four letters in a row are a name; numbers stay") {
  CHECK(shown("data[i] - 'a' + '\\n' + '\\x41'\n") == "data[i] - 'a' + '\\n' + '\\x41'\n");
  CHECK(shown("'\nint i;\n'") == "''\nint i;\n''\n");  // a quote alone
  CHECK(shown("int i = 'Jane';\n") == "int i = '';\n");
  CHECK(shown("int i = 'J;\n") == "int i = ''\n");
  CHECK(shown("1'000u + 0x1F + i\n") == "1'000u + 0x1F + i\n");
}

TEST_CASE("messages of one mistake are equal, whoever made it") {
  const CourseWords words;
  CHECK(anonymous_message("'jane' was not declared in this scope, line 12", words, "",
                          Numbers::as_n) == "'...' was not declared in this scope, line N");
  CHECK(anonymous_message("it has 2 `(` and 1 `)`", words, "", Numbers::as_n) ==
        "it has N `(` and N `)`");
  CHECK(anonymous_message("it has 2 `(` and 1 `)`", words, "", Numbers::shown) ==
        "it has 2 `(` and 1 `)`");
  CHECK(anonymous_message("'jane' in line 12", words, "", Numbers::shown) == "'...' in line 12");
  CHECK(anonymous_message("expected ';' before '}' token", words, "", Numbers::as_n) ==
        "expected ';' before '}' token");
  CHECK(anonymous_message("`atomicAdd` takes 2 arguments; it doesn't take 'jane'", words, "",
                          Numbers::as_n) == "`atomicAdd` takes N arguments; it doesn't take '...'");
}

TEST_CASE("of what a student wrote a message says nothing, though it does not quote it") {
  const CourseWords words;
  const auto told = [&](const char* message, const char* source) {
    return anonymous_message(message, words, source, Numbers::as_n);
  };
  CHECK(told("#error Jane was here", "#error Jane was here\nint i;\n") == "#error ... ... ...");
  CHECK(told("static assertion failed: Jane Roe",
             "static_assert(sizeof(int) == 5, \"Jane Roe\");\n") ==
        "static assertion failed: ... ...");
  CHECK(told("there is no file jane/roe.h here", "#include \"jane/roe.h\"\n") ==
        "there is no file .../....... here");
  CHECK(told("invalid preprocessing directive #jane", "#jane\n") ==
        "invalid preprocessing directive #...");
  CHECK(told("'class X<'\\''>' has no member named 'jane'",
             "template <char> class X {}; X<'\\''>::jane x;\n")
            .find("jane") == std::string::npos);
  CHECK(told("there is no file here", "int file, here;\n") ==
        "there is no file here");  // others' messages of that mistake are the same
}
