#include "kernels/program/runtime/connection.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/program/runtime/callbacks.h"
#include "kernels/program/runtime/cuda_api.h"
#include "kernels/program/runtime/memory.h"
#include "kernels/program/runtime/processor.h"

// Path of histolab, in programs that `histolab nvcc` compiled.
extern "C" __attribute__((weak)) const char histolab_starter[];

// The shim gives all built-in variables of device code this address in host code.
extern "C" {
alignas(4096) unsigned char histolab_on_host_variable[4096];
}

namespace histolab::kernels::program {
namespace {

struct DeferredCopy {
  std::uint64_t operation = 0;
  calls::Copy copy{};
  std::vector<std::uint8_t> bytes;  // rows without gaps
};

struct Connection {
  int socket = -1;
  bool is_open = false, is_forked = false;
  std::mutex mutex;
  std::vector<DeferredCopy> deferred;
  struct sigaction before {};  // the program's own handler
};
Connection& connection() {
  static auto* const only = new Connection;  // lives until the process ends
  return *only;
}

thread_local bool in_request = false;
thread_local std::uint64_t copying_for = 0;  // return address of the call, during a copy

[[noreturn]] void end_program(const char* message) {
  if (message != nullptr) {
    const std::string line = std::string("histolab: ") + message + "\n";
    (void)!write(2, line.data(), line.size());
  }
  _exit(127);
}

// A program that is started by hand has no parent that emulates a GPU for it.
[[noreturn]] void started_by_hand() {
  end_program("this program needs an emulated GPU: start it with `histolab exec PROGRAM`");
}

// Becomes `histolab exec`, which starts this program again. Returns if that is not possible.
void become_exec(int count, char** words) {
  static char path[4096];
  const ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
  if (bytes < 0) return;
  path[bytes] = '\0';
  const char* name = strrchr(histolab_starter, '/');
  std::vector<const char*> command{name == nullptr ? histolab_starter : name + 1, "exec", path,
                                   "--"};
  for (int i = 1; i < count; ++i) command.push_back(words[i]);
  command.push_back(nullptr);
  auto* const pointers = const_cast<char**>(command.data());
  execv(histolab_starter, pointers);
  execvp("histolab", pointers);  // it was moved
}

std::uint64_t load_base() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {  // the first is the executable
        *static_cast<std::uint64_t*>(found) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

void make(const DeferredCopy& deferred) {
  const calls::Copy& copy = deferred.copy;
  const std::uint8_t* from = deferred.bytes.data();
  for (std::uint64_t z = 0; z < copy.depth; ++z)
    for (std::uint64_t y = 0; y < copy.height; ++y, from += copy.width)
      std::memcpy(
          accessible(copy.destination) + z * copy.destination_slice + y * copy.destination_pitch,
          from, copy.width);
}

void complete(std::uint64_t operation) {
  std::vector<DeferredCopy>& deferred = connection().deferred;
  for (std::size_t i = 0; i < deferred.size(); ++i)
    if (deferred[i].operation == operation) {
      make(deferred[i]);
      deferred.erase(deferred.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  release_guards(operation);
}

// ---- segmentation faults ------------------------------------------------------------------------

struct Callers {
  std::uint64_t instruction;
  std::uint64_t* next;
  std::uint64_t* end;
  bool found;
};

// Stores the return addresses of the code that `instruction` is in.
_Unwind_Reason_Code add_caller(_Unwind_Context* context, void* data) {
  auto& callers = *static_cast<Callers*>(data);
  const std::uint64_t address = _Unwind_GetIP(context);
  if (!callers.found) {
    callers.found = address == callers.instruction;
    return _URC_NO_REASON;
  }
  if (callers.next == callers.end || address == 0) return _URC_END_OF_STACK;
  *callers.next++ = address;
  return _URC_NO_REASON;
}

void report_device_code(std::uint64_t caller) {
  calls::Fault fault{};
  fault.kind = calls::Fault::device_code;
  fault.callers[0] = caller;
  request(Call(Function::fault, 0, fault));
}

void report_fault(std::uint64_t address, const FaultContext& context, std::uint64_t operation) {
  calls::Fault fault{};
  fault.address = address;
  fault.writes = context.writes ? 1 : 0;
  fault.operation = operation;
  if (copying_for != 0) {
    fault.copying = 1;
    fault.callers[0] = copying_for;
  } else {
    fault.callers[0] = context.instruction + 1;  // as if it were a return address
    Callers callers{context.instruction, fault.callers + 1, std::end(fault.callers), false};
    _Unwind_Backtrace(add_caller, &callers);
  }
  request(Call(Function::fault, 0, fault));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const FaultContext facts = fault_context(context);
  const bool in_device_memory = is_device_address(address);
  const bool is_built_in =
      address - reinterpret_cast<std::uint64_t>(histolab_on_host_variable) < 4096;
  if (in_device_memory) {
    if (const std::uint64_t operation = guarding(address, facts.writes); operation != 0) {
      if (!in_request) report_fault(address, facts, operation);
      release_guards(operation);
      errno = error;
      return;
    }
    if (release_page(address)) {
      errno = error;
      return;
    }
  }
  const bool can_report = !in_request && !connection().is_forked;
  if (can_report && is_built_in) report_device_code(facts.instruction + 1);
  if (can_report && (in_device_memory || copying_for != 0)) report_fault(address, facts, 0);
  // The access is repeated, with the program's own handler.
  sigaction(signal, &connection().before, nullptr);
  errno = error;
}

// ---- the connection -----------------------------------------------------------------------------

Reply exchange(const Call& call) {
  Reply reply;
  if (!send_call(connection().socket, call) || !receive_reply(connection().socket, reply))
    end_program(nullptr);  // the parent has ended the program, and reports why
  return reply;
}

void open_connection() {
  Connection& open = connection();
  if (open.socket < 0) started_by_hand();
  open.is_open = true;
  const std::uint64_t base = load_base();
  const Reply reply = exchange(Call(Function::hello, 0, calls::Hello{protocol_version, base}));
  if (reply.error != 0) end_program("the program was built by another version of histolab");
  if (!map_device_memory(static_cast<int>(reply.values[0])))
    end_program("there is no address space for the device memory");
  SharedVariables variables;
  for (std::size_t at = 0; at + sizeof variables <= reply.text.size(); at += sizeof variables) {
    std::memcpy(&variables, reply.text.data() + at, sizeof variables);
    map_variables(variables, base);
  }
}

// Before the constructors of the program, which may launch kernels.
__attribute__((constructor(101))) void begin(int count, char** words) {
  if (!capture_calls_of_kernels()) end_program("the program's code cannot be changed");
  const char* text = getenv(socket_variable);
  if (text == nullptr) {
    const char* const starter = histolab_starter;
    if (starter != nullptr) become_exec(count, words);
    return;
  }
  watch_writes();
  connection().socket = std::atoi(text);
  fcntl(connection().socket, F_SETFD, FD_CLOEXEC);
  unsetenv(socket_variable);
  mprotect(histolab_on_host_variable, sizeof histolab_on_host_variable, PROT_NONE);
  // Faults on a thread's own stack can be reported, too, but only the main thread's are.
  static std::uint8_t stack[64 << 10];
  const stack_t alternative{stack, 0, sizeof stack};
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &connection().before);
  // As in CUDA, a forked child cannot use the device.
  pthread_atfork(nullptr, nullptr, [] { connection().is_forked = true; });
}

}  // namespace

// All device functions have this name in host code.
extern "C" void histolab_on_host() {
  report_device_code(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
  std::abort();
}

Reply request(const Call& call) {
  wait_for_callback();
  Connection& open = connection();
  if (open.is_forked) {
    Reply reply;
    reply.error = cudaErrorInitializationError;
    return reply;
  }
  const std::lock_guard lock(open.mutex);
  in_request = true;
  if (!open.is_open) open_connection();
  Reply reply = exchange(call);
  for (const std::uint64_t operation : reply.completed) complete(operation);
  add_guards(reply.operation, reply.guarded.data(), reply.guarded.size());
  in_request = false;
  if (!reply.printed.empty()) fwrite(reply.printed.data(), 1, reply.printed.size(), stdout);
  return reply;
}

void report_refused_write() {
  if (in_request || connection().socket < 0 || connection().is_forked) return;
  calls::Fault fault{};
  fault.kind = calls::Fault::refused_write;
  request(Call(Function::fault, 0, fault));
}

void defer_copy(std::uint64_t operation, const calls::Copy& copy) {
  DeferredCopy deferred{operation, copy, {}};
  deferred.bytes.reserve(copy.width * copy.height * copy.depth);
  for (std::uint64_t z = 0; z < copy.depth; ++z)
    for (std::uint64_t y = 0; y < copy.height; ++y) {
      const std::uint8_t* row =
          accessible(copy.source) + z * copy.source_slice + y * copy.source_pitch;
      deferred.bytes.insert(deferred.bytes.end(), row, row + copy.width);
    }
  const std::lock_guard lock(connection().mutex);
  connection().deferred.push_back(std::move(deferred));
}

void make_deferred_copies() {
  const std::lock_guard lock(connection().mutex);
  for (const DeferredCopy& each : connection().deferred) make(each);
  connection().deferred.clear();
}

void copy_rows(const calls::Copy& copy, std::uint64_t caller) {
  copying_for = caller;
  for (std::uint64_t z = 0; z < copy.depth; ++z)
    for (std::uint64_t y = 0; y < copy.height; ++y)
      std::memmove(
          accessible(copy.destination) + z * copy.destination_slice + y * copy.destination_pitch,
          accessible(copy.source) + z * copy.source_slice + y * copy.source_pitch, copy.width);
  copying_for = 0;
}

}  // namespace histolab::kernels::program
