// ProgramState: CUDA's runtime for one program. Calls in, replies and findings out.
//
// It does no input or output, and does not trust the program: any call gets a reply. The bytes of
// copies are moved by the program itself after the reply; the state only records which device
// memory was written. The caller of ProgramState runs each kernel launch and reports its result.
//
//   Answer answer = state.call(call);
//   if (answer.launch) answer.reply = state.launched(*answer.launch, run(*answer.launch));
//   send_reply(socket, answer.reply);
//
// The error codes are those of CUDA 13 on an H200, as measured there, but a launch with an invalid
// shape returns cudaErrorInvalidConfiguration, as CUDA's manual says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/finding.h"
#include "kernels/program/calls/messages.h"
#include "kernels/program/memory_layout.h"
#include "kernels/program/state/memory_map.h"
#include "kernels/program/state/program_facts.h"
#include "kernels/program/state/timeline.h"
#include "kernels/program/state/written_bits.h"
#include "reference/device_profile.h"

namespace histolab::kernels::program {

struct ProgramSetup {
  const reference::DeviceProfile* profile = &reference::device_profiles[0];
  // One bit per byte of the memory file; borrowed. Its size decides how large the memory is.
  std::span<std::uint8_t> written;
  std::uint64_t variables_end = 0;  // allocations begin behind this offset
  std::vector<DeviceVariable> variables;
  // Descriptor of the memory file in the program's process.
  int memory_descriptor = -1;
  std::vector<SharedVariables> shared_variables;  // `__managed__` variables
  // Line of a return address. Addresses are relative to the load base, as in the executable. Called
  // once per address.
  std::function<SourceLine(std::uint64_t address)> line_of;
  // The kernel whose host function begins there, or null.
  std::function<const KernelFacts*(std::uint64_t address)> kernel_at;
  // Text of a source line, or "". May be empty.
  std::function<std::string(const SourceLine& line)> text_of;
};

// A launch that CUDA accepts.
struct KernelLaunch {
  std::uint64_t kernel = 0;  // as in kernel_at
  const KernelFacts* facts = nullptr;
  LaunchConfig config;
  emulator::RawArguments arguments;
  std::uint64_t stream = 0;
  bool cooperative = false;
  std::uint64_t caller = 0;  // return address, relative to the load base
  SourceLine line;
};

struct LaunchResult {
  // cudaError of the kernel, 0 if it completed; error_of() finds it.
  int error = 0;
  double modelled_ms = 0;
  std::string printed;
  // Bytes written after the launch, in the order of allocations_of(). May be empty.
  std::vector<emulator::WrittenState> written = {};
};
// Returns the error that CUDA reports for a launch that ended so.
[[nodiscard]] int error_of(const Observation& observation);

struct Answer {
  Reply reply;
  std::optional<KernelLaunch> launch;  // must run before the reply is sent
  // Bytes of the memory file that nothing uses any more. The caller gives their memory back, and
  // clears their written bits.
  struct Released {
    std::uint64_t offset = 0, bytes = 0;
  };
  std::vector<Released> released;
};

struct ProgramEnd {
  bool exited = true;  // false if a signal ended it
  int status = 0;      // exit status, or the signal's number
};

class ProgramState {
 public:
  explicit ProgramState(ProgramSetup setup);

  [[nodiscard]] Answer call(const Call& call);
  // The reply to the launch's call.
  [[nodiscard]] Reply launched(const KernelLaunch& launch, LaunchResult result);
  // The program has ended: reports leaks, unchecked errors, and kernels whose output nothing waited
  // for.
  void ended(ProgramEnd end);
  // Output of kernels that the program did not wait for. A GPU may not print it.
  [[nodiscard]] const std::string& unprinted() const { return printed_; }

  // Whether the program could not open a file for writing.
  [[nodiscard]] bool write_refused() const { return write_refused_; }

  // In the order of their first occurrence; one per cause. They have a line and no thread.
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  [[nodiscard]] const MemoryMap& memory() const { return memory_; }
  // The allocations that this launch can use, and freed ones that it may use by mistake: those that
  // its arguments point to, and the last ones. By offset. The name is that of the parameter which
  // points to its begin, else of the variable that got the address, else the call and the line that
  // made it: "cudaMalloc@12".
  [[nodiscard]] std::vector<emulator::ProgramAllocation> allocations_of(
      const KernelLaunch& launch) const;
  [[nodiscard]] double modelled_ms() const { return timeline_.host_ms(); }
  // Describes an allocation for messages: "memory from cudaMalloc (line 12)". Lines of another file
  // than `file` have their file's name.
  [[nodiscard]] std::string describe(const Allocation& allocation, const std::string& file) const;

 private:
  // One side of a copy.
  struct Side {
    const char* role;  // "source", "destination"
    std::uint64_t address = 0, pitch = 0, slice = 0;
  };
  enum class Place { null, host, device, managed, pinned, variable, nowhere };
  struct Found {
    Place place = Place::host;
    Allocation* allocation = nullptr;          // its own or the nearest
    const DeviceVariable* variable = nullptr;  // if place is variable
    std::uint64_t begin = 0, bytes = 0;        // of what the address is in, as addresses
    [[nodiscard]] bool on_device() const { return place >= Place::device; }
    [[nodiscard]] bool host_can_access() const {
      return place == Place::host || place == Place::managed || place == Place::pinned ||
             (variable != nullptr && variable->is_managed);
    }
    // Whether the device can, too, although it is the host's.
    [[nodiscard]] bool device_can_access() const { return on_device() && place != Place::nowhere; }
  };

  // Memory that the host must not use, because work of a stream does.
  struct Guard {
    std::uint64_t stream = 0;
    std::string what;  // "kernel add", "cudaMemcpyAsync"
    std::uint64_t caller = 0;
    std::vector<GuardedRange> ranges;
  };

  // ---- errors and findings
  [[nodiscard]] Reply fail(int error);
  [[nodiscard]] Reply fail(int error, FindingKind kind, std::string message,
                           Severity severity = Severity::error);
  void report(FindingKind kind, std::string message, Severity severity = Severity::error);
  void report_at(std::uint64_t caller, FindingKind kind, std::string message, Severity severity);
  void looked_at_errors();
  // Whether the program uses the result of the call; nullopt if unknown.
  [[nodiscard]] std::optional<bool> result_is_used() const;
  // The host has waited: these operations are complete, and output of kernels is printed.
  void waited(const std::vector<std::uint64_t>& completed);
  // The error of an earlier kernel that a synchronizing call returns, or 0.
  [[nodiscard]] int surface_kernel_error();
  [[nodiscard]] SourceLine line_of(std::uint64_t caller) const;
  [[nodiscard]] std::string line_text(std::uint64_t caller, const std::string& file) const;
  [[nodiscard]] std::string file_of_call() const { return line_of(call_.caller).file; }
  [[nodiscard]] std::string here(const Allocation& allocation) const;
  [[nodiscard]] const char* function() const { return name(call_.function); }

  // ---- groups of calls
  void start_call();
  void device_call();
  void error_call();
  void stream_call();
  void event_call();
  void kernel_call();
  void allocation_call();
  void memory_call();
  void launch_call();
  void fault_call();

  // ---- memory
  [[nodiscard]] Found find(std::uint64_t address);
  void allocate(Allocation::Kind kind, std::uint64_t pitch);
  void free_device();
  void free_pinned();
  void release(Allocation& allocation);
  void copy(const calls::Copy& copy, bool asynchronous, bool note_places = true);
  void copy_symbol();
  void set();
  [[nodiscard]] const DeviceVariable* variable_at(std::uint64_t host_address,
                                                  bool is_symbol = false) const;
  // Returns false, with the reply and a finding, if the bytes are not all in one live object.
  [[nodiscard]] bool check_range(const Found& found, const Side& side, std::uint64_t bytes,
                                 const char* verb);
  // Checks that the rows do not overlap and that they are few enough to go through.
  [[nodiscard]] bool check_rows(const calls::Copy& copy, std::uint64_t pitch, std::uint64_t slice);
  [[nodiscard]] bool check_direction(const calls::Copy& copy, const Found& destination,
                                     const Found& source, bool note_places);
  void check_written(const Found& source, const calls::Copy& copy);
  // Notes that a call has written a part of device memory.
  void note_written(const Found& found, bool whole);
  // Guards memory that the host can access until the stream's last work is complete.
  void guard(Reply& reply, Guard guard);
  [[nodiscard]] bool known_stream(std::uint64_t stream);

  // ---- launches
  [[nodiscard]] const KernelFacts* kernel(std::uint64_t address) const;
  void check_pointers(KernelLaunch& launch);
  [[nodiscard]] std::uint64_t shared_limit(std::uint64_t kernel, const KernelFacts& facts) const;
  [[nodiscard]] std::vector<GuardedRange> used_by(const KernelLaunch& launch);
  [[nodiscard]] bool is_visible(const Allocation& allocation, const KernelLaunch& launch) const;

  ProgramSetup setup_;
  MemoryMap memory_;
  WrittenBits written_;
  Timeline timeline_;
  std::vector<Finding> findings_;

  mutable std::map<std::uint64_t, SourceLine> lines_;  // results of line_of
  std::uint64_t load_base_ = 0;
  int last_error_ = 0;
  int kernel_error_ = 0;  // of a kernel, not yet reported
  int sticky_error_ = 0;  // reported: every call returns it from now on
  struct Unchecked {
    std::uint64_t caller = 0;
    std::string what;  // "cudaMalloc", "the launch of add"
    int error = 0;
    bool by_result = true;  // the call returned the error
  };
  std::vector<Unchecked> unchecked_;

  // Output of kernels since the host waited last, and the last launch that printed.
  std::string printed_;
  std::uint64_t printed_at_ = 0;

  std::uint64_t device_flags_ = 0;
  std::map<std::uint64_t, std::uint64_t> limits_;
  std::map<std::uint64_t, std::int64_t> dynamic_shared_;  // by kernel: the limit that it set
  struct Registered {
    std::uint64_t bytes = 0, flags = 0;
  };
  std::map<std::uint64_t, Registered> registered_;  // by address
  std::map<std::uint64_t, Guard> guards_;           // by operation; those that are up

  // The call in progress.
  Call call_;
  Answer answer_;
  bool write_refused_ = false;
};

}  // namespace histolab::kernels::program
