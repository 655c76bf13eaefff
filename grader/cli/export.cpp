// histolab export
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "grader/batch/class_results.h"
#include "grader/bundle/bundle.h"
#include "grader/bundle/kit_sources.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/student_text.h"
#include "grader/files/write_file.h"
#include "grader/formats/formats.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using formats::Graded;

struct ExportFlags {
  std::vector<std::string> words;  // RESULTS; with --bundle: LAB...
  std::string results, format, student, output = "-", bundle, rubric;
  std::vector<std::string> columns;
  std::optional<std::uint64_t> seed;
};

// ---- results ----

using TakeStudent = std::function<Status(const Graded& student)>;

// Results that come student by student, as often as they are asked for.
struct Results {
  std::vector<batch::Lab> labs;
  std::vector<batch::Student> students;
  std::size_t outstanding = 0;
  std::function<Status(const TakeStudent& take)> each;
  std::function<Status(std::size_t number, const TakeStudent& take)> one;
};

Result<Results> results_of_class(const std::string& path) {
  Result<batch::ClassReader> opened = batch::ClassReader::open(path);
  if (!opened) return opened.error();
  const auto reader = std::make_shared<batch::ClassReader>(std::move(*opened));
  Results results{reader->results().labs, {}, reader->results().outstanding, {}, {}};
  for (const batch::Entry& entry : reader->results().entries) results.students.push_back(entry.student);
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
  if (!fs::exists(path, failure)) return Error{fmt::format("{}: there is no such folder or report; `histolab batch DIR --out OUT` makes the one, `histolab grade` the other", path)};
  const Result<grader::Report> report = grader::read_report(path);
  if (!report) return report.error();
  Graded graded = formats::graded_of(*report);
  graded.student.key = graded.student.name = fs::path(path).stem().string();
  Results results{formats::labs_of(*report), {graded.student}, 0, {}, {}};
  results.each = [graded = std::move(graded)](const TakeStudent& take) { return take(graded); };
  results.one = [all = results.each](std::size_t, const TakeStudent& take) { return all(take); };
  return results;
}

// `wanted`: a key, or a name that only one has.
Status keep_student(Results& results, const std::string& wanted) {
  std::vector<std::string> keys, called;
  for (const batch::Student& each : results.students) {
    keys.push_back(each.key);
    if (each.name == wanted) called.push_back(each.key);
  }
  auto found = std::ranges::find(keys, wanted);
  if (found == keys.end() && called.size() == 1) found = std::ranges::find(keys, called.front());
  if (found == keys.end()) {
    const std::string near = grader::nearest(wanted, keys);
    return Error{fmt::format("there is no student \"{}\" in it{}; --format csv lists them", wanted, near.empty() ? "" : "; did you mean " + near + "?")};
  }
  const auto number = static_cast<std::size_t>(found - keys.begin());
  results.students = {results.students[number]};
  results.each = [one = results.one, number](const TakeStudent& take) { return one(number, take); };
  return Done{};
}

Result<std::map<std::string, std::string>> named_columns(const std::vector<std::string>& words, const std::vector<batch::Lab>& of) {
  std::map<std::string, std::string> columns;
  std::vector<std::string> labs;
  for (const batch::Lab& lab : of) labs.push_back(lab.name);
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string lab = word.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == word.size()) return Error{fmt::format("--column {}: give LAB=NAME, such as \"01-race=Lab 1 (4711)\"", word)};
    if (std::find(labs.begin(), labs.end(), lab) == labs.end()) return Error{fmt::format("--column {}: the results have no lab \"{}\"{}", word, lab, grader::did_you_mean(lab, labs))};
    columns[lab] = word.substr(equals + 1);
  }
  return columns;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || fs::is_directory(path, ignored);
}

// A file for each student, named by the key.
Status write_each(const StudentFormat& format, const ExportFlags& flags, const Results& results, std::size_t& written) {
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

// The head, then what `text` makes of each student, then the tail.
Status write_all(const ExportFlags& flags, const Results& results, const std::string& head,
                 const std::function<std::string(const Graded&)>& text, const std::string& tail) {
  Result<grader::FileWriter> file = grader::FileWriter::begin(flags.output);
  if (!file) return file.error();
  if (Status added = file->add(head); !added) return added;
  Status all = results.each([&](const Graded& student) { return file->add(text(student)); });
  if (!all) return all;
  if (Status added = file->add(tail); !added) return added;
  return file->end();
}

Status write_junit(const ExportFlags& flags, const Results& results) {
  formats::JunitCounts counts;
  Status counted = results.each([&](const Graded& student) -> Status { return formats::count(counts, student), Done{}; });
  if (!counted) return counted;
  return write_all(flags, results, formats::junit_head(counts), formats::junit_suites, formats::junit_tail);
}

Status write_one(const StudentFormat& format, const ExportFlags& flags, const Results& results) {
  if (results.students.size() != 1)
    return Error{fmt::format("{} is a format for one student, and here are {}: --student KEY takes one, --output DIR/ writes a file for each", flags.format, results.students.size())};
  return results.each([&](const Graded& student) -> Status {
    const Result<std::string> one = format.text(student);
    return one ? grader::write_file(flags.output, *one) : Status{one.error()};
  });
}

// Wraps `each` so that it counts the missing marks of the students it passes; each pass starts at 0.
std::shared_ptr<std::size_t> count_missing(Results& results) {
  const auto missing = std::make_shared<std::size_t>(0);
  results.each = [each = std::move(results.each), missing](const TakeStudent& take) {
    *missing = 0;
    return each([&](const Graded& student) {
      for (const batch::Mark& mark : student.marks) *missing += !has_mark(mark.result.status) && !mark.outstanding;
      return take(student);
    });
  };
  return missing;
}

void tell_what_is_missing(std::size_t outstanding, std::size_t missing) {
  if (outstanding > 0) note(fmt::format("histolab: {} still to come: `histolab batch --resume` goes on\n", outstanding == 1 ? "1 result is" : fmt::format("{} results are", outstanding)));
  if (missing > 0) note(fmt::format("histolab: {} without a mark, and no zero: look at them, or grade again\n", missing == 1 ? "1 result is" : fmt::format("{} results are", missing)));
}

int export_results(const ExportFlags& flags) {
  if (const std::vector<std::string> known = export_formats(); std::ranges::find(known, flags.format) == known.end()) {
    if (flags.format.empty()) return complain({fmt::format("which format? --format takes one of {}", fmt::join(known, ", "))});
    return complain({fmt::format("there is no format \"{}\"{}; {} are known", flags.format, grader::did_you_mean(flags.format, known), fmt::join(known, ", "))});
  }
  if (!flags.rubric.empty() || flags.seed)
    return complain(
        {"--rubric and --seed are for --bundle; results are exported as they were graded"});
  const StudentFormat* const of_student = student_format(flags.format);
  if (flags.format != "canvas" && !flags.columns.empty()) return complain({"--column is for --format canvas"});
  Result<Results> results = read_results(flags.results);
  if (!results) return complain(results.error());
  if (!flags.student.empty())
    if (Status kept = keep_student(*results, flags.student); !kept) return complain({fmt::format("{}: {}", flags.results, kept.error().message)});
  const std::shared_ptr<std::size_t> missing = count_missing(*results);

  int code = done;
  Status put = Done{};
  if (of_student != nullptr && flags.output != "-" && is_folder(flags.output)) {
    std::size_t written = 0;
    put = write_each(*of_student, flags, *results, written);
    if (put) note(fmt::format("histolab: {} in {}\n", grader::counted(written, "file"), flags.output));
    if (written != results->students.size()) code = cannot;
  } else if (flags.format == "csv") {
    put = write_all(flags, *results, formats::csv_head(results->labs), formats::csv_line, "");
  } else if (flags.format == "canvas") {
    const auto columns = named_columns(flags.columns, results->labs);
    if (!columns) return complain(columns.error());
    put = write_all(flags, *results, formats::canvas_head(results->labs, *columns), formats::canvas_line, "");
  } else if (flags.format == "junit") {
    put = write_junit(flags, *results);
  } else {
    put = write_one(*of_student, flags, *results);
  }
  tell_what_is_missing(results->outstanding, *missing);
  return put ? code : complain(put.error());
}

// ---- bundles ----

std::vector<std::string> names_of(const std::vector<grader::LabSpec>& labs) {
  std::vector<std::string> names;
  for (const grader::LabSpec& lab : labs) names.push_back(lab.name);
  return names;
}

// --labs names the folder of the labs. Until 0.1.0, `export --bundle` took the labs that count by
// it.
Status has_labs_folder(const Context& context, const std::string& system) {
  const std::string& named = context.labs_named;
  std::error_code ignored;
  if (named.empty() || fs::is_directory(named, ignored)) return Done{};
  std::string labs = named;
  std::ranges::replace(labs, ',', ' ');
  return Error{
      fmt::format("--labs names the folder of the labs, and there is no folder {}; the labs that "
                  "count have no option: histolab export --bundle {} {}",
                  named, system, labs)};
}

// A bundle grades the solutions before any student, and times are compared with them.
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
  if (Status there = has_labs_folder(context, flags.bundle); !there) return there.error();
  const Result<std::vector<grader::LabSpec>> all = chosen_labs(context, {}),
                                             chosen = chosen_labs(context, flags.words);
  if (!all) return all.error();
  if (!chosen) return chosen.error();
  if (Status whole = needs_whole_kit(*chosen, "export --bundle"); !whole) return whole.error();
  if (Status complete = has_solutions(*chosen); !complete) return complete.error();
  bundle::Settings settings{.labs_folder = context.paths.labs,
                            .all_labs = names_of(*all),
                            .labs = {},
                            .seed = flags.seed,
                            .rubric = {}};
  if (!flags.words.empty()) settings.labs = names_of(*chosen);
  if (flags.rubric.empty()) return settings;
  const Result<batch::Rubric> rubric = batch::load_rubric(flags.rubric);
  if (!rubric) return rubric.error();
  if (const auto labs = class_labs(context, flags.words, *rubric, flags.rubric); !labs)
    return labs.error();
  settings.rubric = rubric->text;
  return settings;
}

int export_bundle(const Context& context, const ExportFlags& flags) {
  const auto is_report = [](const std::string& word) { return word.ends_with(".json"); };
  if (!flags.format.empty() || !flags.student.empty() || !flags.columns.empty() ||
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
  if (!flags.seed) note("histolab: the seed is 1, as for students at home; --seed N draws data that nobody has seen\n");
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
      app, "export", "results as other systems read them, or an autograder for one of them",
      "histolab export out --format csv\n"
      "histolab export out --format canvas --column \"01-race=Lab 1\"\n"
      "histolab export out --format gradescope --student ada\n"
      "histolab export out --format junit --output class.xml\n"
      "histolab export --bundle gradescope 01 02 --seed 815\n"
      "histolab export --bundle gradescope --labs my-labs");
  const auto flags = std::make_shared<ExportFlags>();
  command
      ->add_option("RESULTS", flags->words,
                   "the folder that `batch` wrote, or a report of `grade`; with --bundle: the labs "
                   "that count (all)")
      ->type_name("");
  command->add_option("--format", flags->format, grader::either(export_formats()))->type_name("NAME");
  command->add_option("--student", flags->student, "only this one, by name, or by the key in the first column of --format csv")->type_name("KEY");
  command->add_option("--output", flags->output, "a file instead of the standard output; a folder (or DIR/): a file for each student")->type_name("FILE|DIR");
  command->add_option("--column", flags->columns, "canvas: what its assignment for a lab is called, with its number: \"Lab 1 (4711)\"; repeatable")->type_name("LAB=NAME");
  command
      ->add_option("--bundle", flags->bundle,
                   fmt::format("makes an autograder with the kit's sources: {} (autograder.zip)",
                               grader::either(bundle::systems())))
      ->type_name("NAME");
  command->add_option("--rubric", flags->rubric, "bundle: a rubric that changes them")->type_name("FILE");
  command->add_option("--seed", flags->seed, "bundle: of every case's data (1)")->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))->type_name("N");
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
