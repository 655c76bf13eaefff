#include "viewer/model/live_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"

namespace histolab::viewer {
namespace {

template <class... F>
struct Cases : F... {
  using F::operator()...;
};

using grader::grouped;

double count_at(const std::vector<std::uint64_t>& counts, std::size_t bin) {
  return bin < counts.size() ? static_cast<double>(counts[bin]) : 0;
}

}  // namespace

void LiveRun::apply(const Event& event) {
  std::visit(
      Cases{
          [&](const Begin& begin) {
            begin_ = begin;
            progress_ = {};
            accesses_.clear();
            result_.reset();
            failure_.clear();
            phase_ = Phase::running;
            ++launches_;
          },
          [&](const Progress& progress) {
            progress_ = progress;
            if (phase_ == Phase::running || phase_ == Phase::paused)
              phase_ = progress.paused ? Phase::paused : Phase::running;
          },
          [&](const Accesses& more) {
            const std::size_t room = most_accesses - std::min(most_accesses, accesses_.size());
            accesses_.insert(
                accesses_.end(), more.rows.begin(),
                more.rows.begin() + static_cast<std::ptrdiff_t>(std::min(room, more.rows.size())));
          },
          [&](const Finished& finished) {
            result_ = finished.report;
            phase_ = Phase::done;
          },
          [&](const End&) {
            if (!result_) phase_ = Phase::cut_off;
          },
          [&](const Failure& failure) {
            failure_ = failure.message;
            phase_ = Phase::failed;
          },
          [&](const Stray&) { ++strays_; },
      },
      event);
}

void LiveRun::stream_ended() {
  if (phase_ == Phase::running || phase_ == Phase::paused) phase_ = Phase::cut_off;
}

std::vector<Bar> LiveRun::bars() const {
  const std::vector<std::uint64_t>& counted =
      result_ && !result_->histogram.empty() ? result_->histogram : progress_.histogram;
  std::vector<Bar> bars(std::max(begin_.expected.size(), begin_.bin_labels.size()));
  for (std::size_t bin = 0; bin < bars.size(); ++bin) {
    Bar& bar = bars[bin];
    bar.label = bin < begin_.bin_labels.size() ? begin_.bin_labels[bin] : fmt::format("{}", bin);
    bar.counted = count_at(counted, bin);
    bar.expected = count_at(begin_.expected, bin);
    if (phase_ == Phase::done && result_ && result_->compiled())
      bar.lost = std::max(0.0, bar.expected - bar.counted);
    else
      bar.pending = std::max(0.0, count_at(progress_.of_read, bin) - bar.counted);
    bar.surplus = std::max(0.0, bar.counted - bar.expected);
  }
  return bars;
}

double LiveRun::fraction_read() const {
  if (phase_ == Phase::done) return 1;
  if (begin_.length == 0) return 0;
  return std::clamp(
      static_cast<double>(progress_.elements_read) / static_cast<double>(begin_.length), 0.0, 1.0);
}

std::string LiveRun::status() const {
  switch (phase_) {
    case Phase::idle: return "nothing has run yet";
    case Phase::failed: return failure_;
    case Phase::cut_off: return "the stream ended in the middle of this launch";
    case Phase::running:
    case Phase::paused:
      return fmt::format("{}: {} of {} elements read, block {} of {}",
                         phase_ == Phase::paused ? "paused" : "running",
                         grouped(progress_.elements_read), grouped(begin_.length),
                         grouped(progress_.blocks), grouped(begin_.grid));
    case Phase::done: break;
  }
  if (!result_->compiled())
    return fmt::format("this {} does not compile: see the source panel",
                       begin_.is_program() ? "program" : "kernel");
  if (result_->ending != "completed")
    return result_->ending_detail.empty()
               ? result_->ending
               : fmt::format("{}: {}", result_->ending, result_->ending_detail);
  if (begin_.is_program()) {
    const auto errors = static_cast<std::uint64_t>(
        std::ranges::count(result_->findings, std::string_view{"error"}, &Finding::severity));
    return fmt::format("{}: {}", begin_.title,
                       errors == 0 ? "no errors" : grader::counted(errors, "error"));
  }
  const Totals sum = totals(bars());
  if (sum.lost > 0)
    return fmt::format("{} of {} updates are lost", grouped_count(sum.lost),
                       grouped_count(sum.expected));
  if (sum.surplus > 0) return fmt::format("{} updates too many", grouped_count(sum.surplus));
  return fmt::format("all {} updates are counted", grouped_count(sum.expected));
}

std::string grouped_count(double count) {
  return grouped(static_cast<std::uint64_t>(std::clamp(count, 0.0, 1e18)));
}

Totals totals(const std::vector<Bar>& bars) {
  Totals sum;
  for (const Bar& bar : bars) {
    sum.counted += bar.counted;
    sum.expected += bar.expected;
    sum.pending += bar.pending;
    sum.lost += bar.lost;
    sum.surplus += bar.surplus;
  }
  return sum;
}

}  // namespace histolab::viewer
