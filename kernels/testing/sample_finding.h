// Makes a Finding for tests, with a given kind, lines, variable and space.
#pragma once

#include <string>
#include <utility>

#include "kernels/finding.h"

namespace histolab::kernels::testing {

inline Finding finding_at(FindingKind kind, int line, int other_line, std::string variable,
                          Space space) {
  Finding finding;
  finding.kind = kind;
  finding.space = space;
  finding.variable = std::move(variable);
  finding.line = line;
  finding.other_line = other_line;
  return finding;
}

}  // namespace histolab::kernels::testing
