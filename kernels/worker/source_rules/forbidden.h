// What no submission may contain, because it would hide accesses from the emulator or reach beyond the kernel: attributes and
// pragmas that change how code is compiled or where it lies, g++'s built-in functions for memory, and files of the machine.
//
// It is asked before the compiler, of the source's own tokens. What those cannot tell (names pasted together, macros of the
// system's headers) makes it unsure; then the preprocessed source is to be asked too, which takes the compiler's time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

struct Verdict {
  std::vector<Diagnostic> refusals;
  std::vector<Diagnostic>
      missing;  // headers outside of the submission: compile errors, whether or not there is such a file
  bool unsure = false;
};

// `include_dir`: the shim's folder; a reserved name that occurs there is CUDA's.
[[nodiscard]] Verdict forbidden_in(const std::string& text, const std::string& include_dir);

// What to say of a header that is not there.
[[nodiscard]] std::string about_missing_header(std::string_view name);

// Judges the whole of what g++ -E made of the submission `text`: each line that is neither the shim's nor of a header of the
// system is the submission's own, whatever file it claims to come from. A macro of the submission may put words into the lines of
// a header that comes behind it: that is refused, too.
[[nodiscard]] std::vector<Diagnostic> forbidden_in_preprocessed(const std::string& output,
                                                                const std::string& text,
                                                                const std::string& include_dir);

}  // namespace histolab::kernels::worker
