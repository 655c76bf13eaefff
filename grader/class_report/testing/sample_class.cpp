#include "grader/class_report/testing/sample_class.h"

#include <fmt/format.h>

#include <array>
#include <random>

#include "grader/files/sha256.h"

namespace histolab::class_report::testing {
namespace {

using batch::ClassResults;
using batch::Mark;
using grader::CaseResult;
using grader::CheckResult;
using grader::LabResult;
using grader::TimedCaseResult;
using grader::Verdict;
using kernels::Finding;
using kernels::FindingKind;

constexpr const char* race_free =
    "// by Jane Roe\n"
    "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
    "  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= length) return;\n"
    "  const int letter = data[i] - 'a';\n"
    "  if (letter >= 0 && letter < 26) {\n"
    "    atomicAdd(&histo[letter / 4], 1u);\n"
    "  }\n"
    "}\n";

constexpr const char* the_stub =
    "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
    "  // TODO\n"
    "}\n";

grader::Submission submission(const std::string& text) {
  return {"handed-in.cu", text, grader::sha256(text)};
}

std::string with_plain_increment(std::string text) {
  const std::string atomic = "atomicAdd(&histo[letter / 4], 1u);";
  return text.replace(text.find(atomic), atomic.size(), "histo[letter / 4] += 1;  // \"fast\"");
}

CaseResult case_of(double sectors, double global_updates, double shared_updates) {
  CaseResult result;
  result.id = "english-256", result.dataset = "english", result.length = 100003, result.grid = 391,
  result.correct = true;
  result.binning.bins = 7;
  result.counters = {
      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
       "sectors per request, global loads", "sectors", sectors},
      {"histolab__global_atomic_updates.sum", "atomic updates, global", "updates", global_updates},
      {"histolab__shared_atomic_updates.sum", "atomic updates, shared", "updates", shared_updates},
      {"histolab__global_atomic_same_address_degree.avg", "lanes on one address, global", "lanes",
       shared_updates == 0 ? 9.24 : 1},
      {"histolab__shared_atomic_same_address_degree.avg", "lanes on one address, shared", "lanes",
       shared_updates == 0 ? 0 : 9.24},
      {"histolab__active_lanes_per_request.ratio", "active lanes", "lanes", 28.3}};
  return result;
}

TimedCaseResult timed_of(double ms) {
  TimedCaseResult result;
  result.id = "large", result.dataset = "english", result.length = 67108864,
  result.device = "NVIDIA H200", result.measured = false;
  result.timing.emplace();
  result.timing->median_ms = ms;
  return result;
}

// Lab 0, 1 or 2 of the small class.
LabResult passed(std::size_t lab, const std::string& source) {
  static constexpr std::array names = {"02-atomic-add", "04-privatization", "05-coarsening"};
  static constexpr std::array titles = {"Atomic addition", "Privatization", "Coarsening"};
  LabResult result;
  result.lab = names[lab], result.title = titles[lab], result.status = Verdict::passed,
  result.score = result.max_score = 10;
  result.submission = submission(source);
  result.checks = {{{{.what = "nothing wrong was seen in 16 cases"}},
                    "no_findings",
                    "no race, no stray access",
                    CheckResult::Status::passed,
                    3,
                    3},
                   {{{.what = "right in 16 cases"}},
                    "matches_reference",
                    "every letter is counted once",
                    CheckResult::Status::passed,
                    5,
                    5},
                   {{}, "few_commits", "few global atomics", CheckResult::Status::passed, 2, 2}};
  result.cases = {case_of(1, lab == 0 ? 80133 : 2737, lab == 0 ? 0 : 80133)};
  if (lab > 0) result.timed = {timed_of(0.281)};
  return result;
}

void fail(LabResult& result, std::size_t check, grader::Seen seen, const std::string& hint,
          int line = 0) {
  result.status = Verdict::failed;
  CheckResult& failed = result.checks[check];
  failed.status = CheckResult::Status::failed, failed.seen = std::move(seen), failed.hint = hint,
  failed.line = line;
  result.score -= failed.max_score, failed.score = 0;
}

Finding race(int line) {
  Finding finding;
  finding.kind = FindingKind::data_race, finding.space = kernels::Space::global,
  finding.variable = "histo", finding.index = 2, finding.line = finding.other_line = line,
  finding.count = 938999;
  finding.message =
      "threads 0 and 3 of block 0 both update histo[2] without an atomic operation; one update is "
      "lost. Make the update one indivisible step, for example atomicAdd(&histo[2], increment)";
  return finding;
}

LabResult racy(std::size_t lab, const std::string& source, int line) {
  LabResult result = passed(lab, source);
  result.findings = {race(line)};
  const kernels::MessageParts message = kernels::parts_of(race(line).message);
  fail(result, 0,
       {.where = "case english-256 (english, 100 003 bytes, grid 391 x block 256)",
        .what = "data_race: " + message.what,
        .next = message.next},
       "Each update of histo must be one operation, from reading to writing: atomicAdd(address, "
       "value).",
       line);
  fail(result, 1,
       {.where = "case english-256",
        .what = "expected 14 309 in bin 3 (m-p), got 3 581: 75 % of the updates are lost"},
       "Is every update one operation?");
  result.cases[0].correct = false;
  result.cases[0].mismatches = {{1, 3, 14309, 3581}};
  return result;
}

LabResult with_too_many_commits(std::size_t lab, const std::string& source, int line) {
  LabResult result = passed(lab, source);
  fail(
      result, 2,
      {.what = "global atomic updates: 80 133 updates, at most 5474 allowed; the solution has 2737",
       .why = fmt::format("line {}: 0.8 atomic updates in global memory for each element", line)},
      "Count into the shared array, and add to histo only once per bin.", line);
  result.cases = {case_of(1, 80133, 80133)};
  if (!result.timed.empty()) result.timed = {timed_of(12.3)};
  return result;
}

LabResult ended(LabResult result, Verdict verdict, const std::string& message) {
  result.status = verdict, result.score = 0, result.message = message;
  result.cases.clear(), result.timed.clear(), result.findings.clear();
  for (CheckResult& check : result.checks)
    check.status = CheckResult::Status::not_run, check.score = 0, check.seen = {},
    check.hint.clear();
  return result;
}

LabResult not_attempted(std::size_t lab) {
  LabResult result =
      ended(passed(lab, ""), Verdict::not_attempted, "there is no file for this lab");
  result.submission.reset();
  result.checks.clear();
  return result;
}

Mark mark_of(LabResult result, double seconds = 0.02) {
  Mark mark;
  mark.score = result.score, mark.seconds = seconds;
  mark.result = std::move(result);
  return mark;
}

// A kernel whose lines differ from all others, but not its behaviour.
std::string long_kernel(std::mt19937& random, std::size_t lines) {
  static constexpr std::array pieces = {
      "  const unsigned int index_{0} = blockIdx.x * blockDim.x + {1};",
      "    if (letter >= 0 && letter < {1}) {{",
      "      accumulator += data[i + {1}] - 'a';",
      "    }}",
      "  __syncthreads();",
      "    atomicAdd(&private_histo[letter / 4], {1}u);",
      "  // step {0}: the block's counts are added up",
      "",
      "  unsigned int count_{0} = {1};"};
  std::string text =
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n";
  for (std::size_t line = 2; line < lines; ++line)
    text += fmt::format(fmt::runtime(pieces[random() % pieces.size()]), random() % 100,
                        random() % 1000) +
            "\n";
  return text + "}\n";
}

}  // namespace

std::string hostile_text() {
  return "<script>alert(1)</script>\"><img src=x onerror=alert(2)> ' & &lt; \x1B[31m \xFF "
         "\xE2\x80\xAE"
         "desrever </details></ol>\n=cmd()";
}

ClassResults small_class() {
  ClassResults all;
  all.version = "0.0.0", all.device_kind = "emulator", all.device_name = "histolab emulator",
  all.sandbox = "full";
  for (std::size_t lab = 0; lab < 3; ++lab) {
    const LabResult solution = passed(lab, race_free);
    all.labs.push_back({solution.lab, solution.title, 10, the_stub, solution});
  }
  const std::string wrong = with_plain_increment(race_free);
  const auto add = [&](const std::string& key, const std::string& name,
                       std::vector<Mark> marks) -> batch::Entry& {
    batch::Entry& entry = all.entries.emplace_back();
    entry.student.key = key, entry.student.name = name;
    entry.marks = std::move(marks);
    return entry;
  };

  add("adams", "Adams, Ann",
      {mark_of(passed(0, race_free)), mark_of(passed(1, std::string{race_free} + "// a\n")),
       mark_of(passed(2, std::string{race_free} + "// b\n"))})
      .student.section = "A";
  add("brown", "Brown, Bo",
      {mark_of(racy(0, wrong, 7)), mark_of(racy(1, wrong, 7)), mark_of(not_attempted(2))})
      .student.section = "A";

  LabResult broken = ended(passed(0, "int jane_doe;\n  }\n"), Verdict::compile_error,
                           "'my_counter' was not declared in this scope");
  broken.diagnostics = {{kernels::Severity::error, 2, 3,
                         "'my_counter' was not declared in this scope. Declare it first"}};
  const LabResult refused =
      ended(passed(1, "asm(\"nop\");\n"), Verdict::refused, "inline assembly is not for a kernel");
  add("clark", "Clark, Cy", {mark_of(broken), mark_of(refused), mark_of(not_attempted(2))})
      .student.section = "B";

  LabResult hostile =
      racy(0, hostile_text() + "\n" + hostile_text() + "\n" + with_plain_increment(race_free), 9);
  hostile.findings[0].variable = hostile.findings[0].message = hostile_text();
  hostile.checks[0].seen.what = hostile.checks[1].seen.what = hostile.checks[0].hint =
      hostile_text();
  LabResult unreadable = ended(passed(1, hostile_text()), Verdict::compile_error, hostile_text());
  unreadable.diagnostics = {{kernels::Severity::error, 1, 1, hostile_text()}};
  batch::Entry& enemy = add("s2\" id=s1 onclick=alert(3)", hostile_text(),
                            {mark_of(hostile), mark_of(unreadable), mark_of(not_attempted(2))});
  enemy.student.section = enemy.student.email = enemy.student.login = enemy.student.id =
      enemy.problem = enemy.marks[0].note = hostile_text();
  enemy.marks[0].score = 1.5;

  add("evans", "Evans, Eve",
      {mark_of(not_attempted(0), 0), mark_of(not_attempted(1), 0), mark_of(not_attempted(2), 0)})
      .student.section = "B";

  Mark lost = mark_of(ended(passed(1, "int broken_off;\n"), Verdict::infrastructure_error,
                            "cannot start the compiler: no memory"),
                      10);
  lost.note = "the machine failed 3 times: cannot start the compiler: no memory";
  add("fox", "Fox, Flo",
      {mark_of(passed(0, race_free)), lost, mark_of(with_too_many_commits(2, race_free, 7))})
      .student.section = "B";

  Mark late = mark_of(with_too_many_commits(1, std::string{race_free} + "// twice\n", 7));
  late.score = 6.4, late.note = "2 days late: 80 % of 8 points";
  add("gray-1", "Gray, Gus",
      {mark_of(passed(0, std::string{race_free} + "// c\n")), late,
       mark_of(passed(2, std::string{race_free} + "// d\n"))})
      .student.section = "A";
  add("gray-2", "Gray, Gus",
      {mark_of(
           ended(passed(0, "int x = 1 / 0;\n"), Verdict::crashed, "the process died of SIGILL")),
       mark_of(ended(passed(1, "for (;;);\n"), Verdict::timeout, "10 s passed")),
       mark_of(not_attempted(2))})
      .student.section = "B";

  all.alike = {{1, 0, 6, 0.93, false}, {0, 0, 5, 1, true}};
  all.known = {{"02-atomic-add", "", "the course's solution", race_free, 1},
               {"02-atomic-add", hostile_text(), hostile_text(), hostile_text() + "\n" + wrong, 2}};
  batch::Likeness copy{0, 6, 6, 1, true};
  copy.known = 0;
  batch::Likeness earlier{0, 3, 3, 0.91};
  earlier.known = 1;
  all.alike.push_back(copy), all.alike.push_back(earlier);
  all.outstanding = 2;
  return all;
}

ClassResults large_class(std::size_t students, std::size_t lines) {
  static constexpr std::array first = {"Ada",  "Ben",  "Cleo", "Dan",  "Eva",  "Finn", "Gita",
                                       "Hugo", "Ines", "Jun",  "Kofi", "Lena", "Max",  "Nora",
                                       "Omar", "Pia",  "Quy",  "Rosa", "Sam",  "Tess"};
  static constexpr std::array last = {
      "Abel", "Baker", "Chen", "Diaz",  "Ek",    "Fischer", "Garcia", "Haddad", "Ito",   "Jensen",
      "Kaya", "Lopez", "Mora", "Novak", "Okoye", "Patel",   "Quist",  "Rossi",  "Silva", "Tanaka"};
  std::mt19937 random(1);  // the standard defines its numbers: the same class on every machine
  ClassResults all = small_class();
  const std::vector<batch::Lab> three = all.labs;
  all.labs.clear(), all.entries.clear(), all.alike.clear(), all.known.clear();
  all.outstanding = 0;
  static constexpr std::array names = {"01-race",          "02-atomic-add", "03-interleaved",
                                       "04-privatization", "05-coarsening", "06-aggregation"};
  for (std::size_t lab = 0; lab < names.size(); ++lab) {
    batch::Lab& added = all.labs.emplace_back(three[lab % 3]);
    added.name = added.solution.lab = names[lab];
  }
  for (std::size_t s = 0; s < students; ++s) {
    batch::Entry& entry = all.entries.emplace_back();
    entry.student.name =
        fmt::format("{}, {}", last[random() % last.size()], first[random() % first.size()]);
    entry.student.key = fmt::format("u{:04}", 1000 + 7 * s),
    entry.student.section = std::string(1, static_cast<char>('A' + s % 4));
    entry.student.email = entry.student.key + "@example.edu";
    const std::size_t skill = random() % 100;
    for (std::size_t lab = 0; lab < names.size(); ++lab) {
      const std::string source = long_kernel(random, lines);
      const int line = static_cast<int>(3 + random() % (lines - 4));
      const std::size_t luck = (random() % 100 + skill) / 2 + 10 - 2 * lab;
      LabResult result = luck > 40   ? passed(lab % 3, source)
                         : luck > 30 ? with_too_many_commits(lab % 3, source, line)
                         : luck > 14 ? racy(lab % 3, source, line)
                         : luck > 9  ? ended(passed(lab % 3, source), Verdict::compile_error,
                                             "expected ';' before '}' token")
                                     : not_attempted(lab % 3);
      if (result.status == Verdict::compile_error)
        result.diagnostics = {
            {kernels::Severity::error, line, 3,
             "expected ';' before '}' token. Write one at the end of the line above"}};
      if (!result.timed.empty())
        result.timed.front().timing->median_ms *= 0.9 + static_cast<double>(random() % 100) / 80;
      result.lab = names[lab];
      entry.marks.push_back(
          mark_of(std::move(result), 0.02 + static_cast<double>(random() % 100) / 1000));
    }
  }
  for (std::size_t i = 0; i + 1 < students; i += 29)
    all.alike.push_back({3 + i % 3, i, i + 1, 0.9 + static_cast<double>(i % 10) / 100, false});
  return all;
}

ClassResults wide_class() {
  ClassResults all = large_class(12, 40);
  const std::vector<batch::Lab> six = all.labs;
  all.labs.clear();
  for (std::size_t lab = 0; lab < 13; ++lab) {
    batch::Lab& added = all.labs.emplace_back(six[lab % six.size()]);
    added.name = fmt::format("{:02}-a-lab-with-a-long-name-that-an-author-chose", lab + 1);
    added.solution.lab = added.name;
  }
  for (std::size_t s = 0; s < all.entries.size(); ++s) {
    batch::Entry& entry = all.entries[s];
    entry.student.name =
        "Maria Teresa von und zu Hohenlohe-Waldenburg-Schillingsfuerst-Karaosmanoglu" +
        std::to_string(s);
    entry.student.section = "Tuesday afternoon, room 4.117, Donaudampfschifffahrtsgesellschaft";
    const std::vector<Mark> marks = entry.marks;
    while (entry.marks.size() < all.labs.size())
      entry.marks.push_back(marks[entry.marks.size() % marks.size()]);
    for (std::size_t lab = 0; lab < entry.marks.size(); ++lab) {
      LabResult& result = entry.marks[lab].result;
      result.lab = all.labs[lab].name;
      if (result.submission) {
        const std::string text = "// " + std::string(300, '=') + "\n" + result.submission->text;
        result.submission =
            submission(text + "const char* wide = \"" + std::string(150, 'w') + "\";\n");
      }
      for (CheckResult& check : result.checks)
        check.title += ", in each of the cases, of any length and any shape of the grid";
    }
  }
  return all;
}

}  // namespace histolab::class_report::testing
