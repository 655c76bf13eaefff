// histolab reset
#include <fmt/format.h>

#include "grader/cli/command.h"
#include "grader/lab/work_folder.h"

namespace histolab::cli {

void add_reset(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "reset", "restores the stub in work/; keeps the old file next to it",
                  "histolab reset 02");
  const auto word = std::make_shared<std::string>();
  command->add_option("LAB", *word, "name, number or first letters")->required()->type_name("");
  command->callback([&context, word] {
    context.run = [&context, word] {
      const Result<grader::LabSpec> lab = chosen_lab(context, *word);
      if (!lab) return complain(lab.error());
      const Result<std::string> kept = grader::reset_lab(*lab, work_folder);
      if (!kept) return complain(kept.error());
      if (const Result<bool> settings = write_settings_of_editor(context); !settings)
        return complain(settings.error());
      const std::string path = grader::work_path(*lab, work_folder);
      return print(kept->empty()
                       ? fmt::format("{}: the stub\n", path)
                       : fmt::format("{}: the stub again\n{}: the old file\n", path, *kept));
    };
  });
}

}  // namespace histolab::cli
