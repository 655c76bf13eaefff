// histolab glossary
#include <fmt/format.h>

#include "grader/cli/command.h"
#include "grader/files/read_file.h"
#include "grader/lessons/glossary.h"
#include "grader/lessons/markdown.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using grader::lessons::GlossaryEntry;

int glossary(const Context& context, const std::string& term) {
  const Result<std::string> page = grader::read_text_file(context.paths.glossary, "glossary");
  if (!page) return complain(page.error());
  const std::vector<GlossaryEntry> all = grader::lessons::glossary_of(*page);
  const std::vector<GlossaryEntry> entries =
      term.empty() ? all : grader::lessons::find_entries(all, term);
  if (entries.empty()) {
    std::vector<std::string> terms;
    for (const GlossaryEntry& each : all)
      terms.insert(terms.end(), each.terms.begin(), each.terms.end());
    const std::string near = grader::did_you_mean(term, terms);
    return complain({fmt::format("the glossary has no \"{}\"{}", term,
                                 near.empty() ? "; `histolab glossary` prints all words" : near)});
  }
  std::string text;
  for (const GlossaryEntry& each : entries) text += each.text + "\n";
  return print(grader::lessons::for_terminal(text));
}

}  // namespace

void add_glossary(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "glossary", "explains a term of the course, or all of them",
                                  "histolab glossary shared memory\nhistolab glossary | less");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("TERM", *words, "a term, or a part of one (all without TERM)")->type_name("");
  command->callback([&context, words] {
    context.run = [&context, words] {
      return glossary(context, fmt::format("{}", fmt::join(*words, " ")));
    };
  });
}

}  // namespace histolab::cli
