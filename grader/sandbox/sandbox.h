// Sandbox: how a student's source is kept from everything but its own mark.
//
// ---- Theory of operation
// --------------------------------------------------------------------------------------------- A
// source is hostile when it is compiled, when it is loaded, when it runs, and in what it prints.
// Each layer below holds without the one above it; what each of them stops is listed, attack by
// attack, in grader/attacks/.
//
//  1. Words. The source's tokens, and those of its preprocessed text where macros may hide any, are
//  scanned for what hides
//     accesses or leaves the language: assembly, attributes, pragmas, builtins, files of the
//     machine (kernels/worker/source_rules/forbidden.h). A readable refusal, with a line: verdict
//     `refused`.
//  2. Compiler. g++ runs as a child with limits on time, memory, output and files, confined by a
//  `tools` filter of system calls,
//     and sees the system's /usr, the shim (which may be precompiled, by ourselves), and a folder
//     of its own: no home, no network, no other submission, no devices.
//  3. Loader. The object is never linked nor given to the system's loader:
//  kernels/emulator/module/module.h places it, runs no constructor
//     and no resolver, and binds undefined symbols to a table of device functions and to nothing
//     else.
//  4. Code. Every access outside of the kernel's own memory is caught before it is made
//  (docs/emulator.md, "Confinement").
//  5. Process. A launch runs in a child that a worker forked before it had seen anything of a
//  student's (kernels/worker/processes/server.h). That
//     worker has given up all files; the child besides gives up nearly all system calls before it
//     reads the request: it can compute, write its answer, and end. Its memory, processor time and
//     processes are limited, and it dies with the grader.
//  6. Judge. The grader keeps the clock, caps what it reads, and reads histograms from memory that
//  it owns and whose truth the child
//     never had. Messages are data of a fixed shape (kernels/worker/protocol/protocol.h); every
//     format escapes what it shows.
//  7. Faults. What the machine did (no process, no memory, no disk) is an Error and never a
//  verdict.
//
// Layers 2 and 5 depend on what the machine lets us do. That is a tier, named in every report:
//   full     bubblewrap: namespaces of its own for users or rights, mounts, processes, network, IPC
//   and host name, in which only what is named is there; then the filter reduced  no namespaces:
//   Landlock takes away all files but those named, the filter takes away network and signals none
//   limits only: for one's own kernels; `batch` refuses it unless told otherwise
// Started as root, both give the child a user number of its own (user_number.h), which owns nothing
// and runs nothing else.
//
// The GPU's worker is different. No code of a student's runs in it, only on the device; but it
// holds NVRTC, which reads what a source includes, and a driver that wants devices, sockets and
// most of /proc. It is confined as in `reduced`, also where there is more, keeps the caller's user,
// and may besides read /proc, /sys, /etc and CUDA's libraries, write to NVIDIA's devices and name
// its threads.
// ------------------------------------------------------------------------------------------------------------------------
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/sandbox/user_number.h"
#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"
#include "reference/result.h"

namespace histolab::sandbox {

enum class Tier { full, reduced, none };
[[nodiscard]] std::string_view name(Tier tier);
[[nodiscard]] std::optional<Tier> tier_from_name(std::string_view name);

// What a confined process has to find.
struct Places {
  std::string confine;                 // histolab-confine
  std::string worker;                  // histolab-worker
  std::string include_dir;             // the CUDA shim
  std::vector<std::string> cuda = {};  // folders of CUDA's libraries
  std::string bubblewrap = "/usr/bin/bwrap";
};

// Why a tier cannot be had here, and what would change that.
struct Obstacle {
  Tier tier = Tier::full;
  std::string what;    // "the system's AppArmor profile forbids namespaces to users"
  std::string remedy;  // the command that mends it, or shows what would
};

class Sandbox final : public kernels::worker::Confinement {
 public:
  // Tries what the machine lets it do, best first; never fails, as `none` always works. `wanted`:
  // not better than that.
  static Sandbox best(Places places, Tier wanted = Tier::full);

  [[nodiscard]] Tier tier() const { return tier_; }
  [[nodiscard]] std::string_view name() const override { return sandbox::name(tier_); }
  [[nodiscard]] const std::vector<Obstacle>& obstacles() const { return obstacles_; }
  [[nodiscard]] Result<kernels::worker::ProcessSpec> confine(
      kernels::worker::ProcessSpec spec) const override;

 private:
  Sandbox(Places places, Tier tier) : places_(std::move(places)), tier_(tier) {}
  [[nodiscard]] Status
  prepare();  // the child's user, and the filters that depend on there being one
  [[nodiscard]] std::optional<Obstacle> tried() const;
  [[nodiscard]] std::vector<std::string> namespaces_for(
      const kernels::worker::ProcessSpec& spec) const;
  [[nodiscard]] std::vector<std::string> files_for(const kernels::worker::ProcessSpec& spec) const;
  [[nodiscard]] std::vector<std::string> confinement_for(
      const kernels::worker::ProcessSpec& spec) const;

  Places places_;
  Tier tier_;
  std::optional<UserNumber> user_;  // that a child gets; nullopt: it keeps the caller's
  kernels::worker::Descriptor tools_, driver_, kernel_;  // filters of system calls
  std::vector<Obstacle> obstacles_;
};

}  // namespace histolab::sandbox
