#include <fmt/format.h>

#include <algorithm>

#include "grader/web/pages/document.h"
#include "grader/web/pages/pages.html.h"
#include "grader/words/words.h"

namespace histolab::web {

using grader::Html;
using grader::html;
using grader::piece;

Html list_page(const Frame& frame, const std::vector<LabProgress>& labs) {
  Html items;
  for (const LabProgress& each : labs) {
    const std::string_view number = number_of(each.lab.name);
    const Html quiz =
        each.quiz
            ? html(
                  "\n<span class=\"quiz\"><a href=\"/lab/{}/quiz\">Quiz<span class=\"unseen\"> "
                  "of lab {}</span></a>: {} of {} right</span>",
                  each.lab.name, number, each.quiz->right, each.quiz->questions)
            : Html{};
    items +=
        html(piece(embedded::pages_html, "list lab"), name(each.lab.state), number, each.lab.name,
             each.lab.title, each.summary, name(each.lab.state), fmt::format("{:g}", each.score),
             fmt::format("{:g}", each.max_score), std::max(each.max_score, 1.0), each.score, quiz);
  }
  const auto passed = static_cast<std::uint64_t>(std::ranges::count(
      labs, LabState::passed, [](const LabProgress& each) { return each.lab.state; }));
  const std::string lead =
      fmt::format("You have passed {} of {}.", passed, grader::counted(labs.size(), "lab"));
  return document(frame, "list", "/", {{"main", "Skip to the labs"}},
                  html(piece(embedded::pages_html, "list"), lead, items));
}

}  // namespace histolab::web
