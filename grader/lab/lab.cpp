#include "grader/lab/lab.h"

#include <algorithm>

namespace histolab::grader {

double Limit::at(std::uint64_t length, std::uint64_t grid, std::uint64_t block) const {
  const auto elements = static_cast<double>(length), threads = static_cast<double>(grid * block);
  return constant + per_element * elements + per_thread * threads +
         per_warp * static_cast<double>(grid * ((block + 31) / 32)) +
         per_block * static_cast<double>(grid) + per_share * elements / threads;
}

bool KernelSpec::takes(KernelArgument::Kind kind) const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const KernelArgument& each) { return each.kind == kind; });
}

std::optional<reference::Binning> KernelSpec::binning_with(std::uint32_t bins) const {
  using Kind = KernelArgument::Kind;
  if (!takes(Kind::bins) && !takes(Kind::width) && !task.has_free_length()) return std::nullopt;
  reference::Binning changed = binning;
  changed.bins = bins;
  if (takes(Kind::width)) changed.width = changed.width_for(bins);
  return changed;
}

std::optional<std::size_t> LabSpec::kernel_called(std::string_view kernel) const {
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == kernel) return i;
  return std::nullopt;
}

std::string_view name(Symptom symptom) {
  switch (symptom) {
    case Symptom::nothing_counted: return "nothing_counted";
    case Symptom::nothing_added: return "nothing_added";
    case Symptom::repeated: return "repeated";
    case Symptom::last_bins: return "last_bins";
    case Symptom::other_bins: return "other_bins";
    case Symptom::too_many: return "too_many";
    case Symptom::too_few: return "too_few";
    case Symptom::not_shared: return "not_shared";
  }
  return "";
}

std::string_view name(CheckKind kind) {
#define HISTOLAB_KIND(kind, group) #kind,
  static constexpr std::string_view names[] = {HISTOLAB_CHECK_KINDS(HISTOLAB_KIND)};
#undef HISTOLAB_KIND
  return names[static_cast<std::size_t>(kind)];
}

CheckGroup group_of(CheckKind kind) {
#define HISTOLAB_KIND(kind, group) CheckGroup::group,
  static constexpr CheckGroup groups[] = {HISTOLAB_CHECK_KINDS(HISTOLAB_KIND)};
#undef HISTOLAB_KIND
  return groups[static_cast<std::size_t>(kind)];
}

bool LabSpec::has_check(CheckKind kind) const {
  return std::any_of(checks.begin(), checks.end(),
                     [&](const CheckSpec& check) { return check.kind == kind; });
}

bool LabSpec::wants(kernels::FindingKind kind) const {
  return std::any_of(checks.begin(), checks.end(), [&](const CheckSpec& check) {
    return check.kind == CheckKind::expects_finding && check.finding == kind;
  });
}

bool LabSpec::runs_one_by_one() const {
  return std::ranges::any_of(checks, &CheckSpec::one_by_one);
}

std::string kernel_name(const LabSpec& lab, std::size_t kernel) {
  return lab.kernels.size() > 1 ? lab.kernels.at(kernel).name : std::string{};
}

}  // namespace histolab::grader
