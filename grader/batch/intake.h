// Intake: finds the students of a class and their submissions in a Tree.
//
// The result does not depend on the order of a file system or of an archive. The class's folder may
// contain
// - a folder or archive per student: ada/<LAB>.cu or ada/<LAB>/stub.cu, answers in <LAB>.quiz.json;
// - a file per student: ada_<LAB>.cu, or ada.cu if only one lab is graded;
// - an export of Gradescope, Moodle or Canvas (schemes.h), or one export per assignment.
//
// Several exports are combined by e-mail address, name and user number.
//
// Names are compared in Unicode's composed form, because archives from macOS have decomposed names.
// Every student with a name in the tree is in the class, even if no file can be read.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/batch/hand_in.h"
#include "grader/batch/members.h"
#include "grader/batch/roster.h"
#include "grader/batch/tree.h"
#include "reference/result.h"

namespace histolab::batch {

struct IntakeOptions {
  std::vector<std::string> labs;  // names of those that are graded
  // Uses the file's time as the submission time if the platform has none.
  bool file_times = false;
  // Other labs of the kit: files for them are neither graded nor a problem.
  std::vector<std::string> other_labs = {};
  // Grades only those of `labs` that occur in a file name; the rest become other labs. For a batch
  // without named labs.
  bool only_handed_in = false;
  std::optional<Roster> roster = {};
  // Texts by lab. A file that equals the stub is ignored if the lab has another file.
  std::map<std::string, std::string> stubs = {};
};

class Intake {
 public:
  Intake() = default;  // an empty class
  // Returns an Error without students, if `only_handed_in` finds no lab, or if the
  // description of a Gradescope export cannot be read.
  static Result<Intake> of(Tree tree, IntakeOptions options);

  // The graded labs.
  [[nodiscard]] const std::vector<std::string>& labs() const { return options_.labs; }
  [[nodiscard]] std::size_t size() const { return by_key_.size(); }
  // Keys are in ascending order.
  [[nodiscard]] const std::string& key(std::size_t number) const { return by_key_[number].first; }
  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] Student student(std::size_t number) const;
  [[nodiscard]] HandIn at(std::size_t number) const;
  [[nodiscard]] HandIns hand_ins() const;  // refers to this object
  // Ignored files that belong to no student, and other notes for the instructor.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return members_.remarks; }

 private:
  Tree tree_;
  IntakeOptions options_;
  Members members_;
  std::vector<std::pair<std::string, const Member*>> by_key_;
};

}  // namespace histolab::batch
