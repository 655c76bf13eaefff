// People: finds a student by a typed word or a cell of a list.
//
// A word may be the student's key, e-mail address, id, login or name. "Lovelace, Ada",
// "ada_lovelace" and Canvas's "lovelaceada" are the name "Ada Lovelace"; case and Unicode form do
// not matter.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "reference/result.h"

namespace histolab::batch {

class People {
 public:
  explicit People(std::span<const Student> students);

  // All matching students, ascending. A key, an e-mail address, an id or a login matches only its
  // owner, even if it is also the name of another student.
  [[nodiscard]] std::vector<std::size_t> matches(const std::string& word) const;
  // The only matching student. Returns an Error if no student matches (with a suggestion) or
  // several do (with their e-mail addresses, ids or keys).
  [[nodiscard]] Result<std::size_t> find(const std::string& word) const;
  // "; did you mean Ada Lovelace?": students with the word in their name, or with a similar name.
  [[nodiscard]] std::string suggestion(const std::string& word) const;

 private:
  using Index = std::map<std::string, std::set<std::size_t>>;
  Index keys_, identities_, names_;
  std::vector<std::string> shown_, identifiers_;
};

}  // namespace histolab::batch
