#include "grader/quiz/outcome.h"

namespace histolab::quiz {

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::unanswered: return "unanswered";
    case Standing::not_understood: return "not_understood";
    case Standing::wrong: return "wrong";
    case Standing::right: return "right";
    case Standing::gave_up: return "gave_up";
    case Standing::answered: return "answered";
  }
  return "";
}

std::size_t Outcome::count(Standing standing) const { return ids(standing).size(); }

std::vector<std::string> Outcome::ids(Standing standing) const {
  std::vector<std::string> found;
  for (const QuestionResult& each : questions)
    if (each.standing == standing) found.push_back(each.id);
  return found;
}

}  // namespace histolab::quiz
