#include "grader/lessons/glossary.h"

#include <doctest/doctest.h>

#include "grader/files/paths.h"
#include "grader/files/read_file.h"

namespace histolab::grader::lessons {
namespace {

std::vector<GlossaryEntry> sample() {
  return glossary_of(
      "# Glossary\n\nWords.\n\n## A part\n\n**Bank conflict.** Lanes of one request\nneed one "
      "bank. "
      "[Counters](counters.md).\n\n"
      "**L1, L2.** Caches. [Lab 03](../labs/03-interleaved/lesson.md), [the "
      "model](model.md#x).\n\n**Multiprocessor "
      "(SM).** It runs blocks.\n\n**Bank.** A part.\n");
}

std::string found(const std::string& term) {
  std::string text;
  for (const GlossaryEntry& each : find_entries(sample(), term)) text += each.terms.front() + ";";
  return text;
}

TEST_CASE("glossary entries omit references to pages that students do not have") {
  const std::vector<GlossaryEntry> all = sample();
  REQUIRE(all.size() == 4);
  CHECK(all[0].text == "**Bank conflict.** Lanes of one request\nneed one bank.\n");
  CHECK(all[1].text == "**L1, L2.** Caches. [Lab 03](../labs/03-interleaved/lesson.md)\n");
  CHECK(all[1].terms == std::vector<std::string>{"L1", "L2"});
  CHECK(all[2].terms == std::vector<std::string>{"Multiprocessor", "SM"});
}

TEST_CASE("a term is found in any spelling, and a part of a term finds all entries with it") {
  CHECK(found("bank") == "Bank;");
  CHECK(found("Bank-Conflicts") == "Bank conflict;");
  CHECK(found("bank conflict") == "Bank conflict;");
  CHECK(found("l2") == "L1;");
  CHECK(found("SM") == "Multiprocessor;");
  CHECK(found("conf") == "Bank conflict;");
  CHECK(found("ban") == "Bank conflict;Bank;");
  CHECK(found("texture").empty());
  CHECK(found("").empty());
}

TEST_CASE("the kit's glossary has the words of the verdicts") {
  const Result<std::string> page =
      read_text_file(find_paths("/nowhere/bin/histolab").glossary, "page");
  REQUIRE(page);
  const std::vector<GlossaryEntry> all = glossary_of(*page);
  CHECK(all.size() > 40);
  for (const char* term : {"sector", "request", "lane", "warp", "data race", "lost update",
                           "barrier divergence", "export", "coalescing"})
    CHECK_MESSAGE(find_entries(all, term).size() == 1, term);
}

}  // namespace
}  // namespace histolab::grader::lessons
