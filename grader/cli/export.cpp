// histolab export
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "grader/batch/class_results.h"
#include "grader/batch/people.h"
#include "grader/bundle/bundle.h"
#include "grader/bundle/kit_sources.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/export_feedback.h"
#include "grader/cli/student_text.h"
#include "grader/files/write_file.h"
#include "grader/formats/formats.h"
#include "grader/formats/moodle.h"
#include "grader/lab/catalogue.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using formats::Graded;

struct ExportFlags {
  std::vector<std::string> words;  // RESULTS; with --bundle: LAB...
  std::string results, format, student, output = "-", bundle, rubric, worksheet;
  std::vector<std::string> columns, only_labs;
  std::optional<std::uint64_t> seed;
};

// ---- results ----

// Results, student by student, as often as they are needed.
struct Results {
  std::vector<batch::Lab> labs;
  std::vector<batch::Student> students;
  std::size_t outstanding = 0;
  std::string lateness;
  EachStudent each;
  std::function<Status(std::size_t number, const TakeStudent& take)> one;
};

Result<Results> results_of_class(const std::string& path) {
  batch::ClassReader opened = TRY(batch::ClassReader::open(path));
  const auto reader = std::make_shared<batch::ClassReader>(std::move(opened));
  Results results{reader->results().labs,     {}, reader->results().outstanding,
                  reader->results().lateness, {}, {}};
  for (const batch::Entry& entry : reader->results().entries)
    results.students.push_back(entry.student);
  results.each = [reader](const TakeStudent& take) {
    return reader->each([&](std::size_t, const Graded& student) { return take(student); });
  };
  results.one = [reader](std::size_t number, const TakeStudent& take) {
    return reader->one(number, [&](std::size_t, const Graded& student) { return take(student); });
  };
  return results;
}

Result<Results> read_results(const std::string& path) {
  std::error_code failure;
  if (fs::is_directory(path, failure)) return results_of_class(path);
  if (!fs::exists(path, failure))
    return Error{
        fmt::format("{}: there is no such folder or report; `histolab batch DIR --out OUT` writes "
                    "a folder, `histolab grade` a report",
                    path)};
  const grader::Report report = TRY(grader::read_report(path));
  Graded graded = formats::graded_of(report);
  graded.student.key = graded.student.name = fs::path(path).stem().string();
  Results results{formats::labs_of(report), {graded.student}, 0, {}, {}, {}};
  results.each = [graded = std::move(graded)](const TakeStudent& take) { return take(graded); };
  results.one = [all = results.each](std::size_t, const TakeStudent& take) { return all(take); };
  return results;
}

Status keep_student(Results& results, const std::string& wanted) {
  const Result<std::size_t> found = batch::People{results.students}.find(wanted);
  if (!found) return Error{found.error().message + "; --format csv lists them"};
  results.students = {results.students[*found]};
  results.each = [one = results.one, number = *found](const TakeStudent& take) {
    return one(number, take);
  };
  return Done{};
}

// Keeps only the wanted labs; all if `wanted` is empty.
Status keep_labs(Results& results, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return Done{};
  std::vector<std::string> names;
  for (const batch::Lab& lab : results.labs) names.push_back(lab.name);
  std::vector<bool> kept(names.size(), false);
  for (const std::string& word : wanted) {
    if (word.empty())
      return Error{"--lab: its value is empty; give the name or the number of a lab"};
    const Result<std::size_t> found = grader::find_lab_name(names, word);
    if (!found) return Error{"--lab: " + found.error().message};
    kept[*found] = true;
  }
  const auto keep = [kept](auto& list) {
    std::size_t at = 0;
    std::erase_if(list, [&](const auto&) { return at >= kept.size() || !kept[at++]; });
  };
  keep(results.labs);
  results.each = [each = std::move(results.each), keep](const TakeStudent& take) {
    return each([&](const Graded& student) {
      Graded part = student;
      keep(part.marks);
      // Weights compare labs.
      if (part.marks.size() == 1) part.marks.front().weight = 1;
      return take(part);
    });
  };
  return Done{};
}

Result<std::map<std::string, std::string>> named_columns(const std::vector<std::string>& words,
                                                         const std::vector<batch::Lab>& of) {
  std::map<std::string, std::string> columns;
  std::vector<std::string> labs;
  for (const batch::Lab& lab : of) labs.push_back(lab.name);
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string lab = word.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == word.size())
      return Error{
          fmt::format("--column {}: give LAB=NAME, such as \"01-race=Lab 1 (4711)\"", word)};
    if (std::find(labs.begin(), labs.end(), lab) == labs.end())
      return Error{fmt::format("--column {}: the results have no lab \"{}\"{}", word, lab,
                               grader::did_you_mean(lab, labs))};
    columns[lab] = word.substr(equals + 1);
  }
  return columns;
}

Result<std::map<std::string, std::string>> worksheet_headings(const ExportFlags& flags) {
  std::map<std::string, std::string> headings;
  const std::vector<std::string> known = formats::Worksheet::columns();
  for (const std::string& word : flags.columns) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (flags.worksheet.empty())
      return Error{fmt::format("--column {}: for --format {} it names a column of --worksheet FILE",
                               word, flags.format)};
    if (equals == std::string::npos || std::ranges::find(known, name) == known.end())
      return Error{fmt::format(
          "--column {}: give COLUMN=NAME, such as \"Grade=Bewertung\"; the columns are {}", word,
          fmt::join(known, ", "))};
    headings[name] = word.substr(equals + 1);
  }
  return headings;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || fs::is_directory(path, ignored);
}

// One file per student, named by the key.
Status write_each(const StudentFormat& format, const ExportFlags& flags, const Results& results,
                  std::size_t& written) {
  std::error_code failure;
  fs::create_directories(flags.output, failure);
  if (failure) return Error{fmt::format("{}: cannot be made: {}", flags.output, failure.message())};
  return results.each([&](const Graded& student) -> Status {
    const Result<std::string> text = format.text(student);
    if (!text) {
      note(fmt::format("histolab: {}: no file: {}\n", student.student.key, text.error().message));
      return Done{};
    }
    const fs::path file = fs::path(flags.output) / (student.student.key + format.ending);
    ++written;
    return grader::write_file(file.string(), *text);
  });
}

// Writes `head`, then `text` for each student, then `tail`.
Status write_all(const ExportFlags& flags, const Results& results, const std::string& head,
                 const std::function<std::string(const Graded&)>& text, const std::string& tail) {
  grader::FileWriter file = TRY(grader::FileWriter::begin(flags.output));
  TRY(file.add(head));
  TRY(results.each([&](const Graded& student) { return file.add(text(student)); }));
  TRY(file.add(tail));
  return file.end();
}

Status write_junit(const ExportFlags& flags, const Results& results) {
  formats::JunitCounts counts;
  TRY(results.each([&](const Graded& student) -> Status {
    formats::count(counts, student);
    return Done{};
  }));
  return write_all(flags, results, formats::junit_head(counts), formats::junit_suites,
                   formats::junit_tail);
}

Status write_one(const StudentFormat& format, const ExportFlags& flags, const Results& results) {
  if (results.students.size() != 1)
    return Error{
        fmt::format("{} is a format for one student, but there are {}: --student KEY chooses one, "
                    "--output DIR/ writes a file for each",
                    flags.format, results.students.size())};
  return results.each([&](const Graded& student) -> Status {
    return grader::write_file(flags.output, TRY(format.text(student)));
  });
}

// Wraps `each` so that it counts missing marks. Each pass starts at 0.
std::shared_ptr<std::size_t> count_missing(Results& results) {
  const auto missing = std::make_shared<std::size_t>(0);
  results.each = [each = std::move(results.each), missing](const TakeStudent& take) {
    *missing = 0;
    return each([&](const Graded& student) {
      for (const batch::Mark& mark : student.marks)
        *missing += !mark.has_score() && !mark.outstanding;
      return take(student);
    });
  };
  return missing;
}

void report_missing(std::size_t outstanding, std::size_t missing, const std::string& lateness) {
  if (!lateness.empty()) note(grader::paragraph("histolab: " + lateness, 0));
  if (outstanding > 0)
    note(
        fmt::format("histolab: {} still to come: `histolab batch --resume` continues\n",
                    outstanding == 1 ? "1 result is" : fmt::format("{} results are", outstanding)));
  if (missing > 0)
    note(fmt::format(
        "histolab: {} without a mark, which is not a zero: look at them, or grade again\n",
        missing == 1 ? "1 result is" : fmt::format("{} results are", missing)));
}

Result<int> write_for_platform(const ExportFlags& flags, const Results& results) {
  if (flags.format == "canvas-feedback") return write_canvas_feedback(flags.output, results.each);
  const auto headings = TRY(worksheet_headings(flags));
  const MoodleFlags moodle{flags.output, flags.worksheet, headings};
  return flags.format == "moodle" ? write_moodle(moodle, results.each)
                                  : write_moodle_feedback(moodle, results.each);
}

int export_results(const ExportFlags& flags) {
  if (const std::vector<std::string> known = export_formats();
      std::ranges::find(known, flags.format) == known.end()) {
    if (flags.format.empty())
      return complain(
          {fmt::format("which format? --format takes one of {}", fmt::join(known, ", "))});
    return complain(
        {fmt::format("there is no format \"{}\"{}; the formats are {}", flags.format,
                     grader::did_you_mean(flags.format, known), fmt::join(known, ", "))});
  }
  if (!flags.rubric.empty() || flags.seed)
    return complain(
        {"--rubric and --seed are for --bundle; results are exported as they were graded"});
  const StudentFormat* const of_student = student_format(flags.format);
  const bool of_moodle = flags.format == "moodle" || flags.format == "moodle-feedback";
  if (flags.format != "canvas" && !of_moodle && !flags.columns.empty())
    return complain({"--column is for --format canvas, and for a worksheet of --format moodle"});
  if (!of_moodle && !flags.worksheet.empty())
    return complain({"--worksheet is for --format moodle and moodle-feedback"});
  Result<Results> results = read_results(flags.results);
  if (!results) return complain(results.error());
  if (!flags.student.empty())
    if (Status kept = keep_student(*results, flags.student); !kept)
      return complain({fmt::format("{}: {}", flags.results, kept.error().message)});
  if (Status kept = keep_labs(*results, flags.only_labs); !kept) return complain(kept.error());
  if (of_student != nullptr)
    if (Status possible = of_student->possible(); !possible) return complain(possible.error());
  if (flags.format == "classroom50" && results->students.size() > 1)
    return complain(
        {fmt::format("classroom50 describes the one submission that its runner grades, but there "
                     "are {} students: --student KEY chooses one",
                     results->students.size())});
  const std::shared_ptr<std::size_t> missing = count_missing(*results);

  int code = done;
  Status put = Done{};
  if (of_student != nullptr && flags.output != "-" && is_folder(flags.output)) {
    std::size_t written = 0;
    put = write_each(*of_student, flags, *results, written);
    if (put)
      note(fmt::format("histolab: {} in {}\n", grader::counted(written, "file"), flags.output));
    if (written != results->students.size()) code = cannot;
  } else if (flags.format == "csv") {
    put = write_all(flags, *results, formats::csv_head(results->labs), formats::csv_line, "");
  } else if (flags.format == "canvas") {
    const auto columns = named_columns(flags.columns, results->labs);
    if (!columns) return complain(columns.error());
    put = write_all(flags, *results, formats::canvas_head(results->labs, *columns),
                    formats::canvas_line, "");
  } else if (flags.format == "junit") {
    put = write_junit(flags, *results);
  } else if (flags.format == "feedback") {
    if (flags.output != "-" && is_folder(flags.output))
      put = write_feedback_files(flags.output, results->each);
    else if (results->students.size() == 1)
      put = write_feedback(flags.output, results->each);
    else
      return complain(
          {fmt::format("there are {} students: --output DIR/ writes a page and a text for each, "
                       "--student KEY chooses one",
                       results->students.size())});
  } else if (of_moodle || flags.format == "canvas-feedback") {
    const Result<int> ended = write_for_platform(flags, *results);
    if (!ended) return complain(ended.error());
    code = *ended;
  } else {
    put = write_one(*of_student, flags, *results);
  }
  report_missing(results->outstanding, *missing, results->lateness);
  return put ? code : complain(put.error());
}

// ---- bundles ----

// --labs names the folder of the labs. Until 0.1.0, `export --bundle` used it for the labs that
// count.
Status has_labs_folder(const Context& context, const std::string& system) {
  const std::string& named = context.labs_named;
  std::error_code ignored;
  if (named.empty() || fs::is_directory(named, ignored)) return Done{};
  std::string labs = named;
  std::ranges::replace(labs, ',', ' ');
  return Error{
      fmt::format("--labs names the folder of the labs, and there is no folder {}; give the labs "
                  "that count without an option: histolab export --bundle {} {}",
                  named, system, labs)};
}

// A bundle grades the solutions before any student, and compares times with theirs.
Status has_solutions(const std::vector<grader::LabSpec>& labs) {
  for (const grader::LabSpec& lab : labs) {
    std::vector<std::string> needed = {lab.solution_path()};
    for (const grader::CheckSpec& check : lab.checks)
      if (!check.rival.empty())
        needed.push_back(
            (fs::path(lab.directory).parent_path() / check.rival / "solution.cu").string());
    for (const std::string& path : needed)
      if (std::error_code ignored; !fs::exists(path, ignored))
        return Error{
            fmt::format("{} is missing, and a bundle that grades {} needs it; put it there, or "
                        "name the labs that count",
                        path, lab.name)};
  }
  return Done{};
}

Result<bundle::Settings> bundle_settings(const Context& context, const ExportFlags& flags) {
  TRY(has_labs_folder(context, flags.bundle));
  const batch::Rubric rubric =
      TRY(flags.rubric.empty() ? batch::Rubric{} : batch::load_rubric(flags.rubric));
  const std::vector<std::string>& words = flags.words.empty() ? rubric.chosen : flags.words;
  const std::vector<grader::LabSpec> all = TRY(chosen_labs(context, {}));
  const std::vector<grader::LabSpec> chosen = TRY(class_labs(context, words, rubric, flags.rubric));
  TRY(needs_whole_kit(chosen, "export --bundle"));
  TRY(has_solutions(chosen));
  bundle::Settings settings{.labs_folder = context.paths.labs,
                            .all_labs = grader::names_of(all),
                            .labs = {},
                            .seed = flags.seed,
                            .rubric = {}};
  if (!words.empty()) settings.labs = grader::names_of(chosen);
  if (!settings.seed) settings.seed = rubric.seed;
  if (!flags.rubric.empty()) settings.rubric = rubric.text;
  return settings;
}

int export_bundle(const Context& context, const ExportFlags& flags) {
  const auto is_report = [](const std::string& word) { return word.ends_with(".json"); };
  if (!flags.format.empty() || !flags.student.empty() || !flags.columns.empty() ||
      !flags.only_labs.empty() || !flags.worksheet.empty() ||
      std::ranges::any_of(flags.words, is_report))
    return complain(
        {"--bundle makes an autograder; it takes LAB..., --rubric, --seed and --output, and no "
         "results"});
  const Result<bundle::Settings> settings = bundle_settings(context, flags);
  if (!settings) return complain(settings.error());
  const std::string output = flags.output == "-" ? "autograder.zip" : flags.output;
  const Result<std::vector<bundle::File>> files =
      bundle::files_of(flags.bundle, *settings, bundle::source_tree());
  if (!files) return complain(files.error());
  const Result<std::string> zip = bundle::zip_of(*files);
  if (!zip) return complain(zip.error());
  if (Status put = grader::write_file(output, *zip); !put) return complain(put.error());
  if (!settings->seed)
    note(
        "histolab: the seed is 1, as for students at home; --seed N draws data that no student has "
        "seen\n");
  const std::vector<std::string>& labs =
      settings->labs.empty() ? settings->all_labs : settings->labs;
  note(fmt::format(
      "histolab: {} is the bundle for {}: {} files, {} kB\nhistolab: it grades {} of {}: {}\n",
      output, flags.bundle, files->size(), zip->size() / 1000, grader::counted(labs.size(), "lab"),
      context.paths.labs, fmt::join(labs, ", ")));
  return done;
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "export", "exports results for other systems, or makes an autograder for one of them",
      "histolab export out --format csv\n"
      "histolab export out --format canvas --column \"01-race=Lab 1\"\n"
      "histolab export out --format gradescope --student ada\n"
      "histolab export out --format junit --output class.xml\n"
      "histolab export out --format feedback --output feedback/\n"
      "histolab export out --format moodle --worksheet Grades.csv\n"
      "histolab export --bundle gradescope 01 02 --seed 815\n"
      "histolab export --bundle gradescope --labs my-labs");
  const auto flags = std::make_shared<ExportFlags>();
  command
      ->add_option("RESULTS", flags->words,
                   "the folder that `batch` wrote, or a report of `grade`; with --bundle: the labs "
                   "that count (all)")
      ->type_name("");
  command->add_option("--format", flags->format, grader::either(export_formats()))
      ->type_name("NAME");
  command
      ->add_option("--student", flags->student,
                   "only this student: key, name, e-mail address or id")
      ->type_name("KEY");
  command
      ->add_option(
          "--output", flags->output,
          "a file instead of the standard output; a folder (or DIR/): one file per student")
      ->type_name("FILE|DIR");
  command
      ->add_option("--lab", flags->only_labs,
                   "only this lab: name, number or unique prefix; repeatable")
      ->type_name("LAB");
  command
      ->add_option("--column", flags->columns,
                   "canvas: the assignment of a lab, with its number: \"01=Lab 1 (4711)\"; moodle: "
                   "the worksheet's name of a column: \"Grade=Note\"; repeatable")
      ->type_name("LAB=NAME");
  command
      ->add_option("--worksheet", flags->worksheet,
                   "moodle, moodle-feedback: the grading worksheet that Moodle wrote")
      ->type_name("FILE");
  command
      ->add_option("--bundle", flags->bundle,
                   fmt::format("makes an autograder with the kit's sources: {} (autograder.zip)",
                               grader::either(bundle::systems())))
      ->type_name("NAME");
  command
      ->add_option("--assignment,--rubric", flags->rubric,
                   "bundle: the assignment, or a rubric that changes labs")
      ->type_name("FILE");
  command->add_option("--seed", flags->seed, "bundle: seed for generated data (1)")
      ->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))
      ->type_name("N");
  command->callback([&context, flags] {
    context.run = [&context, flags] {
      if (!flags->bundle.empty()) return export_bundle(context, *flags);
      if (flags->words.empty())
        return complain(
            {"whose results? histolab export OUT --format csv; or --bundle for an autograder"});
      if (flags->words.size() > 1)
        return complain({fmt::format("one folder or report at a time, not {}",
                                     fmt::join(flags->words, " and "))});
      flags->results = flags->words.front();
      return export_results(*flags);
    };
  });
}

}  // namespace histolab::cli
