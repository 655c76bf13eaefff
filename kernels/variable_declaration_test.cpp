#include "kernels/variable_declaration.h"

#include <doctest/doctest.h>

using namespace histolab::kernels;

namespace {

std::optional<VariableDeclaration> found(const std::string& source) {
  return find_variable(code_tokens(source), "factor");
}

}  // namespace

TEST_CASE("the declaration of a variable is found in any namespace, with its line and value") {
  for (const char* source :
       {"\nextern \"C\" __device__ const unsigned int factor = 16;", "\nconstexpr int factor{16};",
        "void f() { int factor; }\nunsigned factor = 16;",
        "namespace a { namespace {\nint factor = 16; } }",
        "extern \"C\" {\n__device__ const int factor = 16;\n}",
        "struct S { int factor; };\nint factor = 16;",
        "template <int factor = 3> struct T {};\nstatic const long factor = 16;",
        "int other{3}; void g(int factor = 4);\nint a = 2, factor = 0x10;",
        "enum { other };\nint x[2] = {1, 2}, factor = 16, y;"}) {
    const auto declaration = found(source);
    REQUIRE_MESSAGE(declaration, std::string(source));
    CHECK_MESSAGE(declaration->line == 2, std::string(source));
    CHECK_MESSAGE(declaration->value == 16, std::string(source));
    CHECK_MESSAGE(declaration->is_integer, std::string(source));
    CHECK_MESSAGE(!declaration->is_other, std::string(source));
  }
  CHECK(!found("int factor = 4 * 4;")->value);
  CHECK(!found("int factor;")->value);
}

TEST_CASE("names of types, functions, macros and local variables are not found") {
  for (const char* source :
       {"", "factor", "#define factor 16", "enum { factor = 16 };", "struct factor { int a; };",
        "using factor = int;", "typedef int factor;", "void f() { int factor = 16; }",
        "void f(int factor = 16);", "int factor(int);", "template <unsigned factor = 8> void f();",
        "struct S { static const int factor = 16; };", "enum E { a, factor };",
        "auto f = [] { int factor = 3; return factor; };", "int a = factor;", "} } factor ) {"})
    CHECK_MESSAGE(!found(source), std::string(source));
}

TEST_CASE("types other than integers, and types that only the compiler knows") {
  for (const char* source :
       {"float factor = 8;", "extern \"C\" __device__ const bool factor = true;",
        "double const factor{8};", "unsigned int* factor = nullptr;", "int factor[1] = {8};",
        "const int& factor = 8;"}) {
    CHECK_MESSAGE(found(source)->is_other, std::string(source));
    CHECK_MESSAGE(!found(source)->is_integer, std::string(source));
  }
  for (const char* source : {"auto factor = 8.0f;", "F factor = {8};",
                             "extern \"C\" struct S factor = {8};", "COUNT factor = 8;"}) {
    CHECK_MESSAGE(!found(source)->is_other, std::string(source));
    CHECK_MESSAGE(!found(source)->is_integer, std::string(source));
  }
}
