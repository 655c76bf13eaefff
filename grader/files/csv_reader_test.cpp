#include "grader/files/csv_reader.h"

#include <doctest/doctest.h>

using namespace histolab;
using namespace histolab::grader;

namespace {

CsvTable table(const std::string& text) {
  const Result<CsvTable> read = read_csv("r.csv", text);
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return *read;
}
std::string refused(const std::string& text) {
  const Result<CsvTable> read = read_csv("r.csv", text);
  return read ? "(read)" : read.error().message;
}

}  // namespace

TEST_CASE(
    "commas, semicolons and tabs, a byte order mark and both kinds of line ends are one table") {
  for (const std::string& text :
       {std::string{"name,id\nAda,4\nBob,5\n"}, std::string{"name;id\r\nAda;4\r\nBob;5\r\n"},
        std::string{"name\tid\nAda\t4\nBob\t5"},
        std::string{"\xEF\xBB\xBFname , \"id\"\n\n Ada , \"4\"\n,\nBob,5\n"}}) {
    CAPTURE(text);
    const CsvTable read = table(text);
    CHECK(read.header == std::vector<std::string>{"name", "id"});
    REQUIRE(read.rows.size() == 2);
    CHECK(read.rows[0].cells == std::vector<std::string>{"Ada", "4"});
    CHECK(read.rows[1].cells == std::vector<std::string>{"Bob", "5"});
  }
}

TEST_CASE(
    "a quoted cell may contain delimiters, quotes and line ends; each row has its line number") {
  const CsvTable read =
      table("name,note\n\"Lovelace, Ada\",\"she said \"\"no\"\"\ntwice\"\n\"\nBob\",\nCy\n");
  REQUIRE(read.rows.size() == 3);
  CHECK(read.rows[0] == CsvTable::Row{2, {"Lovelace, Ada", "she said \"no\"\ntwice"}});
  CHECK(read.rows[1] == CsvTable::Row{4, {"Bob", ""}});
  CHECK(read.rows[2] == CsvTable::Row{6, {"Cy", ""}});
}

TEST_CASE("a column is found by any of its names, in any spelling") {
  const CsvTable read = table("Full name,E-Mail_address\n");
  CHECK(read.column({"name", "fullname"}) == 0u);
  CHECK(read.column({"email", "email address"}) == 1u);
  CHECK_FALSE(read.column({"id"}));
}

TEST_CASE("a text that is not a table is an error with the line") {
  CHECK(refused("") == "r.csv: is empty; expected a line with the columns' names");
  CHECK(refused("\n \n") == "r.csv: is empty; expected a line with the columns' names");
  CHECK(refused("a,b\nx,y\nLovelace, Ada, 4\n") ==
        "r.csv:3: 3 cells, and the header has 2; quote cells that contain \",\"");
  CHECK(refused("a,b\n\"x,y\n").starts_with("r.csv:2: "));
  CHECK(refused("a,b\nx\"y,z\n").starts_with("r.csv:2: "));
  CHECK(refused("a,b\n\xE4,z\n") == "r.csv: is not UTF-8; save it as \"CSV UTF-8\"");
}
