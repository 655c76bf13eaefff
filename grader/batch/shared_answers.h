// Quiz answers that several students handed in for one drawn quiz. A quiz is drawn from the name
// and the seed in its file, so two files with the same name and seed are copies: the answers of one
// are right in the other, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "grader/batch/hand_in.h"
#include "grader/lab/lab.h"

namespace histolab::batch {

class SharedAnswers {
 public:
  // Reads every answer file of the class once, in labs whose quiz has points.
  SharedAnswers(const HandIns& class_, const std::vector<grader::LabSpec>& labs);

  // Sets Work::problem of each work that shares its drawn quiz with another hand-in. The members of
  // one group hand in one file and share nothing. The text counts the other students and names
  // none, so each of them may see it.
  void mark(HandIn& one) const;

 private:
  // The lab, the name and the seed.
  using Quiz = std::tuple<std::string, std::string, std::uint64_t>;
  struct Copies {
    std::set<std::string> files;  // where they are in what was handed in
    std::size_t students = 0;
  };
  [[nodiscard]] static std::optional<Quiz> quiz_of(const HandIn& one, const std::string& lab);

  std::vector<std::string> labs_;
  std::map<Quiz, Copies> copies_;
};

// How such a Work::problem begins.
inline constexpr const char* shared_answers = "the quiz answers were handed in ";

}  // namespace histolab::batch
