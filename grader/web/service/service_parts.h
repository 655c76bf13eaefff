// The parts of Service that its files share: a call, a route, and the state of a lab.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "grader/web/service/publisher.h"
#include "grader/web/service/service.h"

namespace histolab::web {

// A lab's quiz with the student's answers, and the file of these.
struct Service::OpenQuiz {
  quiz::Quiz quiz;
  std::string path;
  quiz::Sheet sheet;
};

// A request with the parts of its path that the route's pattern leaves open.
struct Service::Call {
  RequestNumber number = 0;
  const Request& request;
  std::vector<std::string> open{};
  Lab* lab = nullptr;  // that the path names; set if the route needs it
  [[nodiscard]] bool is_of_script() const { return request.path.starts_with("/api/"); }
};

// `lab`: the first open part of the path is the name of a lab, and the request is of the session.
enum class Service::Needs { nothing, session, lab };

struct Service::Route {
  const char* method;
  const char* pattern;  // "*" is any one part, "**" any further ones
  void (Service::*handle)(const Call& call);
  Needs needs = Needs::session;
};

struct Service::Lab {
  Lab(const grader::LabSpec& of, Front& front) : spec(of), publisher(front) {}
  const grader::LabSpec& spec;
  Publisher publisher;
  // Watches the file while a page is open.
  std::optional<grader::FileWatch> watch;
  std::string known;  // hash of the text that the pages know, and that was graded last
  // When the file was found missing. Editors remove it for a moment.
  std::optional<std::chrono::steady_clock::time_point> missing_since{};
};

}  // namespace histolab::web
