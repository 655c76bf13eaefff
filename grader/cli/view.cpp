// histolab view
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/signals.h"
#include "kernels/worker/processes/program_start.h"

namespace histolab::cli {
namespace {

// Replaces this program by the viewer, which gets its terminal and its input.
int view(const Context& context) {
  const std::string& viewer = context.paths.viewer;
  if (access(viewer.c_str(), X_OK) != 0)
    return complain({fmt::format("{} is not built: `./histolab setup viewer` builds it", viewer)});
  std::vector<std::string> words = context.viewer_words;
  if (context.paths.labs != grader::find_paths(grader::own_executable()).labs)
    words.insert(words.begin(), {"--labs", context.paths.labs});
  words.insert(words.begin(), viewer);
  restore_signals();
  execv(viewer.c_str(), kernels::worker::pointers_to(words).data());
  return complain({fmt::format("cannot start {}: {}", viewer, std::strerror(errno))});
}

// Returns Context::needs for these words. Help needs nothing fetched.
std::string needs_of(const std::vector<std::string>& words) {
  std::string needs = "viewer", before;
  for (const std::string& word : words) {
    if (word == "--") break;  // arguments of a program follow
    if (word == "-h" || word == "--help") return {};
    if ((before == "--device" && gpu_number(word)) || word.starts_with("--device=gpu"))
      needs = "viewer gpu";
    before = word;
  }
  return needs;
}

}  // namespace

void add_view(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "view", "opens the viewer: kernels, contention and races in a window", "histolab view");
  command->callback([&context] {
    context.needs = needs_of(context.viewer_words);
    context.run = [&context] { return view(context); };
  });
}

}  // namespace histolab::cli
