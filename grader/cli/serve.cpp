// histolab serve
#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/signals.h"
#include "grader/web/service/service.h"
#include "kernels/worker/processes/program_start.h"

namespace histolab::cli {
namespace {

struct ServeFlags {
  std::string lab;
  std::uint16_t port = 0;  // 0: 8080, or any free port if that is in use
  bool no_browser = false;
  unsigned jobs = 1;
};

constexpr std::uint16_t usual_port = 8080;

Result<std::unique_ptr<web::Front>> start_front(const Context& context, const ServeFlags& flags) {
  web::FrontOptions options;
  options.program = context.paths.front;
  options.port = flags.port == 0 ? usual_port : flags.port;
  Result<std::unique_ptr<web::Front>> front = web::Front::start(options);
  if (front || flags.port != 0) return front;
  options.port = 0;
  return web::Front::start(options);
}

// Whether a program that opens web pages was started.
bool open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  const pid_t child =
      kernels::worker::start_program({.command = {"xdg-open", address},
                                      .paths = kernels::worker::places_of_program("xdg-open"),
                                      .descriptors = {{-1, 0}, {-1, 1}, {-1, 2}},
                                      .own_session = true});
  if (child < 0) return false;
  kernels::worker::reap_when_ended(child);
  return true;
}

// Serves until a signal ends the process, or the front ends.
Error serve_requests(web::Front& front, web::Service& service) {
  for (;;) {
    std::vector<pollfd> sources{{front.descriptor(), POLLIN, 0}};
    service.add_descriptors(sources);
    if (poll(sources.data(), sources.size(), static_cast<int>(service.interval().count())) < 0 &&
        errno != EINTR)
      return {fmt::format("cannot wait for requests: {}", std::strerror(errno))};
    wait_if_interrupted();
    const Result<std::vector<web::FrontEvent>> events = front.take();
    if (!events) return events.error();
    for (const web::FrontEvent& each : *events) service.handle(each);
    service.look();
  }
}

int serve(const Context& context, ServeFlags flags) {
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, {});
  if (!labs) return complain(labs.error());
  const Result<const grader::LabSpec*> first =
      flags.lab.empty() ? Result<const grader::LabSpec*>{nullptr} : chosen_lab(*labs, flags.lab);
  if (!first) return complain(first.error());
  const Result<std::unique_ptr<grader::GradingQueue>> gradings = make_gradings(context, flags.jobs);
  if (!gradings) return complain(gradings.error());
  std::error_code failure;
  std::filesystem::create_directories(work_folder, failure);
  if (failure)
    return complain(
        {fmt::format("{}: the folder cannot be made: {}", work_folder, failure.message())});
  if (const Result<bool> settings = write_settings_of_editor(context); !settings)
    note(fmt::format("histolab: {}\n", settings.error().message));
  Result<std::unique_ptr<web::Front>> front = start_front(context, flags);
  if (!front) return complain(front.error());
  flags.port = (*front)->port();
  const std::string host = fmt::format("127.0.0.1:{}", flags.port);
  const Result<web::Session> session =
      web::Session::make(flags.port, {host, fmt::format("localhost:{}", flags.port)});
  if (!session) return complain(session.error());
  web::ServiceOptions options;
  options.work_folder = work_folder;
  options.measurements = context.paths.measurements;
  options.glossary = context.paths.glossary;
  options.program = {grader::own_executable(), "--labs", context.paths.labs};
  options.random_seed = random_seed;

  const std::string address =
      fmt::format("http://{}{}{}", host, session->link(),
                  *first == nullptr ? std::string{} : fmt::format("?lab={}", (*first)->name));
  const bool opened = !flags.no_browser && open_browser(address);
  if (const int printed =
          print(fmt::format("{}\n\n    {}\n\nA save in the page or in an editor is graded at "
                            "once. The files are in {}/.\nPress Ctrl-C to stop the server.\n",
                            opened ? "The course opens in the browser:"
                                   : "Open this link in a browser on this machine:",
                            address, work_folder));
      printed != done)
    return printed;
  constexpr int most_failures = 5;  // one soon after the other
  for (int failures = 0; failures < most_failures; ++failures) {
    const auto begun = std::chrono::steady_clock::now();
    const Error ended = !front ? front.error() : [&] {
      web::Service service(*labs, options, *session, **front, **gradings);
      return serve_requests(**front, service);
    }();
    if (std::chrono::steady_clock::now() - begun > std::chrono::minutes{1}) failures = 0;
    note(fmt::format("histolab: {}; it is started again\n", ended.message));
    if (front) front->reset();  // it may still have the port
    std::this_thread::sleep_for(std::chrono::milliseconds{100 * failures});
    front = start_front(context, flags);
  }
  return complain({"the process for HTTP has ended again and again"});
}

}  // namespace

void add_serve(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "serve", "the course in a browser: lessons, editor, verdicts, quizzes, live launches",
      "histolab serve\n"
      "histolab serve 03 --port 9000");
  const auto flags = std::make_shared<ServeFlags>();
  flags->jobs = default_jobs();
  command
      ->add_option("LAB", flags->lab,
                   "the page to open: name, number or first letters (the list of labs)")
      ->type_name("");
  command
      ->add_option("--port", flags->port,
                   "the port on 127.0.0.1 (8080, or any free one if that is in use)")
      ->check(CLI::Range(1, 65535).description(""))
      ->type_name("N");
  command->add_flag("--no-browser", flags->no_browser, "only print the link");
  add_jobs_option(*command, flags->jobs);
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return serve(context, *flags); }; });
}

}  // namespace histolab::cli
