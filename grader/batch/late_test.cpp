#include "grader/batch/late.h"

#include <doctest/doctest.h>

#include "grader/batch/extensions.h"

using namespace histolab;
using namespace histolab::batch;

namespace {

constexpr std::int64_t day = 86400;

// Ten per cent a day, at most half; labs 01 and 02 are due at the ends of days 10 and 20.
LatePolicy policy(std::int64_t late_days = 0) {
  LatePolicy late;
  late.deadlines = {{"01-x", 10 * day}, {"02-y", 20 * day}};
  late.percent_a_day = 10, late.most_percent = 50, late.late_days = late_days;
  return late;
}
std::vector<double> points(const LatePolicy& late, const Allowance& allowance,
                           const std::vector<LateWork>& works) {
  std::vector<double> all;
  for (const LateMark& mark : late_marks(late, allowance, works)) all.push_back(mark.score);
  return all;
}
using Points = std::vector<double>;

const std::vector<Student> students = {
    {"ada", "Ada Lovelace", "", "4711", "", "", "ada@example.edu"},
    {"bob", "Bob", "", "", "", "", ""}};

Allowances allowances(const std::string& rows) {
  const Result<Extensions> read =
      read_extensions("e.csv", "student,lab,deadline,extra_days,late_days,reason\n" + rows);
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  Result<Allowances> found = allowances_of(*read, students);
  REQUIRE_MESSAGE(found.ok(), (found ? "" : found.error().message));
  return *found;
}
std::string refused(const std::string& rows) {
  Result<Extensions> read =
      read_extensions("e.csv", "student,lab,deadline,extra_days,late_days\n" + rows);
  if (!read) return read.error().message;
  if (Status labs = name_labs(*read, {"01-x", "02-y"}); !labs) return labs.error().message;
  const Result<Allowances> found = allowances_of(*read, students);
  return found ? "(read)" : found.error().message;
}

}  // namespace

TEST_CASE("late days are used for the earliest deadline first, in any order of the labs") {
  const LateWork one{"01-x", 12 * day, false, 10}, two{"02-y", 22 * day, false, 10};
  CHECK(points(policy(0), {}, {one, two}) == Points{8, 8});
  CHECK(points(policy(3), {}, {one, two}) == Points{10, 9});
  CHECK(points(policy(3), {}, {two, one}) == Points{9, 10});
  CHECK(points(policy(9), {}, {one, two}) == Points{10, 10});
  const auto marks = late_marks(policy(3), {}, {one, two});
  CHECK(marks[0].note == "2 days 0 h late, 2 of 3 late days used");
  CHECK(marks[1].note == "2 days 0 h late, 1 of 3 late days used: 10 % less, 9 instead of 10");
}

TEST_CASE("a work without points uses no late day; a work marked by the platform uses one") {
  CHECK(points(policy(2), {}, {{"01-x", 12 * day, false, 0}, {"02-y", 22 * day, false, 10}}) ==
        Points{0, 10});
  CHECK(points(policy(2), {}, {{"01-x", std::nullopt, true, 10}, {"02-y", 22 * day, false, 10}}) ==
        Points{10, 9});
}

TEST_CASE(
    "an extension moves the deadline of one lab or of all; the lab's own row has precedence") {
  const std::vector<LateWork> works = {{"01-x", 12 * day, false, 10},
                                       {"02-y", 22 * day, false, 10}};
  const auto with = [&](const std::string& rows) {
    return points(policy(), allowances(rows).by_key.at("ada"), works);
  };
  CHECK(with("ada@example.edu,01-x,1970-01-13T00:00:00Z,,,ill\n") == Points{10, 8});
  CHECK(with("Ada Lovelace,,,1,,\n") == Points{9, 9});
  CHECK(with("4711,,,2,,\nada,01-x,,1,,\n") == Points{9, 10});
  CHECK(with("ada,01-x,1970-01-12T00:00:00Z,0.5,,\n") == Points{9, 8});
  CHECK(with("ada,,,,4,\n") == Points{10, 10});
}

TEST_CASE("an extension before the deadline has no effect") {
  const std::vector<LateWork> works = {{"01-x", 10 * day, false, 10}};
  const Allowance early = allowances("ada,01-x,1970-01-02T00:00:00Z,,,\n").by_key.at("ada");
  CHECK(points(policy(), early, works) == Points{10});
}

TEST_CASE("a work marked late by the platform has no deduction with an extension, and a note") {
  const auto marks = late_marks(policy(), allowances("ada,,,1,,\n").by_key.at("ada"),
                                {{"01-x", std::nullopt, true, 10}});
  CHECK(marks[0].score == 10);
  CHECK(marks[0].note.find("nothing is taken off") != std::string::npos);
}

TEST_CASE(
    "rows without a matching student are reported; contradictions and bad cells are errors with "
    "the line") {
  CHECK(allowances("Ada Lovelase,,,1,,\n").unmatched ==
        std::vector<std::string>{
            "e.csv:2: there is no student \"Ada Lovelase\"; did you mean Ada Lovelace?"});
  CHECK(refused("ada,01-x,,1,\nbob,01-x,,1,\nada@example.edu,01-x,,2,\n") ==
        "e.csv:4: ada@example.edu already has such a row, on line 2; keep one of them");
  CHECK(refused("ada,,,1,\nada,,,,2\n") == "(read)");
  CHECK(refused("ada,03-z,,1,\n") == "e.csv:2: there is no lab \"03-z\"; did you mean 01-x?");
  CHECK(refused("ada,01-x,2026-11-20,,\n") ==
        "e.csv:2: \"2026-11-20\" has no time of day and no UTC offset; write "
        "2026-11-20T23:59:00+01:00, for example");
  CHECK(refused("ada,01-x,soon,,\n") ==
        "e.csv:2: \"soon\" is not a time; expected one such as 2026-11-20T23:59:00+01:00");
  CHECK(refused("ada,,,-1,\n") == "e.csv:2: extra_days is \"-1\"; expected a number from 0 to 366");
  CHECK(refused("ada,,,,1.5\n") ==
        "e.csv:2: late_days is \"1.5\"; expected a whole number from 0 to 366");
  CHECK(refused("ada,01-x,,,2\n") ==
        "e.csv:2: late_days apply to all labs together: leave the lab empty");
  CHECK(refused("ada,01-x,,,\n") == "e.csv:2: has neither a deadline nor extra_days nor late_days");
  CHECK(refused(",01-x,,1,\n") == "e.csv:2: has no student");
  const Result<Extensions> other = read_extensions("e.csv", "who,when\na,b\n");
  REQUIRE_FALSE(other);
  CHECK(other.error().message ==
        "e.csv: expected the columns student and lab, and one or more of deadline, extra_days and "
        "late_days; its columns are who or when");
}

TEST_CASE("unknown columns, times without an offset, and short lab names") {
  const auto refused_in = [](const std::string& text) {
    const Result<Extensions> read = read_extensions("e.csv", text);
    return read ? "(read)" : read.error().message;
  };
  CHECK(refused_in("student,lab,extra_day\nada,01-x,2\n") ==
        "e.csv: unknown column \"extra_day\"; did you mean extra_days?");
  CHECK(refused_in("student,lab,extra_days,dead line,Reasn\nada,01-x,2,,\n") ==
        "e.csv: unknown column \"Reasn\"; did you mean reason?");
  CHECK(refused_in("student,lab,extra_days,priority\nada,01-x,2,\n")
            .find("known columns are student, name,") != std::string::npos);
  CHECK(refused_in("student,Extra Days,Note\nada,2,ill\n") == "(read)");
  CHECK(refused("ada,01-x,2026-11-20T23:59,,\n") ==
        "e.csv:2: \"2026-11-20T23:59\" has no UTC offset; write 2026-11-20T23:59+01:00, for "
        "example, or 2026-11-20T23:59Z for UTC");
  for (const char* time :
       {"2026-11-20T23:59Z", "2026-11-20 23:59:00 +01:00", "2026-11-20T23:59:00-0500"})
    CHECK(refused(std::string("ada,01-x,") + time + ",,\n") == "(read)");
  // Extensions in a journal of an older version are still accepted.
  CHECK(
      read_extensions(kept_extensions, "student,deadline,priority\nada,2026-11-20T23:59,1\n").ok());

  Result<Extensions> read = read_extensions("e.csv", "student,lab,extra_days\nada,1,1\nbob,y,1\n");
  REQUIRE(read);
  REQUIRE(name_labs(*read, {"01-x", "02-y"}));
  CHECK(read->rows[0].lab == "01-x");
  CHECK(read->rows[1].lab == "02-y");
}

TEST_CASE("an extension before the deadline is reported") {
  const Result<Extensions> read = read_extensions(
      "e.csv",
      "student,lab,deadline,extra_days\nada,01-x,1970-01-02T00:00:00Z,\nbob,,1970-01-31T00:00:00Z,"
      "\ncy,,1970-01-02T00:00:00Z,\ndee,01-x,1970-01-02T00:00:00Z,20\n");
  REQUIRE(read);
  CHECK(useless_rows(*read, policy(), {"01-x", "02-y"}) ==
        std::vector<std::string>{
            "e.csv:2: the deadline of ada is before that of 01-x, which counts",
            "e.csv:4: the deadline of cy is before that of a lab, which counts"});
}
