#include "grader/batch/intake.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "grader/batch/testing/trees.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;

namespace {

const std::vector<std::string> two_labs = {"01-race", "02-atomic-add"};

std::vector<HandIn> all_of(const Intake& intake) {
  std::vector<HandIn> all;
  for (std::size_t i = 0; i < intake.size(); ++i) all.push_back(intake.at(i));
  return all;
}

std::vector<HandIn> class_of(const Tree& tree, std::vector<std::string> chosen = two_labs,
                             bool file_times = false) {
  const Result<Intake> intake = Intake::of(tree, {std::move(chosen), file_times});
  REQUIRE_MESSAGE(intake.ok(), intake.error().message);
  return all_of(*intake);
}

std::string kernel(const HandIn& one, const std::string& lab) {
  const auto found = one.works.find(lab);
  return found == one.works.end() || !found->second.kernel ? "(none)" : *found->second.kernel;
}

}  // namespace

TEST_CASE("the same submissions give the same works in every naming scheme") {
  const std::vector<std::pair<std::string, Tree>> schemes = {
      {"folders", tree_of({{"ada/01-race.cu", "A1"},
                           {"ada/02-atomic-add/stub.cu", "A2"},
                           {"bob/01-race.cu", "B1"}})},
      {"an archive a student", tree_of({{"ada.zip/work/01-race.cu", "A1"},
                                        {"ada.zip/work/02-atomic-add.cu", "A2"},
                                        {"bob.tar.gz/01-race.cu", "B1"}})},
      {"an archive that holds the class", tree_of({{"class.zip/ada/01-race.cu", "A1"},
                                                   {"class.zip/ada/02-atomic-add.cu", "A2"},
                                                   {"class.zip/bob/01-race.cu", "B1"}})},
      {"a file a student",
       tree_of(
           {{"ada_01-race.cu", "A1"}, {"ada_02-atomic-add.cu", "A2"}, {"bob_01-race.cu", "B1"}})},
      {"Moodle's folders", tree_of({{"ada_1_assignsubmission_file_/01-race.cu", "A1"},
                                    {"ada_1_assignsubmission_file_/02-atomic-add.cu", "A2"},
                                    {"bob_2_assignsubmission_file_/01-race.cu", "B1"}})},
      {"Moodle's files", tree_of({{"ada_1_assignsubmission_file_01-race.cu", "A1"},
                                  {"ada_1_assignsubmission_file_02-atomic-add.cu", "A2"},
                                  {"bob_2_assignsubmission_file_01-race.cu", "B1"}})},
      {"Canvas", tree_of({{"ada_7_100_01-race-1.cu", "A1"},
                          {"ada_7_101_02-atomic-add.cu", "A2"},
                          {"bob_8_102_01-race.cu", "B1"}})},
      {"Canvas, zips", tree_of({{"ada_7_100_work.zip/01-race.cu", "A1"},
                                {"ada_7_100_work.zip/02-atomic-add.cu", "A2"},
                                {"bob_8_102_01-race.cu", "B1"}})},
      {"two exports", tree_of({{"lab1.zip/ada_7_100_01-race.cu", "A1"},
                               {"lab1.zip/bob_8_102_01-race.cu", "B1"},
                               {"lab2.zip/ada_7_101_02-atomic-add.cu", "A2"}})},
  };
  for (const auto& [name, tree] : schemes) {
    CAPTURE(name);
    const auto students = class_of(tree);
    REQUIRE(students.size() == 2);
    CHECK(students[0].student.key == "ada");
    CHECK(students[1].student.name == "bob");
    CHECK(kernel(students[0], "01-race") == "A1");
    CHECK(kernel(students[0], "02-atomic-add") == "A2");
    CHECK(kernel(students[1], "01-race") == "B1");
    CHECK(kernel(students[1], "02-atomic-add") == "(none)");
    CHECK(students[0].problem.empty());
  }
}

TEST_CASE("Gradescope: names, addresses and times; a group's submission counts for each member") {
  const Tree tree =
      tree_of({{"export/submission_metadata.yml",
                "submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '4'\n    :email: a@e\n  "
                "- :name: Bob\n    :email: b@e\n  :created_at: 1970-01-01 00:01:00 Z\n"
                "submission_2:\n  :submitters:\n  - :name: Eve\n    :email: e@e\n"},
               {"export/submission_1/01-race.cu", "G"},
               {"export/submission_1/01-race.quiz.json", "{}"}});
  const auto students = class_of(tree);
  REQUIRE(students.size() == 3);
  CHECK(students[0].student.name == "Ada");
  CHECK(students[0].student.sis_id == "4");
  CHECK(students[0].student.email == "a@e");
  CHECK(kernel(students[1], "01-race") == "G");
  CHECK(students[0].works.at("01-race").at == 60);
  // One file, though two students have it.
  for (const std::size_t member : {std::size_t{0}, std::size_t{1}})
    CHECK(students[member].works.at("01-race").sheet_path ==
          "export/submission_1/01-race.quiz.json");
  CHECK(students[2].problem == "nothing was handed in");
  CHECK_FALSE(Intake::of(tree_of({{"submission_metadata.yml", "a: ["}}), {two_labs, false}));
}

TEST_CASE("files in a student's folder or archive never count for another student") {
  const std::string mine =
      "---\neve:\n  :submitters:\n  - :name: ada\n    :email: ada@example.edu\n";
  for (const std::string& own : {std::string("eve"), std::string("eve.zip")}) {
    CAPTURE(own);
    const auto students = class_of(tree_of({{"ada/01-race.cu", "A1"},
                                            {"bob.zip/01-race.cu", "B1"},
                                            {own + "/submission_metadata.yml", mine},
                                            {own + "/ada/01-race.cu", "E"},
                                            {own + "/eve/01-race.cu", "E"},
                                            {own + "/ada_7_100_01-race.cu", "E"},
                                            {own + "/bob_1_assignsubmission_file_/01-race.cu", "E"},
                                            {own + "/bob_01-race.cu", "E"}}));
    REQUIRE(students.size() == 3);
    CHECK(students[0].student.key == "ada");
    CHECK(kernel(students[0], "01-race") == "A1");
    CHECK(students[0].problem.empty());
    CHECK(kernel(students[1], "01-race") == "B1");
    CHECK(students[2].student.key == "eve");
    CHECK(students[2].student.email.empty());
  }
}

TEST_CASE("a folder that looks like an export next to other students' files is its owner's work") {
  const std::vector<std::pair<std::string, std::string>> mine = {
      {"eve/bob_1_assignsubmission_file_01-race-1.cu", "E"}, {"eve/zoe_7_100_01-race-1.cu", "E"}};
  for (const auto& [files, labs] :
       {std::pair{std::vector<std::pair<std::string, std::string>>{{"bob_01-race.cu", "B"},
                                                                   {"zoe.01-race.quiz.json", "{}"}},
                  two_labs},
        {{{"bob.cu", "B"}, {"zoe.cu", "Z"}}, {"01-race"}}}) {
    auto all = files;
    all.insert(all.end(), mine.begin(), mine.end());
    const auto students = class_of(tree_of(all), labs);
    REQUIRE(students.size() == 3);
    CHECK(students[0].student.key == "bob");
    CHECK(kernel(students[0], "01-race") == "B");
    CHECK(students[1].student.key == "eve");
    CHECK(kernel(students[2], "01-race") != "E");
  }
}

TEST_CASE("of several submissions the last one counts") {
  const auto canvas =
      class_of(tree_of({{"ada_7_100_01-race.cu", "old"}, {"ada_LATE_7_200_01-race-1.cu", "new"}}));
  CHECK(kernel(canvas[0], "01-race") == "new");
  CHECK(canvas[0].works.at("01-race").marked_late == true);
  CHECK(canvas[0].problem.empty());
}

TEST_CASE("two people with one name in a Moodle export are distinguished by their numbers") {
  const Tree tree = tree_of({{"Anna Mueller_11_assignsubmission_file_/01-race.cu", "A"},
                             {"Anna Mueller_12_assignsubmission_file_/02-atomic-add.cu", "B"},
                             {"Bob_13_assignsubmission_file_/01-race.cu", "C"}});
  const auto students = class_of(tree);
  REQUIRE(students.size() == 3);
  CHECK(students[0].student.name == "Anna Mueller");
  CHECK(students[1].student.name == "Anna Mueller");
  CHECK(students[0].student.key != students[1].student.key);
  CHECK(kernel(students[0], "01-race") == "A");
  CHECK_FALSE(students[0].works.contains("02-atomic-add"));
  CHECK(kernel(students[1], "02-atomic-add") == "B");
  CHECK(students[1].student.id == "12");
  const Result<Intake> intake = Intake::of(tree, {two_labs});
  REQUIRE(intake);
  REQUIRE(intake->remarks().size() == 1);
  CHECK(intake->remarks()[0].starts_with(
      "2 people are called Anna Mueller, with the numbers 11, 12: "));
}

TEST_CASE("a student whose name equals another one's name and number stays separate") {
  const auto students =
      class_of(tree_of({{"Anna_11_assignsubmission_file_/01-race.cu", "A"},
                        {"Anna_12_assignsubmission_file_/01-race.cu", "B"},
                        {"Anna 11_66_assignsubmission_file_/01-race-1.cu", "E"},
                        {"Anna 12 moodle 12 Anna_67_assignsubmission_file_/01-race-1.cu", "F"},
                        {"Anna 12_68_assignsubmission_file_/01-race-1.cu", "G"}}));
  REQUIRE(students.size() == 5);
  std::string kernels;
  for (const HandIn& each : students) {
    kernels += kernel(each, "01-race");
    CHECK((kernel(each, "01-race") == "A") ==
          (each.student.name == "Anna" && each.student.id == "11"));
    CHECK((kernel(each, "01-race") == "B") ==
          (each.student.name == "Anna" && each.student.id == "12"));
    for (const HandIn& other : students)
      CHECK((&each == &other || each.student.key != other.student.key));
  }
  std::ranges::sort(kernels);
  CHECK(kernels == "ABEFG");
}

TEST_CASE("two equally good files need review, unless they are equal") {
  const auto students = class_of(tree_of({{"ada/a/01-race.cu", "1"},
                                          {"ada/b/01-race.cu", "2"},
                                          {"bob/a/01-race.cu", "1"},
                                          {"bob/b/01-race.cu", "1"}}));
  CHECK(kernel(students[0], "01-race") == "(none)");
  CHECK(students[0].works.at("01-race").problem ==
        "ada/a/01-race.cu and ada/b/01-race.cu differ; which one counts?");
  CHECK(kernel(students[1], "01-race") == "1");
  const auto three = class_of(tree_of({{"ada/a/01-race.cu", "1"},
                                       {"ada/b/01-race.cu", "1"},
                                       {"ada/c/01-race.cu", "2"},
                                       {"bob/x", ""}}));
  CHECK(three[0].works.at("01-race").problem ==
        "ada/a/01-race.cu and ada/c/01-race.cu differ; which one counts?");
  const auto higher =
      class_of(tree_of({{"ada/01-race.cu", "1"}, {"ada/old/01-race.cu", "2"}, {"bob/x", ""}}));
  CHECK(kernel(higher[0], "01-race") == "(none)");
  CHECK(higher[0].works.at("01-race").problem ==
        "ada/01-race.cu and ada/old/01-race.cu differ; which one counts?");
  const std::string composed = "Zo\u00eb/01-race.cu", decomposed = "Zoe\u0308/01-race.cu";
  const auto alike = class_of(tree_of({{composed, "1"}, {decomposed, "2"}, {"bob/x", ""}}));
  CHECK(std::ranges::any_of(alike, [&](const HandIn& each) {
    const auto work = each.works.find("01-race");
    return work != each.works.end() &&
           work->second.problem.ends_with(
               " have names that look alike, but differ; which one counts?");
  }));
}

TEST_CASE(
    "of two different files for a lab, only the platform, the times or a backup's name decide") {
  const std::string both = "ada/01-race.cu and ada/01-race (1).cu differ; which one counts?";
  Tree tree = tree_of({{"ada/01-race.cu", "1"},
                       {"ada/01-race (1).cu", "2"},
                       {"bob/01-race.cu", "1"},
                       {"bob/01-race (1).cu", "1"}});
  CHECK(class_of(tree)[0].works.at("01-race").problem == both);
  CHECK(kernel(class_of(tree)[1], "01-race") == "1");
  CHECK(class_of(tree)[1].problem.empty());
  CHECK(class_of(tree, two_labs, true)[0].works.at("01-race").problem == both);  // at the same time
  tree.files.at("ada/01-race (1).cu").modified = 2000;
  CHECK(class_of(tree)[0].works.at("01-race").problem ==
        both);  // copying a folder sets such times too
  const HandIn later = class_of(tree, two_labs, true)[0];
  CHECK(kernel(later, "01-race") == "2");
  CHECK(later.problem == "ada/01-race (1).cu counts, and ada/01-race.cu was left out");
  for (const char* name : {"01-race.cu~", "01-race.cu.~1~", "01-race.cu.bak"}) {
    const HandIn one = class_of(
        tree_of({{"ada/01-race.cu", "1"}, {std::string("ada/") + name, "0"}, {"bob/x", ""}}))[0];
    CHECK(kernel(one, "01-race") == "1");
    CHECK(one.problem.ends_with(std::string(name) + " was left out"));
  }
  // An unchanged stub next to it does not count.
  IntakeOptions options{two_labs};
  options.stubs = {{"01-race", "stub"}};
  const auto with_stub = Intake::of(tree_of({{"ada/work/01-race.cu", "A"},
                                             {"ada/labs/01-race/stub.cu", "stub"},
                                             {"bob/01-race.cu", "stub"}}),
                                    options);
  REQUIRE(with_stub);
  CHECK(kernel(with_stub->at(0), "01-race") == "A");
  CHECK(with_stub->at(0).problem.empty());
  CHECK(kernel(with_stub->at(1), "01-race") == "stub");
}

TEST_CASE("two different answer files, or an unreadable one, leave the lab without a mark") {
  Tree tree = tree_of({{"ada/01-race.cu", "A"},
                       {"ada/01-race.quiz.json", "{}"},
                       {"ada/01-race (1).quiz.json", "[]"},
                       {"bob/02-atomic-add.cu", "B"}});
  tree.files["bob/02-atomic-add.quiz.json"].problem = "is a symbolic link, which is not followed";
  const auto students = class_of(tree);
  CHECK(kernel(students[0], "01-race") == "A");
  CHECK(students[0].works.at("01-race").problem ==
        "ada/01-race.quiz.json and ada/01-race (1).quiz.json differ; which one counts?");
  CHECK(students[1].works.at("02-atomic-add").problem ==
        "bob/02-atomic-add.quiz.json is a symbolic link, which is not followed");
}

TEST_CASE("a file that may be a kernel is never a silent zero, with any ending") {
  const std::string text = "__global__ void f() {}";
  for (const char* name :
       {"01-race.cpp", "lab1.txt", "race.C", "01-race", "01-race.docx", "lab1.cpp (1)",
        "work/01_race.c++", "01-race/stub.cc", "01-race.cuh", "01-race.ipynb"}) {
    const std::string file = name;
    CAPTURE(file);
    const auto students = class_of(tree_of({{"ada/" + file, text},
                                            {"bob/" + file, text},
                                            {"bob/01-race.cu", "B"},
                                            {"cy/02-atomic-add.cu", "C"}}));
    REQUIRE(students.size() == 3);
    CHECK(students[0].works.at("01-race").problem ==
          "ada/" + file +
              " was not graded: the name of a kernel's file must end in .cu. Name it 01-race.cu");
    CHECK_FALSE(students[0].works.contains("02-atomic-add"));
    CHECK(kernel(students[1], "01-race") == "B");
    CHECK(students[1].works.at("01-race").problem.empty());
    CHECK_FALSE(students[1].works.contains("02-atomic-add"));
    CHECK(students[0].problem.empty());  // the lab reports it
  }
  // For any lab.
  for (const char* name : {"kernel.c", "mine.CPP", "New Text Document.txt", "a/b/kernel.cuda"}) {
    const std::string file = name;
    CAPTURE(file);
    const auto students = class_of(tree_of(
        {{"ada/" + file, text}, {"ada/01-race.cu", "A"}, {"bob/" + file, text}, {"cy/x", ""}}));
    CHECK(kernel(students[0], "01-race") == "A");
    CHECK(students[0].works.at("02-atomic-add").problem ==
          "ada/" + file +
              " was not graded: the name of a kernel's file must end in .cu, such as 01-race.cu");
    CHECK(students[1].works.at("01-race").problem ==
          "bob/" + file +
              " was not graded: the name of a kernel's file must end in .cu, such as 01-race.cu");
  }
  for (const char* name : {"lab1.pdf", "01-race.png", "report.docx", ".DS_Store", "README.md",
                           "notes.txt", "Makefile", "01-race.o"}) {
    const std::string file = name;
    CAPTURE(file);
    const auto students =
        class_of(tree_of({{"ada/" + file, "no kernel"}, {"bob/01-race.cu", "B"}, {"cy/x", ""}}));
    CHECK(students[0].works.empty());
    CHECK(students[0].problem.empty());
  }
}

TEST_CASE("a file per student with another ending also belongs to its student") {
  const auto students = class_of(tree_of({{"ada_01-race.cpp", "A"},
                                          {"bob_01-race.cu", "B"},
                                          {"cy_lab1.txt", "__global__"},
                                          {"week_lab1.txt", "the task"},
                                          {"dee_lab1.pdf", ""}}));
  REQUIRE(students.size() == 3);
  CHECK(students[0].student.key == "ada");
  CHECK_FALSE(students[0].works.at("01-race").problem.empty());
  CHECK(students[2].student.key == "cy");
  CHECK_FALSE(students[2].works.at("01-race").problem.empty());
  const auto one = class_of(tree_of({{"ada.cpp", "A"}, {"bob.cu", "B"}}), {"01-race"});
  REQUIRE(one.size() == 2);
  CHECK(one[0].student.key == "ada");
  CHECK_FALSE(one[0].works.at("01-race").problem.empty());
}

TEST_CASE("a file counts for the lab with the nearest name") {
  for (const char* name :
       {"01-RACE.CU", "01-race.CU", "01-race.cu.txt", "01-race.cu~", "01-race.cu ", "01_race.cu",
        "race.cu", "lab1.cu", "lab1_final.cu", "work/01-Race.cu", "01-race (1).cu",
        "my 01-race (1).cu", "01-race.cu.bak", "01-race/stub.CU"}) {
    const std::string file = name;
    CAPTURE(file);
    const auto students = class_of(tree_of({{"ada/" + file, "near"},
                                            {"bob/" + file, "near"},
                                            {"bob/01-race.cu", "exact"},
                                            {"cy/" + file, "near"},
                                            {"cy/01-race.quiz.json", "{}"}}));
    REQUIRE(students.size() == 3);
    const bool is_backup = file.ends_with("~") || file.ends_with(".bak");
    for (const HandIn& student : students) {
      const bool has_two = &student == &students[1];
      CHECK(student.problem.empty() == !(has_two && is_backup));
      CHECK(student.works.at("01-race").problem.empty() == (!has_two || is_backup));
      CHECK_FALSE(student.works.contains("02-atomic-add"));
    }
    CHECK(kernel(students[0], "01-race") == "near");
    CHECK(students[0].works.at("01-race").path == "ada/" + file);
    CHECK(kernel(students[1], "01-race") == (is_backup ? "exact" : "(none)"));
    CHECK(kernel(students[2], "01-race") == "near");
    CHECK(students[2].works.at("01-race").sheet == "{}");
  }
}

TEST_CASE("without a folder per student, a file also counts for the nearest lab") {
  const auto students = class_of(tree_of({{"ada_race.cu", "A"},
                                          {"bob_lab1_final.cu", "B"},
                                          {"cy_01-RACE.CU", "C"},
                                          {"dee-02.cu", "D"},
                                          {"ada_01-race (1).quiz.json", "{}"}}));
  REQUIRE(students.size() == 4);
  CHECK(students[0].student.key == "ada");
  CHECK(kernel(students[0], "01-race") == "A");
  CHECK(students[1].student.key == "bob");
  CHECK(kernel(students[1], "01-race") == "B");
  CHECK(kernel(students[2], "01-race") == "C");
  CHECK(kernel(students[3], "02-atomic-add") == "D");
}

TEST_CASE("two files with equally near names need review, unless they are equal") {
  const auto students = class_of(tree_of({{"ada/race.cu", "one"},
                                          {"ada/lab1.cu", "two"},
                                          {"bob/race.cu", "same"},
                                          {"bob/lab1.cu", "same"}}));
  REQUIRE(students.size() == 2);
  CHECK(kernel(students[0], "01-race") == "(none)");
  CHECK(students[0].works.at("01-race").problem ==
        "ada/lab1.cu and ada/race.cu differ; which one counts?");
  CHECK(kernel(students[1], "01-race") == "same");
  CHECK(students[1].works.at("01-race").problem.empty());
}

TEST_CASE("a kernel without a lab in its name needs review in each lab without a kernel") {
  const auto students = class_of(tree_of({{"ada/solution.cu", "?"},
                                          {"ada/01-race.cu", "A"},
                                          {"bob/kernel.cu", "?"},
                                          {"cy/03-interleaved.cu", "C"},
                                          {"dee/notes.txt", ""}}));
  REQUIRE(students.size() == 4);
  CHECK(kernel(students[0], "01-race") == "A");
  CHECK(students[0].works.at("01-race").problem.empty());
  CHECK(students[0].works.at("02-atomic-add").problem ==
        "ada/solution.cu was not graded: the name contains no graded lab. Name a kernel after its "
        "lab, such as 01-race.cu");
  CHECK(students[0].problem.empty());  // reported once, by the lab
  CHECK_FALSE(students[1].works.at("01-race").problem.empty());
  CHECK_FALSE(students[1].works.at("02-atomic-add").problem.empty());
  CHECK(students[3].works.empty());
  // A file for another lab of the kit is fine.
  const auto other = Intake::of(
      tree_of({{"ada/race.cu", "A"}, {"bob/02-ATOMIC-ADD.CU", "B"}, {"cy/notes.txt", ""}}),
      {{"01-race"}, false, {"02-atomic-add"}});
  REQUIRE(other);
  const auto of_one = all_of(*other);
  CHECK(kernel(of_one[0], "01-race") == "A");
  CHECK(of_one[1].works.empty());
  CHECK(of_one[2].works.empty());
  // If only one lab is graded, a student's only kernel counts under any name.
  const auto only = Intake::of(
      tree_of({{"ada/KERNEL.CU", "A"}, {"bob/one.cu", "B"}, {"bob/two.cu", "C"}}), {{"01-race"}});
  REQUIRE(only);
  CHECK(kernel(only->at(0), "01-race") == "A");
  CHECK_FALSE(only->at(1).works.at("01-race").problem.empty());
}

TEST_CASE("without named labs, the labs in file names are graded") {
  const auto labs_of = [](const Tree& tree) {
    IntakeOptions options{{"01-race", "02-atomic-add", "03-interleaved"}};
    options.only_handed_in = true;
    return Intake::of(tree, options);
  };
  const auto intake = labs_of(tree_of({{"ada/01-race.cu", "A"},
                                       {"bob/race.cu", "B"},
                                       {"cy/03-interleaved.quiz.json", "{}"},
                                       {"dee/mine.cu", "D"},
                                       {"eve/notes.txt", ""}}));
  REQUIRE(intake);
  CHECK(intake->labs() == std::vector<std::string>{"01-race", "03-interleaved"});
  const auto students = all_of(*intake);
  REQUIRE(students.size() == 5);
  CHECK(kernel(students[1], "01-race") == "B");
  CHECK_FALSE(students[3].works.at("01-race").problem.empty());
  CHECK_FALSE(students[3].works.contains("02-atomic-add"));
  CHECK(students[4].works.empty());
  // Even with a single lab, a file with another name needs review.
  const auto one = labs_of(tree_of({{"ada/01-race.cu", "A"}, {"dee/mine.cu", "D"}}));
  REQUIRE(one);
  CHECK(kernel(one->at(1), "01-race") == "(none)");
  CHECK_FALSE(one->at(1).works.at("01-race").problem.empty());
  const auto none = labs_of(tree_of({{"ada/mine.cu", "A"}, {"bob/x.cu", ""}}));
  REQUIRE_FALSE(none);
  CHECK(none.error().message.starts_with("no file name contains a lab"));
}

TEST_CASE("a number after the name decides only if Canvas added it") {
  const auto students = class_of(tree_of({{"ada/01-race.cu", "top"},
                                          {"ada/old/01-race-1.cu", "old"},
                                          {"ada/old/01-race-7.quiz.json", "old"},
                                          {"ada/01-race.quiz.json", "top"},
                                          {"bob.zip/01-race.cu", "top"},
                                          {"bob.zip/a/b/01-race-99.cu", "old"},
                                          {"cy/01-race/stub.cu", "nested"},
                                          {"cy/a/b/01-race-2.cu", "old"},
                                          {"dee/01-race.cu", "first"},
                                          {"dee/01-race-2.cu", "second"},
                                          {"dee/01-race-10.cu", "tenth"},
                                          {"eve/a/01-race.cu", "1"},
                                          {"eve/a/b/01-race-3.cu", "3"}}));
  REQUIRE(students.size() == 5);
  for (const HandIn& each : students) {
    CHECK(kernel(each, "01-race") == "(none)");
    CHECK(each.works.at("01-race").problem.ends_with("differ; which one counts?"));
  }
  CHECK(students[3].works.at("01-race").problem ==
        "dee/01-race-10.cu, dee/01-race-2.cu and dee/01-race.cu differ; which one counts?");
  const auto canvas = class_of(tree_of({{"ada_7_100_01-race.cu", "first"},
                                        {"ada_7_100_01-race-1.cu", "second"},
                                        {"bob_8_101_w.zip/01-race.cu", "top"},
                                        {"bob_8_101_w.zip/old/01-race-1.cu", "old"}}));
  CHECK(kernel(canvas[0], "01-race") == "second");
  CHECK(canvas[0].problem.empty());
  CHECK(kernel(canvas[1], "01-race") == "(none)");
}

TEST_CASE("a student without a readable file is still in the class") {
  Tree tree = tree_of({{"ada/notes.txt", ""},
                       {"bob/01-rase.cu", "x"},
                       {"cy/01-race.cu", std::string("a\0b", 3)},
                       {"dee/01-race.cu", ""}});
  tree.folders.insert("eve");
  tree.folders.insert("fay.zip"), tree.archives.insert("fay.zip"),
      tree.problems["fay.zip"] = "is a broken archive: x", tree.unread.insert("fay.zip");
  tree.files["hal.zip"].problem = "is 99 bytes long; at most 9 are read";
  tree.files["gus/01-race.cu"].problem = "is a symbolic link, which is not followed";
  tree.folders.insert("gus");
  tree.problems[""] = "has an entry whose name leads out of it; it was left out";
  CHECK(Intake::of(tree, {two_labs})->remarks() ==
        std::vector<std::string>{
            "the class has an entry whose name leads out of it; it was left out"});
  const auto students = class_of(tree);
  REQUIRE(students.size() == 8);
  CHECK(students[1].works.at("01-race").problem ==
        "bob/01-rase.cu was not graded: the name contains no graded lab; did you mean 01-race.cu?");
  CHECK(students[2].works.at("01-race").problem.find("is a binary file") != std::string::npos);
  CHECK(students[3].problem == "dee/01-race.cu is empty");
  CHECK(students[3].works.at("01-race").problem.empty());
  CHECK(students[4].problem == "nothing was handed in");
  CHECK(students[5].student.key == "fay");
  CHECK(students[5].problem == "fay.zip is a broken archive: x");
  CHECK(students[5].works.at("01-race").problem ==
        "fay.zip is a broken archive: x");  // needs review: it may contain work
  CHECK(students[7].works.at("02-atomic-add").problem ==
        "hal.zip is 99 bytes long; at most 9 are read");
  CHECK(students[6].works.at("01-race").problem ==
        "gus/01-race.cu is a symbolic link, which is not followed");
}

TEST_CASE("the time for nested single folders is linear in the depth") {
  std::string deep;
  for (int i = 0; i < 64; ++i) deep += "a/";
  const auto alone = class_of(tree_of({{deep + "01-race.cu", "A"}}));
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].student.name == "a");
  const auto two =
      class_of(tree_of({{deep + "ada/01-race.cu", "A"}, {deep + "bob/01-race.cu", "B"}}));
  REQUIRE(two.size() == 2);
  CHECK(kernel(two[0], "01-race") == "A");
  CHECK(kernel(two[1], "01-race") == "B");
}

TEST_CASE("of files without a lab the first ones are reported, and thousands take no longer") {
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 0; i < 20'000; ++i)
    files.emplace_back("eve/" + std::to_string(10'000 + i) + std::string(230, 'n') + ".cu", "x");
  const auto students = class_of(tree_of(files));
  REQUIRE(students.size() == 1);
  const std::string& problem = students[0].works.at("01-race").problem;
  CHECK(problem.starts_with("eve/10000nnn"));
  CHECK(problem.find(", eve/10001nnn") != std::string::npos);
  CHECK(problem.find(" and 19997 more were not graded: the name contains no graded lab") !=
        std::string::npos);
  CHECK(students[0].works.at("02-atomic-add").problem == problem);
}

TEST_CASE("hostile names stay different and become valid text") {
  const auto students = class_of(tree_of({{"a\nb/01-race.cu", "1"},
                                          {"a\x01"
                                           "b/01-race.cu",
                                           "2"},
                                          {"\xff\xfe/01-race.cu", "3"},
                                          {std::string(255, 'y') + "/01-race.cu", "4"},
                                          {"<b>x/01-race.cu", "5"}}));
  REQUIRE(students.size() == 5);
  for (const HandIn& each : students) {
    CAPTURE(each.student.key);
    CHECK(each.student.key.find_first_of("/\n<\xff\x01") == std::string::npos);
    CHECK(kernel(each, "01-race") != "(none)");
  }
}

TEST_CASE("with a single lab the only kernel counts, and so does typed text") {
  const auto students =
      class_of(tree_of({{"ada/kernel.cu", "A"},
                        {"bob.cu", "B"},
                        {"cy_1_assignsubmission_onlinetext_/onlinetext.html", "<p>C</p>"},
                        {"dee/a.cu", "1"},
                        {"dee/b.cu", "2"}}),
               {"01-race"});
  REQUIRE(students.size() == 4);
  CHECK(kernel(students[0], "01-race") == "A");
  CHECK(kernel(students[1], "01-race") == "B");
  CHECK(kernel(students[2], "01-race") == "C\n");
  CHECK(kernel(students[3], "01-race") == "(none)");
  CHECK(
      students[3].works.at("01-race").problem ==
      "dee/a.cu and dee/b.cu were not graded: the name contains no graded lab. Name a kernel after "
      "its lab, such as 01-race.cu");
}

TEST_CASE("a file for another lab of the kit is neither a problem nor graded") {
  const Tree tree = tree_of({{"ada/02-atomic-add.cu", "A"},
                             {"bob/01-race.cu", "B"},
                             {"bob/02-atomic-add/stub.cu", "x"},
                             {"cy_02-atomic-add.cu", "C"}});
  const auto intake = Intake::of(tree, {{"01-race"}, false, {"02-atomic-add"}});
  REQUIRE(intake);
  const std::vector<HandIn> all = all_of(*intake);
  REQUIRE(all.size() == 3);
  for (const HandIn& each : all) CHECK(each.problem.empty());
  CHECK(kernel(all[0], "01-race") == "(none)");
  CHECK(kernel(all[1], "01-race") == "B");
  CHECK(all[2].student.key == "cy");
  // But the class's report names it.
  CHECK(intake->remarks() ==
        std::vector<std::string>{
            "labs that are not graded: 3 files for 02-atomic-add (ada/02-atomic-add.cu, ...)"});
  const auto other = Intake::of(tree_of({{"ada/02-atomic-add.cpp", "A"}, {"bob/01-race.cu", "B"}}),
                                {{"01-race"}, false, {"02-atomic-add"}});
  REQUIRE(other);
  CHECK(other->at(0).works.empty());
  CHECK(other->remarks() ==
        std::vector<std::string>{
            "labs that are not graded: 1 file for 02-atomic-add (ada/02-atomic-add.cpp)"});
}

TEST_CASE("answers are next to the kernels, and file times count only with the option") {
  const auto tree = tree_of({{"ada/01-race.cu", "A"},
                             {"ada/01-race.quiz.json", "{}"},
                             {"ada/02-atomic-add/quiz.json", "[]"},
                             {"bob/x", ""}});
  const auto without = class_of(tree), with = class_of(tree, two_labs, true);
  CHECK(without[0].works.at("01-race").sheet == "{}");
  CHECK(without[0].works.at("02-atomic-add").sheet == "[]");
  CHECK_FALSE(without[0].works.at("01-race").at);
  CHECK(with[0].works.at("01-race").at == 1000);
}

TEST_CASE("for a file in a student's archive the archive's time counts") {
  const std::vector<std::tuple<const char*, const char*, std::optional<std::int64_t>>> cases = {
      {"ada.zip/01-race.cu", "ada.zip", 2000},
      {"ada.zip/01-race/stub.cu", "ada.zip", 2000},
      {"ada/work.tar.gz/01-race.cu", "ada/work.tar.gz", 2000},
      {"ada.zip/in.zip/01-race.cu", "ada.zip", 2000},
      {"ada.zip/01-race.quiz.json", "ada.zip", 2000},
      {"ada_7_100_work.zip/01-race.cu", "ada_7_100_work.zip", 2000},
      {"ada_7_assignsubmission_file_/w.zip/01-race.cu", "ada_7_assignsubmission_file_/w.zip", 2000},
      {"ada.7z/01-race.cu", "", std::nullopt},  // the archive's time is unknown
      {"ada/01-race.cu", "", 1000},
  };
  for (const auto& [path, archive, expected] : cases)
    for (const std::string around : {"", "class.zip/", "a/class.zip/"}) {  // made by the platform
      CAPTURE(around + path);
      std::vector<std::pair<std::string, std::string>> files = {{around + path, "{}"}};
      const bool is_export = std::string_view{path}.find('_') != std::string_view::npos;
      if (!is_export) files.insert(files.end(), {{around + "bob/x", ""}, {around + "cy/x", ""}});
      Tree tree = tree_of(files);
      for (const std::string& each : tree.archives)
        if (each != "ada.7z" && !each.ends_with("/ada.7z"))
          tree.archive_times[each] = each == around + archive ? 2000 : 5000;
      const auto students = class_of(tree, two_labs, true);
      REQUIRE_FALSE(students.empty());
      REQUIRE(students[0].works.contains("01-race"));
      CHECK(students[0].works.at("01-race").at == expected);
    }
}

TEST_CASE("answers of students whose names are not UTF-8 are different files") {
  const auto students = class_of(tree_of({{"M\xfcller/01-race.quiz.json", "{}"},
                                          {"M\xf6ller/01-race.quiz.json", "{}"},
                                          {"bob/x", ""}}));
  REQUIRE(students.size() == 3);
  std::set<std::string> paths;
  for (const HandIn& each : students)
    if (each.works.contains("01-race")) paths.insert(each.works.at("01-race").sheet_path);
  CHECK(paths ==
        std::set<std::string>{"M\xfcller/01-race.quiz.json", "M\xf6ller/01-race.quiz.json"});
}

TEST_CASE("an empty class is an error that says what was expected") {
  const auto nobody = Intake::of(Tree{}, {two_labs, false});
  REQUIRE_FALSE(nobody);
  CHECK(nobody.error().message.find("it has no students") == 0);
}

TEST_CASE("a student keeps the platform's name, even if nothing can be read") {
  Tree tree = tree_of({{"ada_7_100_notes.txt", "x"},
                       {"bob_8_102_01-race.cu", "old"},
                       {"bob_8_103_other.txt", "new"},
                       {"eve_9_104_a/x.txt", "x"}});
  tree.folders.insert("fay_10_105_a.zip"), tree.archives.insert("fay_10_105_a.zip");
  tree.problems["fay_10_105_a.zip"] = "cannot be read";
  tree.unread.insert("fay_10_105_a.zip");
  std::vector<std::string> paths;
  for (const HandIn& each : class_of(tree)) paths.push_back(each.path);
  CHECK(paths == std::vector<std::string>{"ada_7_100_notes.txt", "bob_8_103_other.txt",
                                          "eve_9_104_a/x.txt", "fay_10_105_a.zip"});
}
