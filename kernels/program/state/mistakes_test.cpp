// The specification of host findings: mistakes of host programs, each with its finding, and correct
// programs, which have none.
#include <doctest/doctest.h>

#include <functional>

#include "kernels/program/state/testing/host_program.h"

namespace histolab::kernels::program {
namespace {

using testing::HostProgram;
using enum Function;
constexpr std::uint64_t host = HostProgram::host;

struct Mistake {
  const char* title;
  std::function<void(HostProgram&)> run;
  FindingKind kind;
  int line;                           // of the finding
  const char* message;                // the first words
  int error = cudaErrorInvalidValue;  // of the last call
};

std::string all_of(const ProgramState& state) {
  std::string text;
  for (const Finding& each : state.findings())
    text += each.file + ":" + std::to_string(each.line) + ": " + std::string(name(each.kind)) +
            ": " + each.message + "\n";
  return text;
}

TEST_CASE("rows that overlap, or are too many to go through, are refused") {
  HostProgram p;
  const std::uint64_t d = p.allocate(64 << 10), h = HostProgram::host;
  const std::uint64_t endless = std::uint64_t{1} << 62;
  using enum Function;
  CHECK(p.call(cudaMemset3D, calls::Set{d, 0, 1, 1, endless, 64, 0, 0}).error != 0);
  CHECK(p.call(cudaMemset3D, calls::Set{d, 0, 1, 2, 2, 64, 64, 0}).error != 0);
  CHECK(p.call(cudaMemset2D, calls::Set{d, 0, 1, endless, 1, 1, 1, 0}).error != 0);
  CHECK(p.call(cudaMemset2D, calls::Set{d, 0, 1, 1 << 25, 1, 1, 1, 0}).error != 0);
  for (const auto& [to, from, kind] :
       {std::tuple{d, h, cudaMemcpyHostToDevice}, std::tuple{h, d, cudaMemcpyDeviceToHost}})
    CHECK(
        p.call(cudaMemcpy3D, calls::Copy{to, from, 1, 1, endless, 64, to == d ? 0u : 64u, 64,
                                         from == d ? 0u : 64u, static_cast<std::uint64_t>(kind), 0})
            .error != 0);
  CHECK(p.call(cudaMemset3D, calls::Set{d, 0, 64, 4, 4, 64, 256, 0}).error == 0);
}

TEST_CASE("each mistake of a host program is one finding at its line") {
  using enum FindingKind;
  const std::vector<Mistake> mistakes = {
      {"destination and source are swapped",
       [](HostProgram& p) { p.copy(host, p.allocate(64), 64, cudaMemcpyHostToDevice); },
       invalid_copy, 2,
       "cudaMemcpy with cudaMemcpyHostToDevice gets host memory as the destination and device "
       "memory as the source. Write the destination first, or use cudaMemcpyDeviceToHost"},
      {"the direction is the wrong one",
       [](HostProgram& p) { p.copy(p.allocate(64), host, 64, cudaMemcpyDeviceToHost); },
       invalid_copy, 2, "cudaMemcpy with cudaMemcpyDeviceToHost gets device memory as the dest"},
      {"a copy between host arrays",
       [](HostProgram& p) { p.copy(host, host + 64, 64, cudaMemcpyDeviceToHost); }, invalid_copy, 1,
       "cudaMemcpy with cudaMemcpyDeviceToHost gets host memory as the source. Pass a pointer from "
       "cudaMalloc, or use cudaMemcpyHostToHost"},
      {"a direction that does not exist",
       [](HostProgram& p) { p.copy(p.allocate(64), host, 64, 7); }, invalid_copy, 2,
       "cudaMemcpy gets the direction 7", cudaErrorInvalidMemcpyDirection},
      {"a copy to the device is too large",
       [](HostProgram& p) { p.copy(p.allocate(64), host, 65, cudaMemcpyHostToDevice); },
       invalid_copy, 2,
       "cudaMemcpy writes 65 bytes of memory from cudaMalloc (line 1), which has 64 bytes. Use at "
       "most 64 bytes, or allocate more"},
      {"a copy from the middle is too large",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.set(d, 64);
         p.copy(host, d + 32, 64, cudaMemcpyDeviceToHost);
       },
       invalid_copy, 3, "cudaMemcpy reads 64 bytes at byte 32 of memory from cudaMalloc (line 1)"},
      {"a copy begins past the end of the allocation",
       [](HostProgram& p) { p.copy(p.allocate(64) + 80, host, 4, cudaMemcpyHostToDevice); },
       invalid_copy, 2,
       "cudaMemcpy gets an address as the destination that is 16 bytes past the end of memory from "
       "cudaMalloc"},
      {"a null pointer", [](HostProgram& p) { p.copy(0, host, 4, cudaMemcpyHostToDevice); },
       invalid_copy, 1, "cudaMemcpy gets a null pointer as the destination"},
      {"an address that was never allocated",
       [](HostProgram& p) {
         p.copy(program_memory_begin + (32 << 20), host, 4, cudaMemcpyHostToDevice);
       },
       invalid_copy, 1,
       "cudaMemcpy gets an address as the destination that is not in any allocation"},
      {"memory that was never written",
       [](HostProgram& p) { p.copy(host, p.allocate(64), 64, cudaMemcpyDeviceToHost); },
       uninitialized_copy, 2,
       "cudaMemcpy copies 64 bytes of memory from cudaMalloc (line 1) to the host, but nothing was "
       "ever written there",
       cudaSuccess},
      {"a tail that was never written",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.set(d, 60);
         p.copy(host, d, 64, cudaMemcpyDeviceToHost);
       },
       uninitialized_copy, 3,
       "cudaMemcpy copies 64 bytes of memory from cudaMalloc (line 1) to the host, but 4 of them "
       "were "
       "never written, the first at byte 60",
       cudaSuccess},
      {"unwritten bytes that a copy on the device has moved",
       [](HostProgram& p) {
         const std::uint64_t a = p.allocate(64), b = p.allocate(64);
         p.set(a, 8);
         p.copy(b, a, 64, cudaMemcpyDeviceToDevice);
         p.copy(host, b, 64, cudaMemcpyDeviceToHost);
       },
       uninitialized_copy, 5,
       "cudaMemcpy copies 64 bytes of memory from cudaMalloc (line 2) to the "
       "host, but 56 of them were never written, the first at byte 8",
       cudaSuccess},
      {"a copy of freed memory",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.free(d);
         p.copy(host, d, 64, cudaMemcpyDeviceToHost);
       },
       use_after_free, 3,
       "cudaMemcpy uses memory from cudaMalloc (line 1) as the source, but cudaFree (line 2) has "
       "freed it. Free it later"},
      {"a pitch that is too small",
       [](HostProgram& p) {
         p.call(cudaMemcpy2D,
                calls::Copy{p.allocate(64), host, 8, 2, 1, 4, 8, 8, 16, cudaMemcpyHostToDevice, 0});
       },
       invalid_argument, 2,
       "cudaMemcpy2D copies rows of 8 bytes, but the pitch of the destination is 4 bytes",
       cudaErrorInvalidPitchValue},
      {"cudaMemset of host memory", [](HostProgram& p) { p.set(host, 4); }, invalid_device_pointer,
       1, "cudaMemset gets host memory. Use memset"},
      {"cudaMemset of too many bytes", [](HostProgram& p) { p.set(p.allocate(64), 256); },
       invalid_argument, 2,
       "cudaMemset sets 256 bytes of memory from cudaMalloc (line 1), which has"},
      {"a second cudaFree",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.free(d);
         p.free(d);
       },
       invalid_free, 3,
       "cudaFree gets memory from cudaMalloc (line 1), but cudaFree (line 2) has freed it already"},
      {"cudaFree of host memory", [](HostProgram& p) { p.free(host); }, invalid_free, 1,
       "cudaFree gets host memory"},
      {"cudaFree of an address inside",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.free(d + 4);
         p.free(d);
       },
       invalid_free, 2,
       "cudaFree gets an address 4 bytes after the start of memory from cudaMalloc", cudaSuccess},
      {"cudaFree of a variable", [](HostProgram& p) { p.free(program_memory_begin + 0); },
       invalid_free, 1, "cudaFree gets the address of the variable table"},
      {"cudaFree of pinned memory",
       [](HostProgram& p) {
         const std::uint64_t h = p.allocate(64, cudaMallocHost);
         p.free(h);
         p.free(h, cudaFreeHost);
       },
       invalid_free, 2,
       "cudaFree gets memory from cudaMallocHost (line 1). Free it with cudaFreeHost", cudaSuccess},
      {"cudaFreeHost of memory from malloc", [](HostProgram& p) { p.free(host, cudaFreeHost); },
       invalid_free, 1, "cudaFreeHost gets memory that is not from cudaMallocHost"},
      {"memory that is never freed", [](HostProgram& p) { p.allocate(64); }, leak, 1,
       "64 bytes from cudaMalloc are never freed. Call cudaFree", cudaSuccess},
      {"host memory as an argument of a kernel",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.launch(host, d);
         p.free(d);
       },
       invalid_device_pointer, 2,
       "the kernel add gets host memory as in. Copy it to memory from cuda", cudaSuccess},
      {"the host's address of a variable as an argument",
       [](HostProgram& p) { p.launch(HostProgram::table, 0); }, invalid_device_pointer, 1,
       "the kernel add gets the host's address of the variable table as in", cudaSuccess},
      {"too many threads in a block",
       [](HostProgram& p) { p.launch(0, 0, 1, 1025), p.last_error(); }, invalid_launch, 1,
       "a block with x = 1025 is not possible", cudaErrorInvalidConfiguration},
      {"an empty grid", [](HostProgram& p) { p.launch(0, 0, 0), p.last_error(); }, invalid_launch,
       1, "a grid with x = 0 is empty", cudaErrorInvalidConfiguration},
      {"more shared memory than a block has",
       [](HostProgram& p) { p.launch(0, 0, 1, 32, 48 * 1024), p.last_error(); },
       shared_memory_limit, 1, "the launch asks for 50176 bytes of shared memory per block"},
      {"a launch of a function that is not a kernel",
       [](HostProgram& p) { p.launch(0, 0, 1, 32, 0, 0, HostProgram::load_base), p.last_error(); },
       invalid_launch, 1, "the launched function is not a kernel", cudaErrorInvalidDeviceFunction},
      {"grid.sync() in a launch that is not cooperative",
       [](HostProgram& p) { p.launch(0, 0, 1, 32, 0, 0, HostProgram::coop); }, invalid_launch, 1,
       "the kernel coop calls grid.sync(), but this launch is not cooperative", cudaSuccess},
      {"a failed launch that is never looked at",
       [](HostProgram& p) {
         p.next_result.error = cudaErrorIllegalAddress;
         p.launch(0, 0);
       },
       unchecked_error, 1,
       "the kernel add fails with cudaErrorIllegalAddress, and the program never looks at the "
       "error",
       cudaSuccess},
      {"the host reads device memory",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.access(d + 8);
         p.free(d);
       },
       host_access_of_device_memory, 2,
       "the host reads memory from cudaMalloc (line 1), which only kernels can access",
       cudaSuccess},
      {"the host reads freed managed memory",
       [](HostProgram& p) {
         const std::uint64_t m = p.allocate(64, cudaMallocManaged);
         p.free(m);
         p.access(m);
       },
       use_after_free, 3,
       "the host reads memory from cudaMallocManaged (line 1), but cudaFree (line 2", cudaSuccess},
      {"the host writes past the end of managed memory",
       [](HostProgram& p) {
         const std::uint64_t m = p.allocate(64, cudaMallocManaged);
         p.access(m + 4096, true);
         p.free(m);
       },
       out_of_bounds, 2,
       "the host writes byte 4096 of memory from cudaMallocManaged (line 1), which", cudaSuccess},
      {"managed memory is read while a kernel may write it",
       [](HostProgram& p) {
         const std::uint64_t m = p.allocate(64, cudaMallocManaged);
         p.launch(0, m);
         p.access(m, false, p.last.operation);
         p.free(m);
       },
       missing_synchronization, 3,
       "the host reads memory that the kernel add (line 2) may still use. Call cudaDeviceSync",
       cudaSuccess},
      {"a copy beyond the host's array", [](HostProgram& p) { p.access(host, false, 0, true); },
       invalid_copy, 1, "the copy reads host memory that the program may not read", cudaSuccess},
      {"the time between events is asked for too early",
       [](HostProgram& p) {
         const std::uint64_t a = p.event(), b = p.event();
         p.on_event(cudaEventRecord, a);
         p.launch(0, 0);
         p.on_event(cudaEventRecord, b);
         p.elapsed(a, b);
       },
       missing_synchronization, 6, "cudaEventElapsedTime is called while the work before the event",
       cudaErrorNotReady},
      {"an event that was never recorded",
       [](HostProgram& p) {
         const std::uint64_t a = p.event(), b = p.event();
         p.on_event(cudaEventRecord, a);
         p.elapsed(a, b);
       },
       invalid_argument, 4, "cudaEventElapsedTime gets an event that was never recorded",
       cudaErrorInvalidResourceHandle},
      {"an event without time",
       [](HostProgram& p) {
         const std::uint64_t a = p.event(cudaEventDisableTiming);
         p.on_event(cudaEventRecord, a);
         p.elapsed(a, a);
       },
       invalid_argument, 3, "cudaEventElapsedTime gets an event with cudaEventDisableTiming",
       cudaErrorInvalidResourceHandle},
      {"a stream that was destroyed",
       [](HostProgram& p) {
         const std::uint64_t s = p.stream();
         p.on_stream(cudaStreamDestroy, s);
         p.on_stream(cudaStreamSynchronize, s);
       },
       invalid_argument, 3, "cudaStreamSynchronize gets a stream that was destroyed",
       cudaErrorInvalidResourceHandle},
      {"a copy that is larger than the variable", [](HostProgram& p) { p.to_symbol(p.table, 17); },
       invalid_copy, 1, "cudaMemcpyToSymbol copies 17 bytes to the variable table, which has 16"},
      {"a pointer instead of a variable", [](HostProgram& p) { p.to_symbol(host, 4); },
       invalid_argument, 1,
       "cudaMemcpyToSymbol gets something that is not a variable of the device",
       cudaErrorInvalidSymbol},
      {"a device that does not exist",
       [](HostProgram& p) {
         p.call(cudaSetDevice, calls::Device{1, 0, 0});
       },
       invalid_argument, 1, "cudaSetDevice gets device 1, but the only device is 0",
       cudaErrorInvalidDevice},
      {"more dynamic shared memory than a GPU has",
       [](HostProgram& p) {
         p.call(cudaFuncSetAttribute,
                calls::Kernel{p.add, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0, 300000});
       },
       invalid_argument, 1, "cudaFuncSetAttribute asks for 300000 bytes of dynamic shared memory"},
      {"a null pointer for the result",
       [](HostProgram& p) {
         p.call(cudaMalloc, calls::Allocate{0, 4, 1, 1, 0, 0});
       },
       invalid_argument, 1, "cudaMalloc gets a null pointer for its result"},
      {"a prefetch of memory that is not managed",
       [](HostProgram& p) {
         const std::uint64_t d = p.allocate(64);
         p.call(cudaMemPrefetchAsync, calls::Pointer{d, 64, 0, 0, 0});
         p.free(d);
       },
       invalid_argument, 2, "cudaMemPrefetchAsync needs managed memory", cudaSuccess},
      {"memory that is registered twice",
       [](HostProgram& p) {
         p.call(cudaHostRegister, calls::Pointer{host, 64, 0, 0, 0});
         p.call(cudaHostRegister, calls::Pointer{host + 32, 64, 0, 0, 0});
       },
       invalid_argument, 2, "cudaHostRegister gets memory that is registered already",
       cudaErrorHostMemoryAlreadyRegistered},
  };
  CHECK(mistakes.size() >= 30);
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.title);
    HostProgram program;
    mistake.run(program);
    CHECK(program.error == mistake.error);
    // The mistake is looked at, and memory is not what the test is about.
    if (mistake.kind != FindingKind::unchecked_error) program.last_error();
    if (mistake.kind != FindingKind::leak)
      for (const auto& [offset, allocation] : program.state.memory().allocations())
        if (!allocation.freed && mistake.kind != FindingKind::unchecked_error)
          program.free(allocation.address());
    program.state.ended({});
    REQUIRE_MESSAGE(program.state.findings().size() == 1, all_of(program.state));
    const Finding& found = program.state.findings()[0];
    CAPTURE(found.message);
    CHECK(found.file == "main.cu");
    CHECK(found.line == mistake.line);
    CHECK(found.kind == mistake.kind);
    CHECK(found.message.starts_with(mistake.message));
    CHECK_FALSE(parts_of(found.message).next.empty());
  }
}

struct Right {
  const char* title;
  std::function<void(HostProgram&)> run;
};

TEST_CASE("correct host programs have no findings") {
  const auto with_memory = [](HostProgram& p, auto&& use) {
    const std::uint64_t d = p.allocate(1024);
    use(d);
    p.free(d);
  };
  const std::vector<Right> programs = {
      {"nothing", [](HostProgram&) {}},
      {"allocates and frees", [&](HostProgram& p) { with_memory(p, [](std::uint64_t) {}); }},
      {"frees a null pointer", [](HostProgram& p) { p.free(0), p.free(0, cudaFreeHost); }},
      {"allocates nothing", [](HostProgram& p) { p.free(p.allocate(0)); }},
      {"copies there and back",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           p.copy(d, host, 1024, cudaMemcpyHostToDevice);
           p.copy(host, d, 1024, cudaMemcpyDeviceToHost);
         });
       }},
      {"copies with the direction cudaMemcpyDefault",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           p.copy(d, host, 1024, cudaMemcpyDefault);
           p.copy(host, d, 1024, cudaMemcpyDefault);
           p.copy(host, host + 64, 64, cudaMemcpyDefault);
         });
       }},
      {"copies on the host",
       [](HostProgram& p) { p.copy(host, host + 64, 8, cudaMemcpyHostToHost); }},
      {"copies nothing", [](HostProgram& p) { p.copy(0, 0, 0, cudaMemcpyHostToDevice); }},
      {"copies a part",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           p.copy(d + 1000, host, 24, cudaMemcpyHostToDevice);
           p.copy(host, d + 1000, 24, cudaMemcpyDeviceToHost);
         });
       }},
      {"copies what a kernel wrote",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           p.launch(0, d);
           p.kernel_writes(d, 1024);
           p.copy(host, d, 1024, cudaMemcpyDeviceToHost);
         });
       }},
      {"copies what cudaMemset set",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           p.set(d, 1024);
           p.copy(host, d, 1024, cudaMemcpyDeviceToHost);
         });
       }},
      {"copies on the device, then to the host",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           p.set(d, 512);
           p.copy(d + 512, d, 512, cudaMemcpyDeviceToDevice);
           p.copy(host, d, 1024, cudaMemcpyDeviceToHost);
         });
       }},
      {"copies rows",
       [](HostProgram& p) {
         const Reply made = p.call(cudaMallocPitch, calls::Allocate{1, 100, 3, 1, 0, 0});
         const std::uint64_t d = made.values[0], pitch = made.values[1];
         p.call(cudaMemcpy2D, calls::Copy{d, host, 100, 3, 1, pitch, 3 * pitch, 100, 300,
                                          cudaMemcpyHostToDevice, 0});
         p.call(cudaMemcpy2D, calls::Copy{host, d, 100, 3, 1, 100, 300, pitch, 3 * pitch,
                                          cudaMemcpyDeviceToHost, 0});
         p.free(d);
       }},
      {"copies to a variable and back",
       [](HostProgram& p) {
         p.to_symbol(p.table, 16);
         p.to_symbol(p.table, 4, 12);
         p.call(cudaMemcpyFromSymbol,
                calls::SymbolCopy{p.table, host, 16, 0, cudaMemcpyDeviceToHost, 0});
       }},
      {"copies to the address of a variable",
       [](HostProgram& p) {
         const std::uint64_t d = p.call(cudaGetSymbolAddress, calls::Symbol{p.table}).values[0];
         p.copy(d, host, 16, cudaMemcpyHostToDevice);
         p.launch(d, d);
       }},
      {"launches and synchronizes",
       [](HostProgram& p) { p.launch(0, 0), p.last_error(), p.synchronize(); }},
      {"launches with its limits raised",
       [](HostProgram& p) {
         p.call(cudaFuncSetAttribute,
                calls::Kernel{p.add, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0, 65536});
         p.launch(0, 0, 1, 32, 65536);
       }},
      {"launches cooperatively",
       [](HostProgram& p) { p.launch(0, 0, 132, 256, 0, 0, p.coop, cudaLaunchCooperativeKernel); }},
      {"launches without checking: nothing failed", [](HostProgram& p) { p.launch(0, 0); }},
      {"probes for memory and checks the result",
       [](HostProgram& p) {
         p.text = "if (cudaMalloc(&p, n) != cudaSuccess) return;";
         p.allocate(HostProgram::memory_bytes);
       }},
      {"looks at an error by its text",
       [](HostProgram& p) {
         p.allocate(HostProgram::memory_bytes);
         p.call(cudaGetErrorString, calls::Error{cudaErrorMemoryAllocation});
       }},
      {"looks at an error by cudaPeekAtLastError",
       [](HostProgram& p) {
         p.allocate(HostProgram::memory_bytes);
         p.call(cudaPeekAtLastError);
       }},
      {"uses managed memory in turns",
       [](HostProgram& p) {
         const std::uint64_t m = p.allocate(64, cudaMallocManaged);
         p.launch(0, m);
         p.synchronize();
         p.launch(m, m);
         p.synchronize();
         p.free(m);
       }},
      {"prefetches managed memory",
       [](HostProgram& p) {
         const std::uint64_t m = p.allocate(64, cudaMallocManaged);
         p.call(cudaMemPrefetchAsync, calls::Pointer{m, 64, 0, 0, 0});
         p.call(cudaMemPrefetchAsync,
                calls::Pointer{m, 64, 0, static_cast<std::uint64_t>(cudaCpuDeviceId), 0});
         p.free(m);
       }},
      {"copies between managed and other memory in any direction",
       [&](HostProgram& p) {
         const std::uint64_t m = p.allocate(64, cudaMallocManaged);
         p.copy(m, host, 64, cudaMemcpyHostToDevice);
         p.copy(host, m, 64, cudaMemcpyDeviceToHost);
         p.copy(host, m, 64, cudaMemcpyHostToHost);
         with_memory(p, [&](std::uint64_t d) {
           p.copy(d, m, 64, cudaMemcpyHostToDevice);
           p.copy(d, m, 64, cudaMemcpyDeviceToDevice);
         });
         p.free(m);
       }},
      {"copies asynchronously to pinned memory",
       [&](HostProgram& p) {
         const std::uint64_t h = p.allocate(1024, cudaMallocHost), s = p.stream();
         with_memory(p, [&](std::uint64_t d) {
           p.copy(d, h, 1024, cudaMemcpyHostToDevice, cudaMemcpyAsync, s);
           p.copy(h, d, 1024, cudaMemcpyDeviceToHost, cudaMemcpyAsync, s);
           p.on_stream(cudaStreamSynchronize, s);
         });
         p.on_stream(cudaStreamDestroy, s);
         p.free(h, cudaFreeHost);
       }},
      {"passes pinned memory to a kernel",
       [](HostProgram& p) {
         const std::uint64_t h = p.allocate(64, cudaHostAlloc);
         const std::uint64_t d =
             p.call(cudaHostGetDevicePointer, calls::Pointer{h, 0, 0, 0, 0}).values[0];
         p.launch(d, h);
         p.synchronize();
         p.free(h, cudaFreeHost);
       }},
      {"measures the time of a kernel",
       [](HostProgram& p) {
         const std::uint64_t a = p.event(), b = p.event();
         p.on_event(cudaEventRecord, a);
         p.launch(0, 0);
         p.on_event(cudaEventRecord, b);
         p.on_event(cudaEventSynchronize, b);
         CHECK(p.elapsed(a, b) == 1.0f);
         p.on_event(cudaEventDestroy, a), p.on_event(cudaEventDestroy, b);
       }},
      {"measures after another call that waits",
       [&](HostProgram& p) {
         with_memory(p, [&](std::uint64_t d) {
           const std::uint64_t a = p.event(), b = p.event();
           p.on_event(cudaEventRecord, a);
           p.set(d, 1024);
           p.on_event(cudaEventRecord, b);
           p.copy(host, d, 1024, cudaMemcpyDeviceToHost);
           p.elapsed(a, b);
         });
       }},
      {"polls an event",
       [](HostProgram& p) {
         const std::uint64_t a = p.event();
         p.launch(0, 0);
         p.on_event(cudaEventRecord, a);
         CHECK(p.on_event(cudaEventQuery, a) == cudaSuccess);
         CHECK(p.elapsed(a, a) == 0);
       }},
      {"orders streams by an event",
       [](HostProgram& p) {
         const std::uint64_t s = p.stream(1), t = p.stream(1), a = p.event();
         p.launch(0, 0, 1, 32, 0, s);
         p.on_event(cudaEventRecord, a, s);
         p.on_stream(cudaStreamWaitEvent, t, a);
         p.launch(0, 0, 1, 32, 0, t);
         p.on_stream(cudaStreamSynchronize, t);
       }},
      {"uses a managed variable by the host's address",
       [](HostProgram& p) {
         p.call(cudaMemPrefetchAsync, calls::Pointer{p.managed, 4, 0, 0, 0});
         p.copy(p.managed, host, 4, cudaMemcpyHostToDevice);
         p.launch(p.managed, p.managed);
       }},
      {"registers host memory",
       [](HostProgram& p) {
         p.call(cudaHostRegister, calls::Pointer{host, 64, 0, 0, 0});
         p.call(cudaHostUnregister, calls::Pointer{host, 0, 0, 0, 0});
       }},
      {"asks for attributes and properties",
       [](HostProgram& p) {
         CHECK(p.call(cudaGetDeviceProperties).text.size() == sizeof(cudaDeviceProp));
         p.call(cudaDeviceGetAttribute, calls::Device{0, cudaDevAttrWarpSize, 0});
         CHECK(p.last.values[0] == 32);
       }},
      {"exits with an error, so its memory does not matter",
       [](HostProgram& p) {
         p.allocate(64);
         p.allocate(HostProgram::memory_bytes);
         p.state.ended({.exited = true, .status = 1});
         p.free(p.state.memory().allocations().begin()->second.address());
         p.last_error();
       }},
  };
  CHECK(programs.size() >= 30);
  for (const Right& right : programs) {
    CAPTURE(right.title);
    HostProgram program;
    right.run(program);
    program.state.ended({});
    CHECK_MESSAGE(program.state.findings().empty(), all_of(program.state));
  }
}

}  // namespace
}  // namespace histolab::kernels::program
