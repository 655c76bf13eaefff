#include "grader/batch/extensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

#include "grader/batch/gradescope.h"
#include "grader/batch/people.h"
#include "grader/files/csv_reader.h"
#include "grader/lab/catalogue.h"
#include "grader/words/characters.h"
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

// The names of each column. Columns of the last row are ignored.
constexpr std::array<std::string_view, 4> student_columns = {"student", "name", "email", "id"};
constexpr std::array<std::string_view, 1> lab_columns = {"lab"}, late_columns = {"late_days"};
constexpr std::array<std::string_view, 2> deadline_columns = {"deadline", "new deadline"},
                                          extra_columns = {"extra_days", "days"};
constexpr std::array<std::string_view, 5> ignored_columns = {"reason", "comment", "comments",
                                                             "note", "notes"};

// Returns an Error if a column has another name: its cells would be silently ignored.
Status check_columns(const std::string& file, const CsvTable& table) {
  std::vector<std::string> known;
  const auto add = [&](std::span<const std::string_view> names) {
    known.insert(known.end(), names.begin(), names.end());
  };
  add(student_columns), add(lab_columns), add(deadline_columns), add(extra_columns),
      add(late_columns), add(ignored_columns);
  for (const std::string& column : table.header) {
    const auto is_name = [&](const std::string& name) {
      return grader::plain_column(name) == grader::plain_column(column);
    };
    if (column.empty() || std::ranges::any_of(known, is_name)) continue;
    const std::string near = grader::did_you_mean(grader::lower(column), known);
    return Error{fmt::format("{}: unknown column \"{}\"{}", file, column,
                             near.empty()
                                 ? fmt::format("; known columns are {}. Put notes into \"reason\"",
                                               grader::either(known))
                                 : near)};
  }
  return Done{};
}

}  // namespace

Result<Extensions> read_extensions(const std::string& file, const std::string& text) {
  const CsvTable table = TRY(grader::read_csv(file, text));
  const bool is_kept = file == kept_extensions;  // an older version may have accepted it
  const Status known = check_columns(file, table);
  const auto student = table.column(student_columns), lab = table.column(lab_columns),
             deadline = table.column(deadline_columns), extra = table.column(extra_columns),
             late_days = table.column(late_columns);
  const bool is_complete = student && (deadline || extra || late_days);
  if (!known && !is_kept &&
      (is_complete || known.error().message.find("did you mean") != std::string::npos))
    return known.error();
  if (!is_complete)
    return Error{
        fmt::format("{}: expected the columns student and lab, and one or more of deadline, "
                    "extra_days and late_days; its columns are {}",
                    file, grader::either(table.header))};
  Extensions read{file, {}};
  for (const CsvTable::Row& row : table.rows) {
    const auto cell = [&](const std::optional<std::size_t>& column) {
      return column ? row.cells[*column] : std::string{};
    };
    const auto wrong = [&](const std::string& what) {
      return Error{fmt::format("{}:{}: {}", file, row.line, what)};
    };
    ExtensionRow& one = read.rows.emplace_back();
    one.line = row.line, one.student = cell(student), one.lab = cell(lab);
    if (one.student.empty()) return wrong("has no student");
    if (const std::string time = cell(deadline); !time.empty()) {
      const Result<std::int64_t> read = time_with_offset(time);
      if (read)
        one.extension.deadline = *read;
      else if (is_kept)
        one.extension.deadline = time_from_text(time);
      if (!one.extension.deadline) return wrong(read.error().message);
    }
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
        return wrong("late_days apply to all labs together: leave the lab empty");
      one.late_days = static_cast<std::int64_t>(*found);
    }
    if (!one.extension.deadline && one.extension.extra_seconds == 0 && !one.late_days)
      return wrong("has neither a deadline nor extra_days nor late_days");
  }
  return read;
}

Status name_labs(Extensions& extensions, const std::vector<std::string>& labs) {
  for (ExtensionRow& row : extensions.rows) {
    if (row.lab.empty()) continue;
    const Result<std::size_t> found = grader::find_lab_name(labs, row.lab);
    if (!found)
      return Error{fmt::format("{}:{}: {}", extensions.file, row.line, found.error().message)};
    row.lab = labs[*found];
  }
  return Done{};
}

std::vector<std::string> useless_rows(const Extensions& extensions, const LatePolicy& policy,
                                      const std::vector<std::string>& labs) {
  std::vector<std::string> rows;
  for (const ExtensionRow& row : extensions.rows) {
    if (!row.extension.deadline) continue;
    const auto is_earlier = [&](const std::string& lab) {
      const auto deadline = policy.deadline_of(lab);
      return deadline && *row.extension.deadline + row.extension.extra_seconds < *deadline;
    };
    if (row.lab.empty() ? std::ranges::any_of(labs, is_earlier) : is_earlier(row.lab))
      rows.push_back(fmt::format("{}:{}: the deadline of {} has no effect: it is before that of {}",
                                 extensions.file, row.line, row.student,
                                 row.lab.empty() ? "a lab" : row.lab));
  }
  return rows;
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
        return Error{fmt::format("{}:{}: {} already has such a row, on line {}; keep one of them",
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
