// Race reports for golden files, with a fixed version: the files outlive a release.
#pragma once

#include "grader/race/race_report.h"

namespace histolab::grader::testing {

[[nodiscard]] inline RaceReport old_version(RaceReport report) {
  report.version = "0.0.0";
  return report;
}

}  // namespace histolab::grader::testing
