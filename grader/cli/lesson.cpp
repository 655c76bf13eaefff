// histolab lesson, histolab hint
#include <fmt/format.h>

#include "grader/cli/command.h"
#include "grader/files/read_file.h"
#include "grader/lessons/hints.h"
#include "grader/lessons/markdown.h"

namespace histolab::cli {
namespace {

using grader::lessons::Hint;

// A page of the lab that `word` names.
Result<std::string> page_of(const Context& context, const std::string& word,
                            const std::string& name) {
  const grader::LabSpec lab = TRY(chosen_lab(context, word));
  return grader::read_text_file(lab.directory + "/" + name, "page of a lab");
}

int lesson(const Context& context, const std::string& word) {
  const Result<std::string> page = page_of(context, word, "lesson.md");
  return page ? print(grader::lessons::for_terminal(*page)) : complain(page.error());
}

int hint(const Context& context, const std::string& word, std::size_t number) {
  const Result<std::string> page = page_of(context, word, "hints.md");
  if (!page) return complain(page.error());
  const std::vector<Hint> hints = grader::lessons::hints_of(*page);
  if (number > hints.size())
    return complain({fmt::format("lab {} has {} hints", word, hints.size())});
  const Hint& chosen = hints[number - 1];
  std::string text =
      grader::lessons::for_terminal(fmt::format("## {}\n\n{}\n", chosen.title, chosen.text));
  if (number < hints.size())
    text += fmt::format("\nThe next hint says more: {} hint {} {}\n", program_words(context), word,
                        number + 1);
  else
    text += fmt::format("\nThe last hint. The solution: {} solution {}\n", program_words(context),
                        word);
  return print(text);
}

}  // namespace

void add_lesson(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "lesson", "prints a lab's lesson",
                                  "histolab lesson 02\nhistolab lesson 02 | less");
  const auto word = std::make_shared<std::string>();
  command->add_option("LAB", *word, "name, number or first letters")->required()->type_name("");
  command->callback(
      [&context, word] { context.run = [&context, word] { return lesson(context, *word); }; });
}

void add_hint(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "hint", "prints a hint for a lab: the first says little, the third almost everything",
      "histolab hint 02\nhistolab hint 02 3");
  struct Flags {
    std::string word;
    std::size_t number = 1;
  };
  const auto flags = std::make_shared<Flags>();
  command->add_option("LAB", flags->word, "name, number or first letters")
      ->required()
      ->type_name("");
  command->add_option("N", flags->number, "which of the three (1)")
      ->check(CLI::Range(std::size_t{1}, grader::lessons::hints_of_a_lab).description(""))
      ->type_name("");
  command->callback([&context, flags] {
    context.run = [&context, flags] { return hint(context, flags->word, flags->number); };
  });
}

}  // namespace histolab::cli
