// People: the names of a class's entries on the page, and their order.
//
// An anonymous page numbers them by their marks, best first, so that neither number nor order says
// more than the marks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/html/html.h"

namespace histolab::class_report {

struct Standing {
  double score = 0;      // weighted sum of all labs that have a mark
  bool complete = true;  // every lab has one
};
[[nodiscard]] Standing standing_of(const batch::Entry& entry, std::size_t labs);

struct Person : Standing {
  std::string label;  // untrusted text
};

struct People {
  std::vector<Person> persons;     // one per entry, in the order of ClassResults::entries
  std::vector<std::size_t> order;  // the order on the page: indices into `persons`
  double max_score = 0;            // weighted sum of all labs
  bool anonymous = false;
};

[[nodiscard]] People people_of(const batch::ClassResults& results, bool anonymous);
// An entry's label, with a link to the student's section if the page has these.
[[nodiscard]] grader::Html link_to(const People& people, std::size_t entry);

// False for a result without a score: the machine failed, or a person has to decide. It costs no
// points and is in no statistics.
[[nodiscard]] bool counts(const batch::Mark& mark);

}  // namespace histolab::class_report
