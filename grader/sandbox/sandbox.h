// Sandbox: confines the processes that read or run a student's source. A tier says how strongly; it
// depends on what the machine permits. docs/sandbox.md describes the layers of defence and the
// tiers.
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

// The paths that a confined process needs.
struct Places {
  std::string confine;                 // histolab-confine
  std::string worker;                  // histolab-worker
  std::string include_dir;             // the CUDA shim
  std::vector<std::string> cuda = {};  // folders of CUDA's libraries
  std::string bubblewrap = "/usr/bin/bwrap";
};

// Why a tier is unavailable here, and how to change that.
struct Obstacle {
  Tier tier = Tier::full;
  std::string what;    // "the system's AppArmor profile forbids namespaces to users"
  std::string remedy;  // the command that fixes it, or shows the cause
};

class Sandbox final : public kernels::worker::Confinement {
 public:
  // Tries the tiers that the machine may offer, best first, beginning with `wanted`. Never fails,
  // since `none` always works.
  static Sandbox best(Places places, Tier wanted = Tier::full);

  [[nodiscard]] Tier tier() const { return tier_; }
  [[nodiscard]] std::string_view name() const override { return sandbox::name(tier_); }
  [[nodiscard]] const std::vector<Obstacle>& obstacles() const { return obstacles_; }
  [[nodiscard]] Result<kernels::worker::ProcessSpec> confine(
      kernels::worker::ProcessSpec spec) const override;

 private:
  Sandbox(Places places, Tier tier) : places_(std::move(places)), tier_(tier) {}
  // Takes the child's user number, and makes the filters, which depend on it.
  [[nodiscard]] Status prepare();
  [[nodiscard]] std::optional<Obstacle> try_tier() const;
  [[nodiscard]] std::vector<std::string> namespaces_for(
      const kernels::worker::ProcessSpec& spec) const;
  [[nodiscard]] std::vector<std::string> files_for(const kernels::worker::ProcessSpec& spec) const;
  [[nodiscard]] std::vector<std::string> confinement_for(
      const kernels::worker::ProcessSpec& spec) const;

  Places places_;
  Tier tier_;
  std::optional<UserNumber> user_;  // the child's; nullopt if it keeps the caller's
  kernels::worker::Descriptor tools_, driver_, kernel_;  // filters of system calls
  std::vector<Obstacle> obstacles_;
};

}  // namespace histolab::sandbox
