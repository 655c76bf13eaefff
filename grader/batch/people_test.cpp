#include "grader/batch/people.h"

#include <doctest/doctest.h>

using namespace histolab;
using namespace histolab::batch;

namespace {

// Key, name, platform's id, university's id, login, section, e-mail address.
const std::vector<Student> students = {
    {"ada", "Ada Lovelace", "12", "4711", "alove", "A", "ada@example.edu"},
    {"bob~1", "Bob Babbage", "13", "4712", "", "", "bob@example.edu"},
    {"bob~2", "Bob Babbage", "", "4713", "", "", "bob2@example.edu"},
    {"cy", "Zo\xC3\xAB de la Cruz", "", "", "", "", ""}};

std::string found(const std::string& word) {
  const Result<std::size_t> number = People{students}.find(word);
  return number ? students[*number].key : number.error().message;
}

}  // namespace

TEST_CASE("a student is found by key, name, e-mail address, id or login, in any case and order") {
  for (const char* word :
       {"ada", "Ada Lovelace", "ADA LOVELACE", "Lovelace, Ada", "lovelace_ada", "lovelaceada",
        "ada-lovelace", "Ada@Example.edu", "4711", "12", "alove"}) {
    CAPTURE(std::string{word});
    CHECK(found(word) == "ada");
  }
  for (const char* word : {"Zo\xC3\xAB de la Cruz", "zoe\xCC\x88 de la cruz",
                           "de la Cruz, ZO\xC3\x8B", "delacruzzo\xC3\xAB"}) {
    CAPTURE(std::string{word});
    CHECK(found(word) == "cy");
  }
}

TEST_CASE("an ambiguous name lists the students' identities; an unknown one, similar names") {
  CHECK(found("bob babbage") ==
        "2 students are called \"bob babbage\": bob@example.edu or bob2@example.edu");
  CHECK(found("bob~2") == "bob~2");
  CHECK(found("4713") == "bob~2");
  CHECK(found("Ada Lovelase") ==
        "there is no student \"Ada Lovelase\"; did you mean Ada Lovelace?");
  CHECK(found("Lovelace") == "there is no student \"Lovelace\"; did you mean Ada Lovelace?");
  CHECK(found("cruz") == "there is no student \"cruz\"; did you mean Zo\xC3\xAB de la Cruz?");
  CHECK(found("").starts_with("there is no student"));
  CHECK(found(" - ").starts_with("there is no student"));
}

TEST_CASE("an id or an e-mail address matches only its owner") {
  const std::vector<Student> two = {{"a", "4712", "", "", "", "", ""},
                                    {"b", "Bob", "", "4712", "", "", ""}};
  CHECK(*People{two}.find("4712") == 1);
}
