// Tests of Finding: names, findings with the same cause, and merging two of them.
#include "kernels/finding.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernels/testing/sample_finding.h"
#include "reference/fields.h"

namespace histolab::kernels {
namespace {

Finding at(FindingKind kind, int line, int other_line = 0, std::string variable = "histo",
           Space space = Space::global) {
  return kernels::testing::finding_at(kind, line, other_line, std::move(variable), space);
}

TEST_CASE("the names that reports and lab.json use") {
  for (std::size_t i = 0; i < all_finding_kinds.size(); ++i) {
    const FindingKind kind = all_finding_kinds[i];
    CAPTURE(name(kind));
    CHECK(kind == static_cast<FindingKind>(i));
    CHECK(value_named<FindingKind>(name(kind)) == kind);
    CHECK_FALSE(title(kind).empty());
    CHECK(why_it_matters(kind).empty() == (kind == FindingKind::unsupported));
  }
  CHECK(name(FindingKind::data_race) == "data_race");
  CHECK(name(FindingKind::unsupported) == "unsupported");
  CHECK(name(Severity::error) == "error");
  CHECK(name(Severity::note) == "note");
  CHECK(name(Space::none) == "none");
  CHECK(name(Space::global) == "global");
  CHECK(name(Space::shared) == "shared");
  CHECK(name(Space::local) == "local");
}

TEST_CASE("a number that is no finding kind has the words of the last one") {
  for (const int number : {-1, static_cast<int>(all_finding_kinds.size()), 31, 1 << 30}) {
    CAPTURE(number);
    CHECK(name(static_cast<FindingKind>(number)) == "unsupported");
    CHECK(title(static_cast<FindingKind>(number)) == title(FindingKind::unsupported));
  }
}

TEST_CASE("other names are not finding kinds") {
  for (const std::string word :
       {"", "race", "Data_Race", "data_race ", "data race", "none", "error"}) {
    CAPTURE(word);
    CHECK_FALSE(value_named<FindingKind>(word).has_value());
  }
}

TEST_CASE("equal lines of two files are two mistakes") {
  Finding a = at(FindingKind::data_race, 3, 9), b = at(FindingKind::data_race, 9, 3);
  a.file = b.other_file = "main.cu";
  a.other_file = b.file = "part.cuh";
  CHECK(same_cause(a, b));
  std::swap(b.file, b.other_file);
  CHECK_FALSE(same_cause(a, b));
  Finding one = at(FindingKind::out_of_bounds, 3), other = one;
  CHECK(same_cause(one, other));
  other.file = "part.cuh";
  CHECK_FALSE(same_cause(one, other));
}

TEST_CASE("one mistake or two") {
  using enum FindingKind;
  struct Row {
    std::string title;
    Finding a, b;
    bool same;
  };
  for (const Row& row : {
           Row{"a race's lines in either order", at(data_race, 3, 9), at(data_race, 9, 3), true},
           Row{"races at other lines", at(data_race, 3, 9), at(data_race, 3, 8), false},
           Row{"races of one line and of two", at(data_race, 3, 3), at(data_race, 3, 9), false},
           Row{"races on other variables", at(data_race, 3, 9, "a"), at(data_race, 3, 9, "b"),
               false},
           Row{"one name in two spaces", at(data_race, 3, 9),
               at(data_race, 3, 9, "histo", Space::shared), false},
           Row{"uninitialized reads at two lines", at(uninitialized_read, 3),
               at(uninitialized_read, 4), true},
           Row{"uninitialized reads of two variables", at(uninitialized_read, 3, 0, "a"),
               at(uninitialized_read, 3, 0, "b"), false},
           Row{"barrier divergence anywhere", at(barrier_divergence, 3, 9),
               at(barrier_divergence, 12), true},
           Row{"an index out of bounds at one line", at(out_of_bounds, 3), at(out_of_bounds, 3),
               true},
           Row{"indices out of bounds at two lines", at(out_of_bounds, 3), at(out_of_bounds, 4),
               false},
           Row{"indices out of bounds of two variables", at(out_of_bounds, 3, 0, "a"),
               at(out_of_bounds, 3, 0, "b"), false},
           Row{"writes to the input at two lines", at(write_to_input, 3), at(write_to_input, 4),
               false},
           Row{"step limits at two lines", at(step_limit, 3), at(step_limit, 4), false},
           Row{"two kinds at one line", at(out_of_bounds, 3), at(misaligned_access, 3), false},
       }) {
    CAPTURE(row.title);
    CHECK(same_cause(row.a, row.b) == row.same);
    CHECK(same_cause(row.b, row.a) == row.same);
  }
}

TEST_CASE("same_cause ignores elements, threads, counts and messages") {
  Finding a = at(FindingKind::data_race, 3, 9), b = a;
  a.index = 4;
  b.index = 5;
  a.thread = ThreadId{{0, 0, 0}, {1, 0, 0}};
  a.count = 7;
  a.message = "one";
  CHECK(same_cause(a, b));
}

TEST_CASE("merging adds the counts and keeps what was seen first, unless its line is unknown") {
  using enum FindingKind;
  struct Row {
    std::string title;
    Finding known, more;
    bool replaced;
  };
  for (const Row& row : {
           Row{"a lower line of an uninitialized read", at(uninitialized_read, 9),
               at(uninitialized_read, 3), true},
           Row{"a higher line", at(uninitialized_read, 3), at(uninitialized_read, 9), false},
           Row{"the same line", at(out_of_bounds, 3), at(out_of_bounds, 3), false},
           Row{"an unknown line", at(uninitialized_read, 9), at(uninitialized_read, 0), false},
           Row{"a line instead of an unknown one", at(uninitialized_read, 0),
               at(uninitialized_read, 9), true},
           Row{"two lines after one", at(barrier_divergence, 3), at(barrier_divergence, 8, 9),
               false},
           Row{"two lower lines", at(barrier_divergence, 8, 9), at(barrier_divergence, 3, 9),
               false},
           Row{"a race, the other thread first", at(data_race, 9, 3), at(data_race, 3, 9), false},
       }) {
    CAPTURE(row.title);
    Finding known = row.known, more = row.more;
    known.count = 5;
    more.count = 3;
    known.message = "known";
    more.message = "more";
    merge(known, more);
    CHECK(known.count == 8);
    CHECK(known.message == std::string(row.replaced ? "more" : "known"));
    CHECK(known.line == (row.replaced ? row.more : row.known).line);
  }
}

TEST_CASE("parts_of splits a message in two, but not within quoted student text") {
  const auto parts = [](std::string_view message) {
    const MessageParts found = parts_of(message);
    return found.what + "|" + found.next;
  };
  CHECK(parts("thread 3 waits. Let it go on. Or end it") ==
        "thread 3 waits|Let it go on. Or end it");
  CHECK(parts("it waits") == "it waits|");
  CHECK(parts("the assertion `x > 0. && y` failed. Look at x") ==
        "the assertion `x > 0. && y` failed|Look at x");
  CHECK(parts("what is ` for? It stands alone. Take it out") ==
        "what is ` for? It stands alone|Take it out");
  CHECK(parts("") == "|");
}

}  // namespace
}  // namespace histolab::kernels
