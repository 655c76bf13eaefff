// Messages between a program and its parent: a Call, then a Reply, through a stream socket.
//
// A call is a CallHeader, its values, and RawArguments if it is a launch. A reply is a ReplyHeader,
// then the numbers of completed operations, the guarded ranges, and text. Both sides run on one
// machine, so the messages are structures in memory order. The parent does not trust the program:
// receive_call() refuses anything of another form.
//
// C++17, because the program's library includes this file.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/emulator/arch/raw_arguments.h"
#include "kernels/program/calls/functions.h"

namespace histolab::kernels::program {

// Name of the environment variable with the number of the socket's descriptor.
inline constexpr const char* socket_variable = "HISTOLAB_PROGRAM_SOCKET";

inline constexpr std::uint32_t call_magic = 0x434c4348, reply_magic = 0x52504c48;
inline constexpr std::uint32_t protocol_version = 1;
inline constexpr std::uint32_t most_listed = 1 << 16;       // operations, ranges
inline constexpr std::uint32_t most_text_bytes = 64 << 20;  // each text of a reply

// ---- values of calls: each is sent as 64-bit numbers --------------------------------------------
namespace calls {

struct Hello {
  std::uint64_t version, load_base;  // of the program's executable
};
struct Device {  // with what the function needs
  std::uint64_t device, what, value;
};
struct Error {
  std::uint64_t error;
};
struct Stream {
  std::uint64_t stream, flags, event;
  std::int64_t priority;
};
struct Event {
  std::uint64_t event, stream, flags, end;
};
// cudaMalloc*, cudaHostAlloc. Replies with the address and the pitch. Rows of `width` bytes; the
// program stores the address at `result`.
struct Allocate {
  std::uint64_t result, width, height, depth, flags, stream;
};
// A pointer of the host or of the device, as the function needs.
struct Pointer {
  std::uint64_t address, bytes, flags, device, stream;
};
struct Copy {
  std::uint64_t destination, source, width, height, depth;  // width in bytes
  std::uint64_t destination_pitch, destination_slice, source_pitch, source_slice;
  std::uint64_t kind, stream;
};
// The device's side is `symbol` + `offset`, the other one is `address`. Replies with the address of
// the device's side.
struct SymbolCopy {
  std::uint64_t symbol, address, bytes, offset, kind, stream;
};
struct Set {
  std::uint64_t address, value, width, height, depth, pitch, slice, stream;
};
struct Symbol {  // replies with the address and the size
  std::uint64_t symbol;
};
struct Kernel {
  std::uint64_t kernel, what, block_size, shared;
  std::int64_t value;
};
struct Launch {
  std::uint64_t kernel;
  std::uint32_t grid[3], block[3];
  std::uint64_t shared, stream;
};
struct Fault {
  std::uint64_t address, writes;
  // The operation that guards the address, so the program continues; 0 if none does.
  std::uint64_t operation;
  std::uint64_t copying;  // 1: in a copy of the library, for the call at callers[0]
  enum Kind : std::uint64_t {
    access,
    device_code,   // a call of a device function, or a use of a built-in variable
    refused_write  // a file cannot be opened for writing
  };
  std::uint64_t kind;
  std::uint64_t callers[7];  // of the access, innermost first; 0 at the end
};

}  // namespace calls

struct Call {
  static constexpr std::size_t most_values = 12;

  Function function{};
  std::uint64_t caller = 0;  // return address of the call in the program
  std::uint64_t values[most_values] = {};
  emulator::RawArguments arguments{};  // of a launch

  Call() = default;
  template <class Values>
  Call(Function called, std::uint64_t return_address, const Values& arguments_of_call)
      : function(called), caller(return_address) {
    check<Values>();
    std::memcpy(values, &arguments_of_call, sizeof(Values));
  }
  template <class Values>
  [[nodiscard]] Values as() const {
    check<Values>();
    Values found;
    std::memcpy(&found, values, sizeof found);
    return found;
  }
  [[nodiscard]] bool is_launch() const {
    return function == Function::launch || function == Function::cudaLaunchKernel ||
           function == Function::cudaLaunchCooperativeKernel;
  }

 private:
  template <class Values>
  static void check() {
    static_assert(std::is_trivially_copyable_v<Values> && sizeof(Values) <= 8 * most_values);
  }
};

// Addresses of the program that it may not use until the operation is complete.
struct GuardedRange {
  std::uint64_t begin = 0, bytes = 0;
  std::uint32_t reads = 0, pad = 0;  // 1: reading is allowed
};

struct Reply {
  static constexpr std::size_t most_values = 4;

  std::int32_t error = 0;  // cudaError
  std::uint64_t values[most_values] = {};
  // An operation that continues after the call, or 0. Until its number is among `completed` of a
  // later reply, `guarded` is guarded, and a deferred copy is not yet made.
  std::uint64_t operation = 0;
  std::vector<GuardedRange> guarded;
  std::vector<std::uint64_t> completed;
  // Output of kernels, which the program writes to its standard output.
  std::string printed;
  std::string text;  // bytes of structures, as the function needs

  template <class T>
  void add_to_text(const T& structure) {
    static_assert(std::is_trivially_copyable_v<T>);
    text.append(reinterpret_cast<const char*>(&structure), sizeof structure);
  }
};

// A part of the program's memory that is a part of the memory file, too: `__managed__` variables.
// Begin, offset and size are multiples of 4096. The answer to hello has these as its text, and the
// descriptor of the memory file in the program's process as its value.
struct SharedVariables {
  std::uint64_t begin = 0, offset = 0, bytes = 0;  // begin: relative to the load base
};

// The places of a kernel's arguments in RawArguments: text of the answer to argument_places. One
// entry per eightbyte of an argument, in order.
struct ArgumentPlace {
  std::uint32_t argument = 0, offset = 0, bytes = 0;  // the part of the argument
  enum class Where : std::uint32_t { integer, vector, stack } where = Where::integer;
  std::uint32_t index = 0;  // of the register, or offset in the stack
  enum class Holds : std::uint32_t { value, pointer_to_const, pointer } holds = Holds::value;
};

// Each returns false if the socket is closed or broken, or the other side breaks the protocol. All
// but the receive functions of strings are safe in a signal handler.
[[nodiscard]] bool send_call(int socket, const Call& call);
[[nodiscard]] bool receive_call(int socket, Call& call);
[[nodiscard]] bool send_reply(int socket, const Reply& reply);
[[nodiscard]] bool receive_reply(int socket, Reply& reply);

}  // namespace histolab::kernels::program
