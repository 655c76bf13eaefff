// The text of one pass over a CUDA source: preprocessed text (g++ -E) becomes C++.
//
// A launch becomes a call of the kernel, whose entry keeps the arguments, and a call that sends the
// launch:
//   k<T><<<g, b, s>>>(x)   ->   k<T>            (x),histolab_go(g, b, s)
// In the host pass, kernels lose their bodies, and extern shared arrays become weak. Lines are
// kept, and so are columns up to the end of a launch's arguments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::program {

enum class Pass { host, device };

struct Launch {
  std::string file;  // as in the line markers of the text
  int line = 0;      // of the `<<<`
  // The inserted call of histolab_go(): its line, its first byte in that line of the new text
  // (1-based), and its length in bytes.
  int call_line = 0;
  std::size_t call_column = 0, call_bytes = 0;
};

struct SyntaxProblem {
  std::string file;
  int line = 0;
  std::string message;
};

struct PassText {
  std::string text;
  std::vector<Launch> launches;         // in the order of the text
  std::vector<SyntaxProblem> problems;  // at most 20; such launches stay as they are
};

// Accepts any bytes. Takes linear time, and does not look into system headers. Only the host pass
// recognizes a launch inside of a kernel, and only the device pass inline PTX; both are problems.
[[nodiscard]] PassText text_for(Pass pass, std::string_view preprocessed);

// A range of bytes in a text.
struct TextRange {
  std::size_t begin = 0, end = 0;
};

// Returns the bodies of kernels and device functions in the preprocessed text of the device pass,
// without their braces. A body inside of another one is not listed.
[[nodiscard]] std::vector<TextRange> device_bodies(std::string_view preprocessed);

}  // namespace histolab::kernels::program
