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

TEST_CASE("comments and strings are removed, and lines keep their numbers") {
  CHECK(shown("// Jane Roe\nint i;  /* Jane\n Roe */ int j;\n") == "\nint i;\n int j;\n");
  CHECK(shown("printf(\"Jane \\\" Roe\");\n") == "printf(\"\");\n");
  CHECK(shown("// Jane \\\nRoe\nint i;\n") == "\n\nint i;\n");
  CHECK(shown("printf(R\"x(Jane\n\" Roe)x\");\nint i;\n") == "printf(R\"\"\n);\nint i;\n");
  CHECK(shown("printf(u8R\"(Jane)\", L\"Roe\");\n") == "printf(R\"\", \"\");\n");
  CHECK(shown("/\\\n/ Jane\nint i;\n") == "\n\nint i;\n");
  CHECK(shown("/* Jane") == "");
  CHECK(shown("\"Jane\nint i;\n") == "\"\"\nint i;\n");  // an unterminated string
}

TEST_CASE("names that are not the course's are renamed consistently") {
  CHECK(shown("int jane = letter; jane += roe2;\n") == "int name1 = letter; name1 += name2;\n");
  CHECK(shown("atomicAdd(&private_histo[letter / 4], 1u);\n") ==
        "atomicAdd(&private_histo[letter / 4], 1u);\n");
  CHECK(shown("int J\xC3\xA4ne;\n") == "int name1;\n");
  CHECK(shown("int ja\\\nne;\njane;\n") == "int name1\n;\nname1;\n");
  CHECK(shown("#include \"jane.h\"\n#include <cuda/jane>\n") ==
        "#include \"\"\n#include <cuda/name1>\n");
}

TEST_CASE("character literals and numbers stay, longer text in quotes is removed") {
  CHECK(shown("data[i] - 'a' + '\\n' + '\\x41'\n") == "data[i] - 'a' + '\\n' + '\\x41'\n");
  CHECK(shown("'\nint i;\n'") == "''\nint i;\n''\n");  // a single quote
  CHECK(shown("int i = 'Jane';\n") == "int i = '';\n");
  CHECK(shown("int i = 'J;\n") == "int i = ''\n");
  CHECK(shown("1'000u + 0x1F + i\n") == "1'000u + 0x1F + i\n");
}

TEST_CASE("messages about one mistake are equal for all students") {
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

TEST_CASE("a message contains nothing of a student's text, even unquoted") {
  const CourseWords words;
  const auto message_of = [&](const char* message, const char* source) {
    return anonymous_message(message, words, source, Numbers::as_n);
  };
  CHECK(message_of("#error Jane was here", "#error Jane was here\nint i;\n") ==
        "#error ... ... ...");
  CHECK(message_of("static assertion failed: Jane Roe",
                   "static_assert(sizeof(int) == 5, \"Jane Roe\");\n") ==
        "static assertion failed: ... ...");
  CHECK(message_of("there is no file jane/roe.h here", "#include \"jane/roe.h\"\n") ==
        "there is no file .../....... here");
  CHECK(message_of("invalid preprocessing directive #jane", "#jane\n") ==
        "invalid preprocessing directive #...");
  CHECK(message_of("'class X<'\\''>' has no member named 'jane'",
                   "template <char> class X {}; X<'\\''>::jane x;\n")
            .find("jane") == std::string::npos);
  CHECK(message_of("there is no file here", "int file, here;\n") ==
        "there is no file here");  // the same message as others' for this mistake
}
