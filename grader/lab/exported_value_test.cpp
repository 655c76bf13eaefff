#include "grader/lab/exported_value.h"

#include <doctest/doctest.h>

namespace histolab::grader {
namespace {

std::string changed(const std::string& source, const std::string& name = "factor") {
  const Result<std::string> result = with_export(source, name, 8);
  return result ? *result : result.error().message;
}

TEST_CASE("only the value of the exported variable is replaced") {
  CHECK(changed("extern \"C\" __device__ const unsigned int factor = 16;  // factor = 16\n") ==
        "extern \"C\" __device__ const unsigned int factor = 8;  // factor = 16\n");
  CHECK(changed(
            "// factor = 3;\nextern \"C\" {\n__device__ const unsigned factor=4, other = 5;\n}") ==
        "// factor = 3;\nextern \"C\" {\n__device__ const unsigned factor= 8, other = 5;\n}");
  CHECK(changed("constexpr int my_factor = 1;\nextern \"C\" __device__ const unsigned int other = "
                "2, factor = 1 + 1;") ==
        "constexpr int my_factor = 1;\nextern \"C\" __device__ const unsigned int other = 2, "
        "factor = 8;");
  CHECK(changed("const char* s = R\"(\" __device__ int factor = 1;)\";\n__device__ const unsigned "
                "int factor /* = 2; */ = 3 /* , */ + 4;") ==
        "const char* s = R\"(\" __device__ int factor = 1;)\";\n__device__ const unsigned int "
        "factor /* = 2; */ = 8;");
  CHECK(changed("__device__ const unsigned int factor = 1'0;\n__shared__ int s[1'000];") ==
        "__device__ const unsigned int factor = 8;\n__shared__ int s[1'000];");
}

TEST_CASE("a variable that is not exported is an error") {
  const std::string none =
      "the kernel does not export factor: add a line like `extern \"C\" __device__ const unsigned "
      "int factor = 8;`";
  for (const char* source :
       {"", "constexpr unsigned factor = 4;", "/* __device__ int factor = 4; */",
        "__device__ int factor;", "__device__ int factors = 4;",
        "__device__ void f() {}\nvoid g() { int factor = 4; }",
        "const char* s = \"__device__ factor = 4;\";", "__device__ int factor = 4", "\"unclosed\\"})
    CHECK(changed(source) == none);
  CHECK_FALSE(with_export("__device__ int a = 1;", "", 1).ok());
}

// Returns the message about a source with its line, or "". `exported`: the compiler found the
// export.
std::string hidden(const std::string& source, bool exported = false) {
  LabSpec lab;
  lab.exports = {{"coarsening_factor", 8, 2, 256}};
  lab.kernels.emplace_back().launch.factor = "coarsening_factor";
  kernels::Compiled compiled;
  if (exported) compiled.exports["coarsening_factor"] = 16;
  const std::optional<HiddenExport> found = hidden_export(lab, compiled, source);
  return found
             ? std::to_string(found->line) + ": " +
                   found->message.substr(0, found->message.find(". Write extern \"C\" __device__"))
             : "";
}

TEST_CASE("a missing export is reported, whatever its value looks like") {
  for (const char* form :
       {"const unsigned int coarsening_factor = 16;", "constexpr int coarsening_factor{16};",
        "static const int coarsening_factor = 1 << 4;", "const unsigned int coarsening_factor(16);",
        "__device__ const unsigned int coarsening_factor = 16;",
        "__constant__ const unsigned coarsening_factor = 16;", "#define coarsening_factor 16",
        "#define coarsening_factor (16)", "#define coarsening_factor FACTOR",
        "enum { coarsening_factor = 16 };",
        "enum Sizes : int { other = 3, coarsening_factor = 16 };",
        "namespace config { constexpr int coarsening_factor = 16; }"})
    CHECK_MESSAGE(hidden(std::string("// the factor\n") + form + "\n__global__ void k() {}\n") ==
                      "2: `coarsening_factor` is not exported, so the launch does not use it",
                  form);
  CHECK(hidden("__global__ void k() {\n  const unsigned int coarsening_factor = 16;\n}\n") ==
        "2: `coarsening_factor` is a local variable, so the launch does not use it");
  CHECK(hidden("extern \"C\" const unsigned int coarsening_factor = 16;\n", true) ==
        "1: `coarsening_factor` is a host variable, because `__device__` is missing");
}

TEST_CASE("a misspelled export is reported with the name that the lab reads") {
  for (const char* name :
       {"COARSENING_FACTOR", "Coarsening_Factor", "coarsening_factors", "coarsening", "factor"})
    CHECK(hidden(std::string("extern \"C\" __device__ const unsigned int ") + name + " = 16;\n") ==
          std::string("1: the lab reads `coarsening_factor`, but this variable is named `") + name +
              "`");
  CHECK(hidden("#define COARSENING_FACTOR 16\n") ==
        "1: the lab reads `coarsening_factor`, but this variable is named `COARSENING_FACTOR`");
  CHECK(
      hidden("#define COARSENING_FACTOR 16\nconstexpr int coarsening_factor = COARSENING_FACTOR;\n")
          .starts_with("2: `coarsening_factor` is not exported"));
}

TEST_CASE("no message if an export exists or is not needed") {
  for (const char* source :
       {"", "#define coarsening_factor 8\n", "constexpr unsigned coarsening_factor = 8;\n",
        "#define FACTOR 16\n", "extern \"C\" __device__ unsigned int done = 0;\n",
        "__device__ int f(int coarsening_factor) { return coarsening_factor; }\n",
        "// coarsening_factor = 16;\n", "enum { threads = 16 };\n",
        "__global__ void k() { unsigned factor = 16; }\n"})
    CHECK_MESSAGE(hidden(source).empty(), source);
  for (const char* source :
       {"extern \"C\" __device__ const unsigned int coarsening_factor = 16;\n",
        "extern \"C\" { __device__ const unsigned int coarsening_factor = 16; }\n",
        "#define EXPORT extern \"C\" __device__\nEXPORT const unsigned int coarsening_factor = "
        "16;\n",
        "__constant__ unsigned int coarsening_factor = 16;\n"})
    CHECK_MESSAGE(hidden(source, true).empty(), source);
}

}  // namespace
}  // namespace histolab::grader
