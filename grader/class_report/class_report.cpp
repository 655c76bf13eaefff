#include "grader/class_report/class_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "grader/class_report/class_report.css.h"
#include "grader/class_report/class_report.html.h"
#include "grader/class_report/class_report.js.h"
#include "grader/class_report/class_sections.h"
#include "grader/class_report/class_table.h"
#include "grader/class_report/code_view.h"
#include "grader/class_report/student_section.h"
#include "grader/html/html_page.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::html;
using grader::Html;
using grader::piece;

// A section of the page. The page has only sections with content.
struct Section {
  const char* id;
  const char* title;
  Html body;
  std::function<Status()> write_rest = {};  // writes the markup that follows `body`
};

// Returns the parts of a mark that the class table and the review list need.
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

// The result of the first pass over the class.
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

  const auto write = [&](const Html& markup) { return sink(markup.markup()); };
  const auto write_comparisons = [&]() -> Status {
    for (const SimilarPair& pair : pairs) {
      if (pair.comparison == 0) continue;
      TRY(write(comparison(results, people, pair, TRY(source.texts_of(*pair.alike)))));
    }
    return Done{};
  };
  const auto write_students = [&] {
    return source.each([&](std::size_t number, const batch::Entry& entry) {
      return write(student_section(source.results, people.persons[number], people.max_score, number,
                                   entry, read.shared));
    });
  };
  const auto write_texts = [&] {
    return source.each([&](std::size_t number, const batch::Entry& entry) {
      return write(shared_texts(source.results, number, entry, read.shared));
    });
  };
  std::vector<Section> sections = {
      {"review", "Look at these first", review_section(results, people, review)},
      {"labs", "Scores", labs_section(results, read.overview, people)},
      {"checks", "Failed checks", checks_section(results, read.overview)},
      {"mistakes", "Common mistakes", mistakes_section(results, read.mistakes)},
      {"class", "All students", class_table(results, people, review)},
      {"alike", "Similar submissions", alike_section(results, people, pairs)},
  };
  if (std::ranges::any_of(pairs, [](const SimilarPair& pair) { return pair.comparison != 0; }))
    sections.push_back({"compare", "Side by side",
                        html(piece(embedded::class_report_html, "compare")), write_comparisons});
  if (!people.anonymous && !results.entries.empty())
    sections.push_back({"students", "Each student",
                        html(piece(embedded::class_report_html, "students")), write_students});
  if (!people.anonymous && !read.shared.empty())
    sections.push_back({"texts", "Identical files", {}, write_texts});
  std::erase_if(sections,
                [](const Section& section) { return section.body.empty() && !section.write_rest; });

  Html links;
  for (const Section& section : sections)
    links += html("<li><a href=#{}>{}</a>\n", section.id, section.title);
  grader::HtmlPage page;
  page.title =
      fmt::format("Class report: {}, {}", grader::counted(results.entries.size(), "student"),
                  grader::counted(results.labs.size(), "lab"));
  page.style = std::string{embedded::class_report_css} + code_view_style();
  page.script = embedded::class_report_js;
  TRY(write(grader::html_head(page) + html(piece(embedded::class_report_html, "begin"), links) +
            heading_section(results, read.overview, review.size())));
  for (const Section& section : sections) {
    TRY(write(html(piece(embedded::class_report_html, "section"), section.id, section.title) +
              section.body));
    if (section.write_rest) TRY(section.write_rest());
    TRY(sink("</section>\n"));
  }
  TRY(sink("</main>\n"));
  return write(grader::html_tail(page));
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
