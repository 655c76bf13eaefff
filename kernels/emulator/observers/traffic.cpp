#include "kernels/emulator/observers/traffic.h"

#include <algorithm>
#include <utility>

#include "kernels/emulator/code/value_flow.h"
#include "kernels/emulator/observers/access_cost.h"

namespace histolab::kernels::emulator {
namespace {

// A compare-and-swap of 4 bytes takes two wavefronts per pass: one reads the word, one writes it.
std::uint32_t wavefronts_of_pass(const Site& site) {
  return site.kind == AccessKind::compare_and_swap && site.bytes == 4 ? 2 : 1;
}

}  // namespace

TrafficObserver::TrafficObserver(LaunchContext& context)
    : context_(context),
      warps_per_block_((context.config.block.count() + 31) / 32),
      chains_(warps_per_block_),
      input_bytes_(warps_per_block_ * 32),
      copied_(context) {}

TrafficObserver::Accounts& TrafficObserver::open(SiteNumber site) {
  Accounts& accounts = accounts_.emplace_back();
  number_[site] = static_cast<std::uint16_t>(accounts_.size());
  accounts.site = site;
  accounts.asks =
      (*context_.sites)[site].kind == AccessKind::atomic && (*context_.sites)[site].result_used;
  accounts.shares = (*context_.sites)[site].adds_one && !(*context_.sites)[site].result_used;
  if (is_atomic((*context_.sites)[site].kind))
    for (Account* account : {&accounts.global, &accounts.shared})
      account->atomic = std::make_unique<AtomicAccount>();
  return accounts;
}

std::optional<TrafficObserver::Cost> TrafficObserver::account_for(const WarpAccess& access) {
  if (access.kind == AccessKind::release || access.region->role == Region::Role::constant)
      [[unlikely]]
    return std::nullopt;  // own cache
  Accounts& accounts = accounts_of(access.site);
  const bool shared = access.region->space == Space::shared;
  Account& account = shared ? accounts.shared : accounts.global;
  ++account.requests;
  account.lanes += static_cast<std::uint32_t>(__builtin_popcount(access.active));
  account.bytes += std::uint64_t{addresses_of(access)} * access.bytes;
  if (shared) note_shared(account, access);
  if (writes(access.kind)) {
    chains_.write(access, accounts.asks);
    const Site& site = (*context_.sites)[access.site];
    if (site.result_used) copied_.load(access);
    copied_.store(access, site.effect == AtomicEffect::adds);
    return cost_of(accounts, account, access);
  }
  const bool is_new = chains_.load(access);
  copied_.load(access);
  account.repeated += !is_new;
  const Cost cost = cost_of(accounts, account, access);
  if (access.region->is_input()) {
    input_.lanes += static_cast<std::uint32_t>(__builtin_popcount(access.active));
    if (is_new) count_input(access, cost.parts);
  }
  return cost;
}

// Counts only arrays that a GPU keeps in local memory. The emulator's stacks have more than that.
void TrafficObserver::on_local_access(const WarpAccess& access) {
  if (!(*context_.sites)[access.site].is_local) return;
  Account& account = accounts_of(access.site).local;
  ++account.requests;
  account.cost += local_sectors_of(access);
  if (reads(access.kind)) chains_.load_local(access.warp);
}

inline void TrafficObserver::note_shared(Account& account, const WarpAccess& access) {
  if (account.region != access.region) {
    account.region = access.region;
    account.variable = &shared_[access.region];
    const auto add = [&](std::vector<SiteNumber>& sites) {
      if (std::ranges::find(sites, access.site) == sites.end()) sites.push_back(access.site);
    };
    if (writes(access.kind)) add(account.variable->written_at);
    if (access.kind != AccessKind::store) add(account.variable->read_at);
  }
  if (writes(access.kind))
    account.variable->writes += static_cast<std::uint32_t>(__builtin_popcount(access.active));
}

// A variable is used if a value read from it affects the value of a write to global memory, or to
// another variable that is used. A load counts as a use if it has several words, or if the analysis
// cannot follow it. All loads count if the analysis cannot find a store.
void TrafficObserver::count_used_writes() {
  if (shared_.empty() || !context_.value_flow) return;
  std::vector<SiteNumber> to;
  for (const Accounts& accounts : accounts_)
    if (accounts.global.requests > 0 && writes((*context_.sites)[accounts.site].kind))
      to.push_back(accounts.site);
  ValueFlow& flow = context_.value_flow();
  const auto reaches = [&](SiteNumber from) {
    return (*context_.sites)[from].bytes > 4 || !flow.can_follow(from) ||
           std::ranges::any_of(to, [&](SiteNumber write) {
             return !flow.can_reach(write) || flow.carries(from, write);
           });
  };
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (auto& [region, variable] : shared_) {
      if (variable.is_used || std::ranges::none_of(variable.read_at, reaches)) continue;
      variable.is_used = is_new = true;
      to.insert(to.end(), variable.written_at.begin(), variable.written_at.end());
      context_.counters->busiest.used_shared_writes += variable.writes;
    }
  }
}

inline TrafficObserver::Cost TrafficObserver::cost_of(const Accounts& accounts, Account& account,
                                                      const WarpAccess& access) {
  const bool shared = access.region->space == Space::shared;
  if (access.region->askew != 0) [[unlikely]]
    return count_askew(account, access);
  if (account.atomic != nullptr) return count_atomic(accounts, account, access);
  if (shared ? !all_in_one_wavefront(access) : !all_in_one_sector(access))
    return count_several(account, access);
  ++account.cost;
  return Cost{};
}

void TrafficObserver::count_input(const WarpAccess& access, std::uint32_t sectors) {
  input_.sectors += sectors;
  std::uint64_t* const of_lane = input_bytes_.data() + std::size_t{access.warp} * 32;
  const std::uint64_t bytes = access.bytes;
  if (access.active == ~0u) {  // the usual case, with vector instructions
    for (std::uint32_t lane = 0; lane < 32; ++lane) of_lane[lane] += bytes;
    return;
  }
  for_each_lane(access.active, [&](std::uint32_t lane) { of_lane[lane] += bytes; });
}

// For an input that does not begin at a sector border. It has loads only. Offsets are counted from
// the border before it.
[[gnu::noinline]] TrafficObserver::Cost TrafficObserver::count_askew(Account& account,
                                                                     const WarpAccess& access) {
  WarpAccess from_border = access;
  const std::uint32_t askew = access.region->askew;
  // mutant 0 -> 1: also checks the lanes' last bytes, which are in the same sectors
  from_border.any_bits = 0;
  for (std::uint32_t& offset : from_border.offset) from_border.any_bits |= offset += askew;
  from_border.lowest += askew;
  from_border.highest += askew;
  const Cost cost{.parts = sectors_of(from_border)};
  account.cost += cost.parts;
  return cost;
}

// Not inlined, so the usual case needs fewer registers.
[[gnu::noinline]] TrafficObserver::Cost TrafficObserver::count_several(Account& account,
                                                                       const WarpAccess& access) {
  Cost cost;
  if (access.region->space == Space::shared) {
    const Wavefronts wavefronts = wavefronts_of(access);
    cost.parts = wavefronts.made;
    account.conflicts += wavefronts.made - wavefronts.needed;
  } else {
    cost.parts = sectors_of(access);
  }
  account.cost += cost.parts;
  return cost;
}

void TrafficObserver::on_block_suspend() {
  suspended_[context_.block] = {chains_.suspend_block(), input_bytes_, copied_.suspend_block()};
  std::ranges::fill(input_bytes_, 0);
}

void TrafficObserver::on_block_resume() {
  Suspended block = std::move(suspended_.extract(context_.block).mapped());
  chains_.resume_block(block.chains);
  input_bytes_ = std::move(block.input_bytes);
  copied_.resume_block(std::move(block.copied));
}

void TrafficObserver::on_block_end() {
  chains_.end_block();
  const auto raise = [](std::uint64_t& most, const std::vector<std::uint64_t>& of_threads) {
    most = std::max(most, std::ranges::max(of_threads));
  };
  raise(input_.bytes_of_thread, input_bytes_);
  if (copied_.has_read()) {
    const CopiedReads::Bytes& copied = copied_.read();
    raise(input_.copied_in_block, copied.of_own_block);
    raise(input_.copied_in_grid, copied.of_other_blocks);
    for (std::size_t thread = 0; thread < input_bytes_.size(); ++thread)
      input_bytes_[thread] += copied.of_own_block[thread] + copied.of_other_blocks[thread];
  }
  const std::uint64_t busiest = std::ranges::max(input_bytes_);
  for (const std::uint64_t bytes : input_bytes_)
    if (2 * bytes >= busiest) input_.bytes_of_busy_threads += bytes;
  std::ranges::fill(input_bytes_, 0);
  copied_.end_block();
}

void TrafficObserver::on_barrier() {
  accounts_of(context_.barrier).barriers += warps_per_block_;
  chains_.barrier();
}

// If the operation is on whole words, lanes in one word are on one address.
[[gnu::noinline]] TrafficObserver::Cost TrafficObserver::count_atomic(const Accounts& accounts,
                                                                      Account& account,
                                                                      const WarpAccess& access) {
  AtomicAccount& atomic = *account.atomic;
  // mutant always: looks up the position of the updates again: same result, only slower
  if (atomic.region != access.region) {
    atomic.updates = updates_of(*access.region, access.bytes);
    atomic.region = access.region;
  }
  std::uint64_t* const updates = atomic.updates->of_word.get();
  const std::uint64_t counted = atomic.updates->words;
  const WordGroups& words = access.words();
  const bool shared = access.region->space == Space::shared;
  // mutant 0 -> 1: an access has at least one active lane
  std::uint32_t degree = 0;
  InTurn in_turn(access.region->space, accounts.shares);
  const std::uint32_t* lanes_of = words.lanes.data();
  const auto count = [&](std::uint64_t word, std::uint64_t counted_as) {
    const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(*lanes_of++));
    degree = std::max(degree, lanes);
    updates[counted_as] += lanes;
    in_turn.add(word, lanes);
  };
  // mutant never: counts the same bank by bank, only slower
  if (words.words != 0) {
    for (std::uint64_t left = words.words; left != 0; left &= left - 1) {
      const auto word = static_cast<std::uint64_t>(__builtin_ctzll(left));
      count(word, word);
    }
  } else {
    for (const std::uint32_t* end = lanes_of + words.count; lanes_of != end;) {
      const std::uint32_t word =
          access.offset[static_cast<std::uint32_t>(__builtin_ctz(*lanes_of))] / 4;
      count(word, std::min<std::uint64_t>(word, counted));
    }
  }
  if ((access.any_bits & 3) != 0) degree = same_byte_degree(access);
  ++atomic.requests_of_degree[degree];

  const Wavefronts parts =
      // mutant 4 -> 5: all widths are powers of two
      shared && access.bytes > 4 ? wavefronts_of(access) : Wavefronts{in_turn.parts(), 1};
  if (shared) account.conflicts += parts.made - parts.needed;
  account.cost += parts.made;
  return {parts.made * (shared ? wavefronts_of_pass((*context_.sites)[access.site]) : 1), degree};
}

// `bytes`: width of the operation.
TrafficObserver::Updates* TrafficObserver::updates_of(const Region& region, std::uint32_t bytes) {
  const std::uint32_t element_bytes =
      region.element_bytes != 0 ? region.element_bytes : std::max(bytes, 4u);
  for (Updates& known : updates_)
    if (known.region == &region) {
      known.element_bytes = std::min(known.element_bytes, element_bytes);
      return &known;
    }
  // One entry more than the words counted separately. At least 64, so that WordGroups::words needs
  // no check.
  // mutant / -> *: only changes the reserved size: no kernel updates words behind the variable
  const std::uint64_t words = std::min((region.size + 3) / 4, Updates::max_words),
                      room = std::max<std::uint64_t>(words + 1, 64);
  return &updates_.emplace_back(Updates{
      &region, element_bytes, words, std::unique_ptr<std::uint64_t[]>(new std::uint64_t[room]())});
}

void TrafficObserver::close(const Accounts& accounts) {
  const Site& site = (*context_.sites)[accounts.site];
  auto& lines = *context_.lines;
  auto line = std::lower_bound(lines.begin(), lines.end(), site.line,
                               [](const auto& a, int number) { return a.line < number; });
  if (line == lines.end() || line->line != site.line) line = lines.insert(line, {site.line, {}});
  reference::Traffic& total = line->counters;
  const bool atomic = is_atomic(site.kind), store = site.kind == AccessKind::store;
  reference::GlobalTraffic& global = atomic  ? total.global_atomic
                                     : store ? total.global_store
                                             : total.global_load;
  global.requests += accounts.global.requests;
  global.sectors += accounts.global.cost;
  global.bytes += accounts.global.bytes;
  global.lanes += accounts.global.lanes;
  reference::SharedTraffic& shared = atomic  ? total.shared_atomic
                                     : store ? total.shared_store
                                             : total.shared_load;
  shared.requests += accounts.shared.requests;
  const std::uint64_t shared_wavefronts = accounts.shared.cost * wavefronts_of_pass(site);
  shared.wavefronts += shared_wavefronts;
  shared.bank_conflicts += accounts.shared.conflicts;
  shared.bytes += accounts.shared.bytes;
  shared.lanes += accounts.shared.lanes;
  total.barriers += accounts.barriers;
  reference::LocalTraffic& local = store ? total.local_store : total.local_load;
  local.requests += accounts.local.requests;
  local.sectors += accounts.local.cost;
  const auto contend = [](reference::AtomicContention& contention, const Account& account) {
    if (account.atomic == nullptr) return;
    contention.updates += account.lanes;
    for (std::size_t degree = 1; degree <= 32; ++degree)
      contention.requests_of_degree[degree - 1] += account.atomic->requests_of_degree[degree];
  };
  contend(total.global_contention, accounts.global);
  contend(total.shared_contention, accounts.shared);
  const auto part = [](reference::AtomicWork& work, const Account& account, std::uint64_t cost) {
    work.requests += account.requests;
    work.wavefronts += cost;
    for (std::size_t degree = 1; degree <= 32; ++degree)
      work.degrees += degree * account.atomic->requests_of_degree[degree];
  };
  total.repeated_loads += accounts.global.repeated;
  if (site.kind == AccessKind::volatile_load) total.volatile_loads += accounts.global.requests;
  if (accounts.shares) part(total.shared_increments, accounts.shared, accounts.shared.cost);
  // An operation of 8 bytes on shared memory is a compare-and-swap loop, with a round per lane on
  // the word.
  if (site.kind == AccessKind::atomic && site.bytes == 8) {
    total.shared_swaps.wavefronts += accounts.shared.cost;
    for (std::size_t degree = 1; degree <= 32; ++degree) {
      const std::uint64_t requests = accounts.shared.atomic->requests_of_degree[degree];
      total.shared_swaps.requests += degree * requests;
      total.shared_swaps.degrees += degree * (degree + 1) / 2 * requests;
    }
  }
  if (site.kind == AccessKind::compare_and_swap) {
    part(total.shared_swaps, accounts.shared, shared_wavefronts);
    part(total.global_swaps, accounts.global, accounts.global.cost);
  }
}

void TrafficObserver::add_pressure(const Updates& updates) {
  reference::AtomicPressure pressure;
  pressure.variable = updates.region->name;
  pressure.shared = updates.region->space == Space::shared;
  pressure.element_bytes = updates.element_bytes;
  pressure.updates = pressure.uncounted = updates.of_word[updates.words];
  auto& top = pressure.top;
  // mutant 0 -> 1: no element has this number
  std::uint64_t last = ~0ull;  // the element before: a wide one has several words
  for (std::uint64_t word = 0; word < updates.words; ++word) {
    if (updates.of_word[word] == 0) continue;
    const std::uint64_t index = word * 4 / updates.element_bytes;
    pressure.updates += updates.of_word[word];
    if (index == last)
      top.back().updates += updates.of_word[word];
    else
      top.push_back({index, updates.of_word[word]});
    last = index;
  }
  pressure.elements = top.size();
  pressure.keep_most_updated();
  context_.pressure->push_back(std::move(pressure));
}

void TrafficObserver::on_launch_end() {
  context_.counters->busiest = chains_.busiest();
  context_.counters->busiest.input = input_;
  count_used_writes();
  for (const Accounts& accounts : accounts_) close(accounts);
  for (const reference::LineCounters& line : *context_.lines)
    static_cast<reference::Traffic&>(*context_.counters) += line.counters;
  for (const Updates& updates : updates_) add_pressure(updates);
}

}  // namespace histolab::kernels::emulator
