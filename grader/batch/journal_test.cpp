#include "grader/batch/journal.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

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
  return [](const std::string& lab, const Work& work) { return Journal::Hashes{lab + work.kernel.value_or("-"), work.kernel.value_or("")}; };
}
Journal begun(const std::string& out, bool resume = false) {
  Result<Journal> journal = Journal::begin(out, resume);
  REQUIRE_MESSAGE(journal.ok(), journal.error().message);
  return std::move(*journal);
}
Meta some_meta() {
  Meta meta;
  meta.version = "1", meta.seed = 9007199254740991, meta.device_kind = "fake", meta.rubric = "{\"a\": \"\xC3\xA4\"}";
  return meta;
}
Journal::Done done(const Task& task, const Outcome& outcome) {
  return {&task, std::make_shared<const Outcome>(outcome), outcome.seconds};
}

void add(Journal& journal, const Task& task, const std::string& status = "passed") { REQUIRE(journal.add({done(task, {status, 7.5, "{\"a\":1}\n", 0.25})})); }

}  // namespace

TEST_CASE("what is finished stays finished; what is handed in anew is graded again") {
  const TemporaryFolder folder;
  const std::string out = folder.at("a/out");
  {
    Journal journal = begun(out, true);  // --resume on what is not there begins afresh
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
    CHECK((*journal.finished_alike("one"))->score == 7.5);
    CHECK_FALSE(*journal.finished_alike("two"));
  }
  Journal journal = begun(out, true);
  CHECK_FALSE(journal.is_new());
  CHECK(journal.meta()->seed == 9007199254740991);
  CHECK(journal.meta()->rubric == some_meta().rubric);
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("one")}), by_text()));
  CHECK(journal.outstanding()->size() == 1);
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("two")}), by_text()));
  CHECK(journal.outstanding()->size() == 2);
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({ada("one")}), by_text()));  // handed in as before: so is its result
  CHECK(journal.outstanding()->size() == 1);
}

TEST_CASE("what the machine failed at is tried again; what could not be read is not") {
  const TemporaryFolder folder;
  Journal journal = begun(folder.at("out"));
  HandIn one = ada("x");
  one.works["02-x"].problem = "is a pipe";
  REQUIRE(journal.set_class({lab_of("01-race"), lab_of("02-x")}, these({one}), by_text()));
  const auto tasks = journal.outstanding();
  for (const Task& task : *tasks) add(journal, task, "needs_review");
  REQUIRE(journal.outstanding()->size() == 1);
  CHECK(journal.outstanding()->front().lab == "01-race");
  CHECK_FALSE(*journal.finished_alike("x"));
}

TEST_CASE("an OUT that is not empty is not begun on, and another batch's is not taken") {
  const TemporaryFolder folder;
  put(folder.at("other/thesis.tex"), "mine");
  const auto other = Journal::begin(folder.at("other"), true);
  REQUIRE_FALSE(other);
  CHECK(other.error().message.find("is not empty and holds no journal (thesis.tex is there)") != std::string::npos);
  CHECK_FALSE(fs::exists(journal_path(folder.at("other"))));
  put(folder.at("file"), "x");
  CHECK_FALSE(Journal::begin(folder.at("file"), false));

  const std::string out = folder.at("out");
  {
    Journal mine = begun(out);
    REQUIRE(mine.set_meta(some_meta()));
    const auto second = Journal::begin(out, true);
    REQUIRE_FALSE(second);
    CHECK(second.error().message.find("another batch works on it") != std::string::npos);
  }
  const auto again = Journal::begin(out, false);
  REQUIRE_FALSE(again);
  CHECK(again.error().message.find("--resume goes on") != std::string::npos);
  CHECK(Journal::begin(out, true));
  CHECK_FALSE(Journal::read(folder.at("nothing")));
}

TEST_CASE("a pipe, or another file's name, is no journal, and nothing is written through it") {
  const TemporaryFolder folder;
  put(folder.at("there"), "somebody's");
  fs::create_directory(folder.at("out"));
  const auto none = [&](const char* what) {
    CAPTURE(what);
    for (const auto& journal : {Journal::begin(folder.at("out"), false), Journal::begin(folder.at("out"), true), Journal::read(folder.at("out"))}) {
      REQUIRE_FALSE(journal);
      CHECK(journal.error().message.find("is no regular file") != std::string::npos);
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

TEST_CASE("a journal of schema 1, which knew no nodes, can be read, and whoever writes to it adds them") {
  const TemporaryFolder folder;
  const std::string out = folder.at("old");
  {
    Journal journal = begun(out);
    REQUIRE(journal.set_meta(some_meta()));
    REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("int a;")}), by_text()));
    const Task task = journal.outstanding()->front();
    REQUIRE(journal.add({done(task, {"passed", 10, "{}", 1})}));
    for (const char* column : {"node", "dispute"}) REQUIRE(journal.database().run(std::string{"ALTER TABLE result DROP COLUMN "} + column));
    REQUIRE(journal.database().run("DROP INDEX work_grading"));
    REQUIRE(journal.database().run("DELETE FROM meta WHERE name = 'engine'"));
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
  REQUIRE(mine->add({{&task, {"passed", 10, "{}", 1, "node7"}}}));
  CHECK(*mine->node_of(task) == "node7");
  CHECK(*mine->database().number("PRAGMA user_version") == journal_schema);
}

TEST_CASE("a newer, a foreign and a damaged journal are told apart and not changed") {
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
  refused(folder.at("newer"), "is of a newer histolab (its schema is 99, this one knows 2)");
  fs::create_directories(folder.at("foreign"));
  {
    Result<Database> database = Database::open(journal_path(folder.at("foreign")), Database::Mode::create);
    REQUIRE(database->run("CREATE TABLE mine(x)"));
  }
  refused(folder.at("foreign"), "is a database, but no journal of histolab");
  put(journal_path(folder.at("text")), std::string(5000, 'x'));
  refused(folder.at("text"), "is damaged, or no journal");
  {
    Journal journal = begun(folder.at("torn"));
    REQUIRE(journal.set_class({lab_of("01-race")}, these({ada(std::string(200'000, 'k'))}), by_text()));
    REQUIRE(journal.fold());
  }
  fs::resize_file(journal_path(folder.at("torn")), fs::file_size(journal_path(folder.at("torn"))) / 2);
  const auto torn = Journal::begin(folder.at("torn"), true);
  REQUIRE_FALSE(torn);
  CHECK(torn.error().message.find("is damaged") != std::string::npos);
}

TEST_CASE("a class's folder is its owner's alone, however it is written") {
  const TemporaryFolder folder;
  for (const char* out : {"out", "slash/", "slashes//", "dot/.", "deep/er/"}) {
    CAPTURE(out);
    begun(folder.at(out));
    CHECK((fs::status(folder.at(out)).permissions() & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
  }
}

TEST_CASE("a journal that was only begun is as good as none") {
  const TemporaryFolder folder;
  CHECK(begun(folder.at("tables")).is_new());
  CHECK(begun(folder.at("tables")).is_new());
  put(journal_path(folder.at("out")), "");
  CHECK(begun(folder.at("out")).is_new());
}

TEST_CASE("a write that fails says so and leaves what was there") {
  const TemporaryFolder folder;
  Journal journal = begun(folder.at("out"));
  REQUIRE(journal.set_class({lab_of("01-race")}, these({ada("x")}), by_text()));
  const Task task = journal.outstanding()->front();
  REQUIRE(journal.database().run("PRAGMA max_page_count = 1"));  // as good as a full disk
  const auto failed = journal.add({done(task, {"passed", 1, std::string(1 << 20, 'r'), 0})});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("the disk is full") != std::string::npos);
  REQUIRE(journal.database().run("PRAGMA max_page_count = 1000000"));
  CHECK(journal.outstanding()->size() == 1);
  add(journal, task);
  CHECK(journal.outstanding()->empty());
}

TEST_CASE("a reader reads while it grows") {
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
