// Kernel launches in preprocessed text (g++ -E): makes C++ of CUDA's launch syntax.
//
//   k<T><<<g, b, s>>>(x)   ->   k<T>            (x),histolab_go(g, b, s)
//
// Lines are kept, and so are columns up to the end of the arguments. The kernel's entry keeps the
// arguments of the call; histolab_go() sends the launch. See README.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::program {

struct Launch {
  std::string file;  // as in the line markers of the text
  int line = 0;      // of the `<<<`
  // The inserted call of histolab_go() in the new text: its line, its first byte in that line
  // (1-based), and its length in bytes.
  int call_line = 0;
  std::size_t call_column = 0, call_bytes = 0;
};

struct SyntaxProblem {
  std::string file;
  int line = 0;
  std::string message;
};

struct RewrittenText {
  std::string text;
  std::vector<Launch> launches;         // in the order of the text
  std::vector<SyntaxProblem> problems;  // at most 20; such launches stay as they are
};

// Accepts any bytes. Takes linear time, and does not look into system headers.
[[nodiscard]] RewrittenText rewrite_launches(std::string_view preprocessed);

}  // namespace histolab::kernels::program
