// The pages of `histolab serve`: values -> HTML. The functions read no files and keep no state.
//
// Each page is a complete document. It has no inline script, no inline style and no style
// attribute, so it satisfies `default-src 'none'; script-src 'self'; style-src 'self'`. Every value
// that is not Html is text: it is escaped. A page is readable without JavaScript: elements that
// only work with a script have `hidden` and `data-needs-script`, and the script removes `hidden`
// from all of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/html/html.h"
#include "grader/quiz/outcome.h"
#include "grader/quiz/quiz.h"
#include "grader/web/pages/markdown.h"

namespace histolab::web {

// Addresses of the files that a page loads.
struct Assets {
  std::string style;   // palette.css, then site/style.css
  std::string script;  // address of a module; if empty, the page has no script
};

enum class LabState { not_started, started, passed };
// "not started", "started", "passed".
[[nodiscard]] std::string_view name(LabState state);

struct LabLink {
  std::string name;  // "02-atomic-add"; the address is /lab/NAME
  std::string title;
  LabState state = LabState::not_started;
};

// The values of the document around every page.
struct Frame {
  std::string title;          // of the window; " - histolab" follows
  std::string lab;            // name of the lab that the page belongs to; may be empty
  std::vector<LabLink> labs;  // all, in order
  Assets assets;
  bool has_glossary = true;
};

struct LabProgress {
  LabLink lab;
  std::string summary;
  double score = 0, max_score = 0;
  struct Quiz {
    std::size_t right = 0, questions = 0;
  };
  std::optional<Quiz> quiz;  // nullopt if the lab has none
};
[[nodiscard]] grader::Html list_page(const Frame& frame, const std::vector<LabProgress>& labs);

struct Choice {
  std::string value, label;
};

struct LabPage {
  std::string name;  // as in the frame
  // From the lesson's Markdown, with ids_of_lab_page() as taken ids.
  RenderedMarkdown lesson;
  std::string file;  // the path that a student sees: "work/02-atomic-add.cu"
  std::string text, sha256;
  bool passed = false;
  bool has_quiz = false;
  std::size_t hints = 0;
  std::vector<Choice> cases;  // id and title; the empty id is added: "the lab's own choice"
  std::vector<std::string> scenarios;  // titles of the lecture's interleavings of a race, from 1
};
// The elements that the scripts know:
//   main[data-lab][data-sha256][data-passed][data-hints], section#lesson, form#work with
//   textarea#text, div#editor, button#save, p#state; section#verdict with p#headline, ol#remarks,
//   table#checks; section#hints with button#next-hint, div#hint-list; section#solution with
//   button#show-solution, pre#solution-text; section#live with select#case, button#live-start,
//   #live-pause, #live-step, input#live-speed, figure#live-chart, p#live-words,
//   table#live-numbers; section#race with select#race-scenario,
//   button#race-previous, #race-next, #race-all, figure#race-figure, ol#race-steps, p#race-words.
//
// Line ends become \n. A textarea cannot hold every text: characters that escaped_html() replaces
// differ. Then data-sha256 is empty, so the script finds that the file has another text and loads
// it, and a save would be a conflict.
[[nodiscard]] grader::Html lab_page(const Frame& frame, const LabPage& page);
// The ids that lab_page() uses. No heading of a lesson may have them.
[[nodiscard]] const std::vector<std::string>& ids_of_lab_page();

// The content of a hint, for /api/labs/L/hints/N; the page's script puts it into an article.
// `text` is rendered with first_level 3.
[[nodiscard]] grader::Html hint_fragment(std::size_t number, std::size_t of,
                                         const std::string& title, const grader::Html& text);

// A question as a student sees it. It never has the right answer, unless the student gave it.
struct QuestionView {
  std::string id;
  quiz::Question::Kind kind = quiz::Question::Kind::number;
  std::string text;
  std::vector<std::string> code;     // lines, shown as they are
  std::string unit;                  // may be empty
  std::string example;               // of the form of an answer, "12.3 GB/s"; not the answer
  std::vector<std::string> options;  // of a choice, in order: a, b, c
  quiz::Standing standing = quiz::Standing::unanswered;
  std::string answer;   // the student's own: as typed, or a letter or text of an option
  std::string message;  // why it is wrong, right or not understood
};
struct QuizPage {
  std::string lab;  // as in the frame
  bool has_key = true;
  std::string problem = {};  // why the file of answers cannot be used; usually empty
  std::vector<QuestionView> questions;
};
[[nodiscard]] grader::Html quiz_page(const Frame& frame, const QuizPage& page);

// A page of the kit: the glossary, or one of docs/.
[[nodiscard]] grader::Html document_page(const Frame& frame, const RenderedMarkdown& document);

// An error, and the next step for the student. `status` is the HTTP status; `detail` may add a
// sentence.
struct ErrorPage {
  int status = 500;
  std::string detail;
};
[[nodiscard]] grader::Html error_page(const Frame& frame, const ErrorPage& page);

}  // namespace histolab::web
