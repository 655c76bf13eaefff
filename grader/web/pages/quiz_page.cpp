#include <fmt/format.h>

#include <algorithm>

#include "grader/web/pages/document.h"
#include "grader/web/pages/pages.html.h"
#include "grader/words/words.h"

namespace histolab::web {
namespace {

using grader::Html;
using grader::html;
using grader::piece;
using quiz::Standing;
using Kind = quiz::Question::Kind;

std::string_view words(Standing standing) {
  switch (standing) {
    case Standing::unanswered: return "not answered";
    case Standing::not_understood: return "not understood";
    case Standing::wrong: return "wrong";
    case Standing::right: return "right";
    case Standing::gave_up: return "given up";
    case Standing::answered: return "saved";
  }
  return {};
}

std::string reply_word(Standing standing) {
  std::string word{words(standing)};
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word + ".";
}

Html typed_answer(const QuestionView& question, bool has_reply) {
  const bool is_set = question.kind == Kind::set;
  const std::string label = is_set                  ? "Your answer, numbers"
                            : question.unit.empty() ? "Your answer, a number"
                                                    : "Your answer, in " + question.unit;
  std::string form = is_set ? "Numbers, separated by spaces" : "A number";
  if (!is_set && !question.unit.empty()) form += " with its unit";
  if (!question.example.empty()) form += ", written like " + question.example;
  const Html reply = has_reply ? html(" {}-reply", question.id) : Html{};
  return html(piece(embedded::pages_html, "typed answer"), question.id, label, question.id,
              question.answer, question.id, reply, question.id, form + ".");
}

// The answer to a choice is a letter or, without a key, the text of an option.
bool is_chosen(const QuestionView& question, std::size_t option) {
  const std::string letter(1, static_cast<char>('a' + option));
  std::string typed;
  for (const char c : question.answer)
    if (std::string_view{" \t().`"}.find(c) == std::string_view::npos)
      typed += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return typed == letter || question.answer == question.options[option];
}

Html choices(const QuestionView& question, bool has_reply) {
  Html out;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const std::string letter(1, static_cast<char>('a' + i));
    out += html(piece(embedded::pages_html, "choice"), question.id, letter, letter,
                Html{is_chosen(question, i) ? " checked" : ""}, question.id, letter,
                question.options[i]);
  }
  const Html reply = has_reply ? html(" aria-describedby=\"{}-reply\"", question.id) : Html{};
  return html(piece(embedded::pages_html, "choices"), reply, out);
}

Html question_form(const QuizPage& page, std::size_t at) {
  const QuestionView& question = page.questions[at];
  const std::string& id = question.id;
  Html code, reply;
  for (const std::string& line : question.code) code += html("{}\n", line);
  if (!code.empty()) code = html("<pre><code>{}</code></pre>\n", code);
  const bool has_reply = question.standing != Standing::unanswered || !question.message.empty();
  if (has_reply)
    reply = html(piece(embedded::pages_html, "reply"), id, quiz::name(question.standing),
                 reply_word(question.standing), question.message);
  const Html control = question.kind == Kind::choice ? choices(question, has_reply)
                                                     : typed_answer(question, has_reply);
  const char* const verb =
      question.standing == Standing::unanswered ? "Send the answer" : "Send another answer";
  return html(piece(embedded::pages_html, "question"), id, page.lab, quiz::name(question.standing),
              id, id, at + 1, page.questions.size(), words(question.standing),
              html("<p class=\"text\">{}</p>\n", question.text), code, id, control, verb, at + 1,
              reply);
}

}  // namespace

Html quiz_page(const Frame& frame, const QuizPage& page) {
  Html questions;
  for (std::size_t i = 0; i < page.questions.size(); ++i) questions += question_form(page, i);
  const auto right = static_cast<std::uint64_t>(
      std::ranges::count(page.questions, Standing::right, &QuestionView::standing));
  const auto saved = static_cast<std::uint64_t>(
      std::ranges::count(page.questions, Standing::answered, &QuestionView::standing));
  const std::string lead =
      page.has_key ? fmt::format("{} of {} right. A wrong answer costs nothing: try again.", right,
                                 grader::counted(page.questions.size(), "question"))
                   : fmt::format("{} of {} answered. Your instructor's kit judges the answers.",
                                 saved, grader::counted(page.questions.size(), "question"));
  const Html problem =
      page.problem.empty() ? Html{} : html("<p class=\"notice error\">{}</p>\n", page.problem);
  const std::optional<std::size_t> here = position_of(frame, page.lab);
  const std::string place =
      here ? fmt::format("Lab {} of {}", *here + 1, frame.labs.size()) : "Lab";
  return document(
      frame, "quiz", fmt::format("/lab/{}/quiz", page.lab), {{"main", "Skip to the questions"}},
      html(piece(embedded::pages_html, "quiz"), place, here ? frame.labs[*here].title : page.lab,
           lead, problem, questions, page.lab));
}

}  // namespace histolab::web
