// histolab report
#include <fmt/format.h>

#include "grader/batch/class_results.h"
#include "grader/class_report/class_report.h"
#include "grader/cli/command.h"
#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

struct ReportFlags {
  std::string results, html;
  bool anonymous = false;
};

int report_class(const ReportFlags& flags) {
  if (Status writable = grader::check_writable(flags.html); !writable)
    return complain(writable.error());
  Result<batch::ClassReader> reader = batch::ClassReader::open(flags.results);
  if (!reader) return complain(reader.error());
  if (Status found = reader->find_alike(); !found) return complain(found.error());
  Result<grader::FileWriter> file = grader::FileWriter::begin(flags.html);
  if (!file) return complain(file.error());
  Status written = class_report::write_html(reader->source(), {.anonymous = flags.anonymous},
                                            [&](std::string_view text) { return file->add(text); });
  wait_if_interrupted();
  if (written) written = file->end();
  if (!written) return complain(written.error());
  const batch::ClassResults& results = reader->results();
  if (flags.html != "-")
    note(fmt::format("histolab: wrote {}, {}; open it in a browser\n", flags.html,
                     grader::counted(results.entries.size(), "student")));
  if (!results.lateness.empty()) note(grader::paragraph("histolab: " + results.lateness, 0));
  if (results.outstanding != 0)
    note(fmt::format("histolab: the batch is not finished, {} still to come; the report says so\n",
                     grader::counted(results.outstanding, "result is", "results are")));
  return done;
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "report", "writes a class's results as a page for a browser",
                  "histolab report results --html class.html\n"
                  "histolab report results --html for-the-lecture.html --anonymous");
  const auto flags = std::make_shared<ReportFlags>();
  command->add_option("RESULTS", flags->results, "the --out folder of histolab batch")
      ->type_name("")
      ->required();
  command
      ->add_option("--html", flags->html,
                   "the page, which needs no other file and no network; - is the standard output")
      ->type_name("FILE|-")
      ->required();
  command->add_flag("--anonymous", flags->anonymous,
                    "no names, no pages of students, no list of similar code: to show in class");
  command->callback([&context, flags] { context.run = [flags] { return report_class(*flags); }; });
}

}  // namespace histolab::cli
