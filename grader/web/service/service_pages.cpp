// The routes of pages, and of the quiz.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/files/backup.h"
#include "grader/files/read_file.h"
#include "grader/lessons/hints.h"
#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "grader/web/pages/quiz_view.h"
#include "grader/web/service/forms.h"
#include "grader/web/service/replies.h"
#include "grader/web/service/service_parts.h"
#include "grader/web/site/assets.h"
#include "reference/increments.h"

namespace histolab::web {
namespace {

namespace fs = std::filesystem;

std::string page_of(const grader::LabSpec& lab, const char* name) {
  const Result<std::string> text =
      grader::read_text_file(lab.directory + "/" + name, "page of a lab");
  return text ? *text : std::string{};
}

// The path under which the kit's links name a page of a lab.
std::string kit_path(const grader::LabSpec& lab, const char* name) {
  return fmt::format("labs/{}/{}", lab.name, name);
}

}  // namespace

void Service::enter(const Call& call) {
  const std::optional<std::string> cookie = session_.cookie_for(call.request.path);
  if (!cookie)
    return refuse_stranger(call,
                           "This link has expired: each start of histolab serve makes a new one.");
  const auto wanted = call.request.query.find("lab");
  const bool is_lab = wanted != call.request.query.end() && labs_.contains(wanted->second);
  Reply reply = redirection(is_lab ? "/lab/" + wanted->second : "/");
  reply.headers.emplace_back("Set-Cookie", *cookie);
  front_.reply(call.number, reply);
}

void Service::health(const Call& call) { front_.reply(call.number, json_reply(200, "{}\n")); }

// Browsers ask for it and would complain about its absence.
void Service::no_icon(const Call& call) { front_.reply(call.number, {204, {}, {}}); }

void Service::asset(const Call& call) {
  const Asset* const found = find_asset(call.request.path);
  if (found == nullptr) return refuse(call, 404, {});
  front_.reply(call.number, asset_reply(std::string(found->type), found->bytes));
}

void Service::list(const Call& call) {
  const Frame frame = this->frame("The course", {});
  const grader::Progress progress = this->progress();
  std::vector<LabProgress> all;
  for (const LabLink& link : frame.labs) {
    const grader::LabSpec& spec = labs_.at(link.name)->spec;
    LabProgress lab{.lab = link,
                    .summary = spec.summary,
                    .score = 0,
                    .max_score = static_cast<double>(spec.max_score),
                    .quiz = {}};
    if (const auto known = progress.find(link.name); known != progress.end())
      lab.score = known->second.score;
    if (quiz::has_quiz(spec.directory))
      if (const Result<quiz::Quiz> quiz = quiz::load_quiz(spec.directory, options_.measurements)) {
        const Result<quiz::Outcome> outcome =
            quiz::outcome_of_file(*quiz, quiz::sheet_in(files_.folder(), link.name));
        lab.quiz = {.right = outcome ? outcome->count(quiz::Standing::right) : 0,
                    .questions = quiz->questions.size()};
      }
    all.push_back(std::move(lab));
  }
  front_.reply(call.number, page_reply(200, list_page(frame, all)));
}

void Service::lab(const Call& call) {
  Lab* const lab = call.lab;
  const grader::LabSpec& spec = lab->spec;
  const Result<KernelText> text = files_.text(spec);
  if (!text) return refuse(call, 409, text.error().message);
  LabPage page;
  page.name = spec.name;
  page.lesson =
      render_markdown(page_of(spec, "lesson.md"), {.link = links(kit_path(spec, "lesson.md")),
                                                   .first_level = 2,
                                                   .taken_ids = ids_of_lab_page()});
  page.file = text->path;
  page.text = text->text;
  page.sha256 = text->sha256;
  page.passed = has_passed(spec);
  page.has_quiz = quiz::has_quiz(spec.directory);
  page.hints = grader::lessons::hints_of(page_of(spec, "hints.md")).size();
  if (!spec.program)
    for (const grader::CaseSpec& each : spec.cases)
      page.cases.push_back(
          {each.id, fmt::format("{}: {} elements of {}", each.id, each.length, each.dataset)});
  for (const reference::Scenario& each : reference::lecture_scenarios())
    page.scenarios.emplace_back(each.title);
  Frame around = frame(spec.title, spec.name);
  around.assets.script = asset_url("lab.js");
  front_.reply(call.number, page_reply(200, lab_page(around, page)));
}

// The file of "docs/X.md" in the kit.
std::string Service::file_of(const std::string& document) const {
  const fs::path docs = fs::path(options_.glossary).parent_path();
  return (docs / fs::path(document).lexically_relative("docs")).string();
}

LinkOf Service::links(const std::string& page) const {
  return links_of_page(page, [this](const std::string& path) {
    if (path.starts_with("docs/")) return grader::is_there(file_of(path));
    const std::vector<std::string> parts = parts_of("/" + path);
    return parts.size() > 1 && labs_.contains(parts[1]);
  });
}

void Service::glossary(const Call& call) {
  Call page{call.number, call.request, {"glossary.md"}};
  document(page);
}

void Service::document(const Call& call) {
  std::string path = "docs";
  for (const std::string& part : call.open) path += "/" + part;
  if (!path.ends_with(".md")) return refuse(call, 404, {});
  const Result<std::string> text = grader::read_text_file(file_of(path), "page of the kit");
  if (!text) return refuse(call, 404, {});
  const RenderedMarkdown page = render_markdown(*text, {.link = links(path)});
  front_.reply(call.number, page_reply(200, document_page(frame(page.title, {}), page)));
}

void Service::hint(const Call& call) {
  Lab* const lab = call.lab;
  const std::vector<grader::lessons::Hint> hints =
      grader::lessons::hints_of(page_of(lab->spec, "hints.md"));
  const std::optional<std::uint64_t> number = number_of(call.open[1], 0, hints.size());
  if (!number || *number == 0) return refuse(call, 404, "There is no such hint.");
  const grader::lessons::Hint& hint = hints[*number - 1];
  const RenderedMarkdown text =
      render_markdown(hint.text, {.link = links(kit_path(lab->spec, "hints.md")),
                                  .first_level = 3,
                                  .taken_ids = ids_of_lab_page()});
  front_.reply(call.number,
               page_reply(200, hint_fragment(*number, hints.size(), hint.title, text.body)));
}

// ---- the quiz ----

// The lab's quiz with the student's answers. Without answers, a new one is drawn and kept.
Result<Service::OpenQuiz> Service::open_quiz(const grader::LabSpec& lab) const {
  OpenQuiz open{TRY(quiz::load_quiz(lab.directory, options_.measurements)),
                quiz::sheet_in(options_.work_folder, lab.name),
                {}};
  std::optional<quiz::Sheet> sheet = TRY(quiz::read_sheet(open.path, lab.name));
  if (sheet) {
    open.sheet = std::move(*sheet);
    return open;
  }
  open.sheet.person.seed = std::max<std::uint64_t>(1, TRY(options_.random_seed()));
  TRY(quiz::write_sheet(open.path, lab.name, open.sheet));
  return open;
}

void Service::quiz(const Call& call) {
  Lab* const lab = call.lab;
  const grader::LabSpec& spec = lab->spec;
  if (!quiz::has_quiz(spec.directory)) return refuse(call, 404, "This lab has no quiz.");
  const Result<OpenQuiz> open = open_quiz(spec);
  if (!open) return refuse(call, 500, open.error().message);
  show_quiz(call, spec, *open, nullptr);
}

void Service::show_quiz(const Call& call, const grader::LabSpec& spec, const OpenQuiz& open,
                        const quiz::QuestionResult* last) {
  QuizPage page{.lab = spec.name, .has_key = open.quiz.has_key, .problem = {}, .questions = {}};
  for (const quiz::Question& each : open.quiz.questions) {
    const Result<quiz::Posed> posed = quiz::pose(open.quiz, each, open.sheet.person);
    if (!posed) return refuse(call, 500, posed.error().message);
    page.questions.push_back(view_of(
        *posed, last != nullptr && last->id == each.id ? *last : quiz::judged(*posed, open.sheet)));
  }
  front_.reply(call.number,
               page_reply(200, quiz_page(frame("Quiz: " + spec.title, spec.name), page)));
}

void Service::answer_quiz(const Call& call) {
  Lab* const lab = call.lab;
  const grader::LabSpec& spec = lab->spec;
  if (!quiz::has_quiz(spec.directory)) return refuse(call, 404, "This lab has no quiz.");
  const std::map<std::string, std::string> form = form_of(call.request.body);
  const auto id = form.find("question"), answer = form.find("answer");
  if (id == form.end() || answer == form.end())
    return refuse(call, 400, "The form has no question, or no answer.");
  Result<OpenQuiz> open = open_quiz(spec);
  if (!open) return refuse(call, 500, open.error().message);
  const quiz::Question* const question = open->quiz.find(id->second);
  if (question == nullptr) return refuse(call, 404, "The quiz has no such question.");
  const Result<quiz::Posed> posed = quiz::pose(open->quiz, *question, open->sheet.person);
  if (!posed) return refuse(call, 500, posed.error().message);
  const quiz::QuestionResult result = quiz::give_answer(open->sheet, *posed, answer->second);
  // The sheet holds only answers that are understood, so this page alone can show the text.
  if (result.standing == quiz::Standing::not_understood)
    return show_quiz(call, spec, *open, &result);
  if (const Status kept = quiz::write_sheet(open->path, spec.name, open->sheet); !kept)
    return refuse(call, 500, kept.error().message, true);
  if (const Result<KernelText> text = files_.text(spec)) grade(*lab, *text, std::nullopt);
  front_.reply(call.number, redirection(fmt::format("/lab/{}/quiz#{}", spec.name, question->id)));
}

}  // namespace histolab::web
