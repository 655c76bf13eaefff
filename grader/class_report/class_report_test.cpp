#include "grader/class_report/class_report.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "grader/class_report/code_view.h"
#include "grader/class_report/source_view.h"
#include "grader/class_report/testing/sample_class.h"
#include "grader/feedback/advice.h"
#include "grader/html/html.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::class_report;

namespace {

bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

std::string part(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from);
  return begin == std::string::npos ? std::string{}
                                    : page.substr(begin, page.find(to, begin) - begin);
}

}  // namespace

TEST_CASE("the page of a small class") {
  const std::string page = to_html(testing::small_class());
  const std::size_t body = page.find("<body>"), script = page.find("<script>");
  CHECK(grader::testing::matches_golden("class-report.html", page.substr(body, script - body)));
  CHECK(has(page, "<h1>Class report</h1>"));
  CHECK(has(page, "2 results are still to come"));
  for (const char* title : {"Look at these first", "Scores", "Failed checks", "Common mistakes",
                            "All students", "Similar submissions", "Each student"})
    CHECK(has(page, fmt::format(">{}</h2>", title)));
  CHECK(has(page,
            "<pre class=\"f7 l e\">    histo[letter / 4] += 1;  // \"fast\"</pre><p "
            "class=e>data_race (938 999 times): threads 0 and 3 of block 0 both update histo[2] "
            "without an atomic operation; one update is lost</p>"));
  CHECK(has(page, "<tr data-f=\"alike passed\"><th scope=row><a href=#s1>Adams, Ann</a>"));
  CHECK(has(page, "6.4 of 10, instead of 8"));
  CHECK(has(page, "2 days late: 80 % of 8 points"));
}

TEST_CASE("the page fetches nothing and runs only its own script") {
  const std::string page = to_html(testing::small_class());
  CHECK(has(page, "default-src 'none'; style-src 'sha256-"));
  CHECK(has(page, "script-src 'sha256-"));
  CHECK(has(page, "base-uri 'none'; form-action 'none'"));
  CHECK_FALSE(has(page, "unsafe"));
  const std::string without_values =
      std::regex_replace(page.substr(page.find("<body>")), std::regex{"\"[^\"<>]*\""}, "");
  CHECK_FALSE(std::regex_search(without_values, std::regex{"<[^<>]* (on\\w+|style)="}));
  CHECK_FALSE(
      std::regex_search(page, std::regex{"<link|<img|<iframe|<object|@import|url\\(|https?:"}));
  std::size_t scripts = 0;
  for (std::size_t at = page.find("<script"); at != std::string::npos;
       at = page.find("<script", at + 1))
    ++scripts;
  CHECK(scripts == 1);
}

TEST_CASE("hostile text stays text and never becomes an anchor") {
  const std::string page = to_html(testing::small_class());
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK_FALSE(has(page, "<img"));
  CHECK_FALSE(has(page, "\x1B"));
  CHECK_FALSE(has(page, "\xFF"));
  CHECK_FALSE(has(page, "\xE2\x80\xAE"));
  const std::string markup = page.substr(page.find("<body>"));
  const std::regex id{"<[^<>]* id=\"?([^\\s\">]+)"}, link{"href=\"?#([^\\s\">]+)"};
  std::set<std::string> anchors;
  for (std::sregex_iterator at{markup.begin(), markup.end(), id}, end; at != end; ++at)
    CHECK(anchors.insert((*at)[1]).second);
  CHECK(anchors.size() > 20);
  for (std::sregex_iterator at{markup.begin(), markup.end(), link}, end; at != end; ++at)
    CHECK(anchors.contains((*at)[1]));
}

TEST_CASE("an anonymous page has no names, students' sections or similar pairs") {
  const std::string page = to_html(testing::small_class(), {.anonymous = true});
  for (const char* word :
       {"Adams", "adams", "Gray", "gray-1", "Fox", "alert(1)", "days late", "no memory", "Jane",
        "jane", "id=s1>", "id=alike", "id=compare", "the course", "id=students", "Section"})
    CHECK_MESSAGE(!has(page, word), word);
  CHECK(has(page, "<th scope=row>Student 1<td class=pass>10"));
  CHECK(has(page, "data race on histo: updated without an atomic operation"));
}

TEST_CASE("each similar pair is listed, and compared side by side unless the files are equal") {
  const std::string page = to_html(testing::small_class());
  const std::string list = part(page, "id=alike>", "</section>");
  CHECK(has(list,
            "<td><a href=#s7>Gray, Gus (gray-1)</a><td>the course&#39;s solution<td>the same "
            "code<td><a href=#d3>compare"));
  CHECK(has(list, "<td><a href=#s6>Fox, Flo</a><td>the same code<td>equal files"));
  CHECK(has(list, "93 % the same<td><a href=#d1>compare"));
  const std::string compared = part(page, "id=compare>", "</section>");
  CHECK(has(compared,
            "<h3>Gray, Gus (gray-1) and the course&#39;s solution</h3> 02-atomic-add, the same "
            "code</summary>\n<div id=d3>"));
  // Pairs of students come before the course's code.
  CHECK(list.find("<h3>Students <small>2</small></h3>") < list.find("93 % the same"));
  CHECK(list.find("93 % the same") <
        list.find("<h3>Earlier classes and the course&#39;s own code"));
  CHECK(list.find("<h3>Earlier classes and the course&#39;s own code") <
        list.find("the course&#39;s solution"));
  CHECK(has(compared, "<td>10<td><mark>// c</mark><td><td class=gap>"));
  CHECK_FALSE(has(part(page, "<div id=s7>", "</div></details>"), "the course"));
}

TEST_CASE("a mark set by hand ends a review, and remarks about the class are listed") {
  batch::ClassResults results = testing::small_class();
  batch::Entry& entry = results.entries[5];  // the machine failed
  entry.problem = "x.cu was not graded";
  CHECK(has(to_html(results), "x.cu was not graded"));
  for (batch::Mark& mark : entry.marks)
    if (!mark.has_score()) mark.by_hand = true, mark.score = 7, mark.note = "set by hand to 7";
  results.remarks = {"Zacharias <b> is not in the roster"};
  const std::string page = to_html(results), row = part(page, "<a href=#s6>Fox, Flo</a>", "\n");
  CHECK(has(row, "7<abbr title=\"set by hand to 7\">*</abbr>"));
  CHECK_FALSE(has(row, "?</abbr>"));
  const std::string review = part(page, "id=review>", "</section>");
  CHECK_FALSE(has(review, "Fox, Flo"));
  CHECK(has(review, "<h3>Left out, or not in the roster <small>1</small></h3>"));
  CHECK(has(review, "<li>Zacharias &lt;b&gt; is not in the roster"));
  CHECK_FALSE(has(to_html(results, {.anonymous = true}), "Zacharias"));
}

TEST_CASE("the number of compared pairs is bounded") {
  batch::ClassResults results = testing::large_class(300, 60);
  results.alike.clear();
  for (std::size_t i = 1; i < 300; ++i) results.alike.push_back({1, 0, i, 0.9});
  const std::string page = to_html(results);
  CHECK(has(page, "id=d250>"));
  CHECK(has(page, "<details><summary>199 more pairs</summary>"));
  CHECK_FALSE(has(page, "id=d251>"));
  CHECK(page.size() < 12'000'000);
}

TEST_CASE("a student's page has the sentences that grade prints for that student") {
  const batch::ClassResults results = testing::small_class();
  std::size_t compared = 0;
  for (std::size_t s = 0; s < results.entries.size(); ++s) {
    if (results.entries[s].student.name == testing::hostile_text())
      continue;  // a terminal shows it differently
    batch::ClassResults one = results;
    one.entries = {results.entries[s]}, one.alike.clear();
    const std::string page = to_html(one);
    const std::string of_student = part(page, "<div id=s1>", "</section>");
    for (const batch::Mark& mark : results.entries[s].marks) {
      const std::optional<grader::Advice> advice = grader::advice_for(mark.result);
      if (!advice) continue;
      CHECK(has(of_student, grader::escaped_html(advice->headline)));
      for (const grader::Remark& remark : advice->remarks) {
        constexpr std::size_t one_line = 10'000;
        std::istringstream lines{grader::to_text(remark, one_line)};
        for (std::string line; std::getline(lines, line); ++compared) {
          const std::size_t begin = line.find_first_not_of(' ');
          if (begin == line.npos) continue;
          const std::string text = line.substr(begin);
          CHECK_MESSAGE(has(of_student, ">" + grader::escaped_html(text)), text);
        }
      }
    }
    CHECK_FALSE(has(of_student, "Try: "));
  }
  CHECK(compared > 12);
}

TEST_CASE("a message shows numbers, even if they differ between students") {
  batch::ClassResults results = testing::small_class();
  for (const std::size_t s : {std::size_t{0}, std::size_t{2}}) {
    grader::LabResult& result = results.entries[s].marks[0].result;
    result.status = grader::Verdict::compile_error;
    result.diagnostics = {
        {kernels::Severity::error, 1, 1,
         fmt::format("a `)` is missing on this line: it has {} `(` and 1 `)`", s + 2)}};
  }
  const std::string page = to_html(results);
  CHECK(has(page, "it has 2 `(` and 1 `)`</h3>\n<p><b>2 students</b>"));
  CHECK_FALSE(has(page, "N `(`"));
}

TEST_CASE("a text of several students appears once and without their names") {
  const std::string page = to_html(testing::small_class());
  const std::string of_adams = part(page, "<div id=s1>", "</div></details>");
  CHECK(has(of_adams, "The source is <a href=#t1>text 1</a>, which was handed in more than once."));
  CHECK_FALSE(has(of_adams, "Fox"));
  CHECK(has(page, "<h3>Text 1</h3> 02-atomic-add, handed in 2 times"));
}

TEST_CASE("an unchanged stub is called a stub") {
  batch::ClassResults results = testing::small_class();
  results.entries[0].marks[0].result.submission->text =
      results.entries[1].marks[0].result.submission->text = results.labs[0].stub;
  const std::string page = to_html(results);
  CHECK(has(part(page, "<div id=s1>", "</div></details>"),
            "The source is the lab's stub, unchanged."));
  CHECK_FALSE(has(page, "<div class=src><pre class=f1>" + results.labs[0].stub.substr(0, 40)));
}

TEST_CASE("a long review list is closed at first") {
  batch::ClassResults results = testing::small_class();
  CHECK_FALSE(has(to_html(results), "show all"));
  for (int i = 0; i < 20; ++i) results.entries.push_back(results.entries[5]);
  CHECK(has(to_html(results),
            "<h3>No mark yet <small>21</small></h3>\n<details><summary>show all</summary>"));
}

TEST_CASE("an empty class has a page, and so has a class without submissions") {
  CHECK(has(to_html({}), "0 students, 0 labs"));
  batch::ClassResults results = testing::small_class();
  results.entries = {results.entries[4]};
  results.alike.clear();
  const std::string page = to_html(results);
  CHECK(has(page, "1 student, 3 labs"));
  CHECK_FALSE(has(page, "id=mistakes"));
}

TEST_CASE("only marked and long lines have a <pre> of their own") {
  CodeView view;
  view.line(1, "");
  view.line(2, "a < b");
  view.line(3, "wrong", "e");
  view.note("e", "<why>");
  view.line(4, std::string(97, 'x'));
  view.line(9, "c");
  CHECK(std::move(view).html().markup() ==
        "<div class=src><pre class=f1>\n\na &lt; b</pre><pre class=\"f3 l e\">wrong</pre><p "
        "class=e>&lt;why></p><pre class=\"f4 l\">" +
            std::string(97, 'x') + "</pre><pre class=f9>c</pre></div>\n");
  CHECK(CodeView{}.html().empty());
}

TEST_CASE("the size of a source view is bounded, and findings beyond its end are shown") {
  grader::LabResult result;
  result.submission =
      grader::Submission{"x.cu", std::string(100000, '\n') + std::string(100000, 'x') + "\n", ""};
  kernels::Finding finding;
  finding.kind = kernels::FindingKind::data_race, finding.line = 100001,
  finding.message = std::string(100000, 'y');
  result.findings = {finding};
  const std::string view = source_view(result).markup();
  CHECK(view.size() < 3000);
  CHECK(has(view, "99 601 more lines are not shown"));
  CHECK(has(view, "data_race: yyy"));
}

TEST_CASE("a page of 300 students with six kernels of 60 lines has at most 5 MB") {
  CHECK(to_html(testing::large_class(300, 60)).size() < 5'000'000);
}
