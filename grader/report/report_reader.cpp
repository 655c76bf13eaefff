#include "grader/report/report_reader.h"

#include <fmt/format.h>

#include <limits>

#include "grader/files/read_file.h"
#include "grader/report/report_fields.h"

namespace histolab::grader {
namespace {

// Reads the document into `found`.
template <class Value, class Read>
Result<Value> read(std::string_view text, const std::string& name, Value found, Read from) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{fmt::format("{}: not JSON, or truncated", name)};
  Problems problems(name);
  Fields in(json, "", problems);
  from(in, found);
  if (!problems.empty()) return problems.error();
  return found;
}

const auto all_fields = [](Fields& in, auto& value) { fields(in, value); };

}  // namespace

Result<Report> report_from_json(std::string_view text, const std::string& name) {
  Report first;
  first.data_version = 1;  // of reports without one
  return read(text, name, std::move(first), all_fields);
}

Result<Report> read_report(const std::string& path) {
  constexpr std::uint64_t longest = 256 << 20;
  return report_from_json(TRY(read_text_file(path, "report", longest)), path);
}
Result<LabResult> lab_result_from_json(std::string_view text, const std::string& name) {
  return read(text, name, LabResult{}, all_fields);
}

Result<std::vector<TimedCaseResult>> timed_cases_from_json(std::string_view text,
                                                           const std::string& name) {
  using Cases = std::vector<TimedCaseResult>;
  return read(text, name, Cases{}, [](Fields& in, Cases& cases) {
    in.each("timed_cases", [&](Fields& item) {
      timed_case_fields(item, cases.emplace_back(), std::numeric_limits<std::size_t>::max());
    });
  });
}

}  // namespace histolab::grader
