#include "grader/class_report/class_report.h"

#include <fmt/format.h>

#include "grader/class_report/class_sections.h"
#include "grader/class_report/class_table.h"
#include "grader/class_report/code_view.h"
#include "grader/class_report/script.h"
#include "grader/class_report/student_section.h"
#include "grader/class_report/style.h"
#include "grader/html/html_page.h"
#include "grader/html/palette.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

struct Part {
  const char* id;
  const char* title;
  std::string markup;  // empty: it is not there
};

std::string navigation(const std::vector<Part>& parts) {
  std::string out = "<nav aria-label=\"parts of the report\"><ul>\n";
  for (const Part& part : parts)
    if (!part.markup.empty()) out += fmt::format("<li><a href=#{}>{}</a>\n", part.id, part.title);
  return out + "</ul></nav>\n";
}

std::string students_part(const batch::ClassResults& results, const People& people, const SharedTexts& shared) {
  if (people.anonymous || results.entries.empty()) return {};
  return "<section aria-labelledby=students><h2 id=students>Students</h2>\n<p class=aside>A closed one is printed as one line, an open one in full. Of two figures the second one is the solution's, on the same "
         "data.</p>\n<p id=openers hidden><button type=button data-open=\"\">open all</button> <button type=button>close all</button></p>\n" +
         students(results, people, shared) + "</section>\n";
}

std::string shared_part(const batch::ClassResults& results, const People& people, const SharedTexts& shared) {
  const std::string texts = people.anonymous ? std::string{} : shared_texts(results, shared);
  return texts.empty() ? texts : "<section aria-labelledby=texts><h2 id=texts>Texts that several handed in</h2>\n" + texts + "</section>\n";
}

}  // namespace

std::string to_html(const batch::ClassResults& results, const Options& options) {
  const People people = people_of(results, options.anonymous);
  const Overview overview = overview_of(results, people);
  const std::vector<ReviewItem> review = review_of(results);
  const SharedTexts shared(results);
  const std::vector<Part> parts = {
      {"review", "To look at first", review_section(results, people, review)},
      {"labs", "Scores and labs", labs_section(results, overview, people)},
      {"checks", "Where points are lost", checks_section(results, overview)},
      {"mistakes", "Mistakes", mistakes_section(results, mistakes_of(results))},
      {"class", "The class", "<section aria-labelledby=class><h2 id=class>The class</h2>\n" + class_table(results, people, review) + "</section>\n"},
      {"alike", "Alike", alike_section(results, people)},
      {"students", "Students", students_part(results, people, shared)},
      {"texts", "Shared texts", shared_part(results, people, shared)},
  };
  grader::HtmlPage page;
  page.title = fmt::format("Class report: {}, {}", grader::counted(results.entries.size(), "student"), grader::counted(results.labs.size(), "lab"));
  page.style = std::string{grader::palette} + style + code_view_style();
  page.script = script;
  page.body = "<a class=skip href=#class>Skip to the class</a>\n" + navigation(parts) + "<main>\n" + heading_section(results, overview, review.size());
  for (const Part& part : parts) page.body += part.markup;
  page.body += "</main>\n";
  return grader::to_html(page);
}

}  // namespace histolab::class_report
