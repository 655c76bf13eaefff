// Findings, with the cure that the source's own line shows.
//
// The emulator sees addresses; which words of the source are wrong is only seen in its text.
// Textual and forgiving, as source_rules.h: a rule that does not fit leaves the message as it is.
#pragma once

#include <string>
#include <vector>

#include "kernels/finding.h"

namespace histolab::kernels::worker {

// `zeroed`: the outputs that are zero before the launch. The rules:
// - a race with a line that zeroes such an output before others count in it: the line can go;
// - a race on a `static` variable of the kernel: __shared__ was meant;
// - an update of which the result of atomicAdd on the same element is a part: the assignment can
// go;
// - an atomic function on a local variable: the variable is named.
void explain_findings(std::vector<Finding>& findings, const std::string& text,
                      const std::vector<std::string>& zeroed);

}  // namespace histolab::kernels::worker
