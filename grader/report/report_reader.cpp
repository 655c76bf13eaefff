#include "grader/report/report_reader.h"

#include <limits>

#include "grader/files/read_file.h"
#include "grader/report/report_fields.h"

namespace histolab::grader {

Result<Report> report_from_json(std::string_view text, const std::string& name) {
  Report first;
  first.data_version = 1;  // of reports without one
  return read_fields(text, name, std::move(first));
}

Result<Report> read_report(const std::string& path) {
  constexpr std::uint64_t longest = 256 << 20;
  return report_from_json(TRY(read_text_file(path, "report", longest)), path);
}
Result<LabResult> lab_result_from_json(std::string_view text, const std::string& name) {
  return read_fields<LabResult>(text, name);
}

Result<std::vector<TimedCaseResult>> timed_cases_from_json(std::string_view text,
                                                           const std::string& name) {
  using Cases = std::vector<TimedCaseResult>;
  return read_fields(text, name, Cases{}, [](Fields& in, Cases& cases) {
    in.each("timed_cases", [&](Fields& item) {
      timed_case_fields(item, cases.emplace_back(), std::numeric_limits<std::size_t>::max());
    });
  });
}

}  // namespace histolab::grader
