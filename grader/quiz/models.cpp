#include "grader/quiz/models.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "reference/addresses.h"
#include "reference/closed_forms.h"
#include "reference/histogram.h"
#include "reference/interleavings.h"
#include "reference/two_step_updates.h"
#include "reference/work_sharing.h"

namespace histolab::quiz {
namespace {

namespace ref = histolab::reference;
using Arguments = std::span<const Value>;
using Kind = Parameter::Kind;

constexpr double no_answer = std::numeric_limits<double>::quiet_NaN();

double number(const Value& value) { return std::get<double>(value); }
std::uint64_t whole(const Value& value) { return static_cast<std::uint64_t>(number(value)); }
std::uint32_t small(const Value& value) { return static_cast<std::uint32_t>(number(value)); }
const Numbers& several(const Value& value) { return std::get<Numbers>(value); }

Parameter positive(const char* name) { return {name, Kind::real, 1e-9, 1e18}; }
Parameter share(const char* name) { return {name, Kind::real, 0, 1}; }
Parameter any(const char* name) { return {name, Kind::real, -1e18, 1e18}; }
Parameter count(const char* name, double min, double max) { return {name, Kind::whole, min, max}; }
Parameter text(const char* name) { return {name, Kind::text}; }

template <class Map>
Numbers keys(const Map& map) {
  Numbers found;
  for (const auto& [key, times] : map) found.push_back(static_cast<double>(key));
  return found;
}

template <class Counts>
Numbers numbers(const Counts& counts) {
  return Numbers(counts.begin(), counts.end());
}

std::optional<ref::Enumeration> races(Arguments a) {
  return ref::enumerate({.threads = small(a[0]), .increments = small(a[1])},
                        ref::Steps::load_store);
}

ref::Sharing sharing(Arguments a, ref::Partition partition) {
  return {whole(a[0]), whole(a[1]), partition};
}

ref::InTurn in_turn(Arguments a) {
  return {.updates = number(a[0]), .operations = number(a[1]), .operation_ns = number(a[2])};
}

ref::Counting counting(Arguments a, bool privatized) {
  return {
      .counted = whole(a[0]), .blocks = whole(a[1]), .bins = whole(a[2]), .privatized = privatized};
}

ref::Request request(Arguments a) {
  return {.first_byte = whole(a[0]),
          .stride_bytes = whole(a[1]),
          .lanes = small(a[2]),
          .bytes = small(a[3])};
}

ref::Binning letters(const Value& width) {
  const std::uint32_t wide = small(width);
  return {ref::Domain::letters, (26 + wide - 1) / wide, wide};
}

std::vector<std::int64_t> amounts(const Value& value) {
  std::vector<std::int64_t> rounded;
  for (const double each : several(value)) rounded.push_back(std::llround(each));
  return rounded;
}

std::vector<Model> arithmetic() {
  return {
      {"sum",
       {{"of", Kind::several, -1e18, 1e18}},
       [](Arguments a) -> Value {
         return std::accumulate(several(a[0]).begin(), several(a[0]).end(), 0.0);
       }},
      {"product",
       {{"of", Kind::several, -1e18, 1e18}},
       [](Arguments a) -> Value {
         return std::accumulate(several(a[0]).begin(), several(a[0]).end(), 1.0,
                                std::multiplies<>{});
       }},
      {"difference",
       {any("from"), any("less")},
       [](Arguments a) -> Value { return number(a[0]) - number(a[1]); }},
      {"quotient",
       {any("of"), any("by")},
       [](Arguments a) -> Value {
         return number(a[1]) == 0 ? no_answer : number(a[0]) / number(a[1]);
       }},
      {"rounded_up", {any("of")}, [](Arguments a) -> Value { return std::ceil(number(a[0])); }},
      {"rounded_down", {any("of")}, [](Arguments a) -> Value { return std::floor(number(a[0])); }},
      {"set",
       {{"of", Kind::several, -1e18, 1e18}},
       [](Arguments a) -> Value {
         Numbers found = several(a[0]);
         std::sort(found.begin(), found.end());
         found.erase(std::unique(found.begin(), found.end()), found.end());
         return found;
       }},
  };
}

std::vector<Model> rates() {
  return {
      {"updates_per_second",
       {positive("latency_ns")},
       [](Arguments a) -> Value { return ref::updates_per_second(number(a[0])); }},
      {"mean_latency_ns",
       {share("hit_rate"), positive("hit_ns"), positive("miss_ns")},
       [](Arguments a) -> Value {
         return ref::mean_latency_ns(number(a[0]), number(a[1]), number(a[2]));
       }},
      {"updates_per_second_privatized",
       {positive("private_ns"), share("commit_share")},
       [](Arguments a) -> Value {
         return ref::updates_per_second_privatized(number(a[0]), number(a[1]));
       }},
      {"operations_per_second",
       {positive("update_rate"), positive("operations_per_update")},
       [](Arguments a) -> Value { return ref::operations_per_second(number(a[0]), number(a[1])); }},
      {"operations_per_second_in_turn",
       {positive("updates"), positive("operations"), positive("operation_ns"),
        positive("update_ns")},
       [](Arguments a) -> Value { return ref::operations_per_second(in_turn(a), number(a[3])); }},
      {"hit_rate_of",
       {positive("updates"), positive("operations"), positive("operation_ns"),
        positive("operation_rate"), positive("hit_ns"), positive("miss_ns")},
       [](Arguments a) -> Value {
         return number(a[4]) == number(a[5])
                    ? no_answer
                    : ref::hit_rate_of(in_turn(a), number(a[3]), number(a[4]), number(a[5]));
       }},
      {"nanoseconds",
       {positive("clocks"), positive("ghz")},
       [](Arguments a) -> Value { return ref::nanoseconds(number(a[0]), number(a[1])); }},
      {"updates_per_second_over_addresses",
       {positive("latency_ns"), {"hottest_share", Kind::real, 1e-6, 1}},
       [](Arguments a) -> Value {
         return ref::updates_per_second_over_addresses(number(a[0]), number(a[1]));
       }},
      {"memory_bytes_per_second",
       {positive("width_bits"), positive("transfers_per_clock"), positive("channels"),
        positive("ghz")},
       [](Arguments a) -> Value {
         return ref::memory_bytes_per_second(number(a[0]), number(a[1]), number(a[2]),
                                             number(a[3]));
       }},
      {"elements_per_second",
       {positive("bytes"), positive("bytes_per_second")},
       [](Arguments a) -> Value {
         return ref::elements_per_second(number(a[0]), number(a[1]), 0, 0);
       }},
      {"best_copies",
       {positive("updates"),
        {"hottest_share", Kind::real, 1e-6, 1},
        positive("update_ns"),
        positive("commit_ns")},
       [](Arguments a) -> Value {
         return ref::best_copies({number(a[0]), number(a[1]), number(a[2]), number(a[3])});
       }},
  };
}

std::vector<Model> interleavings() {
  return {
      {"sum_of_indices",
       {count("count", 0, 1e6)},
       [](Arguments a) -> Value { return static_cast<double>(ref::sum_of_indices(small(a[0]))); }},
      {"final_values",
       {count("threads", 1, 6), count("increments", 1, 4)},
       [](Arguments a) -> Value {
         const auto found = races(a);
         return found ? keys(found->final_values) : Numbers{};
       }},
      {"interleavings",
       {count("threads", 1, 6), count("increments", 1, 4)},
       [](Arguments a) -> Value {
         const auto found = races(a);
         return found ? static_cast<double>(found->interleavings) : no_answer;
       }},
      {"losing_interleavings",
       {count("threads", 1, 6), count("increments", 1, 4)},
       [](Arguments a) -> Value {
         const auto found = races(a);
         return found ? static_cast<double>(found->losing) : no_answer;
       }},
      {"final_balances",
       {any("balance"), {"amounts", Kind::several, -1e9, 1e9}},
       [](Arguments a) -> Value {
         const std::vector<std::int64_t> of = amounts(a[1]);
         return of.size() > 4 ? Numbers{}
                              : keys(ref::final_balances(std::llround(number(a[0])), of));
       }},
      {"seats_sold",
       {count("agencies", 1, 4), count("seats", 0, 100)},
       [](Arguments a) -> Value { return keys(ref::seats_sold(small(a[0]), small(a[1]))); }},
      {"interleavings_that_sell",
       {count("sold", 0, 100), count("agencies", 1, 4), count("seats", 0, 100)},
       [](Arguments a) -> Value {
         const auto found = ref::seats_sold(small(a[1]), small(a[2]));
         const auto at = found.find(small(a[0]));
         return at == found.end() ? 0.0 : static_cast<double>(at->second);
       }},
  };
}

std::vector<Model> shares() {
  const Parameter length = count("length", 0, 1e9), threads = count("threads", 1, 1e6),
                  few = count("length", 0, 10000);
  return {
      {"elements_in_blocks",
       {few, threads, count("thread", 0, 1e6)},
       [](Arguments a) -> Value {
         return numbers(ref::elements_of(sharing(a, ref::Partition::blocks), whole(a[2])));
       }},
      {"elements_interleaved",
       {few, threads, count("thread", 0, 1e6)},
       [](Arguments a) -> Value {
         return numbers(ref::elements_of(sharing(a, ref::Partition::interleaved), whole(a[2])));
       }},
      {"elements_of_share",
       {few, count("factor", 1, 1000), count("thread", 0, 1e6)},
       [](Arguments a) -> Value {
         return numbers(ref::elements_of_share(whole(a[0]), whole(a[1]), whole(a[2])));
       }},
      {"thread_in_blocks",
       {length, threads, count("element", 0, 1e9)},
       [](Arguments a) -> Value {
         return number(a[2]) < number(a[0]) ? static_cast<double>(ref::thread_of(
                                                  sharing(a, ref::Partition::blocks), whole(a[2])))
                                            : no_answer;
       }},
      {"thread_interleaved",
       {length, threads, count("element", 0, 1e9)},
       [](Arguments a) -> Value {
         return number(a[2]) < number(a[0])
                    ? static_cast<double>(
                          ref::thread_of(sharing(a, ref::Partition::interleaved), whole(a[2])))
                    : no_answer;
       }},
      {"threads_without_work_in_blocks",
       {length, threads},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::threads_without_work(sharing(a, ref::Partition::blocks)));
       }},
      {"threads_without_work_interleaved",
       {length, threads},
       [](Arguments a) -> Value {
         return static_cast<double>(
             ref::threads_without_work(sharing(a, ref::Partition::interleaved)));
       }},
      {"blocks_needed",
       {length, count("block", 1, 1024), count("coarsening", 1, 1e6)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::blocks_needed(whole(a[0]), whole(a[1]), whole(a[2])));
       }},
      {"global_atomics",
       {count("counted", 0, 1e12), count("blocks", 1, 1e9), count("bins", 1, 1e6)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::atomics_issued(counting(a, false)).global);
       }},
      {"global_atomics_privatized",
       {count("counted", 0, 1e12), count("blocks", 1, 1e9), count("bins", 1, 1e6)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::atomics_issued(counting(a, true)).global);
       }},
      {"shared_atomics_privatized",
       {count("counted", 0, 1e12), count("blocks", 1, 1e9), count("bins", 1, 1e6)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::atomics_issued(counting(a, true)).shared);
       }},
      {"updates_per_letter_aggregated",
       {count("width", 1, 26)},
       [](Arguments a) -> Value {
         const ref::Binning binning = letters(a[0]);
         std::vector<double> chances(binning.bins);
         for (int letter = 'a'; letter <= 'z'; ++letter)
           chances[*binning.bin_of(static_cast<std::uint8_t>(letter))] += 1.0 / 26;
         return ref::updates_per_element_aggregated(chances);
       }},
      {"flushes",
       {text("letters"), count("width", 1, 26)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::flushes(std::get<std::string>(a[0]), letters(a[1])));
       }},
      {"last_run",
       {text("letters"), count("width", 1, 26)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::last_run(std::get<std::string>(a[0]), letters(a[1])));
       }},
      {"bin_of",
       {text("letter"), count("width", 1, 26)},
       [](Arguments a) -> Value {
         const std::string& letter = std::get<std::string>(a[0]);
         const auto bin = letter.size() == 1
                              ? letters(a[1]).bin_of(static_cast<std::uint8_t>(letter[0]))
                              : std::nullopt;
         return bin ? static_cast<double>(*bin) : no_answer;
       }},
  };
}

std::vector<Model> addresses() {
  const std::vector<Parameter> of_request = {count("first_byte", 0, 1e9),
                                             count("stride_bytes", 0, 1e6), count("lanes", 1, 1024),
                                             count("bytes", 1, 16)};
  return {
      {"sectors", of_request,
       [](Arguments a) -> Value { return static_cast<double>(ref::sectors(request(a))); }},
      {"used_share", of_request, [](Arguments a) -> Value { return ref::used_share(request(a)); }},
      {"bank_passes",
       {count("lanes", 1, 1024), count("stride_words", 0, 1e6)},
       [](Arguments a) -> Value {
         return static_cast<double>(ref::bank_passes(small(a[0]), whole(a[1])));
       }},
      {"expected_serialization",
       {count("lanes", 1, 64), count("bins", 1, 4096)},
       [](Arguments a) -> Value { return ref::expected_serialization(small(a[0]), small(a[1])); }},
  };
}

}  // namespace

const std::vector<Model>& models() {
  static const std::vector<Model> all = [] {
    std::vector<Model> found;
    for (auto& group : {arithmetic(), rates(), interleavings(), shares(), addresses()})
      found.insert(found.end(), group.begin(), group.end());
    return found;
  }();
  return all;
}

const Model* find_model(const std::string& name) {
  const auto found = std::find_if(models().begin(), models().end(),
                                  [&](const Model& model) { return name == model.name; });
  return found == models().end() ? nullptr : &*found;
}

}  // namespace histolab::quiz
