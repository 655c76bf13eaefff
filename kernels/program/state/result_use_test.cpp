// Tests of the question whether a line uses the result of a call.
#include "kernels/program/state/result_use.h"

#include <doctest/doctest.h>

namespace histolab::kernels::program {
namespace {

TEST_CASE("a line that begins with the call ignores its result") {
  const auto used = [](const char* line) { return uses_result("", line, "cudaMalloc"); };
  for (const char* line : {"cudaMalloc(&p, n);", "  cudaMalloc((void**)&p, n);", "\tcudaMalloc (",
                           "::cudaMalloc(&p, n);", "a = 1; cudaMalloc(&p, n);",
                           "{ cudaMalloc(&p, n); }", "} else cudaMalloc(&p, n);"}) {
    CAPTURE(line);
    CHECK(used(line) == false);
  }
  for (const char* line :
       {"CHECK(cudaMalloc(&p, n));", "err = cudaMalloc(&p, n);", "if (cudaMalloc(&p, n) != 0)",
        "return cudaMalloc(&p, n);", "(void)cudaMalloc(&p, n);",
        "HANDLE_ERROR( cudaMalloc(&p, n) )", "return !cudaMalloc(&p, n);"}) {
    CAPTURE(line);
    CHECK(used(line) == true);
  }
  for (const char* line : {"", "MAKE(p, n);", "cudaMallocHost(&p, n);", "my_cudaMalloc(&p, n);"}) {
    CAPTURE(line);
    CHECK_FALSE(used(line).has_value());
  }
}

TEST_CASE("a call on a line of its own may belong to a statement that began above it") {
  const auto used = [](const char* previous) {
    return uses_result(previous, "      cudaMalloc(&p, n);", "cudaMalloc");
  };
  for (const char* previous : {"", "int n = 1;", "  n = 1;  // one", "{", "} else", "}\r", "#endif",
                               "// space for the data", "/* data */"}) {
    CAPTURE(previous);
    CHECK(used(previous) == false);
  }
  for (const char* previous : {"  error =", "  CHECK(", "  if (a &&", "  return"}) {
    CAPTURE(previous);
    CHECK_FALSE(used(previous).has_value());
  }
}

TEST_CASE("the variable that gets an address") {
  const auto variable = [](const char* line) { return result_variable(line, "cudaMalloc"); };
  CHECK(variable("  CHECK(cudaMalloc((void**) & d_a , n * sizeof(int)));") == "d_a");
  CHECK(variable("cudaMalloc(&p, n);") == "p");
  for (const char* line : {"", "cudaMalloc(p, n);", "cudaMalloc(&a[i], n);", "cudaMalloc(&s.p, n);",
                           "cudaMalloc(&p, n); cudaMalloc(&q, n);"}) {
    CAPTURE(line);
    CHECK(variable(line).empty());
  }
}

}  // namespace
}  // namespace histolab::kernels::program
