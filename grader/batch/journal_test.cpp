#include "grader/batch/journal.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "grader/batch/engine.h"
#include "grader/batch/testing/sample_journal.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::batch;
using batch::testing::these;
using grader::testing::get;
using grader::testing::put;
using grader::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Lab lab_of(const std::string& name) {
  Lab lab;
  lab.name = name, lab.title = "T", lab.max_score = 10, lab.stub = "stub";
  return lab;
}
HandIn ada(const std::string& text) {
  HandIn one;
  one.student.key = "ada", one.student.name = "Ada\n\x01<b>";
  one.works["01-race"].kernel = text;
  return one;
}
Journal::HashesOf by_text() {
  return [](const std::string& lab, const Work& work) {
    return Journal::Hashes{lab + work.kernel.value_or("-"), work.kernel.value_or("")};
  };
}
Journal begun(const std::string& out, bool resume = false) {
  Result<Journal> journal = Journal::begin(out, resume);
  REQUIRE_MESSAGE(journal.ok(), journal.error().message);
  return std::move(*journal);
}
Meta some_meta() {
  Meta meta;
  meta.version = "1", meta.seed = 9007199254740991, meta.device_kind = "fake",
  meta.rubric = "{\"a\": \"\xC3\xA4\"}";
  return meta;
}
Journal::Done done(const Task& task, const Outcome& outcome) {
  return {&task, std::make_shared<const Outcome>(outcome), outcome.seconds};
}

void add(Journal& journal, const Task& task, const std::string& status = "passed") {
  REQUIRE(journal.add({done(task, {status, 7.5, "{\"a\":1}\n", 0.25})}));
}

}  // namespace

TEST_CASE("a finished work stays finished; a new submission is graded") {
  const TemporaryFolder folder;
  const std::string out = folder.at("a/out");
  {
    Journal journal = begun(out, true);  // --resume without a journal starts a new one
    CHECK(journal.is_new());
    REQUIRE(journal.set_meta(some_meta()));
    REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("one")}), by_text()));
    const auto tasks = journal.outstanding();
    REQUIRE(tasks->size() == 2);
    CHECK((*tasks)[0].lab == "01-race");
    CHECK(*journal.source((*tasks)[0].kernel) == "one");
    CHECK((*tasks)[1].kernel.empty());
    add(journal, (*tasks)[0]);
    CHECK(journal.outstanding()->size() == 1);
    CHECK((*journal.finished((*tasks)[0]))->report == "{\"a\":1}\n");
    CHECK((*journal.finished_with_sharing("one"))->score == 7.5);
    CHECK_FALSE(*journal.finished_with_sharing("two"));
  }
  Journal journal = begun(out, true);
  CHECK_FALSE(journal.is_new());
  CHECK(journal.meta()->seed == 9007199254740991);
  CHECK(journal.meta()->rubric == some_meta().rubric);
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("one")}), by_text()));
  CHECK(journal.outstanding()->size() == 1);
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("two")}), by_text()));
  CHECK(journal.outstanding()->size() == 2);
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("one")}),
                            by_text()));  // the old submission has its old result
  CHECK(journal.outstanding()->size() == 1);
}

TEST_CASE("failures of the machine are retried; unreadable files are not") {
  const TemporaryFolder folder;
  Journal journal = begun(folder.at("out"));
  HandIn one = ada("x");
  one.works["02-x"].problem = "is a pipe";
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({one}), by_text()));
  const auto tasks = journal.outstanding();
  for (const Task& task : *tasks) add(journal, task, "needs_review");
  REQUIRE(journal.outstanding()->size() == 1);
  CHECK(journal.outstanding()->front().lab == "01-race");
  CHECK_FALSE(*journal.finished_with_sharing("x"));
}

TEST_CASE("a folder with other files, or locked by another batch, is refused") {
  const TemporaryFolder folder;
  put(folder.at("other/thesis.tex"), "mine");
  const auto other = Journal::begin(folder.at("other"), true);
  REQUIRE_FALSE(other);
  CHECK(other.error().message.find("is not empty and has no journal (it contains thesis.tex)") !=
        std::string::npos);
  CHECK_FALSE(fs::exists(journal_path(folder.at("other"))));
  put(folder.at("file"), "x");
  CHECK_FALSE(Journal::begin(folder.at("file"), false));

  const std::string out = folder.at("out");
  {
    Journal mine = begun(out);
    REQUIRE(mine.set_meta(some_meta()));
    const auto second = Journal::begin(out, true);
    REQUIRE_FALSE(second);
    CHECK(second.error().message.find("another batch is using it") != std::string::npos);
  }
  const auto again = Journal::begin(out, false);
  REQUIRE_FALSE(again);
  CHECK(again.error().message.find("--resume goes on") != std::string::npos);
  CHECK(Journal::begin(out, true));
  CHECK_FALSE(Journal::read(folder.at("nothing")));
}

TEST_CASE("a pipe or a link is not a journal, and is not written to") {
  const TemporaryFolder folder;
  put(folder.at("there"), "somebody's");
  fs::create_directory(folder.at("out"));
  const auto none = [&](const char* what) {
    CAPTURE(what);
    for (const auto& journal :
         {Journal::begin(folder.at("out"), false), Journal::begin(folder.at("out"), true),
          Journal::read(folder.at("out"))}) {
      REQUIRE_FALSE(journal);
      CHECK(journal.error().message.find("is not a regular file") != std::string::npos);
    }
    fs::remove(journal_path(folder.at("out")));
  };
  REQUIRE(mkfifo(journal_path(folder.at("out")).c_str(), 0600) == 0);
  none("a pipe");
  fs::create_symlink("../new", journal_path(folder.at("out")));
  none("a link to nothing");
  CHECK_FALSE(fs::exists(folder.at("new")));
  fs::create_symlink("../there", journal_path(folder.at("out")));
  none("a link");
  CHECK(get(folder.at("there")) == "somebody's");
}

TEST_CASE("a journal of schema 1, without nodes, can be read, and a writer adds them") {
  const TemporaryFolder folder;
  const std::string out = folder.at("old");
  {
    Journal journal = begun(out);
    REQUIRE(journal.set_meta(some_meta()));
    REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("int a;")}), by_text()));
    const Task task = journal.outstanding()->front();
    REQUIRE(journal.add({done(task, {"passed", 10, "{}", 1})}));
    for (const char* column : {"node", "dispute", "checksum"})
      REQUIRE(journal.database().run(std::string{"ALTER TABLE result DROP COLUMN "} + column));
    REQUIRE(journal.database().run("DROP TABLE hand_mark"));
    REQUIRE(journal.database().run("DROP INDEX work_grading"));
    REQUIRE(
        journal.database().run("DELETE FROM meta WHERE name = 'engine' OR name LIKE 'checksum%'"));
    REQUIRE(journal.database().run("PRAGMA user_version = 1"));
    REQUIRE(journal.fold());
  }
  Result<Journal> old = Journal::read(out);
  REQUIRE_MESSAGE(old.ok(), old.error().message);
  const Task task = old->works_of("ada")->front();
  CHECK((*old->finished(task))->status == "passed");
  CHECK(old->meta()->engine == "local");
  Result<Journal> mine = Journal::begin(out, true);
  REQUIRE_MESSAGE(mine.ok(), mine.error().message);
  CHECK(mine->node_of(task)->empty());
  REQUIRE(mine->add({done(task, {"passed", 10, "{}", 1, "node7"})}));
  CHECK(*mine->node_of(task) == "node7");
  CHECK(*mine->database().number("PRAGMA user_version") == journal_schema);
}

namespace {
// Makes a journal with Ada's result and converts it to an older schema with `changes`.
void make_old_journal(const std::string& out, int schema,
                      std::initializer_list<const char*> changes) {
  Journal journal = begun(out);
  REQUIRE(journal.set_meta(some_meta()));
  REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("int a;")}), by_text()));
  add(journal, journal.outstanding()->front());
  for (const char* change : changes) REQUIRE(journal.database().run(change));
  REQUIRE(journal.database().run(fmt::format("PRAGMA user_version = {}", schema)));
  REQUIRE(journal.fold());
}
}  // namespace

TEST_CASE("a journal of schema 2, without checksums, keeps its results") {
  const TemporaryFolder folder;
  const std::string out = folder.at("old");
  make_old_journal(out, 2,
                   {"ALTER TABLE result DROP COLUMN checksum", "DROP TABLE hand_mark",
                    "DELETE FROM meta WHERE name LIKE 'checksum%'"});
  Result<Journal> old = Journal::read(out);
  REQUIRE_MESSAGE(old.ok(), old.error().message);
  CHECK(old->check_class());
  const Task task = old->works_of("ada")->front();
  CHECK((*old->finished(task))->score == 7.5);
  Journal mine = begun(out, true);
  CHECK(mine.deleted_results() == 0);
  CHECK(mine.outstanding()->empty());
  REQUIRE(mine.add({done(task, {"failed", 1, "{}", 1})}));
  CHECK((*mine.finished(task))->score == 1);
  CHECK(*mine.database().number("PRAGMA user_version") == journal_schema);
}

TEST_CASE(
    "a journal of schema 3, without marks by hand, keeps its results and accepts such marks") {
  const TemporaryFolder folder;
  const std::string out = folder.at("old");
  make_old_journal(
      out, 3, {"DROP TABLE hand_mark", "DELETE FROM meta WHERE name = 'checksum of hand marks'"});
  Result<Journal> old = Journal::read(out);
  REQUIRE_MESSAGE(old.ok(), old.error().message);
  CHECK(old->check_class());
  CHECK(old->hand_marks()->empty());
  Journal mine = begun(out, true);
  CHECK(mine.deleted_results() == 0);
  CHECK((*mine.finished(mine.works_of("ada")->front()))->score == 7.5);
  REQUIRE(mine.add(HandMark{"ada", "01-race", 8, "why", "me", 1, ""}));
  CHECK(mine.hand_marks()->size() == 1);
  CHECK(mine.check_class());
  CHECK(*mine.database().number("PRAGMA user_version") == journal_schema);
}

TEST_CASE("a mark by hand that was changed in the file is a damaged journal") {
  const TemporaryFolder folder;
  Journal journal = begun(folder.at("out"));
  REQUIRE(journal.set_meta(some_meta()));
  REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("int a;")}), by_text()));
  REQUIRE(journal.add(HandMark{"ada", "01-race", 3, "why", "me", 1, ""}));
  CHECK(journal.check_class());
  REQUIRE(journal.database().run("UPDATE hand_mark SET points = 10"));
  CHECK_FALSE(journal.check_class());
}

namespace {

std::vector<HandIn> two_students() {
  HandIn bob;
  bob.student.key = bob.student.name = "bob", bob.student.email = "bob@example.org";
  bob.works["01-race"].kernel = "int b;", bob.works["01-race"].at = 1'700'000'000,
  bob.works["01-race"].marked_late = true;
  return {ada("int a;"), bob};
}

// All marks of the class as a reader returns them, one line each.
Result<std::vector<std::string>> all_marks(const std::string& out) {
  std::vector<std::string> marks;
  ClassReader reader = TRY(ClassReader::open(out));
  TRY(reader.each([&](std::size_t, const Entry& entry) -> Status {
    const Student& who = entry.student;
    for (std::size_t lab = 0; lab < entry.marks.size(); ++lab) {
      const Mark& mark = entry.marks[lab];
      const Lab& of = reader.results().labs[lab];
      const std::string text = mark.result.submission ? mark.result.submission->text : "";
      const std::string begins = fmt::format("{} {} {} {} {} {} ", who.key, who.name, who.email,
                                             entry.problem, of.name, of.title);
      marks.push_back(begins +
                      (mark.outstanding
                           ? "outstanding"
                           : fmt::format("{} {} {} {} {}", name(mark.result.status), mark.score,
                                         mark.note, mark.result.message, text)));
    }
    return histolab::Done{};
  }));
  return marks;
}

}  // namespace

TEST_CASE("a changed byte of a journal never changes a result") {
  const TemporaryFolder folder;
  const std::string out = folder.at("out"), path = journal_path(out);
  const std::vector<Lab> labs = {lab_of("01-race"), lab_of("02-x")};
  Meta meta = some_meta();
  meta.rubric.clear();
  const auto outcome_of = [](const Task& task) {
    grader::LabResult result;
    result.lab = task.lab, result.title = "T", result.max_score = 10,
    result.status = grader::Verdict::failed, result.score = task.student == "ada" ? 3 : 7,
    result.message = "a message for " + task.student;
    return Outcome{"failed", static_cast<double>(result.score), report_of(result, "fake"), 0.25};
  };
  {
    Journal journal = begun(out);
    REQUIRE(journal.set_meta(meta));
    REQUIRE(journal.set_class(labs, these(two_students()), by_text()));
    const auto tasks = journal.outstanding();
    for (const Task& task : *tasks) REQUIRE(journal.add({done(task, outcome_of(task))}));
    REQUIRE(journal.fold());
  }
  const auto whole = all_marks(out);
  REQUIRE_MESSAGE(whole.ok(), whole.error().message);
  REQUIRE(whole->size() == 4);
  const std::string bytes = get(path);
  std::size_t reported = 0, graded_again = 0;
  std::size_t step = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    constexpr std::size_t of_text = 11, of_room = 997;  // most of the file is empty
    if (++step % (bytes[at] == 0 ? of_room : of_text) != 0) continue;
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    for (const char* beside : {"-wal", "-shm"}) fs::remove(path + beside);
    put(path, damaged);
    CAPTURE(at);
    if (const auto marks = all_marks(out)) {
      REQUIRE(marks->size() == whole->size());
      for (std::size_t i = 0; i < marks->size(); ++i)
        CHECK(((*marks)[i] == (*whole)[i] || (*marks)[i].ends_with("outstanding")));
    } else {
      ++reported;
    }
    Result<Journal> journal = Journal::begin(out, true);
    if (!journal) continue;
    graded_again += journal->deleted_results() > 0;
    if (!journal->set_meta(meta) || !journal->set_class(labs, these(two_students()), by_text()))
      continue;
    const auto left = journal->outstanding(), of_ada = journal->works_of("ada");
    REQUIRE(left);
    REQUIRE(of_ada);
    for (const Task& task : *of_ada) {
      const bool is_left = std::ranges::any_of(*left, [&](const Task& each) {
        return each.student == task.student && each.lab == task.lab;
      });
      const auto kept = journal->finished(task);
      REQUIRE(kept);
      if (!is_left)
        CHECK(((*kept)->report == outcome_of(task).report && (*kept)->score == 3 &&
               (*kept)->status == "failed"));
    }
  }
  CHECK(reported > 0);
  CHECK(graded_again > 0);
}

TEST_CASE("newer, foreign and damaged journals have different messages and are left unchanged") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& out, const std::string& why) {
    const std::string before = get(journal_path(out));
    for (const bool writes : {true, false}) {
      const auto journal = writes ? Journal::begin(out, true) : Journal::read(out);
      REQUIRE_FALSE(journal);
      CAPTURE(journal.error().message);
      CHECK(journal.error().message.find(why) != std::string::npos);
    }
    CHECK(get(journal_path(out)) == before);
  };
  {
    Journal journal = begun(folder.at("newer"));
    REQUIRE(journal.database().run("PRAGMA user_version = 99"));
    REQUIRE(journal.fold());
  }
  refused(folder.at("newer"),
          fmt::format("was written by a newer histolab (its schema is 99, this version has {})",
                      journal_schema));
  fs::create_directories(folder.at("foreign"));
  {
    Result<Database> database =
        Database::open(journal_path(folder.at("foreign")), Database::Mode::create);
    REQUIRE(database->run("CREATE TABLE mine(x)"));
  }
  refused(folder.at("foreign"), "is an SQLite database but not a histolab journal");
  put(journal_path(folder.at("text")), std::string(5000, 'x'));
  refused(folder.at("text"), "is damaged, or not a histolab journal");
  {
    Journal journal = begun(folder.at("torn"));
    REQUIRE(
        journal.set_class({lab_of("01-race")}, these({ada(std::string(200'000, 'k'))}), by_text()));
    REQUIRE(journal.fold());
  }
  fs::resize_file(journal_path(folder.at("torn")),
                  fs::file_size(journal_path(folder.at("torn"))) / 2);
  const auto torn = Journal::begin(folder.at("torn"), true);
  REQUIRE_FALSE(torn);
  CHECK(torn.error().message.find("is damaged") != std::string::npos);
}

TEST_CASE("the folder of results is private, for every spelling of its path") {
  const TemporaryFolder folder;
  for (const char* out : {"out", "slash/", "slashes//", "dot/.", "deep/er/"}) {
    CAPTURE(out);
    begun(folder.at(out));
    CHECK((fs::status(folder.at(out)).permissions() &
           (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
  }
}

TEST_CASE("a journal without settings counts as new") {
  const TemporaryFolder folder;
  CHECK(begun(folder.at("tables")).is_new());
  CHECK(begun(folder.at("tables")).is_new());
  put(journal_path(folder.at("out")), "");
  CHECK(begun(folder.at("out")).is_new());
}

TEST_CASE("a failed write is reported and changes nothing") {
  const TemporaryFolder folder;
  Journal journal = begun(folder.at("out"));
  REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("x")}), by_text()));
  const Task task = journal.outstanding()->front();
  REQUIRE(journal.database().run("PRAGMA max_page_count = 1"));  // like a full disk
  const auto failed = journal.add({done(task, {"passed", 1, std::string(1 << 20, 'r'), 0})});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("the disk is full") != std::string::npos);
  REQUIRE(journal.database().run("PRAGMA max_page_count = 1000000"));
  CHECK(journal.outstanding()->size() == 1);
  add(journal, task);
  CHECK(journal.outstanding()->empty());
}

TEST_CASE("a journal can be read while it grows") {
  const TemporaryFolder folder;
  Journal journal = begun(folder.at("out"));
  REQUIRE(journal.set_meta(some_meta()));
  REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("x")}), by_text()));
  auto reader = Journal::read(folder.at("out"));
  REQUIRE(reader);
  add(journal, journal.outstanding()->front());
  CHECK(reader->outstanding()->empty());
  CHECK_FALSE(reader->set_solution("01-race", "x"));
}
