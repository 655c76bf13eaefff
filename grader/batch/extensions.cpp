#include "grader/batch/extensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "grader/batch/gradescope.h"
#include "grader/batch/people.h"
#include "grader/files/csv_reader.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

using grader::CsvTable;

constexpr double most_days = 366, seconds_of_day = 86400;

std::optional<double> days_from(const std::string& text) {
  double days = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), days);
  return failure == std::errc{} && end == text.data() + text.size() && days >= 0 &&
                 days <= most_days
             ? std::optional{days}
             : std::nullopt;
}

// A date alone is ambiguous: its beginning or its end, and where.
std::optional<std::int64_t> deadline_from(const std::string& text) {
  constexpr std::size_t date_size = 10;
  return text.size() > date_size ? time_from_text(text) : std::nullopt;
}

}  // namespace

Result<Extensions> read_extensions(const std::string& file, const std::string& text) {
  const Result<CsvTable> table = grader::read_csv(file, text);
  if (!table) return table.error();
  const auto student = table->column({"student", "name", "email", "id"}),
             lab = table->column({"lab"}), deadline = table->column({"deadline", "new deadline"}),
             extra = table->column({"extra_days", "days"}),
             late_days = table->column({"late_days"});
  if (!student || (!deadline && !extra && !late_days))
    return Error{
        fmt::format("{}: expected the columns student and lab, and one or more of deadline, "
                    "extra_days and late_days; its columns are {}",
                    file, grader::either(table->header))};
  Extensions read{file, {}};
  for (const CsvTable::Row& row : table->rows) {
    const auto cell = [&](const std::optional<std::size_t>& column) {
      return column ? row.cells[*column] : std::string{};
    };
    const auto wrong = [&](const std::string& what) {
      return Error{fmt::format("{}:{}: {}", file, row.line, what)};
    };
    ExtensionRow& one = read.rows.emplace_back();
    one.line = row.line, one.student = cell(student), one.lab = cell(lab);
    if (one.student.empty()) return wrong("names no student");
    if (const std::string time = cell(deadline);
        !time.empty() && !(one.extension.deadline = deadline_from(time)))
      return wrong(fmt::format(
          "\"{}\" is not a time; expected one such as 2026-11-20T23:59:00+01:00", time));
    if (const std::string days = cell(extra); !days.empty()) {
      const std::optional<double> found = days_from(days);
      if (!found)
        return wrong(
            fmt::format("extra_days is \"{}\"; expected a number from 0 to {}", days, most_days));
      one.extension.extra_seconds = static_cast<std::int64_t>(*found * seconds_of_day);
    }
    if (const std::string days = cell(late_days); !days.empty()) {
      const std::optional<double> found = days_from(days);
      if (!found || *found != static_cast<double>(static_cast<std::int64_t>(*found)))
        return wrong(fmt::format("late_days is \"{}\"; expected a whole number from 0 to {}", days,
                                 most_days));
      if (!one.lab.empty())
        return wrong("late_days are for all labs together: leave the cell of the lab empty");
      one.late_days = static_cast<std::int64_t>(*found);
    }
    if (!one.extension.deadline && one.extension.extra_seconds == 0 && !one.late_days)
      return wrong("has neither a deadline nor extra_days nor late_days");
  }
  return read;
}

Status check_labs(const Extensions& extensions, const std::vector<std::string>& labs) {
  for (const ExtensionRow& row : extensions.rows)
    if (!row.lab.empty() && std::ranges::find(labs, row.lab) == labs.end())
      return Error{fmt::format("{}:{}: there is no lab \"{}\"{}", extensions.file, row.line,
                               row.lab, grader::did_you_mean(row.lab, labs))};
  return Done{};
}

Result<Allowances> allowances_of(const Extensions& extensions,
                                 const std::vector<Student>& students) {
  Allowances found;
  const People people{students};
  std::map<std::pair<std::string, std::string>, std::size_t> lines;  // by student and lab
  for (const ExtensionRow& row : extensions.rows) {
    const Result<std::size_t> number = people.find(row.student);
    if (!number) {
      found.unmatched.push_back(
          fmt::format("{}:{}: {}", extensions.file, row.line, number.error().message));
      continue;
    }
    const std::string& key = students[*number].key;
    Allowance& of = found.by_key[key];
    if (row.late_days) of.late_days = row.late_days;
    const bool extends = row.extension.deadline || row.extension.extra_seconds > 0;
    for (const std::string& what : {extends ? "lab " + row.lab : std::string{},
                                    row.late_days ? std::string{"late days"} : std::string{}}) {
      if (what.empty()) continue;
      const auto [first, is_new] = lines.try_emplace({key, what}, row.line);
      if (!is_new)
        return Error{fmt::format("{}:{}: {} has such a row already, in line {}; keep one of them",
                                 extensions.file, row.line, row.student, first->second)};
    }
    if (!extends) continue;
    if (row.lab.empty())
      of.other_labs = row.extension;
    else
      of.labs[row.lab] = row.extension;
  }
  return found;
}

}  // namespace histolab::batch
