// A posed question of a quiz and its judgement -> what the quiz page shows of it.
#pragma once

#include "grader/quiz/outcome.h"
#include "grader/quiz/quiz.h"
#include "grader/web/pages/pages.h"

namespace histolab::web {

// The view has the explanation only if the question is settled: it may contain the right answer.
// The example shows the form of an answer and is never a right one.
[[nodiscard]] QuestionView view_of(const quiz::Posed& question, const quiz::QuestionResult& result);

}  // namespace histolab::web
