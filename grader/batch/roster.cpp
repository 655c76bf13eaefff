#include "grader/batch/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "grader/batch/gradescope.h"
#include "grader/batch/keys.h"
#include "grader/batch/people.h"
#include "grader/files/csv_reader.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

using grader::CsvTable;

struct Columns {
  std::optional<std::size_t> name, first, last, email, id, platform_id, login, section, participant,
      handed_in;
};

struct Field {
  std::optional<std::size_t> Columns::*at;
  std::vector<std::string_view> names;
};

// Canvas has its own ID in addition to the university's: columns_of() assigns the column "id".
const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      {&Columns::name, {"name", "full name", "student name", "student"}},
      {&Columns::first, {"first name", "given name"}},
      {&Columns::last, {"last name", "surname", "family name"}},
      {&Columns::email, {"email", "email address", "mail"}},
      {&Columns::login, {"login", "username", "user name", "SIS Login ID"}},
      {&Columns::section, {"section", "sections", "group", "groups"}},
      {&Columns::id, {"SIS User ID", "SID", "student id", "id number", "matriculation number"}},
      {&Columns::platform_id, {"id"}},
      {&Columns::participant, {"participant", "identifier"}},
      {&Columns::handed_in, {"submitted", "Last modified (submission)"}}};
  return all;
}

Columns columns_of(const CsvTable& table) {
  Columns at;
  for (const Field& field : fields()) at.*field.at = table.column(field.names);
  if (!at.id) std::swap(at.id, at.platform_id);
  return at;
}

// A sentence for each column that looks like the misspelt name of a missing one, such as "emial".
std::vector<std::string> misspelt_columns(const std::string& file, const CsvTable& table) {
  const Columns at = columns_of(table);
  std::vector<std::string> known, missing, remarks;
  for (const Field& field : fields())
    for (const std::string_view name : field.names) {
      known.push_back(grader::plain_column(name));
      const bool is_id = field.at == &Columns::id || field.at == &Columns::platform_id;
      if (is_id ? !at.id : !(at.*field.at)) missing.push_back(known.back());
    }
  for (const std::string& column : table.header) {
    const std::string plain = grader::plain_column(column);
    if (plain.size() < 3 || std::ranges::find(known, plain) != known.end()) continue;
    const std::string near = grader::nearest(plain, missing);
    if (!near.empty())
      remarks.push_back(
          fmt::format("{}: the column \"{}\" is not used; did you mean {}?", file, column, near));
  }
  return remarks;
}

// "205" of "Participant 205".
std::string digits_at_end(const std::string& text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  return last == std::string::npos ? text : text.substr(last + 1);
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

// The identity of a student in the roster.
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
  // The roster has precedence; the platform's values fill its empty fields.
  for (const auto part :
       {&Student::id, &Student::sis_id, &Student::login, &Student::section, &Student::email})
    if ((into.student.*part).empty()) into.student.*part = from.student.*part;
}

// The rows of the roster that match a platform's student.
std::vector<std::size_t> rows_of(const Member& member, const std::string& identity,
                                 const People& people, const Roster& roster) {
  std::vector<const std::string*> words = {&member.student.email, &member.student.sis_id,
                                           &member.student.login};
  // Moodle's number is only valid in one assignment.
  if (identity.starts_with("canvas ")) words.push_back(&member.student.id);
  words.push_back(&member.student.name), words.push_back(&member.key_name);
  for (const std::string* word : words) {
    std::vector<std::size_t> found = people.matches(*word);
    if (found.empty()) continue;
    // Moodle's number distinguishes students with the same name.
    const std::vector<std::size_t> all = found;
    std::erase_if(found, [&](std::size_t row) {
      const auto number = roster.participants.find(row);
      return number == roster.participants.end() ||
             grader::trimmed_cell(number->second) != member.student.id;
    });
    return found.size() == 1 ? found : all;
  }
  return {};
}

std::string place_of(const Member& member) {
  if (!member.place.empty()) return member.place;
  return member.pieces.empty() ? member.key_name : member.pieces.front().path;
}

// The remark on a submission that may belong to several students.
std::string undecided(const Member& member, const std::vector<std::size_t>& rows,
                      const Roster& roster) {
  std::vector<std::string> students;
  for (const std::size_t row : rows) {
    const Student& each = roster.students[row];
    const std::string& word = !each.email.empty()    ? each.email
                              : !each.sis_id.empty() ? each.sis_id
                                                     : each.login;
    students.push_back(word.empty() ? each.name : fmt::format("{} ({})", each.name, word));
  }
  const std::string& number = member.student.id;
  const std::string remedy =
      number.empty()
          ? std::string{"name it by an e-mail address, an id or a login of the roster"}
          : fmt::format(
                "give the roster a column \"participant\", with {} in the right row (Moodle's "
                "grading worksheet is such a roster)",
                number);
  return fmt::format(
      "{} may be the submission of {}{}: no mark until that is decided. To decide it, {}",
      place_of(member), grader::either(students),
      rows.size() == 1 ? ", and so may another one with this name" : "", remedy);
}

}  // namespace

Result<Roster> read_roster(const std::string& file, const std::string& text) {
  const CsvTable table = TRY(grader::read_csv(file, text));
  const Columns at = columns_of(table);
  Roster roster;
  roster.remarks = misspelt_columns(file, table);
  if (!at.name && !at.first && !at.last && !at.email && !at.id && !at.login)
    return Error{
        roster.remarks.empty()
            ? fmt::format("{}: has no column \"name\", \"email\" or \"id\"; its columns are {}",
                          file, grader::either(table.header))
            : roster.remarks.front()};
  std::string bare_time;
  std::map<std::string, std::size_t> lines;  // by "e-mail ada@example.edu"
  for (const CsvTable::Row& row : table.rows) {
    const Student student = student_of(row, at);
    if (student.name.empty() || student.name == "Points Possible")
      continue;  // Canvas's grade book has such a row
    for (const auto& [kind, word] : {std::pair{"e-mail address", &student.email},
                                     {"id", &student.sis_id},
                                     {"login", &student.login}}) {
      if (word->empty()) continue;
      const auto [first, is_new] =
          lines.emplace(fmt::format("{} {}", kind, folded(*word)), row.line);
      if (!is_new)
        return Error{fmt::format("{}:{}: the {} {} is already on line {}", file, row.line, kind,
                                 *word, first->second)};
    }
    const bool has_identity =
        !student.email.empty() || !student.sis_id.empty() || !student.login.empty();
    const auto [first, is_new] = has_identity ? std::pair{lines.end(), true}
                                              : lines.emplace("name " + student.name, row.line);
    if (!is_new)
      return Error{
          fmt::format("{}:{}: {} is already on line {}; add an e-mail address or an id to each",
                      file, row.line, student.name, first->second)};
    const std::size_t number = roster.students.size();
    roster.students.push_back(student);
    if (const std::string participant = digits_at_end(cell(row, at.participant));
        !participant.empty())
      roster.participants[number] = participant;
    const std::string time = cell(row, at.handed_in);
    if (time.empty() || time == "-") continue;
    if (const Result<std::int64_t> read = time_with_offset(time))
      roster.handed_in[number] = *read;
    else if (bare_time.empty())
      bare_time =
          fmt::format("{}:{}: the column \"{}\" is ignored unless each time has a UTC offset: {}",
                      file, row.line, table.header[*at.handed_in], read.error().message);
  }
  // Using only some of the times would be unfair.
  if (!bare_time.empty()) {
    roster.handed_in.clear();
    roster.remarks.push_back(bare_time);
  }
  if (roster.students.empty()) return Error{file + ": has no students"};
  return roster;
}

Members with_roster(Members members, const Roster& roster) {
  Members all;
  all.remarks = std::move(members.remarks);
  all.remarks.insert(all.remarks.end(), roster.remarks.begin(), roster.remarks.end());
  std::vector<Member> rows;
  for (const Student& student : roster.students) {
    Member& row = rows.emplace_back();
    row.student = student, row.key_name = composed(student.name);
  }
  const People people{roster.students};
  // Equal names in one Moodle export are different people, even if the roster has the name only
  // once.
  std::map<std::size_t, int> namesakes;
  std::map<std::string, std::vector<std::size_t>> found_rows;
  for (const auto& [identity, member] : members.by_identity) {
    const std::vector<std::size_t>& found = found_rows[identity] =
        rows_of(member, identity, people, roster);
    if (found.size() == 1 && identity.starts_with("moodle ")) ++namesakes[found.front()];
  }
  const auto is_decided = [&](const std::string& identity, const Member& member) {
    const std::vector<std::size_t>& found = found_rows[identity];
    if (found.size() != 1) return false;
    const auto number = roster.participants.find(found.front());
    return !identity.starts_with("moodle ") || namesakes[found.front()] == 1 ||
           (number != roster.participants.end() && number->second == member.student.id);
  };
  std::map<std::size_t, std::string> handed_in_as;
  for (auto& [identity, member] : members.by_identity) {
    const std::vector<std::size_t>& found = found_rows[identity];
    if (is_decided(identity, member)) {
      const auto [first, is_new] = handed_in_as.emplace(found.front(), member.key_name);
      if (!is_new && first->second != member.key_name)
        all.remarks.push_back(
            fmt::format("{} and {} are both {} of the roster and count as one student",
                        first->second, member.key_name, roster.students[found.front()].name));
      take_all(rows[found.front()], std::move(member));
      continue;
    }
    if (found.empty()) {
      all.remarks.push_back(fmt::format("{} is not in the roster{}", member.student.name,
                                        people.suggestion(member.student.name)));
    } else {
      all.remarks.push_back(undecided(member, found, roster));
      // Students read this, so it does not name the others.
      const std::string why = fmt::format(
          "{} may be from this student or from another one with this name: no mark until that is "
          "decided",
          place_of(member));
      for (const std::size_t row : found)
        if (rows[row].unread.empty()) {
          rows[row].unread = why;
          rows[row].problems.push_back(why);
        }
    }
    all.by_identity[identity] = std::move(member);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Member& row = rows[i];
    const auto time = roster.handed_in.find(i);
    for (Piece& piece : row.pieces)
      if (!piece.at && time != roster.handed_in.end()) piece.at = time->second;
    const std::string identity = "roster " + identity_of(row.student);
    all.by_identity[identity] = std::move(row);
  }
  return all;
}

}  // namespace histolab::batch
