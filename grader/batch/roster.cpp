#include "grader/batch/roster.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "grader/batch/keys.h"
#include "grader/batch/people.h"
#include "grader/files/csv_reader.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

using grader::CsvTable;

struct Columns {
  std::optional<std::size_t> name, first, last, email, id, platform_id, login, section;
};

Columns columns_of(const CsvTable& table) {
  Columns at;
  at.name = table.column({"name", "full name", "student name", "student"});
  at.first = table.column({"first name", "given name"});
  at.last = table.column({"last name", "surname", "family name"});
  at.email = table.column({"email", "email address", "mail"});
  at.login = table.column({"login", "username", "user name", "SIS Login ID"});
  at.section = table.column({"section", "sections", "group", "groups"});
  at.id = table.column({"SIS User ID", "SID", "student id", "id number", "matriculation number"});
  const auto plain_id = table.column({"id"});
  (at.id ? at.platform_id : at.id) = plain_id;  // Canvas has its own ID next to the university's
  return at;
}

std::string cell(const CsvTable::Row& row, const std::optional<std::size_t>& column) {
  return column ? row.cells[*column] : std::string{};
}

Student student_of(const CsvTable::Row& row, const Columns& at) {
  Student student;
  student.name = cell(row, at.name);
  if (student.name.empty()) {
    const std::string first = cell(row, at.first), last = cell(row, at.last);
    student.name = first + (first.empty() || last.empty() ? "" : " ") + last;
  }
  student.email = cell(row, at.email), student.sis_id = cell(row, at.id),
  student.id = cell(row, at.platform_id);
  student.login = cell(row, at.login), student.section = cell(row, at.section);
  for (const std::string* other : {&student.email, &student.sis_id, &student.login})
    if (student.name.empty()) student.name = *other;
  return student;
}

// What identifies a student in the roster.
std::string identity_of(const Student& student) {
  for (const auto& [kind, word] :
       {std::pair{"e-mail ", &student.email}, {"id ", &student.sis_id}, {"login ", &student.login}})
    if (!word->empty()) return kind + folded(*word);
  return "name " + student.name;
}

void take_all(Member& into, Member&& from) {
  into.pieces.insert(into.pieces.end(), from.pieces.begin(), from.pieces.end());
  into.problems.insert(into.problems.end(), from.problems.begin(), from.problems.end());
  if (into.unread.empty()) into.unread = std::move(from.unread);
  if (into.place.empty()) into.place = std::move(from.place);
  // The roster's word counts; the platform's fills what it leaves out.
  for (const auto part :
       {&Student::id, &Student::sis_id, &Student::login, &Student::section, &Student::email})
    if ((into.student.*part).empty()) into.student.*part = from.student.*part;
}

// The row of the roster that a platform's student is; several if the words say no more.
std::vector<std::size_t> rows_of(const Member& member, const std::string& identity,
                                 const People& roster) {
  std::vector<const std::string*> words = {&member.student.email, &member.student.sis_id,
                                           &member.student.login};
  if (identity.starts_with("canvas "))
    words.push_back(&member.student.id);  // Moodle's is of an assignment
  words.push_back(&member.student.name), words.push_back(&member.key_name);
  for (const std::string* word : words)
    if (auto found = roster.matches(*word); !found.empty()) return found;
  return {};
}

}  // namespace

Result<Roster> read_roster(const std::string& file, const std::string& text) {
  const Result<CsvTable> table = grader::read_csv(file, text);
  if (!table) return table.error();
  const Columns at = columns_of(*table);
  if (!at.name && !at.first && !at.last && !at.email && !at.id && !at.login)
    return Error{fmt::format("{}: has no column \"name\", \"email\" or \"id\"; its columns are {}",
                             file, grader::either(table->header))};
  Roster roster;
  std::map<std::string, std::size_t> lines;  // by "e-mail ada@example.edu"
  for (const CsvTable::Row& row : table->rows) {
    const Student student = student_of(row, at);
    if (student.name.empty() || student.name == "Points Possible")
      continue;  // of Canvas's grade book
    for (const auto& [kind, word] : {std::pair{"e-mail address", &student.email},
                                     {"id", &student.sis_id},
                                     {"login", &student.login}}) {
      if (word->empty()) continue;
      const auto [first, is_new] =
          lines.emplace(fmt::format("{} {}", kind, folded(*word)), row.line);
      if (!is_new)
        return Error{fmt::format("{}:{}: the {} {} is that of line {}, too", file, row.line, kind,
                                 *word, first->second)};
    }
    const bool has_identity =
        !student.email.empty() || !student.sis_id.empty() || !student.login.empty();
    const auto [first, is_new] = has_identity ? std::pair{lines.end(), true}
                                              : lines.emplace("name " + student.name, row.line);
    if (!is_new)
      return Error{fmt::format(
          "{}:{}: {} is in line {}, too; an e-mail address or an id would tell them apart", file,
          row.line, student.name, first->second)};
    roster.students.push_back(student);
  }
  if (roster.students.empty()) return Error{file + ": has no students"};
  return roster;
}

Members with_roster(Members members, const Roster& roster) {
  Members all;
  all.remarks = std::move(members.remarks);
  std::vector<Member> rows;
  for (const Student& student : roster.students) {
    Member& row = rows.emplace_back();
    row.student = student, row.key_name = composed(student.name);
  }
  const People people{roster.students};
  std::map<std::size_t, std::string> handed_in_as;
  for (auto& [identity, member] : members.by_identity) {
    const std::vector<std::size_t> found = rows_of(member, identity, people);
    if (found.size() == 1) {
      const auto [first, is_new] = handed_in_as.emplace(found.front(), member.key_name);
      if (!is_new && first->second != member.key_name)
        all.remarks.push_back(
            fmt::format("{} and {} are both {} of the roster and count as one student",
                        first->second, member.key_name, roster.students[found.front()].name));
      take_all(rows[found.front()], std::move(member));
      continue;
    }
    all.remarks.push_back(found.empty()
                              ? fmt::format("{} is not in the roster{}", member.student.name,
                                            people.suggestion(member.student.name))
                              : fmt::format("{} may be {} students of the roster; an e-mail "
                                            "address, an id or a login would tell which",
                                            member.student.name, found.size()));
    all.by_identity[identity] = std::move(member);
  }
  for (Member& row : rows) {
    const std::string identity = "roster " + identity_of(row.student);
    all.by_identity[identity] = std::move(row);
  }
  return all;
}

}  // namespace histolab::batch
