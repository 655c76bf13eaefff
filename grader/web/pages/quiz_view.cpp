#include "grader/web/pages/quiz_view.h"

#include <algorithm>

#include "grader/quiz/judge.h"

namespace histolab::web {
namespace {

using quiz::Standing;
using Kind = quiz::Question::Kind;

// An example that is understood and, by accident, not the answer.
std::string example_of(const quiz::Posed& question) {
  const Kind kind = question.question->kind;
  if (kind == Kind::choice) return {};
  const quiz::Unit& asked = question.question->unit;
  // A rate without a prefix is a large number.
  const bool is_large = asked.kind == quiz::Unit::Kind::rate && asked.factor == 1;
  const std::string unit = (is_large ? "M " : "") + asked.text;
  for (std::string example : {"12.3", "45.6", "7.89", "123"}) {
    if (kind == Kind::set) example = example == "12.3" ? "4 8 15" : "16 23 42";
    if (kind == Kind::number && unit.empty()) std::erase(example, '.');
    if (kind == Kind::number && !unit.empty()) example += " " + unit;
    const Standing standing = quiz::judge(question, example).standing;
    if (standing == Standing::wrong || standing == Standing::answered) return example;
  }
  return {};
}

}  // namespace

QuestionView view_of(const quiz::Posed& question, const quiz::QuestionResult& result) {
  const quiz::Question& asked = *question.question;
  QuestionView view{.id = asked.id,
                    .kind = asked.kind,
                    .text = question.text,
                    .code = question.code,
                    .unit = asked.unit.text,
                    .example = example_of(question),
                    .options = {},
                    .standing = result.standing,
                    .answer = result.answer,
                    .message = result.message};
  for (const quiz::Option& option : question.options) view.options.push_back(option.text);
  if (asked.has_key && (result.standing == Standing::right || result.standing == Standing::gave_up))
    view.message = question.why;
  return view;
}

}  // namespace histolab::web
