// Quiz answers that several students handed in for one drawn quiz. A quiz is drawn from the name
// and the seed in its file, so two files with the same name and seed are copies: the answers of one
// are right in the other, too.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/hand_in.h"
#include "grader/lab/lab.h"

namespace histolab::batch {

// Sets Work::problem of each work that shares its drawn quiz with another hand-in, in labs whose
// quiz has points. The members of one group hand in one file and share nothing. The text counts the
// other students and names none, so each of them may see it.
void mark_shared_answers(std::vector<HandIn>& class_, const std::vector<grader::LabSpec>& labs);

// How such a Work::problem begins.
inline constexpr const char* shared_answers = "the quiz answers were handed in ";

}  // namespace histolab::batch
