#include "grader/class_report/people.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace histolab::class_report {

bool counts(const batch::Mark& mark) { return mark.has_score(); }

Standing standing_of(const batch::Entry& entry, std::size_t labs) {
  Standing standing;
  standing.complete = entry.marks.size() == labs;
  for (const batch::Mark& mark : entry.marks) {
    if (counts(mark))
      standing.score += mark.weight * mark.score;
    else
      standing.complete = false;
  }
  return standing;
}

People people_of(const batch::ClassResults& results, bool anonymous) {
  People people;
  people.anonymous = anonymous;
  for (const batch::Lab& lab : results.labs) people.max_score += lab.weight * lab.max_score;
  for (const batch::Entry& entry : results.entries) {
    Person& person = people.persons.emplace_back();
    person.label = entry.student.name.empty() ? entry.student.key : entry.student.name;
    static_cast<Standing&>(person) = standing_of(entry, results.labs.size());
  }
  std::map<std::string, int> bearers;
  for (const Person& person : people.persons) ++bearers[person.label];
  for (std::size_t i = 0; i < people.persons.size(); ++i)
    if (std::string& label = people.persons[i].label; bearers[label] > 1)
      label += fmt::format(" ({})", results.entries[i].student.key);
  people.order.resize(people.persons.size());
  std::iota(people.order.begin(), people.order.end(), std::size_t{0});
  if (!anonymous) return people;
  const auto marks = [&](std::size_t entry) {
    std::vector<double> scores = {people.persons[entry].score};
    for (const batch::Mark& mark : results.entries[entry].marks)
      scores.push_back(counts(mark) ? mark.score : -1);
    return scores;
  };
  std::stable_sort(people.order.begin(), people.order.end(),
                   [&](std::size_t a, std::size_t b) { return marks(a) > marks(b); });
  for (std::size_t i = 0; i < people.order.size(); ++i)
    people.persons[people.order[i]].label = fmt::format("Student {}", i + 1);
  return people;
}

grader::Html link_to(const People& people, std::size_t entry) {
  const std::string& label = people.persons[entry].label;
  return people.anonymous ? grader::html("{}", label)
                          : grader::html("<a href=#s{}>{}</a>", entry + 1, label);
}

}  // namespace histolab::class_report
