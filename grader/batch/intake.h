// Intake: who handed in what, from the Tree of a class, by the schemes that platforms name their
// exports by.
//
// A pure function of the tree: the order of a file system and of an archive changes nothing. Below
// the class's folder may lie
//
//   ada/<LAB>.cu  or  ada/<LAB>/stub.cu      a folder or an archive a student, answers as
//   <LAB>.quiz.json beside it ada_<LAB>.cu                             a file a student; with one
//   lab chosen ada.cu will do an export of Gradescope, Moodle or Canvas (schemes.h), or several of
//   them, one an assignment: they are put together by e-mail address, name and user number
//
// Names are compared in Unicode's composed form: an archive made on a Mac has "e" and an accent
// where a platform has one letter. A roster (roster.h) says who is in the class. One folder or
// archive around all of it is opened. Each student who has a name in it is in the class, whatever
// could be read.
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
  bool file_times =
      false;  // where the platform tells no time, that of the file counts as handed in
  std::vector<std::string> other_labs =
      {};  // of the kit: a file for one of them is no mistake, and no work either
  // Of `labs` only those that a file's name says; the rest becomes other labs. For a batch that
  // names no labs.
  bool only_handed_in = false;
  std::optional<Roster> roster = {};
  std::map<std::string, std::string> stubs =
      {};  // texts, by lab: next to another file a stub is no hand-in
};

class Intake {
 public:
  Intake() = default;  // of nobody
  // Error: there is nobody in it, or no lab's file; a Gradescope export's description cannot be
  // read.
  static Result<Intake> of(Tree tree, IntakeOptions options);

  // Those that are graded.
  [[nodiscard]] const std::vector<std::string>& labs() const { return options_.labs; }
  [[nodiscard]] std::size_t size() const { return by_key_.size(); }
  // Of the students, ascending.
  [[nodiscard]] const std::string& key(std::size_t number) const { return by_key_[number].first; }
  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] Student student(std::size_t number) const;
  [[nodiscard]] HandIn at(std::size_t number) const;
  [[nodiscard]] HandIns hand_ins() const;  // borrows this object
  // Files that were left out and belong to no student.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return members_.remarks; }

 private:
  Tree tree_;
  IntakeOptions options_;
  Members members_;
  std::vector<std::pair<std::string, const Member*>> by_key_;
};

}  // namespace histolab::batch
