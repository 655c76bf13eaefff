#include "grader/class_report/class_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

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
  std::string markup;  // empty: it is not there; of students and texts only how it begins
};

std::string navigation(const std::vector<Part>& parts) {
  std::string out = "<nav aria-label=\"parts of the report\"><ul>\n";
  for (const Part& part : parts)
    if (!part.markup.empty()) out += fmt::format("<li><a href=#{}>{}</a>\n", part.id, part.title);
  return out + "</ul></nav>\n";
}

constexpr const char* students_begin =
    "<section aria-labelledby=students><h2 id=students>Each student</h2>\n<p class=aside>Click a "
    "name to open it. "
    "A closed student is printed as one line. Where two figures stand side by side, the second, "
    "grey one is the "
    "solution's on the same data.</p>\n<p id=openers hidden><button type=button "
    "data-open=\"\">open all</button> <button type=button>close all</button></p>\n";
constexpr const char* texts_begin =
    "<section aria-labelledby=texts><h2 id=texts>Identical files</h2>\n";
constexpr const char* comparisons_begin =
    "<section aria-labelledby=compare><h2 id=compare>Side by side</h2>\n<p class=aside>Click a "
    "pair to open it. Lines "
    "that correspond face each other; the words that differ are marked.</p>\n";
constexpr const char* section_end = "</section>\n";

// What the table of the class and the list of what to look at need of a mark.
batch::Mark brief(const batch::Mark& mark) {
  constexpr std::size_t longest = 1000;
  batch::Mark kept;
  kept.result.status = mark.result.status, kept.result.score = mark.result.score;
  kept.result.message = grader::shortened(mark.result.message, longest);
  kept.score = mark.score, kept.note = grader::shortened(mark.note, longest),
  kept.outstanding = mark.outstanding;
  kept.weight = mark.weight, kept.by_hand = mark.by_hand;
  return kept;
}

// What a first reading of the class leaves.
struct FirstReading {
  batch::ClassResults results;  // marks are brief
  Overview overview;
  std::vector<Mistake> mistakes;
  SharedTexts shared;
};

Status read_first(const batch::ClassSource& source, FirstReading& read) {
  Mistakes mistakes{source.results};
  Status all = source.each([&](std::size_t number, const batch::Entry& entry) -> Status {
    read.overview.add(source.results, entry);
    mistakes.add(number, entry);
    read.shared.add(source.results.labs, number, entry);
    std::vector<batch::Mark>& kept = read.results.entries[number].marks;
    kept.clear();
    for (const batch::Mark& mark : entry.marks) kept.push_back(brief(mark));
    return Done{};
  });
  read.overview.sort();
  read.mistakes = std::move(mistakes).sorted();
  read.shared.count();
  return all;
}

}  // namespace

Status write_html(const batch::ClassSource& source, const Options& options, const Sink& sink) {
  FirstReading read{.results = source.results,
                    .overview = Overview{source.results},
                    .mistakes = {},
                    .shared = {}};
  TRY(read_first(source, read));
  const batch::ClassResults& results = read.results;
  const People people = people_of(results, options.anonymous);
  const std::vector<ReviewItem> review = review_of(results);
  std::vector<SimilarPair> pairs;
  if (!people.anonymous) pairs = TRY(similar_pairs(source));
  const bool has_comparisons =
      std::ranges::any_of(pairs, [](const SimilarPair& pair) { return pair.comparison != 0; });
  const bool has_students = !people.anonymous && !results.entries.empty(),
             has_texts = !people.anonymous && !read.shared.empty();
  const std::vector<Part> parts = {
      {"review", "Look at these first", review_section(results, people, review)},
      {"labs", "Scores", labs_section(results, read.overview, people)},
      {"checks", "Failed checks", checks_section(results, read.overview)},
      {"mistakes", "Common mistakes", mistakes_section(results, read.mistakes)},
      {"class", "All students",
       "<section aria-labelledby=class><h2 id=class>All students</h2>\n" +
           class_table(results, people, review) + "</section>\n"},
      {"alike", "Similar submissions", alike_section(results, people, pairs)},
      {"compare", "Side by side", has_comparisons ? comparisons_begin : ""},
      {"students", "Each student", has_students ? students_begin : ""},
      {"texts", "Identical files", has_texts ? texts_begin : ""},
  };
  grader::HtmlPage page;
  page.title =
      fmt::format("Class report: {}, {}", grader::counted(results.entries.size(), "student"),
                  grader::counted(results.labs.size(), "lab"));
  page.style = std::string{grader::palette} + style + code_view_style();
  page.script = script;
  std::string begin = grader::html_head(page) +
                      "<a class=skip href=#class>Skip to the table of all students</a>\n" +
                      navigation(parts) + "<main>\n" +
                      heading_section(results, read.overview, review.size());
  for (const Part& part : parts)
    if (part.markup != students_begin && part.markup != texts_begin &&
        part.markup != comparisons_begin)
      begin += part.markup;
  TRY(sink(begin));

  if (has_comparisons) {
    TRY(sink(comparisons_begin));
    for (const SimilarPair& pair : pairs) {
      if (pair.comparison == 0) continue;
      TRY(sink(comparison(results, people, pair, TRY(source.texts_of(*pair.alike)))));
    }
    TRY(sink(section_end));
  }
  const auto write_each = [&](const char* head, const auto& text) -> Status {
    TRY(sink(head));
    Status all = source.each(
        [&](std::size_t number, const batch::Entry& entry) { return sink(text(number, entry)); });
    return all ? sink(section_end) : all;
  };
  if (has_students) {
    TRY(write_each(students_begin, [&](std::size_t number, const batch::Entry& entry) {
      return student_section(source.results, people.persons[number], people.max_score, number,
                             entry, read.shared);
    }));
  }
  if (has_texts) {
    TRY(write_each(texts_begin, [&](std::size_t number, const batch::Entry& entry) {
      return shared_texts(source.results, number, entry, read.shared);
    }));
  }
  return sink("</main>\n" + grader::html_tail(page));
}

std::string to_html(const batch::ClassResults& results, const Options& options) {
  const auto each = [&](const batch::TakeEntry& take) -> Status {
    for (std::size_t i = 0; i < results.entries.size(); ++i) TRY(take(i, results.entries[i]));
    return Done{};
  };
  const auto text_in = [&](std::size_t entry, std::size_t lab) {
    const std::optional<grader::Submission>& submission =
        results.entries[entry].marks[lab].result.submission;
    return submission ? submission->text : std::string{};
  };
  const auto texts_of =
      [&](const batch::Likeness& alike) -> Result<std::pair<std::string, std::string>> {
    return std::pair{text_in(alike.first, alike.lab), alike.known
                                                          ? results.known[*alike.known].text
                                                          : text_in(alike.second, alike.lab)};
  };
  std::string page;
  // Neither the class nor the sink fails here.
  static_cast<void>(
      write_html({results, each, texts_of}, options,
                 [&](std::string_view text) -> Status { return page += text, Done{}; }));
  return page;
}

}  // namespace histolab::class_report
