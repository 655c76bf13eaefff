// Rewrites g++'s messages about marks (braces, brackets, semicolons, quotes) so that they name the
// missing mark and its position.
#pragma once

#include "kernels/device.h"
#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {

// Changes the message and the place, if it is about a mark. `text`: the source as it is, with
// strings.
void explain_syntax(Diagnostic& diagnostic, const SourceText& source, const std::string& text);

}  // namespace histolab::kernels::worker
