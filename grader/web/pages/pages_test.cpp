#include "grader/web/pages/pages.h"

#include <doctest/doctest.h>

#include <regex>
#include <set>

#include "grader/web/pages/testing/sample_pages.h"

using namespace histolab::web;
using histolab::grader::Html;
using histolab::grader::html;
using histolab::quiz::Standing;
using testing::samples;

namespace {

bool has(const Html& page, std::string_view part) {
  return page.markup().find(part) != std::string::npos;
}
std::size_t count(const Html& page, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = page.markup().find(part); at != std::string::npos;
       at = page.markup().find(part, at + 1))
    ++found;
  return found;
}
std::vector<std::string> all_of(const Html& page, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex each(pattern);
  const std::string& text = page.markup();
  for (std::sregex_iterator at(text.begin(), text.end(), each), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

std::vector<Html> every_page(const testing::Samples& all) {
  return {list_page(all.frame, all.labs), lab_page(all.frame, all.lab),
          quiz_page(all.frame, all.quiz), document_page(all.frame, all.document),
          error_page(all.frame, {404, all.frame.title})};
}

Html page_of(const QuestionView& question) {
  return quiz_page(samples().frame, {.lab = "02-atomic-add", .questions = {question}});
}
QuestionView question(std::size_t number) { return samples().quiz.questions.at(number); }

}  // namespace

TEST_CASE("every page satisfies the content security policy: nothing inline") {
  for (const Html& page : every_page(samples())) {
    CHECK(page.markup().starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n"));
    CHECK_FALSE(std::regex_search(page.markup(), std::regex{"<style|<[^>]* (style|on\\w+)="}));
    CHECK(count(page, "<script") == 1);
    CHECK(has(page, "<script type=\"module\" src=\"/site/lab.js\"></script>"));
    CHECK(has(page, "<link rel=\"stylesheet\" href=\"/site/style.css\">"));
  }
}

TEST_CASE("a page without a script has no script element") {
  testing::Samples all = samples();
  all.frame.assets.script.clear();
  CHECK_FALSE(has(list_page(all.frame, all.labs), "<script"));
}

TEST_CASE("every page has one main, one h1, a title, a skip link and unique ids") {
  testing::Samples all = samples();
  all.frame.title = "A & B";
  for (const Html& page : every_page(all)) {
    CHECK(count(page, "<main ") == 1);
    CHECK(count(page, "<h1") == 1);
    CHECK(has(page, "<title>A &amp; B - histolab</title>"));
    const std::vector<std::string> ids = all_of(page, " id=\"([^\"]*)\"");
    const std::set<std::string> different(ids.begin(), ids.end());
    CHECK(different.size() == ids.size());
    for (const char* pattern :
         {" href=\"#([^\"]*)\"", " for=\"([^\"]*)\"", " aria-labelledby=\"([^\"]*)\""})
      for (const std::string& id : all_of(page, pattern)) CHECK_MESSAGE(different.contains(id), id);
    CHECK(page.markup().find("class=\"skip\"") < page.markup().find("<header"));
  }
}

TEST_CASE("headings go down by one level at a time") {
  for (const Html& page : every_page(samples())) {
    int before = 0;
    for (const std::string& level : all_of(page, "<h([1-6])")) {
      CHECK(std::stoi(level) <= before + 1);
      before = std::stoi(level);
    }
  }
}

TEST_CASE("hostile text is text on every page") {
  const std::size_t scripts = 1;
  for (const Html& page : every_page(testing::hostile_samples())) {
    CHECK(count(page, "<script") == scripts);
    CHECK_FALSE(has(page, "<img"));
    CHECK_FALSE(has(page, "onfocus=\"alert"));
    CHECK_FALSE(has(page, "\x1B"));
    CHECK_FALSE(has(page, "\xFF"));
    CHECK_FALSE(has(page, "\xE2\x80\xAE"));
    CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    CHECK(has(page, "{} {0} &amp;"));
    CHECK(count(page, "</textarea>") <= 1);
  }
}

TEST_CASE("the header lists the labs, with their state in words, and marks the page that is open") {
  const testing::Samples all = samples();
  const Html list = list_page(all.frame, all.labs);
  CHECK(has(list, "<a class=\"home\" href=\"/\" aria-current=\"page\">histolab</a>"));
  CHECK(has(list,
            "<a href=\"/lab/01-race\"><span class=\"number\">01</span> A data race "
            "<small>passed</small></a>"));
  const Html lab = lab_page(all.frame, all.lab);
  CHECK(has(lab, "<summary>Lab 2 of 3</summary>"));
  CHECK(has(lab, "<a href=\"/lab/02-atomic-add\" aria-current=\"page\">"));
  CHECK_FALSE(has(lab, "href=\"/\" aria-current"));
  CHECK(
      has(document_page(all.frame, all.document), "<a href=\"/glossary\" aria-current=\"page\">"));
}

TEST_CASE("the list has each lab with number, title, points and state in words") {
  const testing::Samples all = samples();
  const Html page = list_page(all.frame, all.labs);
  CHECK(has(page, "You have passed 1 of 3 labs."));
  CHECK(has(page, "<h2><a href=\"/lab/02-atomic-add\">atomicAdd</a></h2>"));
  CHECK(has(page, "<span class=\"state\">started</span>"));
  CHECK(has(page, "<span class=\"points\">3 of 10 points</span>"));
  CHECK(has(page,
            "<a href=\"/lab/02-atomic-add/quiz\">Quiz<span class=\"unseen\"> of lab 02</span></a>: "
            "2 of 10 right"));
  CHECK(count(page, "/quiz\">") == 2);  // lab 03 has none
  CHECK(count(page, "<li data-state=") == 3);
}

TEST_CASE("a score may have a fraction, and a lab no points") {
  testing::Samples all = samples();
  all.labs[0].score = 2.5;
  all.labs[1].score = all.labs[1].max_score = 0;
  const Html page = list_page(all.frame, all.labs);
  CHECK(has(page, "2.5 of 10 points"));
  CHECK(has(page, "0 of 0 points"));
  CHECK(has(page, "<progress max=\"1\" value=\"0\" aria-hidden=\"true\">"));
}

TEST_CASE("the lab page has the elements that the scripts need") {
  const testing::Samples all = samples();
  const Html page = lab_page(all.frame, all.lab);
  CHECK(has(page, "<body data-page=\"lab\">"));
  CHECK(has(page,
            "data-lab=\"02-atomic-add\" data-sha256=\"0123abcd\" data-passed=\"false\" "
            "data-hints=\"3\">"));
  for (const char* element :
       {"section#lesson",     "form#work",        "textarea#text",        "div#editor",
        "button#save",        "p#state",          "section#verdict",      "p#headline",
        "ol#remarks",         "table#checks",     "section#hints",        "button#next-hint",
        "div#hint-list",      "section#solution", "button#show-solution", "pre#solution-text",
        "section#live",       "select#case",      "button#live-start",    "button#live-pause",
        "button#live-step",   "input#live-speed", "figure#live-chart",    "p#live-words",
        "table#live-numbers", "section#race",     "select#race-scenario", "button#race-previous",
        "button#race-next",   "button#race-all",  "figure#race-figure",   "ol#race-steps",
        "p#race-words"}) {
    const std::string text = element;
    const std::size_t hash = text.find('#');
    CHECK_MESSAGE(has(page, "<" + text.substr(0, hash) + " id=\"" + text.substr(hash + 1) + "\""),
                  element);
  }
  for (const char* id : {"state", "headline", "live-words", "race-words"})
    CHECK_MESSAGE(has(page, "<p id=\"" + std::string{id} + "\" role=\"status\">"), id);
}

TEST_CASE("the ids of the lab page are those that a lesson must not use") {
  const testing::Samples all = samples();
  const std::vector<std::string>& taken = ids_of_lab_page();
  const std::set<std::string> anchors{"the-idea", "the-task"};
  for (const std::string& id : all_of(lab_page(all.frame, all.lab), " id=\"([^\"]*)\""))
    CHECK_MESSAGE((std::ranges::find(taken, id) != taken.end() || anchors.contains(id)), id);
}

TEST_CASE("without JavaScript only what works is shown, and how to go on without it") {
  const testing::Samples all = samples();
  const Html page = lab_page(all.frame, all.lab);
  for (const char* id : {"verdict", "hints", "solution", "live", "race"})
    CHECK_MESSAGE(std::regex_search(page.markup(), std::regex{"<section id=\"" + std::string{id} +
                                                              "\"[^>]* hidden data-needs-script>"}),
                  id);
  CHECK(has(page, "<button id=\"save\" type=\"submit\" class=\"main\" hidden data-needs-script>"));
  CHECK(has(page, "histolab watch 02-atomic-add"));
  CHECK_FALSE(std::regex_search(page.markup(), std::regex{"<textarea[^>]*hidden"}));
}

TEST_CASE("the editor has the text of the kernel, byte for byte") {
  testing::Samples all = samples();
  const auto between = [&] {
    const std::string page = lab_page(all.frame, all.lab).markup();
    const std::size_t begin = page.find('>', page.find("<textarea")) + 1;
    return page.substr(begin, page.find("</textarea>") - begin);
  };
  // A parser drops the first newline, so the newline that the text begins with needs another one.
  CHECK(between().starts_with("\n\n__global__"));
  CHECK(between().find("data[0] &lt; &#39;a&#39;") != std::string::npos);
}

TEST_CASE("a text that a textarea cannot hold has no sum, so the script loads the file's text") {
  testing::Samples all = samples();
  for (const char* text : {"\x1B", "\xFF", "// \xE2\x80\xAE", "a\rb"}) {
    all.lab.text = text;
    CHECK_MESSAGE(has(lab_page(all.frame, all.lab), " data-sha256=\"\" "), text);
  }
}

TEST_CASE("line ends become newlines, as in every textarea") {
  testing::Samples all = samples();
  all.lab.text = "a\r\nb\r\n";
  CHECK(has(lab_page(all.frame, all.lab), ">\na\nb\n</textarea>"));
  CHECK(has(lab_page(all.frame, all.lab), " data-sha256=\"0123abcd\" "));
  all.lab.text = "// \xC3\xA4\ttab\n";
  CHECK(has(lab_page(all.frame, all.lab), " data-sha256=\"0123abcd\" "));
}

TEST_CASE("the lesson has a table of contents, and links to the quiz and the labs around it") {
  testing::Samples all = samples();
  const Html page = lab_page(all.frame, all.lab);
  CHECK(has(page, "<h1 id=\"title\">Lab 02: atomicAdd</h1>"));
  CHECK(has(page,
            "<li><a href=\"#the-idea\">The idea</a></li>\n"
            "<li><a href=\"#the-task\">The task</a></li>"));
  CHECK(has(page, "<a href=\"/lab/01-race\"><small>Previous lab</small> 01 A data race</a>"));
  CHECK(has(page, "<small>Next lab</small> 03 Interleaved partitioning</a>"));
  CHECK(has(page, "<a href=\"/lab/02-atomic-add/quiz\">"));
  all.lab.has_quiz = false;
  CHECK_FALSE(has(lab_page(all.frame, all.lab), "/quiz\">"));
  all.lab.name = "01-race";
  CHECK_FALSE(has(lab_page(all.frame, all.lab), "Previous lab"));
  all.lab.name = "03-interleaved";
  CHECK_FALSE(has(lab_page(all.frame, all.lab), "Next lab"));
  all.lab.name = "99-unknown";
  CHECK_FALSE(has(lab_page(all.frame, all.lab), "class=\"sequence\""));
}

TEST_CASE("the choices of a live run and of a race are options with values and words") {
  const testing::Samples all = samples();
  const Html page = lab_page(all.frame, all.lab);
  CHECK(has(page, "<option value=\"mixed-31\">mixed-31: 31 bytes, blocks of 4</option>"));
  CHECK(has(page, "<option value=\"1\">1: T1 entirely before T2</option>"));
  CHECK(has(page, "<option value=\"kernel\">your kernel</option>"));
}

TEST_CASE("the page says whether the lab was passed, and whether it has hints") {
  testing::Samples all = samples();
  all.lab.passed = true;
  all.lab.hints = 0;
  const Html page = lab_page(all.frame, all.lab);
  CHECK(has(page, "data-passed=\"true\" data-hints=\"0\""));
  CHECK(has(page, "You have passed this lab. Compare"));
  CHECK(has(page, "This lab has no hints."));
  CHECK_FALSE(has(page, "id=\"next-hint\""));
}

TEST_CASE("a hint is a fragment with a heading below that of the section") {
  const Html hint = hint_fragment(2, 3, "A <push>", Html{"<p>x</p>\n"});
  CHECK(hint.markup() == "<h3>Hint 2 of 3: A &lt;push&gt;</h3>\n<p>x</p>\n");
}

TEST_CASE("each question is a form of its own, at its id") {
  const Html page = quiz_page(samples().frame, samples().quiz);
  CHECK(count(page, "<form ") == 3);
  CHECK(has(page,
            "<form class=\"question\" id=\"one-address\" method=\"post\" "
            "action=\"/lab/02-atomic-add/quiz\" data-standing=\"wrong\"\n"));
  CHECK(has(page, "<input type=\"hidden\" name=\"question\" value=\"one-address\">"));
  CHECK(has(page, "1 of 3 questions right."));
  CHECK(has(page, "<h2 id=\"one-address-title\">Question 1 of 3</h2>"));
  CHECK(has(page, "<a href=\"/lab/02-atomic-add\">Back to the lab</a>"));
}

TEST_CASE("a number is typed, with its unit in the label, the form explained, the answer kept") {
  const Html page = page_of(question(0));
  CHECK(has(page, "<label for=\"one-address-answer\">Your answer, in atomics/s</label>"));
  CHECK(has(page, "name=\"answer\" type=\"text\" value=\"1 M/s\""));
  CHECK(has(page, "A number with its unit, written like 12.3 atomics/s."));
  CHECK(has(page, "aria-describedby=\"one-address-form one-address-reply\""));
  CHECK(has(page, "<pre><code>atomicAdd(&amp;counter, 1);\n  // again\n</code></pre>"));
  QuestionView plain = question(0);
  plain.unit.clear(), plain.example = "123";
  CHECK(has(page_of(plain), "Your answer, a number</label>"));
  CHECK(has(page_of(plain), "A number, written like 123."));
}

TEST_CASE("several numbers are typed with spaces") {
  const Html page = page_of(question(1));
  CHECK(has(page, "Your answer, numbers</label>"));
  CHECK(has(page, "Numbers, separated by spaces, written like 4 8 15."));
  CHECK(has(page, "aria-describedby=\"final-values-form\""));
  CHECK_FALSE(has(page, "final-values-reply"));
}

TEST_CASE("a choice has a radio button for each option, and the chosen one is checked") {
  const auto checked = [](const std::string& answer) {
    QuestionView asked = question(2);
    asked.answer = answer;
    return all_of(page_of(asked), "value=\"([a-c])\" checked");
  };
  CHECK(has(page_of(question(2)), "<label for=\"order-b\">10</label>"));
  CHECK(checked("a") == std::vector<std::string>{"a"});
  CHECK(checked(" (B)") == std::vector<std::string>{"b"});
  CHECK(checked("15") == std::vector<std::string>{"c"});
  CHECK(checked("").empty());
  CHECK(checked("d").empty());
}

TEST_CASE("each standing is said in words") {
  const auto words = [](Standing standing) {
    QuestionView asked = question(0);
    asked.standing = standing, asked.message = "M.";
    return all_of(page_of(asked), "<p class=\"state\">([^<]*)</p>").at(0) + " / " +
           all_of(page_of(asked), "<strong>([^<]*)</strong> M.").at(0);
  };
  CHECK(words(Standing::wrong) == "wrong / Wrong.");
  CHECK(words(Standing::right) == "right / Right.");
  CHECK(words(Standing::not_understood) == "not understood / Not understood.");
  CHECK(words(Standing::gave_up) == "given up / Given up.");
  CHECK(words(Standing::answered) == "saved / Saved.");
}

TEST_CASE("a kit without answers only saves them, and a broken file of answers is reported") {
  QuizPage page = samples().quiz;
  page.has_key = false, page.problem = "answers.json is not a sheet";
  for (QuestionView& each : page.questions) each.standing = Standing::answered;
  const Html shown = quiz_page(samples().frame, page);
  CHECK(has(shown, "3 of 3 questions answered. Your instructor&#39;s kit judges the answers."));
  CHECK(has(shown, "<p class=\"notice error\">answers.json is not a sheet</p>"));
}

TEST_CASE("an error says what happened and what to do next") {
  const Frame frame = samples().frame;
  for (const int status : {400, 403, 404, 405, 413, 429, 500, 503}) {
    CAPTURE(status);
    const Html page = error_page(frame, {status, "the detail"});
    CHECK(has(page, html("<p class=\"kicker\">Error {}</p>", status).markup()));
    CHECK(has(page, "<p>the detail</p>"));
    CHECK(has(page, "<a href=\"/\">All labs</a>"));
    CHECK(count(page, "<p>") == 3);
  }
  CHECK(has(error_page(frame, {500, ""}), "This is not your mistake"));
  CHECK(has(error_page(frame, {599, ""}), "An error on this machine"));
  CHECK(has(error_page(frame, {413, ""}), "160 KiB"));
}
