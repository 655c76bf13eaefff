#include "kernels/worker/testing/direct_launch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/worker/compiling/compiler.h"
#include "kernels/worker/protocol/protocol.h"

namespace histolab::kernels::testing {
namespace {

std::string answer(const Buffer& object, const KernelSignature& signature,
                   const LaunchConfig& config,
                   const std::vector<std::vector<emulator::MappedArgument>>& launches,
                   const Options& options) {
  auto observed = emulator::run({object.bytes(), {}}, signature, config, launches, options);
  worker::Answer answer;
  if (!observed)
    answer.machine_error = observed.error().message;
  else
    answer.observations = std::move(*observed);
  for (Observation& o : answer.observations) o.host_elapsed_s = 0;
  return worker::to_text(answer);
}

void write_all(int to, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t written = write(to, text.data() + sent, text.size() - sent);
    if (written <= 0) return;
    sent += static_cast<std::size_t>(written);
  }
}

}  // namespace

std::optional<Buffer> compile_to_object(const std::string& source) {
  Result<worker::CompilerOutput> output = worker::compile_for_emulator(source, emulator_paths());
  REQUIRE(output.ok());
  return std::move(output->object);
}

std::string launch_directly(const Buffer& object, const std::string& kernel, const Launch& launch) {
  KernelSignature signature;
  signature.name = kernel;
  std::vector<Buffer> buffers;
  buffers.reserve(launch.arguments.size());
  std::vector<emulator::MappedArgument> arguments;
  for (const Value& value : launch.arguments) {
    signature.parameters.push_back(value.kind == Argument::Kind::word
                                       ? KernelSignature::Parameter::word
                                       : KernelSignature::Parameter::pointer);
    int fd = -1;
    if (value.kind != Argument::Kind::word) {
      Result<Buffer> buffer = Buffer::copy_of(value.bytes);
      REQUIRE(buffer.ok());
      buffers.push_back(std::move(*buffer));
      fd = buffers.back().fd();
    }
    arguments.push_back({value.kind, value.name, value.element_bytes, value.bytes.size(), fd,
                         value.word, value.initialized});
  }
  const LaunchConfig config{launch.grid, launch.block, launch.dynamic_shared_bytes,
                            launch.shared_opt_in};
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(ends[0]);
    write_all(ends[1], answer(object, signature, config,
                              std::vector(static_cast<std::size_t>(launch.times), arguments),
                              launch.options));
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char piece[65536];
  for (ssize_t got = 0; (got = read(ends[0], piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  text += fmt::format("\nended {:#x}\n", status);
  for (const Buffer& buffer : buffers) text += fmt::format("{}\n", fmt::join(buffer.bytes(), " "));
  return text;
}

}  // namespace histolab::kernels::testing
