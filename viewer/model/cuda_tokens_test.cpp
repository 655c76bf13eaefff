#include "viewer/model/cuda_tokens.h"

#include <doctest/doctest.h>

#include <string>

namespace histolab::viewer {
namespace {

// Returns one letter per byte: k keyword, b built-in, n number, t text, c comment, d directive, .
// plain.
std::string colours(std::string_view line, bool& in_comment) {
  std::string out(line.size(), '.');
  std::uint32_t before = 0;
  for (const Token& token : tokens_of(line, in_comment)) {
    CHECK(token.begin >= before);
    CHECK(token.end > token.begin);
    CHECK(token.end <= line.size());
    for (std::uint32_t at = before = token.begin; at < token.end; ++at)
      out[at] = "kbntcd"[static_cast<int>(token.kind)];
    before = token.end;
  }
  return out;
}
std::string colours(std::string_view line) {
  bool in_comment = false;
  return colours(line, in_comment);
}

TEST_CASE("CUDA tokens: keywords, built-ins, numbers, literals and comments") {
  CHECK(colours("for (int i = 0x1F;") == "kkk..kkk.....nnnn.");
  CHECK(colours("__shared__ int8 a[7u]") == "bbbbbbbbbb........nn.");
  CHECK(colours("atomicAdd(&h, 1u); // 1") == "bbbbbbbbb.....nn...cccc");
  CHECK(colours("threadIdx.x formula") == "bbbbbbbbb..........");
  CHECK(colours("data[i] - 'a'") == "..........ttt");
  CHECK(colours("f(\"a\\\"b // \", '\\'')") == "..tttttttttt..tttt.");
  CHECK(colours("1'000 + .5e-3f;") == "nnnnn...nnnnnn.");
  CHECK(colours("#pragma unroll") == "ddddddd.......");
  CHECK(colours(" # include \"a.h\"") == ".ddddddddd.ttttt");
  CHECK(colours("#include <a.h>") == "dddddddd......");
  CHECK(colours("") == "");
}

TEST_CASE("CUDA tokens: a comment may span several lines") {
  bool in_comment = false;
  CHECK(colours("a /* if", in_comment) == "..ccccc");
  CHECK(in_comment);
  CHECK(colours("", in_comment) == "");
  CHECK(in_comment);
  CHECK(colours("if // \"", in_comment) == "ccccccc");
  CHECK(colours("*/ if", in_comment) == "cc.kk");
  CHECK_FALSE(in_comment);
  CHECK(colours("/* */ if /* */", in_comment) == "ccccc.kk.ccccc");
  CHECK_FALSE(in_comment);
}

TEST_CASE("CUDA tokens: malformed code is harmless") {
  for (const char* line : {"'", "\"\\", "#", "  #", "/", "/*/", "\xff\xfe", "'\\", "\"abc"}) {
    CAPTURE(line);
    CHECK(colours(line).size() == std::string_view{line}.size());
  }
  bool in_comment = false;
  CHECK(colours("/*/", in_comment) == "ccc");
  CHECK(in_comment);
}

}  // namespace
}  // namespace histolab::viewer
