#include "grader/batch/members.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/batch/testing/trees.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;

namespace {

const std::vector<std::string> two_labs = {"01-race", "02-atomic-add"};

Members members(const Tree& tree, const std::vector<std::string>& labs = two_labs,
                const std::vector<std::string>& others = {}) {
  Result<Members> found = members_of(tree, labs, others);
  REQUIRE_MESSAGE(found.ok(), found.error().message);
  return std::move(*found);
}

// "student: name name; student: ..."
std::string heaps(const Members& of) {
  std::string text;
  for (const auto& [identity, member] : of.by_identity) {
    text += (text.empty() ? "" : "; ") + identity + ":";
    for (const Piece& piece : member.pieces) text += " " + piece.name;
  }
  return text;
}

using Files = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE(
    "a single folder around everything is entered if it contains several people, but never a "
    "student's own folder") {
  const std::vector<std::tuple<std::string, Files, std::string>> cases = {
      {"two folders in it",
       {{"class/ada/01-race.cu", ""}, {"class/bob/x", ""}},
       "name ada: 01-race.cu; name bob: x"},
      {"two folders and a file",
       {{"class/ada/01-race.cu", ""}, {"class/bob/x", ""}, {"class/README", ""}},
       "name ada: 01-race.cu; name bob: x"},
      {"a file of somebody's", {{"class/ada_01-race.cu", ""}}, "name ada: 01-race.cu"},
      {"a folder in a folder",
       {{"a/class/ada/01-race.cu", ""}, {"a/class/bob/01-race.cu", ""}},
       "name ada: 01-race.cu; name bob: 01-race.cu"},
      {"an export in it", {{"class/ada_7_100_01-race.cu", ""}}, "canvas 7: 01-race.cu"},
      {"an export of Gradescope's in it",
       {{"class/submission_metadata.yml", "s1:\n  :submitters:\n  - :name: Ada\n    :email: a@e\n"},
        {"class/s1/01-race.cu", ""}},
       "gradescope a@e: 01-race.cu"},
      {"the same two folders deep",
       {{"a/in/submission_metadata.yml", "s1:\n  :submitters:\n  - :name: Ada\n    :email: a@e\n"},
        {"a/in/s1/01-race.cu", ""}},
       "gradescope a@e: 01-race.cu"},
      {"one folder and a file", {{"ada/work/x", ""}, {"ada/notes", ""}}, "name ada: notes work/x"},
      {"one folder in one", {{"ada/work/x", ""}}, "name ada: work/x"},
      {"kernels",
       {{"ada/01-race.cu", ""}, {"ada/02-atomic-add.cu", ""}},
       "name ada: 01-race.cu 02-atomic-add.cu"},
      {"answers",
       {{"ada/01-race.quiz.json", ""}, {"ada/a/x", ""}, {"ada/b/x", ""}},
       "name ada: 01-race.quiz.json a/x b/x"},
      {"folders of labs",
       {{"ada/01-race/stub.cu", ""}, {"ada/02-atomic-add/stub.cu", ""}},
       "name ada: 01-race/stub.cu 02-atomic-add/stub.cu"},
      {"folders of labs that are not graded",
       {{"ada/03-x/stub.cu", ""}, {"ada/04-y/stub.cu", ""}},
       "name ada: 03-x/stub.cu 04-y/stub.cu"},
      {"nothing", {{"ada/", ""}}, "name ada:"},
      {"one of Moodle's",
       {{"ada_1_assignsubmission_file_/a/x", ""}, {"ada_1_assignsubmission_file_/b/x", ""}},
       "name ada: a/x b/x"},
      {"one of Canvas's",
       {{"ada_7_100_work.zip/a/x", ""}, {"ada_7_100_work.zip/b/x", ""}},
       "canvas 7: a/x b/x"},
      {"a file and no folder", {{"ada_01-race.cu", ""}}, "name ada: 01-race.cu"},
  };
  for (const auto& [name, files, expected] : cases) {
    CAPTURE(name);
    Tree tree = tree_of(files);
    tree.files.erase("ada/");
    CHECK(heaps(members(tree, two_labs, {"03-x", "04-y"})) == expected);
  }
}

TEST_CASE("folders and files whose names have a common beginning stay separate") {
  Tree tree = tree_of({{"ab/01-race.cu", ""},
                       {"a/01-race.cu", ""},
                       {"a/z/x", ""},
                       {"a.b/01-race.cu", ""},
                       {"a0/x", ""}});
  tree.folders.insert("b");
  tree.problems = {
      {"a", "is broken"}, {"a/z/", "is damaged"}, {"ab/", "is odd"}, {"a0", "is full"}};
  tree.unread = {"a/z/", "ab/"};
  Members found = members(tree);
  CHECK(heaps(found) ==
        "name a: 01-race.cu z/x; name a.b: 01-race.cu; name a0: x; name ab: 01-race.cu; name b:");
  CHECK(found.by_identity["name a"].problems ==
        std::vector<std::string>{"a is broken", "a/z is damaged"});
  CHECK(found.by_identity["name a"].unread == "a/z is damaged");
  CHECK(found.by_identity["name ab"].problems == std::vector<std::string>{"ab is odd"});
  CHECK(found.by_identity["name a0"].problems == std::vector<std::string>{"a0 is full"});
  CHECK(found.by_identity["name a0"].unread.empty());
  CHECK(found.by_identity["name b"].problems.empty());
  for (const Piece& piece : found.by_identity["name a"].pieces) {
    CHECK(piece.path == "a/" + piece.name);
    CHECK(piece.file == &tree.files.at(piece.path));
  }
}

TEST_CASE(
    "several exports next to each other are combined, even with other files that belong to no "
    "student") {
  const Files exports = {
      {"1.zip/ada_7_100_01-race.cu", ""},
      {"2/ada_LATE_7_101_02-atomic-add.cu", ""},
      {"3/Bob_1_assignsubmission_file_/01-race.cu", ""},
      {"4/submission_metadata.yml", "s1:\n  :submitters:\n  - :name: Cy\n    :email: c@e\n"},
      {"4/s1/01-race.cu", ""},
      {"dee_8_102_01-race.cu", ""}};
  const std::string expected =
      "canvas 7: 01-race.cu 02-atomic-add.cu; canvas 8: 01-race.cu; gradescope c@e: 01-race.cu; "
      "name Bob: 01-race.cu";
  CHECK(heaps(members(tree_of(exports))) == expected);
  for (const char* nobodys : {"README", "notes.cu", "01-race.cu", "_01-race.cu"}) {
    CAPTURE(nobodys);
    Files files = exports;
    files.emplace_back(nobodys, "");
    CHECK(heaps(members(tree_of(files))) == expected);
  }
  for (const auto& [own, labs] : {std::pair{"eve_01-race.cu", two_labs},
                                  {"eve-03-x.cu", two_labs},
                                  {"eve.02-atomic-add.quiz.json", two_labs},
                                  {"eve.cu", {"01-race"}}}) {
    CAPTURE(own);
    Files files = exports;
    files.emplace_back(own, "");
    const Members found = members(tree_of(files), labs, {"03-x"});
    CHECK(
        heaps(found).find("name 1: ada_7_100_01-race.cu; name 2: ada_LATE_7_101_02-atomic-add.cu; "
                          "name 3: Bob_1_assignsubmission_file_/01-race.cu; name 4: s1/01-race.cu "
                          "submission_metadata.yml; name eve:") != std::string::npos);
    CHECK(
        found.remarks ==
        std::vector<std::string>{
            "1.zip looks like an export but is next to students' folders, so it counts as a "
            "student's folder: put exports into a separate folder",
            "2 looks like an export but is next to students' folders, so it counts as a student's "
            "folder: put exports into a separate folder",
            "3 looks like an export but is next to students' folders, so it counts as a student's "
            "folder: put exports into a separate folder",
            "4 looks like an export but is next to students' folders, so it counts as a student's "
            "folder: put exports into a separate folder"});
  }
  Files broken = exports;
  broken[3].second = "a: [";
  CHECK_FALSE(members_of(tree_of(broken), two_labs, {}));
}

TEST_CASE("a student's file stays the student's even with another platform's name") {
  const std::string forged = "mallory_666_9002_x_101_assignsubmission_file_01-race.cu";
  for (const Files& others :
       {Files{{"ada_4_9001_01-race.cu", ""}}, Files{}, Files{{"README", ""}}}) {
    Files files = others;
    files.emplace_back(forged, "");
    Members found = members(tree_of(files));
    REQUIRE(found.by_identity.contains("canvas 666"));
    CHECK(found.by_identity["canvas 666"].student.name == "mallory");
    CHECK(found.by_identity.size() == (others.size() == 1 && others[0].first != "README" ? 2 : 1));
  }
  // The mark of lateness stays, also for an archive.
  Members late = members(tree_of({{"bob_LATE_5_1_y_101_assignsubmission_file_w.zip/01-race.cu", ""},
                                  {"ada_4_9001_01-race.cu", ""}}));
  CHECK(late.by_identity["canvas 5"].pieces.at(0).marked_late == true);
  // A name that fits Canvas's scheme too, among Moodle's.
  Members moodle = members(tree_of({{"ada_1_2_assignsubmission_file_01-race.cu", ""},
                                    {"Bob_3_assignsubmission_file_01-race.cu", ""}}));
  CHECK(heaps(moodle) == "name Bob: 01-race.cu; name ada_1: 01-race.cu");
  // A file in Moodle's export with another person's name, in a folder and in an archive.
  Members forger = members(
      tree_of({{"Eve_9_assignsubmission_file_Ada_1_assignsubmission_file_01-race.cu", ""},
               {"Eve_9_assignsubmission_file_Ada_1_assignsubmission_file_/01-race.cu", ""},
               {"Eve_9_assignsubmission_file_Ada_1_assignsubmission_file_.zip/01-race.cu", ""},
               {"Ada_1_assignsubmission_file_01-race.cu", "A"}}));
  CHECK(forger.by_identity.size() == 2);
  CHECK(forger.by_identity["name Ada"].pieces.size() == 1);
  CHECK(forger.by_identity["name Ada"].student.id == "1");
}

TEST_CASE("a name that looks like a platform's does not make a student's files an export") {
  for (const char* extra :
       {"log_2026_11_27.txt", "log_2026_11_27.cu", "log_2026_11_27.zip/x.cu",
        "x_1_assignsubmission_file_01-race.cu", "x_1_assignsubmission_file_/y"}) {
    CAPTURE(extra);
    Files files;
    for (const char* who : {"ada", "bob", "cy"}) {
      files.emplace_back(std::string(who) + "/01-race.cu", "");
      files.emplace_back(std::string(who) + "/" + extra, "");
    }
    const Members found = members(tree_of(files));
    REQUIRE(found.by_identity.size() == 3);
    for (const char* who : {"name ada", "name bob", "name cy"})
      CHECK(found.by_identity.contains(who));
    // In a single student's folder, and if labs are folders.
    CHECK(members(tree_of({{std::string("ada/") + extra, ""}, {"ada/01-race.cu", ""}}))
              .by_identity.contains("name ada"));
    CHECK(members(tree_of({{std::string("ada/") + extra, ""}, {"ada/01-race/stub.cu", ""}}))
              .by_identity.contains("name ada"));
    CHECK(members(tree_of({{std::string("ada/") + extra, ""}, {"ada/01-race.quiz.json", ""}}))
              .by_identity.contains("name ada"));
  }
  // No work at all.
  CHECK(heaps(members(tree_of({{"ada/log_2026_11_27.txt", ""}, {"bob/log_2026_11_27.txt", ""}}))) ==
        "name ada: log_2026_11_27.txt; name bob: log_2026_11_27.txt");
  // An export stays one with the teacher's notes in it.
  CHECK(heaps(members(tree_of({{"1/README", ""},
                               {"1/ada_7_100_01-race.cu", ""},
                               {"2/ada_7_101_02-atomic-add.cu", ""},
                               {"2/bob_8_102_notes.txt", ""}}))) ==
        "canvas 7: 01-race.cu 02-atomic-add.cu; canvas 8: notes.txt");
}

TEST_CASE("with a single lab a file with any name belongs to its owner, except for a lab's name") {
  CHECK(heaps(members(
            tree_of({{"ada.cu", ""}, {"01-race.cu", ""}, {".cu", ""}, {"bob_01-race.cu", ""}}),
            {"01-race"})) == "name ada: 01-race.cu; name bob: 01-race.cu");
  const Members found = members(tree_of({{"ada.cu", ""},
                                         {"bob_01-race.cu", ""},
                                         {"cy.01-race.quiz.json", ""},
                                         {"03-x.cu", ""},
                                         {"dee-03-x.cu", ""},
                                         {"notes", ""}}),
                                two_labs, {"03-x"});
  CHECK(heaps(found) == "name bob: 01-race.cu; name cy: 01-race.quiz.json; name dee: 03-x.cu");
  CHECK(found.remarks ==
        std::vector<std::string>{
            "03-x.cu belongs to no student: name it STUDENT_LAB.cu, or put it into a student's "
            "folder",
            "ada.cu belongs to no student: name it STUDENT_LAB.cu, or put it into a student's "
            "folder"});
}

TEST_CASE(
    "an unopened archive belongs to its owner, and a problem of a file without an owner is "
    "reported") {
  Tree tree = tree_of({{"ada/x", ""}, {"bob/x", ""}});
  tree.files["zoe.tar.gz"].problem = "is 99 bytes long; at most 9 are read";
  tree.files["notes"] = {};
  tree.problems = {{"notes", "is odd"}, {"", "has more than it may"}};
  const Members found = members(tree);
  CHECK(heaps(found) == "name ada: x; name bob: x; name zoe: zoe.tar.gz");
  CHECK(found.remarks ==
        std::vector<std::string>{
            "notes belongs to no student: name it STUDENT_LAB.cu, or put it into a student's "
            "folder",
            "the class has more than it may"});
}

TEST_CASE("a student has a Moodle number only if it is the same in all exports") {
  for (const auto& [numbers, id] : {std::pair{std::vector{"1"}, "1"},
                                    {{"1", "1", "1"}, "1"},
                                    {{"1", "2"}, ""},
                                    {{"1", "2", "3"}, ""},
                                    {{"1", "2", "2"}, ""},
                                    {{"2", "1", "1"}, ""}}) {
    Files files = {{"0/Bob_9_assignsubmission_file_/01-race.cu", ""}};
    for (const char* number : numbers)
      files.emplace_back(
          std::to_string(files.size()) + "/Ada_" + number + "_assignsubmission_file_/01-race.cu",
          "");
    Members found = members(tree_of(files));
    CAPTURE(numbers.size());
    CHECK(found.by_identity["name Ada"].student.id == id);
    CHECK(found.by_identity["name Ada"].student.name == "Ada");
    CHECK(found.by_identity["name Ada"].key_name == "Ada");
    CHECK(found.by_identity["name Ada"].pieces.size() == numbers.size());
  }
}

TEST_CASE("a Moodle number that another person also has is not an ID") {
  Members found = members(tree_of({{"1/Ada_7_assignsubmission_file_01-race.cu", ""},
                                   {"2/Bob_7_assignsubmission_file_01-race.cu", ""},
                                   {"3/cy_8_100_01-race.cu", ""},
                                   {"4/Dee_8_assignsubmission_file_01-race.cu", ""},
                                   {"4/Eve_9_assignsubmission_file_01-race.cu", ""}}));
  const auto id = [&](const char* who) { return found.by_identity[who].student.id; };
  CHECK(id("name Ada").empty());
  CHECK(id("name Bob").empty());
  CHECK(id("canvas 8") == "8");
  CHECK(id("name Dee").empty());
  CHECK(id("name Eve") == "9");
  REQUIRE(found.remarks.size() == 3);
  CHECK(found.remarks[2] ==
        "Dee has the number 8, which another person also has: the results have no ID for Dee");
}

TEST_CASE("a platform's data about a submission apply to each of its files") {
  Members moodle = members(tree_of({{"Ada_1_assignsubmission_onlinetext_/onlinetext.html", ""},
                                    {"Ada_1_assignsubmission_file_/01-race.cu", ""},
                                    {"Bob_2_assignsubmission_onlinetext_x.html", ""}}));
  CHECK(heaps(moodle) == "name Ada: 01-race.cu onlinetext.html; name Bob: x.html");
  CHECK_FALSE(moodle.by_identity["name Ada"].pieces[0].online_text);
  CHECK(moodle.by_identity["name Ada"].pieces[1].online_text);
  CHECK(moodle.by_identity["name Bob"].pieces[0].online_text);
  CHECK(moodle.by_identity["name Bob"].pieces[0].path ==
        "Bob_2_assignsubmission_onlinetext_x.html");
  Members canvas =
      members(tree_of({{"ada_LATE_7_100_work.zip/01-race.cu", ""}, {"bob_8_101_01-race.cu", ""}}));
  CHECK(canvas.by_identity["canvas 7"].student.id == "7");
  CHECK(canvas.by_identity["canvas 7"].student.name == "ada");
  CHECK(canvas.by_identity["canvas 7"].pieces[0].marked_late == true);
  CHECK(canvas.by_identity["canvas 7"].pieces[0].submission == 100);
  CHECK(canvas.by_identity["canvas 8"].pieces[0].marked_late == false);
  CHECK(canvas.by_identity["canvas 8"].pieces[0].submission == 101);
}

TEST_CASE("Gradescope: the identity of students, and students without a name are in the class") {
  const std::string description =
      "s1:\n  :submitters:\n  - :name: Ada\n    :sid: '4'\n    :email: a@e\n  :created_at: "
      "1970-01-01 00:01:00 Z\n"
      "s2:\n  :submitters:\n  - :name: Bob\n    :sid: '5'\n"
      "s3:\n  :submitters:\n  - :name: Cy\n"
      "s4:\n  :submitters: []\n"
      "s5:\n  :submitters:\n  - :sid: '6'\n";
  Members found = members(tree_of({{"submission_metadata.yml", description},
                                   {"s1/01-race.cu", ""},
                                   {"s2/01-race.cu", ""},
                                   {"s3/01-race.cu", ""},
                                   {"s4/01-race.cu", ""},
                                   {"s5/x", ""},
                                   {"s6/01-race.cu", ""},
                                   {"notes", ""}}));
  CHECK(heaps(found) ==
        "gradescope 5: 01-race.cu; gradescope 6: x; gradescope Cy: 01-race.cu; gradescope a@e: "
        "01-race.cu; name s4: 01-race.cu; name s6: 01-race.cu");
  CHECK(found.by_identity["gradescope a@e"].student.name == "Ada");
  CHECK(found.by_identity["gradescope a@e"].student.sis_id == "4");
  CHECK(found.by_identity["gradescope a@e"].student.email == "a@e");
  CHECK(found.by_identity["gradescope a@e"].pieces[0].at == 60);
  CHECK_FALSE(found.by_identity["gradescope 5"].pieces[0].at);
  CHECK(found.by_identity["gradescope 6"].student.name == "6");
  Tree unread = tree_of({{"in/submission_metadata.yml", ""}, {"in/s1/x", ""}});
  unread.files.at("in/submission_metadata.yml") = {{}, false, "is longer than 9 bytes", {}};
  const auto none = members_of(unread, two_labs, {});
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "in/submission_metadata.yml: is longer than 9 bytes");
  const auto broken = members_of(tree_of({{"in/submission_metadata.yml", "a: ["}}), two_labs, {});
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.starts_with("in/submission_metadata.yml"));
}

TEST_CASE("a name is one student in each Unicode form, and in each scheme") {
  const std::vector<std::string> forms = {"Zo\u00eb", "Zoe\u0308"};
  for (const std::string& first : forms)
    for (const std::string& other : forms) {
      CAPTURE(first + " " + other);
      const std::vector<std::pair<Files, std::string>> classes = {
          {{{first + "/01-race.cu", ""}, {other + ".zip/02-atomic-add.cu", ""}, {"bob/x", ""}},
           "name Zo\u00eb: 01-race.cu 02-atomic-add.cu; name bob: x"},
          {{{first + "_01-race.cu", ""}, {other + "_02-atomic-add.cu", ""}},
           "name Zo\u00eb: 01-race.cu 02-atomic-add.cu"},
          {{{"a/" + first + "_1_assignsubmission_file_/01-race.cu", ""},
            {"b/" + other + "_7_assignsubmission_file_/02-atomic-add.cu", ""}},
           "name Zo\u00eb: 01-race.cu 02-atomic-add.cu"},
          // Two people with one name in one Moodle export stay separate.
          {{{first + "_1_assignsubmission_file_/01-race.cu", ""},
            {other + "_7_assignsubmission_file_/02-atomic-add.cu", ""}},
           "moodle 1 Zo\u00eb: 01-race.cu; moodle 7 Zo\u00eb: 02-atomic-add.cu"}};
      for (const auto& [files, expected] : classes) {
        Members found = members(tree_of(files));
        for (auto& [identity, member] : found.by_identity) {
          std::ranges::sort(member.pieces, {}, &Piece::name);
          if (identity != "name bob") CHECK(member.student.name == "Zo\u00eb");
        }
        CHECK(heaps(found) == expected);
      }
    }
}
