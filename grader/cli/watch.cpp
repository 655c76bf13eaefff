// histolab watch
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "grader/cli/command.h"
#include "grader/cli/output_format.h"
#include "grader/cli/signals.h"
#include "grader/cli/watch_session.h"
#include "grader/feedback/problems.h"
#include "grader/files/write_file.h"

namespace histolab::cli {
namespace {

struct WatchFlags {
  std::string lab;
  std::string format = "text";
  WatchOptions options;
};

// For an editor's list of problems: two lines mark the begin and the end of a grading, with the
// problems between them.
Status show_problems(const grader::View& view) {
  std::string text = fmt::format("histolab: grading {}\n", view.path);
  if (view.result) {
    grader::Report report;
    report.labs = {*view.result};
    text += grader::to_problems(report) + grader::to_summary(report);
  }
  if (!view.problem.empty()) text += fmt::format("{}:1:1: error: {}\n", view.path, view.problem);
  return grader::write_file("-", text + fmt::format("histolab: watching {}\n", view.path));
}

Status show(const WatchSession& session, const Terminal& terminal, Scope scope) {
  wait_if_interrupted();
  if (scope == Scope::editor) return show_problems(session.view());
  const grader::ScreenOptions options{
      .width = terminal.width(), .color = color_wanted(), .keys = terminal.has_keys()};
  if (terminal.clears()) return terminal.draw(to_text(session.view(), options));
  return terminal.draw(verdict_text(session.view(), options));
}

int watch(const Context& context, const WatchFlags& flags) {
  const Result<const Format*> format = find_format(flags.format, FormatUse::watch);
  if (!format) return complain(format.error());
  const Scope scope = (*format)->scope;
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, {});
  if (!labs) return complain(labs.error());
  const Result<const grader::LabSpec*> wanted =
      flags.lab.empty() ? Result<const grader::LabSpec*>{nullptr} : chosen_lab(*labs, flags.lab);
  if (!wanted) return complain(wanted.error());
  Terminal terminal;
  Result<std::unique_ptr<WatchSession>> made =
      WatchSession::make(context, *labs, terminal, flags.options);
  if (!made) return complain(made.error());
  WatchSession& session = **made;
  const std::size_t first = *wanted == nullptr ? session.first_unfinished()
                                               : static_cast<std::size_t>(*wanted - labs->data());
  if (Status opened = session.open(first); !opened) return complain(opened.error());
  if (terminal.clears() && scope == Scope::screen)
    if (Status shown = show(session, terminal, scope); !shown) return complain(shown.error());

  while (!session.wants_to_end()) {
    std::array<pollfd, 4> sources{{{terminal.has_keys() ? 0 : -1, POLLIN, 0},
                                   {session.file().descriptor(), POLLIN, 0},
                                   {session.steps(), POLLIN, 0},
                                   {terminal.changes(), POLLIN, 0}}};
    if (poll(sources.data(), sources.size(), static_cast<int>(session.file().interval().count())) <
            0 &&
        errno != EINTR)
      return complain({fmt::format("cannot wait for a save: {}", std::strerror(errno))});
    const bool redraws = terminal.clears() && scope == Scope::screen;
    bool news = session.look_at_file() && (redraws || !session.view().problem.empty());
    if (sources[2].revents != 0) news |= session.take_step();
    if (sources[0].revents != 0)
      if (const std::optional<char> key = terminal.key()) news |= session.press(*key);
    if (sources[3].revents != 0) {
      terminal.take_changes();
      news |= terminal.clears();
    }
    if (!news || session.wants_to_end()) continue;
    if (Status shown = show(session, terminal, scope); !shown) return complain(shown.error());
  }
  return done;
}

}  // namespace

void add_watch(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "watch",
                  "grades a lab whenever its file is saved: what is wrong, on which line, and why",
                  "histolab watch\n"
                  "histolab watch 03");
  const auto flags = std::make_shared<WatchFlags>();
  flags->options.jobs = default_jobs();
  command
      ->add_option("LAB", flags->lab,
                   "first lab: name, number or first letters (the first one not yet passed)")
      ->type_name("");
  command
      ->add_option("--format", flags->format,
                   "text, or gcc: one line per problem, for an editor (text)")
      ->check(CLI::IsMember(format_names(FormatUse::watch)).description(""))
      ->type_name("NAME");
  command->add_flag("--poll", flags->options.poll,
                    "check the file a few times a second instead of waiting for notifications");
  add_jobs_option(*command, flags->options.jobs);
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return watch(context, *flags); }; });
}

}  // namespace histolab::cli
