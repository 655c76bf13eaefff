#include "kernels/code_tokens.h"

#include <doctest/doctest.h>

#include <random>

namespace histolab::kernels {
namespace {

// Returns "n:word" for each token, with a letter for its kind.
std::string told(std::string_view source) {
  std::string all;
  for (const CodeToken& token : code_and_comments(source))
    all += (all.empty() ? "" : " ") + std::string(1, "nithm/"[static_cast<int>(token.kind)]) + ":" +
           token.spelling;
  return all;
}

// Returns the source bytes of each token, separated by bars.
std::string cut(std::string_view source) {
  std::string all;
  for (const CodeToken& token : code_and_comments(source))
    all += "|" + std::string(source.substr(token.begin, token.end - token.begin));
  return all;
}

TEST_CASE("names, numbers, marks, strings, characters, comments") {
  CHECK(told("int i = 0x1F; // one") == "n:int n:i m:= i:0x1F m:; /:");
  CHECK(told("a/**/b/* x\n*/c") == "n:a /: n:b /: n:c");
  CHECK(told("f(\"a\\\"b // /*\", '\\'')") == "n:f m:( t:a\\\"b // /* m:, t:\\' m:)");
  CHECK(told("1'000u 0x1'F 1.5e+3f .5 0x1p-3 a.5") ==
        "i:1'000u i:0x1'F i:1.5e+3f i:.5 i:0x1p-3 n:a i:.5");
  CHECK(told("L'a' u8\"b\" foo\"c\"") == "t:a t:b n:foo t:c");
  CHECK(told("\"no end\nint") == "t:no end n:int");
  CHECK(told("/*/ int") == "/:");
}

TEST_CASE("a raw string ends where its delimiter says, and nothing in it is spliced") {
  CHECK(told("R\"(a \" // b\\\n)\" c") == "t:a \" // b\\\n n:c");
  CHECK(told("u8R\"x(a)\" )x\" c") == "t:a)\"  n:c");
  CHECK(told("R\"a\"(b)a\" c)a\"\" d") == "t:b)a\" c n:d");  // a delimiter may contain a quote
  CHECK(told("R\"(") == "t:");
  CHECK(told("R\"12345678901234567(a\" b") == "t:12345678901234567(a n:b");  // too long
  CHECK(told("fooR\"(a\" b") == "n:fooR t:(a n:b");
}

TEST_CASE("spliced lines are one, blanks behind the backslash or not") {
  CHECK(told("in\\\nt i\\ \t\nj;") == "n:int n:ij m:;");
  CHECK(cut("in\\\nt\\\n i") == "|in\\\nt|i");  // a splice behind a token is not part of it
  CHECK(told("// one \\\ntwo\nthree") == "/: n:three");
  CHECK(told("/\\\n/ one\ntwo") == "/: n:two");
  CHECK(told("/\\\n* one *\\\n/ two") == "/: n:two");
  CHECK(told("\"a\\\nb\" c") == "t:ab n:c");
}

TEST_CASE("lines that begin with #, to their logical end") {
  const auto directives = [](std::string_view source) {
    std::string all;
    for (const CodeToken& token : code_tokens(source)) {
      all += token.directive ? "#" : "-";
      all += token.begins_line ? "!" : ".";
    }
    return all;
  };
  CHECK(directives("#define a b\nc") == "#!#.#.#.-!");
  CHECK(directives(" /* x\n */ %:define a \\\n b\nc # d") == "#!#.#.#.-!-.-.");
  CHECK(directives("#define a /* x\n */ b\nc") == "#!#.#.#.-!");
  CHECK(told("#include <a/b.h>\n#include \"c.h\" // d\n# include_next<e>\n#if "
             "__has_include(<f>)\n<g>") ==
        "m:# n:include h:a/b.h m:# n:include h:c.h /: m:# n:include_next h:e m:# n:if "
        "n:__has_include m:( h:f m:) m:< n:g m:>");
  CHECK(told("#include /* x */ <a>") == "m:# n:include /: h:a");
  CHECK(told("#define include <a>") == "m:# n:define n:include m:< n:a m:>");
}

TEST_CASE("lines end where they end for g++, and each token is where the source has it") {
  CHECK(told("// a\rb\r\nc") == "/: n:b n:c");
  CHECK(cut("// a\rb\r\n\"c\"\r\nd") == "|// a|b|\"c\"|d");
  CHECK(cut("a\\\r\nb c") == "|a\\\r\nb|c");
  CHECK(cut("\xef\xbb\xbf"
            "a /* b\r\n */ c") == "|a|/* b\r\n */|c");
  CHECK(told("\xef\xbb\xbf") == "");
}

TEST_CASE("a text's suffix begins no raw string") {
  CHECK(cut("\"a\"R\"(b\"\nc") == "|\"a\"|R|\"(b\"|c");
  CHECK(told("\"a\"R\"(b\"\nc") == "t:a n:R\" t:(b n:c");
  CHECK(told("\"a\"_x\"b\"") == "t:a n:_x t:b");
}

TEST_CASE(
    "where compilers may disagree on what a name or a number ends with, no source can have the "
    "name") {
  CHECK(told("\\R\"(a\")b)\"") == "n:\\R\" t:(a m:) n:b m:) t:");
  CHECK(told("a\xff"
             "u8R\"(a\"") ==
        "n:a\xff"
        "u8R\" t:(a");
  CHECK(told("1\\R\"(a\"") == "n:1\\R\" t:(a");
  CHECK(told("\\N{DIGIT ONE}R\"(a)\"").starts_with("n:\\N\" m:{"));
  CHECK(told("\\u00e9R\"(a\"") == "n:\\u00e9R t:(a");
  CHECK(told("\xc3\xa9_R\"(a\"") == "n:\xc3\xa9_R t:(a");
}

TEST_CASE("lines are counted, whatever joins them") {
  std::string lines;
  for (const CodeToken& token : code_tokens("a\\\n\\\nb\nc R\"(\n\n)\" d /*\n*/ e\n  # f"))
    lines += std::to_string(token.line) + " ";
  CHECK(lines == "1 4 4 6 7 8 8 ");
}

TEST_CASE("a source without its comments lacks the lines that had nothing else") {
  CHECK(without_comments("// a\nint b;  // c\n\n  // d\nint e;\n") == "int b;\n\nint e;\n");
  CHECK(without_comments("a/**/b /* x\n\n y */ c\n") == "a b\n  c\n");
  CHECK(without_comments("// a \\\n b\nint c;") == "int c;");
  CHECK(without_comments("s = \"// no\";  \nint a; // yes\r\n") == "s = \"// no\";  \nint a;\n");
  CHECK(without_comments("int a; // no end") == "int a;");
  CHECK(without_comments("// nothing else\n").empty());
}

TEST_CASE("whatever the bytes, between two tokens are blanks and splices only") {
  constexpr std::string_view alphabet[] = {
      "a",  "1", "\"", "'",       "\\",   "\n", " ",  "/", "*",    "#",  "R",  "(",  ")",
      "%:", "<", ">",  "include", "\xff", "\r", "u8", "x", "\\\n", "//", "/*", "*/", "R\"("};
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string source;
    for (int i = static_cast<int>(random() % 24); i > 0; --i)
      source += alphabet[random() % std::size(alphabet)];
    if (round % 7 == 0) source += '\0';
    CAPTURE(source);
    std::size_t before = 0;
    const auto is_blank = [&](std::size_t begin, std::size_t end) {
      return source.substr(begin, end - begin)
                 .find_first_not_of(std::string_view(" \n\r\\\0", 5)) == std::string::npos;
    };
    bool good = true;
    for (const CodeToken& token : code_and_comments(source)) {
      good = good && token.begin >= before && token.end > token.begin &&
             token.end <= source.size() && is_blank(before, token.begin);
      before = token.end;
    }
    CHECK((good && is_blank(before, source.size())));
  }
}

}  // namespace
}  // namespace histolab::kernels
