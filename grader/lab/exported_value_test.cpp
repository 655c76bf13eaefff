#include "grader/lab/exported_value.h"

#include <doctest/doctest.h>

namespace histolab::grader {
namespace {

std::string changed(const std::string& source, const std::string& name = "factor") {
  const Result<std::string> result = with_export(source, name, 8);
  return result ? *result : result.error().message;
}

TEST_CASE("the value of an exported variable is replaced, and nothing else") {
  CHECK(changed("extern \"C\" __device__ const unsigned int factor = 16;  // factor = 16\n") ==
        "extern \"C\" __device__ const unsigned int factor = 8;  // factor = 16\n");
  CHECK(changed("// factor = 3;\nextern \"C\" {\n__device__ const unsigned factor=4, other = 5;\n}") ==
        "// factor = 3;\nextern \"C\" {\n__device__ const unsigned factor= 8, other = 5;\n}");
  CHECK(changed("constexpr int my_factor = 1;\nextern \"C\" __device__ const unsigned int other = 2, factor = 1 + 1;") ==
        "constexpr int my_factor = 1;\nextern \"C\" __device__ const unsigned int other = 2, factor = 8;");
  CHECK(changed("const char* s = R\"(\" __device__ int factor = 1;)\";\n__device__ const unsigned int factor /* = 2; */ = 3 /* , */ + 4;") ==
        "const char* s = R\"(\" __device__ int factor = 1;)\";\n__device__ const unsigned int factor /* = 2; */ = 8;");
  CHECK(changed("__device__ const unsigned int factor = 1'0;\n__shared__ int s[1'000];") == "__device__ const unsigned int factor = 8;\n__shared__ int s[1'000];");
}

TEST_CASE("what is no exported variable is told") {
  const std::string none = "the kernel exports no factor: it needs a line like `extern \"C\" __device__ const unsigned int factor = 8;`";
  for (const char* source : {"", "constexpr unsigned factor = 4;", "/* __device__ int factor = 4; */", "__device__ int factor;", "__device__ int factors = 4;",
                             "__device__ void f() {}\nvoid g() { int factor = 4; }", "const char* s = \"__device__ factor = 4;\";", "__device__ int factor = 4", "\"unclosed\\"})
    CHECK(changed(source) == none);
  CHECK_FALSE(with_export("__device__ int a = 1;", "", 1).ok());
}

}  // namespace
}  // namespace histolab::grader
