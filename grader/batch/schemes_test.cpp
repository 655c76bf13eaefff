#include "grader/batch/schemes.h"

#include <doctest/doctest.h>

#include "grader/batch/gradescope.h"

using namespace histolab::batch;

TEST_CASE("Moodle: a folder or a file per student, with a number per assignment") {
  const auto folder = moodle_name("Ada Lovelace_12345_assignsubmission_file_");
  REQUIRE(folder);
  CHECK(folder->name == "Ada Lovelace");
  CHECK(folder->participant == "12345");
  CHECK(folder->file.empty());
  CHECK_FALSE(folder->online_text);
  const auto file = moodle_name("Müller_Meier, Jörg_7_assignsubmission_file_01-race.cu");
  REQUIRE(file);
  CHECK(file->name == "Müller_Meier, Jörg");
  CHECK(file->file == "01-race.cu");
  CHECK(moodle_name("Ada_1_assignsubmission_onlinetext_onlinetext.html")->online_text);
  CHECK(moodle_name("Ada_1_assignsubmission_file"));
  // Students choose the text after the first mark.
  const auto forged =
      moodle_name("Eve_9_assignsubmission_file_Ada_1_assignsubmission_file_01-race.cu");
  REQUIRE(forged);
  CHECK(forged->name == "Eve");
  CHECK(forged->participant == "9");
  CHECK(forged->file == "Ada_1_assignsubmission_file_01-race.cu");
  CHECK(moodle_name("Eve_9_assignsubmission_file_Ada_1_assignsubmission_file_")->name == "Eve");
  CHECK(moodle_name("Eve_9_assignsubmission_file_Ada_1_assignsubmission_onlinetext_x.html")->name ==
        "Eve");
  CHECK(moodle_name("Eve_9_assignsubmission_onlinetext_Ada_1_assignsubmission_file_x.cu")->name ==
        "Eve");
  CHECK(moodle_name("a_assignsubmission_file_Eve_9_assignsubmission_file_x.cu")->participant ==
        "9");
  for (const char* none : {"Ada_assignsubmission_file_", "_1_assignsubmission_file_",
                           "Ada_1x_assignsubmission_file_", "Ada_1_assignsubmission_files", "ada"})
    CHECK_FALSE(moodle_name(none));
}

TEST_CASE("Canvas: name, LATE, user, submission, file") {
  const auto plain = canvas_name("lovelaceada_4711_815_01-race.cu");
  REQUIRE(plain);
  CHECK(plain->name == "lovelaceada");
  CHECK(plain->user == "4711");
  CHECK(plain->submission == 815);
  CHECK(plain->file == "01-race.cu");
  CHECK_FALSE(plain->late);
  const auto late = canvas_name("lovelaceada_LATE_4711_815_my_kernel_2.cu");
  REQUIRE(late);
  CHECK(late->late);
  CHECK(late->file == "my_kernel_2.cu");
  for (const char* none : {"ada_01-race.cu", "ada_1_x_f.cu", "ada_1_2_", "_1_2_f",
                           "ada_LATE_1_f.cu", "ada_1_99999999999999999999_f"})
    CHECK_FALSE(canvas_name(none));
}

TEST_CASE("a resubmission has a number before its ending") {
  CHECK(resubmission_number("01-race.cu", "01-race.cu") == 0);
  CHECK(resubmission_number("01-race-3.cu", "01-race.cu") == 3);
  CHECK(resubmission_number("01-race-2.quiz.json", "01-race.quiz.json") == 2);
  CHECK_FALSE(resubmission_number("01-race-x.cu", "01-race.cu"));
  CHECK_FALSE(resubmission_number("01-race-.cu", "01-race.cu"));
  CHECK_FALSE(resubmission_number("02-race.cu", "01-race.cu"));
}

TEST_CASE("a file per student") {
  CHECK(student_before("ada_01-race.cu", "01-race.cu") == "ada");
  CHECK(student_before("ada lovelace-01-race.cu", "01-race.cu") == "ada lovelace");
  CHECK_FALSE(student_before("01-race.cu", "01-race.cu"));
  CHECK_FALSE(student_before("_01-race.cu", "01-race.cu"));
  CHECK_FALSE(student_before("ada01-race.cu", "01-race.cu"));
}

TEST_CASE("the text of a page has no markup") {
  CHECK(text_of_page("<p>int a = 1 &lt; 2;<br>b &amp;&amp; c;</p><p>&#100;&#x65; &nope;</p>") ==
        "int a = 1 < 2;\nb && c;\nde &nope;\n");
  CHECK(text_of_page("a < b") == "a ");  // an editor writes &lt;
  CHECK(text_of_page("").empty());
  CHECK(text_of_page("&123456789; &amp;") == "&123456789; &");
  const std::string ampersands(1 << 20,
                               '&');  // the search for the end of an entity is bounded
  CHECK(text_of_page(ampersands).size() == ampersands.size());
}

TEST_CASE("Gradescope's description, written by Ruby") {
  const auto read = read_gradescope(
      "---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '4711'\n    :email: "
      "ada@example.edu\n  - :name: \"Bob\\n</script>\"\n    :sid: \n    :email: bob@example.edu\n"
      "  :created_at: 2026-10-17 18:27:32.362437000 Z\n  :score: 3.0\n  :results:\n    "
      ":submitters:\n    - :name: nobody\n    tests: [{output: \":submitters:\"}]\n"
      "  :history:\n  - :id: 3\n    :submitters:\n    - :name: nobody either\nsubmission_2:\n  "
      ":submitters: []\n  :created_at: rubbish\n");
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  const GradescopeSubmission& one = read->at("submission_1");
  REQUIRE(one.submitters.size() == 2);
  CHECK(one.submitters[0].name == "Ada Lovelace");
  CHECK(one.submitters[0].sid == "4711");
  CHECK(one.submitters[1].name == "Bob\n</script>");
  CHECK(one.submitters[1].email == "bob@example.edu");
  CHECK(one.at == 1792261652);
  CHECK(read->at("submission_2").submitters.empty());
  CHECK_FALSE(read->at("submission_2").at);
  CHECK_FALSE(read_gradescope("a: [b"));
  CHECK_FALSE(read_gradescope(std::string(100000, '[')));
  std::string aliases = "a: &a [x,x]\n";  // aliases are not expanded
  for (int i = 0; i < 60; ++i) aliases += "b" + std::to_string(i) + ": [*a, *a]\n";
  CHECK(read_gradescope(aliases));
}

TEST_CASE("times of platforms and instructors") {
  CHECK(time_from_text("1970-01-02") == 86400);
  CHECK(time_from_text("1970-01-01 00:00:10.5 Z") == 10);
  CHECK(time_from_text("1970-01-01T02:00:00+02:00") == 0);
  CHECK(time_from_text("1969-12-31T19:00-0500") == 0);
  for (const char* none :
       {"", "tomorrow", "2026-13-01", "2026-02-30", "2026-01-01T25:00", "2026-01-01T10:00 CET",
        "2026-01-01T10:00:nan", "2026-01-01T10:00:inf", "2026-01-01x"})
    CHECK_FALSE(time_from_text(none));
}
