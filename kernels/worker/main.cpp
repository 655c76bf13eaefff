// histolab-worker: the only process that ever runs a student's kernel.
//
// Runs one compile check or one launch: reads the request, the object file and the buffers from
// fixed descriptors, writes one answer to stdout and exits. `histolab-worker serve` forks such a
// process per request (server.h). A debugger starts one directly, without arguments. Not meant to
// be run by hand.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/worker/processes/dropping_privileges.h"
#include "kernels/worker/processes/process_limit.h"
#include "kernels/worker/processes/server.h"
#include "kernels/worker/protocol/protocol.h"

namespace {

using namespace histolab;
using namespace histolab::kernels;

// Maps a file for reading. Returns an empty span if there is no such file, an Error if mmap()
// fails.
Result<std::span<const std::uint8_t>> map_file(int descriptor) {
  using Bytes = std::span<const std::uint8_t>;
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || status.st_size <= 0) return Bytes{};
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED)
    return Error{std::string("cannot map its input: ") + std::strerror(errno)};
  return Bytes{static_cast<const std::uint8_t*>(data), bytes};
}

worker::Answer answer(worker::Request& request, std::span<const std::uint8_t> object) {
  worker::Answer answer;
  if (request.describes_program) {
    auto description = program::describe_program(object, *request.describes_program);
    // Without a description, the program is unreadable: its author is the cause, not the machine.
    if (description) answer.description = std::move(*description);
    return answer;
  }
  if (!request.launch) {
    for (const KernelSignature& signature : request.signatures) {
      auto module = emulator::inspect(object, signature);
      if (module)
        answer.modules.push_back(std::move(*module));
      else
        answer.machine_error = module.error().message;
    }
    return answer;
  }
  if (request.program) {
    auto ran = emulator::run_program_kernel(object, *request.program, request.options);
    if (ran) {
      answer.observations.push_back(std::move(ran->observation));
      answer.written = std::move(ran->written);
    } else {
      answer.machine_error = ran.error().message;
    }
    return answer;
  }
  std::optional<Live> live;
  if (request.live_descriptor >= 0) {
    Result<Live> attached = Live::of_descriptor(request.live_descriptor);
    if (!attached) {
      answer.machine_error = attached.error().message;
      return answer;
    }
    request.options.live = &live.emplace(std::move(*attached));
  }
  auto observations =
      emulator::run({object, request.wide_accesses, request.local_lines},
                    request.signatures.front(), request.config, request.launches, request.options);
  if (observations)
    answer.observations = std::move(*observations);
  else
    answer.machine_error = observations.error().message;
  return answer;
}

// Sets the limits that run_process() would set for a worker.
void limit_self(std::uint64_t data_bytes) {
  worker::limit(RLIMIT_CORE, 0);
  worker::limit(RLIMIT_FSIZE, 0);
  worker::limit(RLIMIT_DATA, data_bytes);
  if (const int null = open("/dev/null", O_RDONLY); null > 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
}

// Returns the process's exit status.
int send(const worker::Answer& answer, int descriptor) {
  const std::string reply = to_text(answer);
  for (std::size_t sent = 0; sent < reply.size();) {
    const ssize_t written = write(descriptor, reply.data() + sent, reply.size() - sent);
    if (written <= 0) return 2;
    sent += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::string_view(words[1]) == "serve") {
    if (!worker::drop_files()) return 3;
    emulator::prepare();
    worker::serve(worker::drop_system_calls);
  }
  if (count == 2 && std::string_view(words[1]) == "try") return worker::try_to_drop_privileges();
  const auto text = map_file(worker::request_descriptor),
             object = map_file(worker::object_descriptor);
  for (const auto* file : {&text, &object})
    if (!*file)
      return send({.machine_error = file->error().message, .modules = {}, .observations = {}},
                  STDOUT_FILENO);
  if (text->empty() || object->empty()) {
    std::fputs(
        "histolab-worker is started by histolab, not by hand: try `histolab run 02-atomic-add`\n",
        stderr);
    return 2;
  }
  auto request = worker::request_from({reinterpret_cast<const char*>(text->data()), text->size()});
  if (!request) {
    std::fprintf(stderr, "histolab-worker: %s\n", request.error().message.c_str());
    return 2;
  }
  if (request->own_data_limit != 0) limit_self(request->own_data_limit);
  const int answer_descriptor =
      request->options.debugged ? worker::debugged_answer_descriptor : STDOUT_FILENO;
  if (const int failed = send(answer(*request, *object), answer_descriptor)) return failed;
  _exit(0);  // no code of the kernel may run at exit
}
