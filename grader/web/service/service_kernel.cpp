// The routes of the kernel: its text, saves, events, hints and solution.
#include <nlohmann/json.hpp>

#include "grader/checks/quiz_check.h"
#include "grader/checks/recorded.h"
#include "grader/feedback/progress.h"
#include "grader/files/json_fields.h"
#include "grader/quiz/answers.h"
#include "grader/web/service/forms.h"
#include "grader/web/service/replies.h"
#include "grader/web/service/service_parts.h"
#include "grader/web/service/verdict.h"

namespace histolab::web {

void Service::text(const Call& call) {
  Lab* const lab = call.lab;
  const Result<KernelText> text = files_.text(lab->spec);
  if (!text) return refuse(call, 409, text.error().message);
  const grader::OrderedJson json{{"text", text->text}, {"sha256", text->sha256}};
  front_.reply(call.number, json_reply(200, json.dump() + "\n"));
}

void Service::save(const Call& call) {
  Lab* const lab = call.lab;
  const nlohmann::json order = nlohmann::json::parse(call.request.body, nullptr, false);
  if (!order.is_object() || !order.contains("text") || !order["text"].is_string())
    return refuse(call, 400, "The request is not JSON with a text.");
  const std::string text = order["text"].get<std::string>();
  const Result<WorkFiles::Saved> saved = files_.save(
      lab->spec, text, text_in(order, "base"), order.contains("force") && order["force"] == true);
  front_.begin(call.number, 200, ndjson_headers());
  if (!saved || !saved->is_written) {
    front_.send(call.number, !saved                   ? error_line({}, saved.error().message, true)
                             : saved->refused.empty() ? conflict_line(saved->there)
                                                      : error_line({}, saved->refused, false));
    return front_.end(call.number);
  }
  front_.send(call.number, saved_line(saved->there.sha256));
  take_over(*lab, saved->there, call.number);
}

void Service::take_over(Lab& lab, const KernelText& text, std::optional<RequestNumber> save) {
  if (lab.known != text.sha256) {
    lab.known = text.sha256;
    lab.publisher.publish(changed_line(text), std::nullopt);
  }
  grade(lab, text, save);
}

void Service::grade(Lab& lab, const KernelText& text, std::optional<RequestNumber> save) {
  const grader::LabSpec& spec = lab.spec;
  Publisher& publisher = lab.publisher;
  publisher.forget_verdict();
  Result<std::optional<quiz::Outcome>> outcome =
      grader::quiz_outcome(spec, quiz::sheet_in(files_.folder(), spec.name), options_.measurements);
  if (!outcome) {
    publisher.publish(error_line(text.sha256, outcome.error().message, true), save, true);
    return;
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto report = [&publisher, save, begun, sha256 = text.sha256,
                       folder = files_.folder()](const grader::GradingNews& news) {
    if (const auto* const waits = std::get_if<grader::GradingWaits>(&news))
      return publisher.publish(queued_line(sha256, waits->ahead), save);
    const auto* const step = std::get_if<grader::GradingStep>(&news);
    if (step == nullptr) return publisher.publish(superseded_line(sha256), save, true);
    std::string problem;
    if (!step->quick)
      if (const Result<std::string> kept = grader::record_progress(folder, {step->result}); !kept)
        problem = kept.error().message;
    std::size_t passed = 0;
    if (const Result<grader::Progress> progress = grader::read_progress(folder))
      for (const auto& [name, each] : *progress) passed += each.passed ? 1 : 0;
    const double elapsed_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    if (!problem.empty())
      publisher.publish(error_line(sha256, "the progress was not saved: " + problem, true), save);
    publisher.publish_verdict(verdict_line(sha256, *step, elapsed_ms, passed), save, !step->more);
  };
  gradings_.add({}, {&spec, grader::Submission{text.path, text.text, text.sha256}, *outcome},
                report);
}

void Service::events(const Call& call) {
  Lab* const lab = call.lab;
  const Result<KernelText> text = files_.text(lab->spec);
  if (!text) return refuse(call, 409, text.error().message);
  if (!lab->publisher.add(call.number))
    return refuse(call, 503, "Too many pages show this lab: close some of them.");
  if (!lab->watch) lab->watch.emplace(text->path);
  if (lab->known == text->sha256) return;  // it is graded already, or is being graded
  // A page that was opened before this change, or by an earlier server, learns of it.
  take_over(*lab, *text, std::nullopt);
}

void Service::solution(const Call& call) {
  Lab* const lab = call.lab;
  if (grader::has_recorded_only(lab->spec)) return refuse(call, 404, "This kit has no solutions.");
  if (!has_passed(lab->spec) && !call.request.query.contains("anyway"))
    return refuse(call, 403, "You have not passed this lab yet.");
  const Result<grader::Submission> solution = grader::read_solution(lab->spec);
  if (!solution) return refuse(call, 500, solution.error().message);
  front_.reply(call.number, text_reply(solution->text));
}

}  // namespace histolab::web
