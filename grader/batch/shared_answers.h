// SharedAnswers: finds students who submitted answers to the same quiz. A quiz is generated from
// the name and the seed in its file. Two files with the same name and seed are copies of one quiz,
// with the same correct answers.
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

  // Sets Work::problem of each work that shares its quiz with another submission. A group's single
  // file is not shared. The text has the number of other students but no names, because students
  // read it.
  void mark(HandIn& one) const;

 private:
  // The lab, the name and the seed.
  using Quiz = std::tuple<std::string, std::string, std::uint64_t>;
  struct Copies {
    std::set<std::string> files;  // paths in the submissions
    std::size_t students = 0;
  };
  [[nodiscard]] static std::optional<Quiz> quiz_of(const HandIn& one, const std::string& lab);

  std::vector<std::string> labs_;
  std::map<Quiz, Copies> copies_;
};

// The beginning of such a Work::problem.
inline constexpr const char* shared_answers = "the quiz answers were handed in ";

}  // namespace histolab::batch
