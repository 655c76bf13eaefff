#include "grader/web/pages/testing/sample_pages.h"

namespace histolab::web::testing {

using quiz::Standing;
using Kind = quiz::Question::Kind;

Samples samples() {
  Samples all;
  all.labs = {{{"01-race", "A data race", LabState::passed},
               "See updates get lost if threads share a counter.",
               10,
               10,
               LabProgress::Quiz{8, 8}},
              {{"02-atomic-add", "atomicAdd", LabState::started},
               "Make every update count with an atomic addition.",
               3,
               10,
               LabProgress::Quiz{2, 10}},
              {{"03-interleaved", "Interleaved partitioning", LabState::not_started},
               "Let the threads of a warp read neighbouring bytes.",
               0,
               10,
               std::nullopt}};
  for (const LabProgress& each : all.labs) all.frame.labs.push_back(each.lab);
  all.frame.assets = {"/site/style.css", "/site/lab.js"};
  all.lab.name = all.frame.lab = "02-atomic-add";
  all.lab.lesson = render_markdown(
      "# Lab 02: atomicAdd\n\n## The idea\n\nAn **atomic operation** closes the gaps. See [the "
      "glossary](../../docs/glossary.md).\n\n```cuda\nold = atomicAdd(&histo[bin], 1u);\n```\n\n"
      "## The task\n\nAdd one.\n\n| kernel | uniform |\n|---|--:|\n| `atomicAdd` | 5.4 |\n",
      {.link = links_of_page("labs/02-atomic-add/lesson.md"), .taken_ids = ids_of_lab_page()});
  all.lab.file = "work/02-atomic-add.cu";
  all.lab.text =
      "\n__global__ void histogram(const char* data, unsigned int length, unsigned int* "
      "histo) {\n  if (data[0] < 'a') return;\n}\n";
  all.lab.sha256 = "0123abcd";
  all.lab.has_quiz = true;
  all.lab.hints = 3;
  all.lab.cases = {{"empty", "empty: no bytes"}, {"mixed-31", "mixed-31: 31 bytes, blocks of 4"}};
  all.lab.scenarios = {"T1 entirely before T2", "T2 entirely before T1",
                       "interleaved, T1's update is lost", "interleaved, T2's update is lost"};
  all.quiz.lab = "02-atomic-add";
  all.quiz.questions = {
      {.id = "one-address",
       .kind = Kind::number,
       .text = "How many atomic operations per second are possible on one address?",
       .code = {"atomicAdd(&counter, 1);", "  // again"},
       .unit = "atomics/s",
       .example = "12.3 atomics/s",
       .options = {},
       .standing = Standing::wrong,
       .answer = "1 M/s",
       .message = "That is the time of one. How many of them fit into a second?"},
      {.id = "final-values",
       .kind = Kind::set,
       .text = "Which final values are possible?",
       .code = {},
       .unit = {},
       .example = "4 8 15",
       .options = {},
       .standing = Standing::unanswered,
       .answer = {},
       .message = {}},
      {.id = "order",
       .kind = Kind::choice,
       .text = "What is the value of old in thread 5?",
       .code = {},
       .unit = {},
       .example = {},
       .options = {"The value at that moment.", "10", "15"},
       .standing = Standing::right,
       .answer = "a",
       .message = "Each thread gets the sum of the values added before its own."}};
  all.document = render_markdown(
      "# Glossary\n\n## The machine\n\n**Thread.** One run.\n\n"
      "## Memory\n\n**Word.** 4 bytes.\n",
      {});
  return all;
}

Samples hostile_samples() {
  const std::string bad{hostile};
  Samples all = samples();
  all.frame.title = bad;
  for (LabLink& each : all.frame.labs) each.title = bad;
  for (LabProgress& each : all.labs) each.lab.title = each.summary = bad;
  all.lab.lesson = render_markdown("# " + bad + "\n\n## " + bad + "\n\n" + bad, {});
  all.lab.file = all.lab.text = all.lab.sha256 = bad;
  all.lab.cases = {{bad, bad}};
  all.lab.scenarios = {bad};
  all.quiz.problem = bad;
  for (QuestionView& each : all.quiz.questions) {
    each.text = each.unit = each.example = each.answer = each.message = bad;
    each.code = {bad, bad};
    each.standing = Standing::wrong;
    if (each.kind == Kind::choice) each.options = {bad, "b"};
  }
  all.document = render_markdown("# " + bad + "\n\n" + bad, {});
  return all;
}

}  // namespace histolab::web::testing
