// Service: answers the requests of one student's pages.
//
//   Front -> Asked -> Service (routes) -> reply, or a stream that gradings and commands fill
//
// Requests are handled one at a time, on one thread; gradings run on the threads of their queue.
// Whatever a request names is looked up among the labs of the course: no text of a request becomes
// a path, an option or a command.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/feedback/progress.h"
#include "grader/lab/lab.h"
#include "grader/quiz/answers.h"
#include "grader/watch/file_watch.h"
#include "grader/watch/grading.h"
#include "grader/web/http/front.h"
#include "grader/web/pages/pages.h"
#include "grader/web/service/publisher.h"
#include "grader/web/service/relay.h"
#include "grader/web/service/session.h"
#include "grader/web/service/work_files.h"

namespace histolab::web {

struct ServiceOptions {
  std::string work_folder;
  std::string measurements;          // folder of the kit
  std::string glossary;              // docs/glossary.md, among the other pages of docs/
  std::vector<std::string> program;  // this program, with its options for the same labs
  std::function<Result<std::uint64_t>()> random_seed;  // for a new quiz
};

class Service {
 public:
  // All arguments are borrowed.
  Service(const std::vector<grader::LabSpec>& labs, const ServiceOptions& options,
          const Session& session, Front& front, grader::GradingQueue& gradings);
  ~Service();

  void handle(const FrontEvent& event);
  // Descriptors that the caller polls: it calls look() if one is readable, and after interval().
  void add_descriptors(std::vector<pollfd>& sources) const;
  [[nodiscard]] std::chrono::milliseconds interval() const;
  void look();

 private:
  struct Call;
  struct Route;
  enum class Needs;
  static const std::vector<Route>& routes();
  struct Lab;
  struct OpenQuiz;

  void answer(const Call& call);
  [[nodiscard]] Lab* lab_called(const std::string& name);  // null if there is none
  [[nodiscard]] Result<OpenQuiz> open_quiz(const grader::LabSpec& lab) const;
  // With `last` in place of the stored answer to that question.
  void show_quiz(const Call& call, const grader::LabSpec& spec, const OpenQuiz& open,
                 const quiz::QuestionResult* last);
  [[nodiscard]] Frame frame(const std::string& title, const std::string& lab) const;
  [[nodiscard]] std::string file_of(const std::string& document) const;
  [[nodiscard]] LinkOf links(const std::string& page) const;
  // Replies with what cannot be done, for a script or as a page.
  void refuse(const Call& call, int status, const std::string& detail, bool of_machine = false);
  // The same with status 403. Shows nothing of the student's.
  void refuse_stranger(const Call& call, const std::string& detail);
  // Empty without a file, or if it cannot be used.
  [[nodiscard]] grader::Progress progress() const;
  [[nodiscard]] bool has_passed(const grader::LabSpec& lab) const;
  // The file has this text now: the pages learn of it, and it is graded.
  void take_over(Lab& lab, const KernelText& text, std::optional<RequestNumber> save);
  void grade(Lab& lab, const KernelText& text, std::optional<RequestNumber> save);
  void start(Relays::Kind kind, const Call& call, std::vector<std::string> command,
             const std::string& first_line);

  // One for each route.
  void enter(const Call& call);
  void health(const Call& call);
  void no_icon(const Call& call);
  void asset(const Call& call);
  void list(const Call& call);
  void lab(const Call& call);
  void quiz(const Call& call);
  void answer_quiz(const Call& call);
  void glossary(const Call& call);
  void document(const Call& call);
  void text(const Call& call);
  void save(const Call& call);
  void events(const Call& call);
  void hint(const Call& call);
  void solution(const Call& call);
  void race_of_kernel(const Call& call);
  void race(const Call& call);
  void run(const Call& call);
  void say(const Call& call);

  const ServiceOptions options_;
  const Session& session_;
  Front& front_;
  grader::GradingQueue& gradings_;
  WorkFiles files_;
  Relays relays_;
  std::map<std::string, std::unique_ptr<Lab>> labs_;
  std::chrono::steady_clock::time_point last_alive_ = std::chrono::steady_clock::now();
};

}  // namespace histolab::web
