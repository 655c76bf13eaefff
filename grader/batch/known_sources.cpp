#include "grader/batch/known_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "grader/batch/intake.h"
#include "grader/batch/journal.h"
#include "grader/batch/likeness.h"
#include "grader/batch/tree.h"
#include "grader/files/read_file.h"
#include "grader/lab/attempt.h"
#include "grader/lab/lab_kernels.h"
#include "grader/lessons/markdown.h"

namespace histolab::batch {
namespace {

namespace fs = std::filesystem;

// Kernels for one lab are naturally similar, so the limits are stricter than between two students.
constexpr double least_share_of_course = 0.9;
constexpr std::size_t least_evidence_of_course = 12;
constexpr std::size_t least_tokens = 20;  // shorter sources are not compared

bool is_there(const std::string& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

Status add_file(std::vector<KnownSource>& all, const std::string& lab, std::string name,
                const std::string& path) {
  if (!is_there(grader::stored_path(path))) return histolab::Done{};
  std::string text = TRY(grader::read_kernel(path));
  all.push_back({lab, "", std::move(name), std::move(text)});
  return histolab::Done{};
}

// Adds the code blocks of a page that contain a kernel.
Status add_page(std::vector<KnownSource>& all, const std::string& lab, const std::string& name,
                const std::string& path) {
  if (!is_there(path)) return histolab::Done{};
  const std::string text = TRY(grader::read_text_file(path, name));
  for (const grader::lessons::Block& block : grader::lessons::blocks_of(text)) {
    if (block.kind != grader::lessons::BlockKind::fenced) continue;
    std::string code = grader::lessons::code_of(block);
    if (code.find("__global__") != std::string::npos)
      all.push_back({lab, "", name, std::move(code)});
  }
  return histolab::Done{};
}

// Reads the journal of an earlier batch.
Result<std::vector<KnownSource>> of_journal(const std::string& path,
                                            const std::vector<std::string>& labs) {
  Journal journal = TRY(Journal::read(path));
  std::vector<KnownSource> all;
  TRY(journal.database().each(
      "SELECT work.lab, student.name, student.key, source.text FROM work JOIN student ON "
      "student.key = work.student"
      " JOIN source ON source.sha256 = work.kernel ORDER BY work.lab, student.key",
      {}, [&](const Row& row) -> Status {
        if (std::ranges::find(labs, row.text(0)) == labs.end()) return histolab::Done{};
        all.push_back(
            {row.text(0), "", row.text(1).empty() ? row.text(2) : row.text(1), row.text(3)});
        return histolab::Done{};
      }));
  return all;
}

Result<std::vector<KnownSource>> of_hand_ins(const std::string& path,
                                             const std::vector<std::string>& labs) {
  Tree tree = TRY(read_tree(path));
  IntakeOptions options;
  options.labs = labs;
  const Intake intake = TRY(Intake::of(std::move(tree), std::move(options)));
  std::vector<KnownSource> all;
  for (std::size_t i = 0; i < intake.size(); ++i) {
    HandIn one = intake.at(i);
    const std::string& name = one.student.name.empty() ? one.student.key : one.student.name;
    for (auto& [lab, work] : one.works)
      if (work.kernel) all.push_back({lab, "", name, std::move(*work.kernel)});
  }
  return all;
}

std::string last_part(const std::string& path) {
  fs::path whole = fs::path(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  const std::string name = whole.has_filename() ? whole.filename().string() : path;
  return is_archive_name(name) ? without_archive_ending(name) : name;
}

// ---- comparing

struct Known {
  KnownSource source;
  SourceMarks marks;
};

struct Submitted {
  std::string student;
  SourceMarks marks;
};

// Returns the common share of two sources, ignoring parts of the stub. Returns 0 if too few parts
// are common.
double share_of(const SourceMarks& a, const SourceMarks& b, const SourceMarks& stub) {
  std::size_t of_a = 0, of_b = 0, of_both = 0;
  for (const std::uint64_t each : a.fingerprints)
    if (!stub.fingerprints.contains(each)) {
      ++of_a;
      of_both += b.fingerprints.contains(each) ? 1 : 0;
    }
  for (const std::uint64_t each : b.fingerprints) of_b += stub.fingerprints.contains(each) ? 0 : 1;
  return of_both < least_evidence_of_course
             ? 0
             : 2.0 * static_cast<double>(of_both) / static_cast<double>(of_a + of_b);
}

std::optional<KnownLikeness> like_course(const Submitted& one, const std::vector<Known>& course,
                                         const SourceMarks& stub) {
  std::optional<KnownLikeness> best;
  for (const Known& each : course) {
    KnownLikeness found{one.student, each.source, 1, one.marks.exact == each.marks.exact, false};
    found.renamed = !found.identical && one.marks.tokens >= least_tokens &&
                    one.marks.renamed == each.marks.renamed;
    if (!found.identical && !found.renamed) found.share = share_of(one.marks, each.marks, stub);
    if (found.share >= least_share_of_course && (!best || rank_of(found) > rank_of(*best)))
      best = std::move(found);
  }
  return best;
}

// Finds the similar sources of earlier classes. A LikenessSearch compares only one of several equal
// texts, so this class copies its results to the others.
class EarlierSearch {
 public:
  EarlierSearch(const std::vector<Submitted>& submitted, const std::string& stub,
                std::size_t earlier)
      : submitted_(submitted),
        stub_(marks_of(stub).exact),
        search_(0, stub, submitted.size() + earlier) {
    for (std::size_t i = 0; i < submitted.size(); ++i) {
      marks_.push_back({submitted[i].marks.exact, submitted[i].marks.renamed});
      holders_[submitted[i].marks.exact].push_back(i);
    }
  }
  void add_submitted(std::size_t number, const std::string& text) { search_.add(number, text); }
  void add_earlier(KnownSource source, const std::string& text) {
    const SourceMarks marks = marks_of(text);
    if (marks.exact == stub_ || marks.tokens == 0) return;
    const std::size_t number = earlier_.size();
    search_.add(marks_.size(), text);
    marks_.push_back({marks.exact, marks.renamed});
    by_class_[marks.exact].try_emplace(source.origin, number);
    earlier_.push_back(std::move(source));
    if (const auto same = holders_.find(marks.exact); same != holders_.end())
      for (const std::size_t holder : same->second) offer(holder, number, {0, 1, true, false});
  }
  // Returns the most similar source of each earlier class, by submission.
  std::vector<std::vector<KnownLikeness>> found() {
    for (const Likeness& each : search_.found())
      if (!each.identical) {
        const bool renamed = marks_[each.first].renamed == marks_[each.second].renamed;
        offer_all(marks_[each.first].exact, marks_[each.second].exact,
                  {0, each.share, false, renamed});
        offer_all(marks_[each.second].exact, marks_[each.first].exact,
                  {0, each.share, false, renamed});
      }
    std::vector<std::vector<KnownLikeness>> all(submitted_.size());
    for (const auto& [of, match] : best_)
      all[of.first].push_back({submitted_[of.first].student, earlier_[match.number], match.share,
                               match.identical, match.renamed});
    return all;
  }

 private:
  struct Hashes {
    std::uint64_t exact = 0, renamed = 0;
  };
  struct Match {
    std::size_t number = 0;
    double share = 0;
    bool identical = false, renamed = false;
  };
  void offer_all(std::uint64_t of_submitted, std::uint64_t of_earlier, const Match& match) {
    const auto holders = holders_.find(of_submitted);
    const auto classes = by_class_.find(of_earlier);
    if (holders == holders_.end() || classes == by_class_.end()) return;
    for (const std::size_t holder : holders->second)
      for (const auto& [origin, number] : classes->second) offer(holder, number, match);
  }
  void offer(std::size_t holder, std::size_t number, Match match) {
    match.number = number;
    Match& best = best_[{holder, earlier_[number].origin}];
    if (rank_of(match) > rank_of(best)) best = match;
  }
  const std::vector<Submitted>& submitted_;
  std::uint64_t stub_;
  LikenessSearch search_;
  std::vector<Hashes> marks_;  // of the submissions, then of the earlier sources
  std::map<std::uint64_t, std::vector<std::size_t>> holders_;  // submissions by exact hash
  // By exact hash: the first source of each earlier class.
  std::map<std::uint64_t, std::map<std::string, std::size_t>> by_class_;
  std::vector<KnownSource> earlier_;
  std::map<std::pair<std::size_t, std::string>, Match> best_;
};

constexpr const char* submissions =
    "SELECT work.student, source.text FROM work JOIN source ON source.sha256 = work.kernel WHERE "
    "work.lab = ? "
    "ORDER BY work.student";

Status compare_lab(Database& journal, const std::string& lab, const std::string& stub,
                   std::vector<KnownLikeness>& all) {
  const SourceMarks of_stub = marks_of(stub);
  std::vector<Known> course;
  const auto read = [&](const char* which,
                        const std::function<void(KnownSource, std::string)>& take) {
    return journal.each(
        fmt::format(
            "SELECT number, origin, name, text FROM known_source WHERE lab = ? AND origin {} '' "
            "ORDER BY number",
            which),
        {lab}, [&](const Row& row) -> Status {
          KnownSource source{lab, row.text(1), row.text(2), "", row.integer(0)};
          take(std::move(source), row.text(3));
          return histolab::Done{};
        });
  };
  TRY(read("=", [&](KnownSource source, const std::string& text) {
    SourceMarks marks = marks_of(text);
    if (marks.exact != of_stub.exact) course.push_back({std::move(source), std::move(marks)});
  }));
  std::vector<Submitted> submitted;
  TRY(journal.each(submissions, {lab}, [&](const Row& row) -> Status {
    SourceMarks marks = marks_of(row.text(1));
    if (marks.exact != of_stub.exact && marks.tokens > 0)
      submitted.push_back({row.text(0), std::move(marks)});
    return histolab::Done{};
  }));
  const auto earlier = TRY(
      journal.number("SELECT count(*) FROM known_source WHERE lab = ? AND origin <> ''", {lab}));
  std::vector<std::vector<KnownLikeness>> of_earlier(submitted.size());
  if (earlier > 0) {
    EarlierSearch search{submitted, stub, static_cast<std::size_t>(earlier)};
    std::size_t next = 0;
    TRY(journal.each(submissions, {lab}, [&](const Row& row) -> Status {
      if (next < submitted.size() && submitted[next].student == row.text(0))
        search.add_submitted(next++, row.text(1));
      return histolab::Done{};
    }));
    TRY(read("<>", [&](KnownSource source, const std::string& text) {
      search.add_earlier(std::move(source), text);
    }));
    of_earlier = search.found();
  }
  for (std::size_t i = 0; i < submitted.size(); ++i) {
    std::optional<KnownLikeness> copy = like_course(submitted[i], course, of_stub);
    const bool is_copy = copy && (copy->identical || copy->renamed);
    if (copy) all.push_back(std::move(*copy));
    if (!is_copy) std::ranges::move(of_earlier[i], std::back_inserter(all));
  }
  return histolab::Done{};
}

}  // namespace

Result<std::vector<KnownSource>> course_sources(const std::vector<grader::LabSpec>& labs) {
  std::vector<KnownSource> all;
  for (const grader::LabSpec& lab : labs) {
    TRY(add_file(all, lab.name, "the course's solution", lab.solution_path()));
    for (const std::string& folder : grader::attempts_of(lab)) {
      const std::string name = "the course's attempt " + fs::path(folder).filename().string();
      TRY(add_file(all, lab.name, name, folder + "/kernel.cu"));
    }
    for (const auto& [page, name] : {std::pair{"/lesson.md", "code of the course's lesson"},
                                     {"/hints.md", "code of the course's hints"}})
      TRY(add_page(all, lab.name, name, lab.directory + page));
  }
  return all;
}

Result<std::vector<KnownSource>> earlier_sources(const std::vector<std::string>& paths,
                                                 const std::vector<std::string>& labs,
                                                 const std::string& out) {
  std::map<std::string, std::set<std::string>> named;
  for (const std::string& path : paths) named[last_part(path)].insert(path);
  std::vector<KnownSource> all;
  for (const std::string& path : std::set<std::string>(paths.begin(), paths.end())) {
    std::error_code failure;
    if (!fs::exists(path, failure))
      return Error{fmt::format("--earlier {}: there is no such folder or archive", path)};
    if (fs::equivalent(path, out, failure))
      return Error{fmt::format(
          "--earlier {}: these are the results of this class; name those of an earlier class",
          path)};
    Result<std::vector<KnownSource>> found =
        fs::exists(journal_path(path), failure) ? of_journal(path, labs) : of_hand_ins(path, labs);
    if (!found) return Error{fmt::format("--earlier {}: {}", path, found.error().message)};
    const std::string part = last_part(path);
    for (KnownSource& each : *found) {
      each.origin = named.at(part).size() == 1 ? part : path;
      all.push_back(std::move(each));
    }
  }
  return all;
}

Status keep_known(Database& journal, const std::vector<KnownSource>& course,
                  const std::optional<std::vector<KnownSource>>& earlier) {
  Transaction transaction{journal};
  if (!transaction.begun()) return transaction.begun();
  TRY(journal.run(
      "CREATE TABLE IF NOT EXISTS known_source(number INTEGER PRIMARY KEY, lab TEXT, origin TEXT, "
      "name TEXT, text TEXT)"));
  const auto replace = [&](const char* which, const std::vector<KnownSource>& sources) -> Status {
    TRY(journal.run(fmt::format("DELETE FROM known_source WHERE origin {} ''", which)));
    for (const KnownSource& each : sources) {
      TRY(journal.run("INSERT INTO known_source(lab, origin, name, text) VALUES(?, ?, ?, ?)",
                      {each.lab, each.origin, each.name, each.text}));
    }
    return histolab::Done{};
  };
  TRY(replace("=", course));
  if (earlier) TRY(replace("<>", *earlier));
  return transaction.commit();
}

Result<std::vector<KnownLikeness>> find_known(Database& journal) {
  std::vector<KnownLikeness> all;
  if (TRY(journal.number("SELECT count(*) FROM sqlite_master WHERE name = 'known_source'")) == 0)
    return all;  // an older version
  std::vector<std::pair<std::string, std::string>> labs;
  TRY(journal.each("SELECT name, stub FROM lab ORDER BY position", {},
                   [&](const Row& row) -> Status {
                     labs.emplace_back(row.text(0), row.text(1));
                     return histolab::Done{};
                   }));
  for (const auto& [lab, stub] : labs) TRY(compare_lab(journal, lab, stub, all));
  return all;
}

Status read_known(Database& journal, std::int64_t number, std::string& text) {
  return journal.each("SELECT text FROM known_source WHERE number = ?", {number},
                      [&](const Row& row) -> Status {
                        text = row.text(0);
                        return histolab::Done{};
                      });
}

}  // namespace histolab::batch
