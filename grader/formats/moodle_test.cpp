#include "grader/formats/moodle.h"

#include <doctest/doctest.h>

#include "grader/formats/platform.h"

using namespace histolab;
using namespace histolab::formats;

namespace {

constexpr const char* head =
    "Identifier,Full name,ID number,Email address,Grade,Maximum grade,Last modified "
    "(grade),Feedback comments\n";

MoodleMark mark_of(const std::string& name, std::optional<double> score) {
  MoodleMark mark;
  mark.student.key = name.find(' ') == std::string::npos ? name : "key";
  mark.student.name = name;
  mark.score = score, mark.max_score = 20, mark.comment = "Graded by histolab: x < y\nsecond";
  return mark;
}

Worksheet sheet(const std::string& rows) {
  Result<Worksheet> read = Worksheet::read("w.csv", head + rows, {});
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  return std::move(*read);
}

std::string filled(const std::string& rows, const std::vector<MoodleMark>& marks) {
  const Result<FilledWorksheet> made = fill(sheet(rows), marks);
  REQUIRE_MESSAGE(made.ok(), made.error().message);
  return made->text.substr(std::string{head}.size());
}

std::optional<std::size_t> row_of(const std::string& rows, const MoodleMark& mark) {
  return match_rows(sheet(rows), {mark}).front().row;
}

Graded handed_in(const std::string& name, const std::string& id, std::vector<std::string> paths) {
  Graded graded;
  graded.student.key = "key", graded.student.name = name, graded.student.id = id;
  for (std::string& path : paths) graded.marks.emplace_back().path = std::move(path);
  return graded;
}

}  // namespace

TEST_CASE("a worksheet keeps all bytes except grades and comments") {
  const std::string comment = "\"Graded by histolab: x &lt; y<br>second\"";
  CHECK(filled("Participant 1,ada,,,,10.00,-,\n", {mark_of("ada", 19)}) ==
        "Participant 1,ada,,,9.5,10.00,-," + comment + "\n");
  CHECK(filled("Participant 1,\"ada\" ,,, \"\",10,-,\"\"\n", {mark_of("ada", 19)})
            .find("Participant 1,\"ada\" ,,,") == 0);
  CHECK(filled("Participant 1,ada,,,\"\",\"100,00\",-,\n", {mark_of("ada", 7)}) ==
        "Participant 1,ada,,,\"35\",\"100,00\",-," + comment + "\n");
  const std::string other =
      "Participant 2,\"Bob, \"\"B\"\"\nBuilder\",,,7.00,10,\"-\",\"old, \nlines\"\n";
  CHECK(filled(other + "Participant 1,ada,,,,20.00,-,", {mark_of("ada", 19)}) ==
        other + "Participant 1,ada,,,19,20.00,-," + comment);
}

TEST_CASE("without a mark a cell is unchanged") {
  const std::string comment = "\"Graded by histolab: x &lt; y<br>second\"\n";
  CHECK(filled("Participant 1,ada,,,,10,-,\n", {mark_of("ada", std::nullopt)}) ==
        "Participant 1,ada,,,,10,-," + comment);
  CHECK(filled("Participant 1,ada,,,6.00,10,-,\n", {mark_of("ada", std::nullopt)}) ==
        "Participant 1,ada,,,6.00,10,-," + comment);
}

TEST_CASE("a person's comment stays, and an earlier export's is replaced") {
  const std::string once = filled("Participant 1,ada,,,,10,-,See me\n", {mark_of("ada", 10)});
  CHECK(once ==
        "Participant 1,ada,,,5,10,-,\"See me<br><br>Graded by histolab: x &lt; y<br>second\"\n");
  CHECK(filled(once, {mark_of("ada", 10)}) == once);
  MoodleMark better = mark_of("ada", 20);
  better.comment = "Graded by histolab: all";
  CHECK(filled(once, {better}) ==
        "Participant 1,ada,,,10,10,-,\"See me<br><br>Graded by histolab: all\"\n");
  const Result<FilledWorksheet> again = fill(sheet(once), {better});
  REQUIRE(again.ok());
  CHECK(again->changed == std::vector<std::string>{"ada: 10 instead of 5"});
}

TEST_CASE(
    "a row is found by number, e-mail address, ID number, name or login, and never if two fit") {
  const std::string rows =
      "Participant 7,Ada Lovelace,m1,ada@x.org,,10,-,\nParticipant 8,Lovelace "
      "Ada,m2,love@x.org,,10,-,\nParticipant "
      "9,Kim Lee,m3,kim@x.org,,10,-,\n";
  MoodleMark mark = mark_of("Lovelace, Ada", 10);
  CHECK_FALSE(row_of(rows, mark).has_value());  // two people
  mark.numbers = {"8"};
  CHECK(row_of(rows, mark) == 1);
  mark.numbers = {"9"};  // the row has another name: a number of another assignment
  CHECK_FALSE(row_of(rows, mark).has_value());
  mark.student.email = "ADA@x.org";
  CHECK(row_of(rows, mark) == 0);
  MoodleMark by_id = mark_of("x", 10);
  by_id.student.sis_id = "M3";
  CHECK(row_of(rows, by_id) == 2);
  CHECK(row_of(rows, mark_of("kim", 10)) == 2);
  CHECK(row_of(rows, mark_of("Lee, Kim", 10)) == 2);
  CHECK(row_of(rows, mark_of("Kim Lee", 10)) == 2);
  CHECK_FALSE(row_of(rows, mark_of("Lee", 10)).has_value());
  const std::vector<RowMatch> both =
      match_rows(sheet(rows), {mark_of("kim", 10), mark_of("Kim Lee", 10)});
  CHECK_FALSE(both[0].row.has_value());
  CHECK(both[1].row == 2);
  const std::vector<RowMatch> namesakes =
      match_rows(sheet(rows), {mark_of("Kim Lee", 10), mark_of("Lee, Kim", 10)});
  for (const RowMatch& match : namesakes) {
    CHECK_FALSE(match.row.has_value());
    CHECK(match.problem == "Participant 9 matches 2 students; none was used");
  }
  const std::string twice = rows + "Participant 10,Kim Lee,m4,lee@x.org,,10,-,\n";
  CHECK_FALSE(row_of(twice, mark_of("Kim Lee", 10)).has_value());
  MoodleMark by_number = mark_of("Kim Lee", 10);
  by_number.numbers = {"10"};
  CHECK(row_of(twice, by_number) == 3);
}

TEST_CASE("every student without a row is reported") {
  const Result<FilledWorksheet> made =
      fill(sheet("Participant 1,ada,,,,10,-,\nParticipant 2,bob,,,,10,-,\n"),
           {mark_of("ada", 10), mark_of("eve", 10)});
  REQUIRE(made.ok());
  REQUIRE(made->lost.size() == 1);
  CHECK(made->lost.front().find("eve: ") == 0);
  CHECK(made->unknown == std::vector<std::string>{"bob (Participant 2)"});
  CHECK(made->rows == 1);
}

TEST_CASE("Moodle's numbers come from folders, Canvas's names from files") {
  using Numbers = std::set<std::string>;
  const auto numbers = [](const Graded& graded) {
    Numbers found;
    for (const MoodleNumber& each : moodle_numbers(graded)) found.insert(each.number);
    return found;
  };
  const std::string in_one = "a1/Ada L_12_assignsubmission_file_/x.cu";
  const std::string in_archive = "class.zip/Ada L_12_assignsubmission_file/y.cu";
  const std::string in_two = "a2/Ada L_34_assignsubmission_file_/y.cu";
  CHECK(numbers(handed_in("Ada L", "", {in_one, in_archive})) == Numbers{"12"});
  CHECK(numbers(handed_in("Ada L", "", {in_one, in_two})) == Numbers{"12", "34"});
  CHECK(moodle_numbers(handed_in("Ada L", "", {in_two})).front().folder == "a2/");
  CHECK(numbers(handed_in("Ada L", "12", {""})) == Numbers{"12"});
  CHECK(numbers(handed_in("Ada L", "", {"", ""})).empty());
  // Students choose the names in their own folders.
  CHECK(numbers(handed_in("eve", "", {"eve/" + in_one})).empty());
  CHECK(numbers(handed_in("Eve E", "", {"Eve E_9_assignsubmission_file_/" + in_one})) ==
        Numbers{"9"});
  CHECK(canvas_files(handed_in("eve", "", {"eve/x_1_2_y.cu"})).empty());
  CHECK(numbers(handed_in("lovelaceada", "47", {"lovelaceada_47_91_01-race.cu"})).empty());

  const std::vector<CanvasFile> files =
      canvas_files(handed_in("lovelaceada", "47",
                             {"", "lovelaceada_LATE_47_91_01-race.cu",
                              "lovelaceada_47_92_w.zip/02.cu", "lovelaceada_47_92_w.zip/03.cu"}));
  REQUIRE(files.size() == 2);
  CHECK(files[0].name == "lovelaceada_LATE_47_91_01-race.cu");
  CHECK(files[0].marks == std::vector<std::size_t>{1, 0});
  CHECK(files[1].marks == std::vector<std::size_t>{2, 3});
}

TEST_CASE("a student without a file in the assignment has no number of it") {
  const auto mark = [](const std::string& number, const std::string& folder, bool has_file) {
    MoodleMark made;
    made.found = {{number, folder, has_file}};
    return made;
  };
  std::vector<MoodleMark> marks = {mark("21", "a2/", true), mark("12", "a1/", false),
                                   mark("23", "a2/", false), mark("14", "", false)};
  choose_numbers(marks);
  CHECK(marks[0].numbers.size() == 1);
  CHECK(marks[1].numbers.empty());
  CHECK(marks[2].numbers.size() == 1);
  CHECK(marks[3].numbers.empty());
}

TEST_CASE("two names may belong to one person") {
  for (const auto& [one, other] : {std::pair{"Lovelace, Ada", "ADA LOVELACE"},
                                   {"Group A-Ada Lovelace", "Ada Lovelace"},
                                   {"..", ".."},
                                   {"Zo\xc3\xab", "Zoe\xcc\x88"}})
    CHECK_MESSAGE(may_be_one_person(one, other), one);
  for (const auto& [one, other] :
       {std::pair{"Ada", "Adam"}, {"Ada Lovelace", "Ada Byron"}, {"", "Ada"}, {"..", "."}})
    CHECK_MESSAGE(!may_be_one_person(one, other), one);
}

TEST_CASE("a folder for Moodle has its number between the first two bars") {
  batch::Student student;
  student.key = "Ada_L_9~0badcafe";
  CHECK(moodle_folder(student, "12") == "Ada-L-9~0badcafe_12_assignfeedback_file_");
}
