// web_pages_sample KIT OUT: writes the pages of the kit's labs, quizzes and docs to files, for the
// browser test. OUT/lab/NAME.html is the page of /lab/NAME, and so on; OUT/hostile/ has pages with
// hostile text in every value, and OUT/scripted/lab.html is for the tests of the scripts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "grader/html/palette.css.h"
#include "grader/lessons/hints.h"
#include "grader/quiz/answers.h"
#include "grader/web/pages/pages.h"
#include "grader/web/pages/quiz_view.h"
#include "grader/web/pages/testing/sample_pages.h"
#include "reference/increments.h"

namespace {

namespace fs = std::filesystem;
using namespace histolab::web;
using namespace histolab;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) {
    fmt::print(stderr, "cannot write {}\n", path.string());
    std::exit(2);
  }
}

struct Kit {
  fs::path kit, out;
  Frame frame{.title = {}, .lab = {}, .labs = {}, .assets = {"/site/style.css", "/site/lab.js"}};
  std::vector<LabProgress> labs = {};

  [[nodiscard]] RenderedMarkdown render(const std::string& page,
                                        const std::vector<std::string>& taken = {}) const {
    const auto exists = [&](const std::string& path) { return fs::exists(kit / path); };
    return render_markdown(read(kit / page),
                           {.link = links_of_page(page, exists), .taken_ids = taken});
  }
  void put(const std::string& name, Frame with, const std::string& title,
           const std::function<grader::Html(const Frame&)>& make) const {
    with.title = title;
    write(out / (name + ".html"), make(with).markup());
  }
  void put_lab(const LabProgress& progress) const;
  void put_quiz(const LabProgress& progress) const;
};

void Kit::put_lab(const LabProgress& progress) const {
  const std::string& name = progress.lab.name;
  const fs::path folder = kit / "labs" / name;
  LabPage page{.name = name,
               .lesson = render("labs/" + name + "/lesson.md", ids_of_lab_page()),
               .file = "work/" + name + ".cu",
               .text = read(folder / "stub.cu"),
               .sha256 = std::string(64, 'a'),
               .passed = progress.lab.state == LabState::passed,
               .has_quiz = progress.quiz.has_value(),
               .hints = 3,
               .cases = {},
               .scenarios = {}};
  const auto lab = nlohmann::json::parse(read(folder / "lab.json"));
  if (lab.contains("cases"))
    for (const auto& each : lab["cases"]) {
      const std::string id = each["id"];
      page.cases.push_back({id, id});
    }
  for (const auto& each : reference::lecture_scenarios()) page.scenarios.emplace_back(each.title);
  Frame with = frame;
  with.lab = name;
  put("lab/" + name, with, page.lesson.title, [&](const Frame& f) { return lab_page(f, page); });
  const auto hints = grader::lessons::hints_of(read(folder / "hints.md"));
  std::string fragments;
  for (std::size_t i = 0; i < hints.size(); ++i)
    fragments += hint_fragment(i + 1, hints.size(), hints[i].title,
                               render_markdown(hints[i].text,
                                               {.link = links_of_page("labs/" + name + "/hints.md"),
                                                .first_level = 3,
                                                .taken_ids = ids_of_lab_page()})
                                   .body)
                     .markup();
  write(out / "hints" / (name + ".html"), fragments);
}

// The first question is answered right, the second wrong, and the third is not understood.
void Kit::put_quiz(const LabProgress& progress) const {
  const std::string& name = progress.lab.name;
  const auto quiz =
      quiz::load_quiz((kit / "labs" / name).string(), (kit / "docs" / "measurements").string());
  if (!quiz) std::exit(2);
  QuizPage page{.lab = name, .has_key = true, .problem = {}, .questions = {}};
  quiz::Sheet sheet;
  const char* const answers[] = {"", "123456789", "???"};
  for (std::size_t i = 0; i < quiz->questions.size(); ++i) {
    const auto posed = quiz::pose(*quiz, quiz->questions[i], {});
    if (!posed) std::exit(2);
    if (i < 3) sheet.answers[quiz->questions[i].id].text = i == 0 ? posed->answer() : answers[i];
    page.questions.push_back(view_of(*posed, quiz::judged(*posed, sheet)));
  }
  Frame with = frame;
  with.lab = name;
  put("lab/" + name + "/quiz", with, "Quiz of lab " + name.substr(0, 2),
      [&](const Frame& f) { return quiz_page(f, page); });
}

void put_hostile(const Kit& kit) {
  const web::testing::Samples bad = web::testing::hostile_samples();
  const std::string title = bad.frame.title;
  kit.put("hostile/list", bad.frame, title, [&](const Frame& f) { return list_page(f, bad.labs); });
  kit.put("hostile/lab", bad.frame, title, [&](const Frame& f) { return lab_page(f, bad.lab); });
  kit.put("hostile/quiz", bad.frame, title, [&](const Frame& f) { return quiz_page(f, bad.quiz); });
  kit.put("hostile/document", bad.frame, title,
          [&](const Frame& f) { return document_page(f, bad.document); });
  kit.put("hostile/error", bad.frame, title, [&](const Frame& f) {
    return error_page(f, {404, title});
  });
}

// The lab page for fake_server.py, which replaces the names between @.
void put_scripted(const Kit& kit) {
  web::testing::Samples sample = web::testing::samples();
  sample.frame.assets = {"@root@/style.css", "@root@/lab.js"};
  sample.lab.text = "@text@";
  sample.lab.sha256 = "@sha256@";
  sample.lab.cases = {{"mixed-31", "mixed, 31 letters"}, {"bytes-256", "256 bins"}};
  kit.put("scripted/lab", sample.frame, "atomicAdd",
          [&](const Frame& f) { return lab_page(f, sample.lab); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: web_pages_sample KIT OUT\n", stderr), 2;
  Kit all{.kit = argv[1], .out = argv[2]};
  std::vector<std::string> names;
  for (const auto& each : fs::directory_iterator{all.kit / "labs"})
    if (each.is_directory()) names.push_back(each.path().filename().string());
  std::ranges::sort(names);
  for (const std::string& name : names) {
    const fs::path folder = all.kit / "labs" / name;
    const auto lab = nlohmann::json::parse(read(folder / "lab.json"));
    const std::size_t at = all.labs.size();
    const LabState state = at == 0   ? LabState::passed
                           : at == 1 ? LabState::started
                                     : LabState::not_started;
    const double most = lab["max_score"];
    LabProgress progress{{name, lab["title"], state},
                         lab["summary"],
                         at == 0   ? most
                         : at == 1 ? 3
                                   : 0,
                         most,
                         std::nullopt};
    if (quiz::has_quiz(folder.string())) progress.quiz = {at == 0 ? 3U : 1U, 8U};
    all.frame.labs.push_back(progress.lab);
    all.labs.push_back(progress);
  }
  write(all.out / "site" / "style.css",
        std::string{embedded::palette_css} + read(all.kit / "grader/web/site/style.css"));
  all.put("index", all.frame, "Labs", [&](const Frame& f) { return list_page(f, all.labs); });
  for (const LabProgress& each : all.labs) {
    all.put_lab(each);
    if (each.quiz) all.put_quiz(each);
  }
  for (const auto& each : fs::recursive_directory_iterator{all.kit / "docs"}) {
    if (each.path().extension() != ".md") continue;
    const std::string page = fs::relative(each.path(), all.kit).generic_string();
    const RenderedMarkdown document = all.render(page);
    all.put(page == "docs/glossary.md" ? "glossary" : page, all.frame, document.title,
            [&](const Frame& f) { return document_page(f, document); });
  }
  for (const int status : {403, 404, 413, 500})
    all.put(fmt::format("error/{}", status), all.frame, "Error", [&](const Frame& f) {
      return error_page(f, {status, status == 404 ? "/lab/99-none" : ""});
    });
  put_hostile(all);
  put_scripted(all);
  return 0;
}
