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
#include "grader/cli/output_format.h"
#include "grader/files/write_file.h"
#include "grader/formats/formats.h"
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

// One file per student, named by the key.
Result<int> write_each(const Format& format, const ExportFlags& flags, const Results& results) {
  std::size_t written = 0;
  std::error_code failure;
  fs::create_directories(flags.output, failure);
  if (failure) return Error{fmt::format("{}: cannot be made: {}", flags.output, failure.message())};
  TRY(results.each([&](const Graded& student) -> Status {
    const Result<std::string> text = format.text(student);
    if (!text) {
      note(fmt::format("histolab: {}: no file: {}\n", student.student.key, text.error().message));
      return Done{};
    }
    const fs::path file = fs::path(flags.output) / (student.student.key + format.extension);
    ++written;
    return grader::write_file(file.string(), *text);
  }));
  note(fmt::format("histolab: {} in {}\n", grader::counted(written, "file"), flags.output));
  return written == results.students.size() ? done : cannot;
}

Result<int> write_one(const Format& format, const ExportFlags& flags, const Results& results) {
  if (results.students.size() != 1)
    return Error{
        fmt::format("{} is a format for one student, but there are {}: --student KEY chooses one, "
                    "--output DIR/ writes a file for each",
                    format.name, results.students.size())};
  TRY(results.each([&](const Graded& student) -> Status {
    return grader::write_file(flags.output, TRY(format.text(student)));
  }));
  return done;
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

int export_results(const ExportFlags& flags) {
  if (flags.format.empty())
    return complain({fmt::format("which format? --format takes one of {}",
                                 fmt::join(format_names(FormatUse::exporting), ", "))});
  const Result<const Format*> found = find_format(flags.format, FormatUse::exporting);
  if (!found) return complain(found.error());
  const Format& format = **found;
  if (!flags.rubric.empty() || flags.seed)
    return complain(
        {"--rubric and --seed are for --bundle; results are exported as they were graded"});
  if (!format.takes_columns && !flags.columns.empty())
    return complain({"--column is for --format canvas, and for a worksheet of --format moodle"});
  if (!format.takes_worksheet && !flags.worksheet.empty())
    return complain({"--worksheet is for --format moodle and moodle-feedback"});
  Result<Results> results = read_results(flags.results);
  if (!results) return complain(results.error());
  if (!flags.student.empty())
    if (Status kept = keep_student(*results, flags.student); !kept)
      return complain({fmt::format("{}: {}", flags.results, kept.error().message)});
  if (Status kept = keep_labs(*results, flags.only_labs); !kept) return complain(kept.error());
  if (Status possible = format.possible(); !possible) return complain(possible.error());
  if (format.one_submission && results->students.size() > 1)
    return complain(
        {fmt::format("{} describes the one submission that its runner grades, but "
                     "there are {} students: --student KEY chooses one",
                     format.name, results->students.size())});
  const std::shared_ptr<std::size_t> missing = count_missing(*results);
  const Result<int> code =
      format.text != nullptr && flags.output != "-" && is_folder(flags.output)
          ? write_each(format, flags, *results)
      : format.write != nullptr
          ? format.write({format.name, flags.output, flags.worksheet, flags.columns, results->labs,
                          results->students.size(), results->each})
          : write_one(format, flags, *results);
  // A format may have failed because of a missing mark.
  if (code || *missing > 0) report_missing(results->outstanding, *missing, results->lateness);
  return code ? *code : complain(code.error());
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
  command->add_option("--format", flags->format, grader::either(format_names(FormatUse::exporting)))
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
                   "only this lab: name, number or first letters; repeatable")
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
