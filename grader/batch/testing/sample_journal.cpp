#include "grader/batch/testing/sample_journal.h"

#include <doctest/doctest.h>

#include "grader/batch/gradings.h"

namespace histolab::batch::testing {

HandIns these(std::vector<HandIn> all) {
  const std::size_t count = all.size();
  return {count, [all = std::move(all)](std::size_t number) { return all[number]; }};
}

Journal sample_journal(const std::string& out, const std::vector<grader::LabSpec>& labs,
                       const Meta& meta, const SampleClass& class_, bool resume) {
  Result<Journal> begun = Journal::begin(out, resume);
  REQUIRE_MESSAGE(begun.ok(), begun.error().message);
  std::vector<HandIn> handed_in;
  for (const auto& [student, text] : class_) {
    HandIn& one = handed_in.emplace_back();
    one.student.key = one.student.name = student;
    if (!text.empty()) one.works["02-sample"].kernel = text;
  }
  Lab lab;
  lab.name = "02-sample", lab.max_score = 10;
  REQUIRE(begun->set_meta(meta));
  const auto gradings = Gradings::make(labs, meta, "", {});
  REQUIRE(begun->set_class({lab}, these(handed_in), [&](const std::string& name, const Work& work) {
    return gradings->of(name, work);
  }));
  return std::move(*begun);
}

Result<ClassResults> read_class(const std::string& out) {
  ClassReader reader = TRY(ClassReader::open(out));
  TRY(reader.find_alike());
  ClassResults whole = reader.results();
  TRY(reader.each([&](std::size_t number, Entry entry) -> Status {
    whole.entries[number] = std::move(entry);
    return histolab::Done{};
  }));
  return whole;
}

}  // namespace histolab::batch::testing
