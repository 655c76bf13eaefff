#include "grader/batch/roster.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "grader/batch/intake.h"
#include "grader/batch/testing/trees.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;

namespace {

Roster roster_of(const std::string& text) {
  Result<Roster> read = read_roster("r.csv", text);
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return *read;
}
std::string refused(const std::string& text) {
  const Result<Roster> read = read_roster("r.csv", text);
  return read ? "(read)" : read.error().message;
}

const std::string three =
    "name,email,id,section\nAda Lovelace,ada@example.edu,4711,Tue\nBob "
    "Babbage,bob@example.edu,4712,Wed\nCy Cruz,cy@example.edu,4713,Wed\n";

// "NAME ID: kernel of lab 01", one line per student.
std::vector<std::string> class_of(const Tree& tree, const std::string& roster = three) {
  IntakeOptions options{{"01-race", "02-atomic-add"}};
  options.roster = roster_of(roster);
  const Result<Intake> intake = Intake::of(tree, options);
  REQUIRE_MESSAGE(intake.ok(), (intake ? "" : intake.error().message));
  std::vector<std::string> all;
  for (std::size_t i = 0; i < intake->size(); ++i) {
    const HandIn one = intake->at(i);
    const auto work = one.works.find("01-race");
    all.push_back(fmt::format("{} {}: {}", one.student.name, one.student.sis_id,
                              work == one.works.end()
                                  ? one.problem
                                  : work->second.kernel.value_or(work->second.problem)));
  }
  for (const std::string& remark : intake->remarks()) all.push_back(remark);
  return all;
}
using Lines = std::vector<std::string>;
const Lines two_of_three = {"Ada Lovelace 4711: A", "Bob Babbage 4712: B",
                            "Cy Cruz 4713: nothing was handed in"};

}  // namespace

TEST_CASE("rosters of Gradescope, Canvas and Moodle are accepted") {
  for (const std::string& text :
       {std::string{
            "First Name,Last Name,SID,Email,Sections\nAda,Lovelace,4711,ada@example.edu,Tue\n"},
        std::string{"Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (9)\n    Points "
                    "Possible,,,,,10\n\"Ada Lovelace\",7,4711,ada@example.edu,Tue,\n"},
        std::string{"First name;Surname;ID number;Email "
                    "address;Groups\nAda;Lovelace;4711;ada@example.edu;Tue\n"}}) {
    CAPTURE(text);
    const Roster roster = roster_of(text);
    REQUIRE(roster.students.size() == 1);
    const Student& ada = roster.students.front();
    CHECK(ada.name == "Ada Lovelace");
    CHECK(ada.sis_id == "4711");
    CHECK(ada.section == "Tue");
    CHECK((ada.email == "ada@example.edu" || ada.login == "ada@example.edu"));
  }
  CHECK(roster_of("Student,ID,SIS User ID\nAda,7,4711\n").students.front().id == "7");
}

TEST_CASE(
    "students without a submission are in the class, and submissions of every scheme are matched") {
  for (const Tree& tree :
       {tree_of({{"Ada Lovelace/01-race.cu", "A"}, {"4712/01-race.cu", "B"}}),
        tree_of({{"lovelace_ada/01-race.cu", "A"}, {"bob@example.edu/01-race.cu", "B"}}),
        tree_of({{"ada_01-race.cu", "A"}, {"bob-babbage_01-race.cu", "B"}}),
        tree_of({{"lovelaceada_7_100_01-race.cu", "A"}, {"babbagebob_8_101_01-race.cu", "B"}}),
        tree_of({{"Ada Lovelace_1_assignsubmission_file_/01-race.cu", "A"},
                 {"BOB BABBAGE_2_assignsubmission_file_/01-race.cu", "B"}}),
        tree_of({{"submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: A. L.\n    :sid: '4711'\n    :email: "
                  "x@y\n  :created_at: 1970-01-01 00:01:00 Z\n"
                  "submission_2:\n  :submitters:\n  - :name: B\n    :email: Bob@example.edu\n  "
                  ":created_at: 1970-01-01 00:01:00 Z\n"},
                 {"submission_1/01-race.cu", "A"},
                 {"submission_2/01-race.cu", "B"}})})
    CHECK(class_of(tree) == two_of_three);
}

TEST_CASE("a student's submissions in two exports are combined") {
  const Tree tree =
      tree_of({{"lab1.zip/lovelaceada_7_100_01-race.cu", "A"},
               {"lab1.zip/babbagebob_8_101_01-race.cu", "B"},
               {"lab2.zip/Ada Lovelace_1_assignsubmission_file_/02-atomic-add.cu", "A2"},
               {"lab2.zip/Cy Cruz_2_assignsubmission_file_/01-race.cu", "C"}});
  const Lines found = class_of(tree);
  REQUIRE(found.size() == 4);
  CHECK(found[0] == "Ada Lovelace 4711: A");
  CHECK(found[2] == "Cy Cruz 4713: C");
  CHECK(
      found[3] ==
      "lovelaceada and Ada Lovelace are both Ada Lovelace of the roster and count as one student");
}

TEST_CASE("no submission is lost: unknown and ambiguous ones stay in the class") {
  CHECK(class_of(tree_of({{"Ada Lovelase/01-race.cu", "?"}, {"bob/01-race.cu", "B"}})) ==
        Lines{"Ada Lovelace 4711: nothing was handed in", "Ada Lovelase : ?", "Bob Babbage 4712: B",
              "Cy Cruz 4713: nothing was handed in",
              "Ada Lovelase is not in the roster; did you mean Ada Lovelace?"});
  const Lines found = class_of(tree_of({{"Ada Lovelace/01-race.cu", "?"}, {"5/01-race.cu", "A"}}),
                               "name,id\nAda Lovelace,4\nAda Lovelace,5\n");
  const std::string why =
      "Ada Lovelace may be the submission of Ada Lovelace (4) or Ada Lovelace (5): no mark until "
      "that is decided. To decide it, name it by an e-mail address, an id or a login of the roster";
  REQUIRE(found.size() == 4);
  CHECK(found.back() == why);
  CHECK(std::ranges::count(found, "Ada Lovelace 5: A") == 1);
  CHECK(std::ranges::count(found,
                           "Ada Lovelace 4: Ada Lovelace may be from this student or from another "
                           "one with this name: no mark until that is decided") == 1);
  CHECK(std::ranges::count(found, "Ada Lovelace : ?") == 1);
}

TEST_CASE("students with one name have no mark until Moodle's number identifies them") {
  const Tree two = tree_of({{"Kim Lee_205_assignsubmission_file_/01-race.cu", "K"},
                            {"Kim Lee_206_assignsubmission_file_/01-race.cu", "L"},
                            {"Bob_7_assignsubmission_file_/01-race.cu", "B"}});
  const Tree one = tree_of({{"Kim Lee_205_assignsubmission_file_/01-race.cu", "K"},
                            {"Bob_7_assignsubmission_file_/01-race.cu", "B"}});
  const std::string names = "name,email\nKim Lee,a@e\nKim Lee,b@e\nBob,c@e\n";
  const std::string worksheet =
      "Identifier,Full name,Email address\nParticipant 206,Kim Lee,a@e\nParticipant 205,Kim "
      "Lee,b@e\nParticipant 7,Bob,c@e\n";
  for (const Tree& tree : {one, two}) {
    Lines found = class_of(tree, names);
    CHECK(std::ranges::count_if(found, [](const std::string& line) {
            return line.starts_with(
                "Kim Lee : Kim Lee_205_assignsubmission_file_ may be from this student or from "
                "another one");
          }) == 2);
    CHECK(std::ranges::count_if(found, [](const std::string& line) {
            return line.find(
                       "or Kim Lee (b@e): no mark until that is decided. To decide it, give the "
                       "roster a column \"participant\", with 205") != std::string::npos;
          }) == 1);
    CHECK(std::ranges::count(found, "Bob : B") == 1);
    CHECK(std::ranges::count(found, "Kim Lee : K") == 1);  // not lost: it has its own entry
    found = class_of(tree, worksheet);
    CHECK(std::ranges::count(found, "Kim Lee : K") == 1);
    CHECK(std::ranges::count(found, "Kim Lee : L") ==
          (&tree == &one ? 0 : std::ranges::count(found, "Kim Lee : L")));
    CHECK(std::ranges::none_of(found, [](const std::string& line) {
      return line.find("until that is decided") != std::string::npos;
    }));
  }
  // The roster has only one of the namesakes.
  const Lines found = class_of(two, "name,email\nKim Lee,a@e\nBob,c@e\n");
  CHECK(std::ranges::count_if(found, [](const std::string& line) {
          return line.find("Kim Lee (a@e), and so may another one with this name: no mark") !=
                 std::string::npos;
        }) == 2);
  CHECK(std::ranges::none_of(found, [](const std::string& line) {
    return line.find("count as one student") != std::string::npos;
  }));
}

TEST_CASE("a worksheet's times apply to files without a time, if all have an offset") {
  const Tree tree = tree_of({{"Ada_1_assignsubmission_file_/01-race.cu", "A"},
                             {"Bob_2_assignsubmission_file_/01-race.cu", "B"}});
  const std::string header = "Identifier,Full name,Last modified (submission)\n";
  Roster roster =
      roster_of(header + "Participant 1,Ada,1970-01-01T01:00:00Z\nParticipant 2,Bob,-\n");
  CHECK(roster.handed_in == std::map<std::size_t, std::int64_t>{{0, 3600}});
  IntakeOptions options{{"01-race"}};
  options.roster = roster;
  const Result<Intake> intake = Intake::of(tree, options);
  REQUIRE(intake);
  CHECK(intake->at(0).works.at("01-race").at == 3600);
  CHECK_FALSE(intake->at(1).works.at("01-race").at);
  roster = roster_of(header +
                     "Participant 1,Ada,1970-01-01T01:00:00Z\nParticipant 2,Bob,\"Friday, 27 "
                     "November 2026, 6:00 PM\"\n");
  CHECK(roster.handed_in.empty());
  REQUIRE(roster.remarks.size() == 1);
  CHECK(
      roster.remarks[0].starts_with("r.csv:3: the column \"Last modified (submission)\" is "
                                    "ignored unless each time has a UTC offset: \"Friday,"));
}

TEST_CASE("a misspelt column is reported, and other unknown columns are ignored") {
  CHECK(roster_of("name,emial\nAda,a@e\n").remarks ==
        Lines{"r.csv: the column \"emial\" is not used; did you mean email?"});
  CHECK(roster_of("name,Sectoin,E-mail\nAda,x,y\n").remarks ==
        Lines{"r.csv: the column \"Sectoin\" is not used; did you mean section?"});
  CHECK(roster_of("name,email,id,section,Date,Grade,Major,Lab 1 (9),Status\nAda,a,1,2,3,4,5,6,7\n")
            .remarks.empty());
  CHECK(refused("emial,nmae\na,b\n") ==
        "r.csv: the column \"emial\" is not used; did you mean email?");
  CHECK(refused("[{\"name\": \"Ada\"}]").starts_with("r.csv: is JSON; expected a CSV table"));
}

TEST_CASE("a roster with duplicates, or without students, is an error with the line") {
  CHECK(refused("name,email\nAda,a@e\nBob,A@E\n") ==
        "r.csv:3: the e-mail address A@E is already on line 2");
  CHECK(refused("name,id\nAda,4\nBob,4\n") == "r.csv:3: the id 4 is already on line 2");
  CHECK(refused("name\nAda\nAda\n") ==
        "r.csv:3: Ada is already on line 2; add an e-mail address or an id to each");
  CHECK(refused("name,id\nAda,4\nAda,5\n") == "(read)");
  CHECK(refused("points,comment\n1,2\n") ==
        "r.csv: has no column \"name\", \"email\" or \"id\"; its columns are points or comment");
  CHECK(refused("name,email\n") == "r.csv: has no students");
}
