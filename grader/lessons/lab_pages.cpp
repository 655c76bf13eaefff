#include "grader/lessons/lab_pages.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "grader/checks/expectation.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/lab/lab_kernels.h"
#include "grader/lessons/code_blocks.h"
#include "grader/lessons/facts.h"
#include "grader/lessons/hints.h"
#include "grader/lessons/links.h"
#include "grader/lessons/page.h"
#include "grader/lessons/runs.h"
#include "grader/lessons/typed_numbers.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

constexpr std::size_t widest_line = 80;

using Problems = std::vector<CourseProblem>;

void add(Problems& to, const std::string& file, const std::vector<PageProblem>& problems) {
  for (const PageProblem& each : problems)
    to.push_back({each.line > 0 ? fmt::format("{}:{}", file, each.line) : file, each.message});
}

// Returns the text of one page. Returns nullopt and adds a problem if it cannot be read.
std::optional<std::string> read_page(const std::string& file, Problems& problems) {
  Result<std::string> text = read_text_file(file, "page of a lab");
  if (text) return std::move(*text);
  problems.push_back({file, text.error().message});
  return std::nullopt;
}

// A lesson in the making, from its source to its page.
struct Lesson {
  const LabSpec* lab = nullptr;
  std::string file;  // of the source
  std::string text;
  PageSource source;
  std::vector<RunKey> runs;
  std::optional<Page> page;  // nullopt if it cannot be made
  Problems problems;
};

Lesson read_lesson(const LabSpec& lab, const std::vector<LabSpec>& all) {
  Lesson lesson;
  lesson.lab = &lab;
  lesson.file = lab.directory + "/lesson.in.md";
  const std::optional<std::string> text = read_page(lesson.file, lesson.problems);
  if (!text) return lesson;
  lesson.text = *text;
  lesson.source = parse_page(lesson.text);
  for (const Placeholder& each : lesson.source.placeholders) {
    Result<std::vector<RunKey>> runs = wanted_runs(each.expression, all, lab);
    if (!runs)
      lesson.source.problems.push_back({static_cast<int>(each.line) + 1, runs.error().message});
    else
      lesson.runs.insert(lesson.runs.end(), runs->begin(), runs->end());
  }
  add(lesson.problems, lesson.file, lesson.source.problems);
  return lesson;
}

Result<std::vector<Lesson>> make_lessons(kernels::Device& device, const std::vector<LabSpec>& labs,
                                         const Sources& sources, unsigned jobs) {
  std::vector<Lesson> lessons;
  std::vector<RunKey> wanted;
  for (const LabSpec& lab : labs) {
    lessons.push_back(read_lesson(lab, sources.labs));
    wanted.insert(wanted.end(), lessons.back().runs.begin(), lessons.back().runs.end());
  }
  const Runs runs = TRY(run_cases(device, sources.labs, wanted, jobs));
  DataFiles files{sources.measurements, sources.profiles};
  for (Lesson& lesson : lessons) {
    if (!lesson.problems.empty()) continue;
    Facts facts{files, sources.labs, *lesson.lab, runs};
    lesson.page = make_page(lesson.source, facts);
    add(lesson.problems, lesson.file, lesson.page->problems);
    if (!lesson.problems.empty()) lesson.page.reset();
  }
  return lessons;
}

Problems stale_page(const Lesson& lesson) {
  Problems problems = lesson.problems;
  if (!lesson.text.empty()) add(problems, lesson.file, typed_numbers(lesson.text));
  const std::string file = lesson.lab->directory + "/lesson.md";
  const std::optional<std::string> page = read_page(file, problems);
  if (page && lesson.page) add(problems, file, stale_lines(*page, lesson.page->text));
  return problems;
}

// Returns the first line that is too wide. Lines with links may be wider, since a link's target
// cannot be broken.
std::vector<PageProblem> wide_lines(const std::string& page) {
  int number = 1;
  for (std::size_t at = 0; at < page.size(); ++number) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    if (columns(line) > widest_line && line.find("](") == std::string::npos &&
        !line.starts_with("<!--"))
      return {
          {number, fmt::format("is {} columns wide; the limit is {}", columns(line), widest_line)}};
    at = end + 1;
  }
  return {};
}

// Returns an Error if the machine fails.
Status check_page(kernels::Device& device, const LabSpec& lab, const std::string& file,
                  const std::string& text, Problems& problems) {
  add(problems, file, dead_links(file, text));
  const std::vector<PageProblem> code = TRY(broken_code(device, lab, file, text));
  add(problems, file, code);
  return Done{};
}

void check_hints(const LabSpec& lab, const std::string& file, const std::string& text,
                 Problems& problems) {
  const Result<std::string> solution = read_text_file(lab.solution_path(), "solution"),
                            stub = read_text_file(lab.stub_path(), "stub");
  add(problems, file,
      // A missing stub is reported elsewhere.
      bad_hints(text, solution ? *solution : "", stub ? *stub : ""));
}

void check_notes(const LabSpec& lab, const std::string& file, const std::string& text,
                 LabPages& pages) {
  pages.misconceptions = misconceptions_of(text);
  std::vector<std::string> attempts, wrong;
  for (const std::string& folder : attempts_of(lab)) {
    attempts.push_back(std::filesystem::path(folder).filename().string());
    const Result<Expectation> expected = load_expectation(folder + "/expect.json", lab);
    if (expected && expected->status != name(Verdict::passed)) wrong.push_back(attempts.back());
  }
  add(pages.problems, file, uncovered(pages.misconceptions, attempts, wrong));
}

}  // namespace

Result<std::vector<LabPages>> check_pages(kernels::Device& device, const std::vector<LabSpec>& labs,
                                          const Sources& sources, unsigned jobs) {
  const std::vector<Lesson> lessons = TRY(make_lessons(device, labs, sources, jobs));
  std::vector<LabPages> all;
  for (const Lesson& lesson : lessons) {
    LabPages pages;
    pages.problems = stale_page(lesson);
    for (const char* name : {"lesson.md", "hints.md", "instructor.md"}) {
      const std::string file = lesson.lab->directory + "/" + name;
      const bool is_lesson = std::string_view{name} == "lesson.md";
      Problems unread;
      // stale_page has already reported a missing lesson.
      const std::optional<std::string> text = read_page(file, is_lesson ? unread : pages.problems);
      if (!text) continue;
      TRY(check_page(device, *lesson.lab, file, *text, pages.problems));
      if (is_lesson) add(pages.problems, file, wide_lines(*text));
      if (std::string_view{name} == "hints.md")
        check_hints(*lesson.lab, file, *text, pages.problems);
      if (std::string_view{name} == "instructor.md") check_notes(*lesson.lab, file, *text, pages);
    }
    all.push_back(std::move(pages));
  }
  return all;
}

Result<std::vector<WrittenPage>> write_lessons(kernels::Device& device,
                                               const std::vector<LabSpec>& labs,
                                               const Sources& sources, unsigned jobs) {
  const std::vector<Lesson> lessons = TRY(make_lessons(device, labs, sources, jobs));
  std::vector<WrittenPage> written;
  for (const Lesson& lesson : lessons) {
    WrittenPage page{lesson.lab->directory + "/lesson.md", false, lesson.problems};
    if (lesson.page) {
      const Result<std::string> old = read_text_file(page.file, "lesson");
      page.changed = !old || *old != lesson.page->text;
      if (page.changed) TRY(write_file(page.file, lesson.page->text));
    }
    written.push_back(std::move(page));
  }
  return written;
}

}  // namespace histolab::grader::lessons
