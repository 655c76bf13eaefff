// People: how the entries of a class are called on the page, and in which order they stand there.
//
// An anonymous page numbers them by their marks, best first, so that neither the number nor the
// order says more than the marks do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

struct Standing {
  double score = 0;      // of all labs that have a mark, with their weights
  bool complete = true;  // every lab has one
};
[[nodiscard]] Standing standing_of(const batch::Entry& entry, std::size_t labs);

struct Person : Standing {
  std::string label;  // not escaped: a stranger's text
};

struct People {
  std::vector<Person> persons;     // one an entry, in the order of ClassResults::entries
  std::vector<std::size_t> order;  // in which they are shown
  double max_score = 0;            // of all labs, with their weights
  bool anonymous = false;
};

[[nodiscard]] People people_of(const batch::ClassResults& results, bool anonymous);

// A mark that a machine's failure, or a person who is still to decide, keeps from being one costs
// nothing and counts nowhere.
[[nodiscard]] bool counts(const batch::Mark& mark);

}  // namespace histolab::class_report
