#include "kernels/emulator/module.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kernels/emulator/confined_code.h"
#include "kernels/emulator/debug_info.h"
#include "kernels/emulator/debugger.h"
#include "kernels/emulator/guards.h"
#include "kernels/emulator/kernel_symbol.h"
#include "kernels/emulator/object_file.h"
#include "kernels/emulator/runtime.h"
#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t most_shared_bytes = 1 << 20;  // more than any device gives a block
constexpr std::uint8_t call_opcode = 0xe8, jump_opcode = 0xe9;
constexpr std::uint64_t stub_bytes = 16;  // jmp *[rip+2]; nop; nop; address

// Functions that leave something to later blocks, besides what they do to a variable; but for those that allocate.
bool passes_between_blocks(std::string_view symbol) {
  static constexpr std::string_view names[] = {"histolab_clock64", "histolab_nanosleep", "printf", "puts", "putchar", "free",
                                               "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};
  return std::ranges::find(names, symbol) != std::end(names);
}

// histolab_atomicAdd_u32: atomicAdd.
std::string cuda_name(std::string_view symbol) {
  constexpr std::string_view ours = "histolab_";
  if (symbol.starts_with(ours)) symbol.remove_prefix(ours.size());
  return std::string(symbol.substr(0, symbol.find('_', 2)));
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return unit < 2 ? value : (value + unit - 1) / unit * unit; }

// Is `mov esi, 1` among the instructions shortly before a call, whose target is at `field`, `offset` into its section? The bytes are
// looked for, not decoded: what hangs on it is how the model counts a shared addition, nothing else.
bool sets_second_argument_to_one(const std::uint8_t* field, std::uint64_t offset) {
  static constexpr std::uint8_t mov_esi_1[] = {0xbe, 1, 0, 0, 0};
  const std::uint8_t* begin = field - std::min<std::uint64_t>(offset, 24);
  return std::search(begin, field, std::begin(mov_esi_1), std::end(mov_esi_1)) != field;
}

// Names of the runtime's: a kernel's file that has a function called so would be asked in its place.
bool is_reserved(std::string_view name) {
  static constexpr std::string_view prefixes[] = {"__tsan_", "__x86_", "__sanitizer_", "__ubsan_", "__cyg_profile_", "histolab_"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Of a __constant__ variable, as the shim declares it.
bool is_constant(const Section& section) { return section.name.starts_with(".histolab_constant."); }

// Where things go as the module grows.
class Placement {
 public:
  Placement(std::uint8_t* begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {}
  // nullptr: no room left.
  std::uint8_t* take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t red_zone = 0) {
    const std::uint64_t at = round_up(used_ + red_zone, alignment);
    if (bytes > bytes_ || at > bytes_ - bytes || bytes_ - bytes - at < red_zone) return nullptr;
    used_ = at + bytes + red_zone;
    return begin_ + at;
  }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  std::uint8_t* begin_;
  std::uint64_t bytes_, used_ = 0;
};

class Loader {
 public:
  Loader(const ObjectFile& object, const KernelSignature& signature, Window& window, const ModuleOptions& options, Module& module)
      : object_(object), signature_(signature), window_(window), options_(options), module_(module),
        text_(window.image(), Window::text_bytes), data_(window.image() + Window::text_bytes, Window::image_bytes - Window::text_bytes),
        shared_(window.shared(), Window::shared_bytes), address_(object.sections().size(), nullptr) {}

  Status load() {
    const KernelSymbol kernel = find_kernel(object_, signature_);
    if (!kernel.problem.empty()) {
      refuse(kernel.problem);
      return Done{};
    }
    const Symbol& symbol = object_.symbols()[kernel.number];
    std::vector<std::uint32_t> roots{symbol.section};
    for (std::uint32_t s = 0; s < object_.symbols().size(); ++s)
      if (is_export(object_.symbols()[s])) roots.push_back(object_.symbols()[s].section);
    mark_reachable(std::move(roots));
    for (const Symbol& each : object_.symbols())
      if (each.section != 0 && is_reserved(each.name)) refuse(fmt::format("`{}` is a name of the emulator's own. Use another one", each.name.substr(0, 60)));
    confine_code();
    bind_symbols();
    if (!module_.diagnostics.empty()) return Done{};
    if (Status placed = place_sections(); !placed) return placed;
    module_.text = {window_.image(), text_.used()};
    if (!module_.diagnostics.empty()) return Done{};
    if (!is_callable(symbol)) return Error{"the object file has a kernel that lies in no code"};
    if (Status relocated = relocate(); !relocated) return relocated;
    read_exports();
    module_.lines = source_lines(object_.image(), window_.begin(), text_.used());
    move_lines();
    name_sites();
    explain_unsupported();
    read_launch_bounds(symbol.section);
    if (options_.name_variables) name_variables();
    if (!module_.diagnostics.empty()) return Done{};
    if (mprotect(window_.image(), Window::text_bytes, PROT_READ | PROT_EXEC) != 0)
      return Error{fmt::format("cannot make the kernel executable: {}", std::strerror(errno))};
    module_.entry = address_[symbol.section] + symbol.value;
    if (!options_.never_runs) mark_code_places();
    find_control_flow();
    if (options_.debugged) show_to_debugger(symbol.section);
    return Done{};
  }

 private:
  void refuse(std::string message, int line = 0) { module_.diagnostics.push_back({Severity::error, line, 0, std::move(message)}); }

  [[nodiscard]] bool is_export(const Symbol& symbol) const {
    return symbol.section != 0 && !symbol.is_thread_local &&
           std::find(signature_.exports.begin(), signature_.exports.end(), symbol.name) != signature_.exports.end();
  }
  [[nodiscard]] bool is_callable(const Symbol& symbol) const {
    const Section& section = object_.sections()[symbol.section];
    return address_[symbol.section] != nullptr && section.executable && symbol.value < section.bytes;
  }
  void mark_reachable(std::vector<std::uint32_t> todo);
  void confine_code();
  void move_lines();
  void mark_code_places();
  // Of code as it is loaded.
  [[nodiscard]] const std::vector<Relocation>& relocations_of(std::uint32_t section) const {
    const auto code = code_.find(section);
    return code != code_.end() ? code->second.relocations : object_.relocations(section);
  }
  [[nodiscard]] std::uint64_t bytes_of(std::uint32_t section) const {
    const auto code = code_.find(section);
    return code != code_.end() ? code->second.bytes.size() : object_.sections()[section].bytes;
  }
  void bind_symbols();
  Status place_sections();
  [[nodiscard]] std::uint64_t red_zone(bool shared) const;
  Status place_shared();
  void add_variable(const Symbol& symbol, std::uint32_t section);
  Status relocate();
  Status apply(const Relocation& relocation, std::uint32_t section);
  [[nodiscard]] std::uint64_t value_of(const Symbol& symbol) const;
  std::uint64_t stub_for(std::uint32_t symbol, bool by_address);
  std::uint64_t slot_for(std::uint32_t symbol, std::uint64_t value);
  void read_exports();
  void name_sites();
  void explain_unsupported();
  void find_control_flow();
  void show_to_debugger(std::uint32_t kernel_section);
  void read_launch_bounds(std::uint32_t kernel_section);
  void name_variables();
  [[nodiscard]] int line_of_first_use(std::uint32_t section) const;

  const ObjectFile& object_;
  const KernelSignature& signature_;
  Window& window_;
  const ModuleOptions& options_;
  Module& module_;
  Placement text_, data_, shared_;
  std::vector<std::uint8_t*> address_;  // of each section; nullptr: not loaded
  std::vector<bool> reachable_;
  std::map<std::uint32_t, ConfinedCode> code_;           // of the sections that hold some
  std::vector<std::uint32_t> callable_stubs_;            // of runtime functions whose address is taken
  std::map<std::uint32_t, RuntimeFunction> functions_;   // undefined symbols, by number
  std::map<std::uint32_t, std::int64_t> built_ins_;      // thread-pointer offsets
  std::map<std::uint32_t, std::uint64_t> stubs_, slots_;
  std::map<std::uint32_t, std::uint64_t> unsupported_;   // symbol -> address of its first use
  std::map<std::uint32_t, std::uint64_t> by_address_;    // the same of runtime functions that access memory, and are not called by name
  std::uint8_t* dynamic_shared_ = nullptr;
  std::uint64_t variable_red_zone_ = 0, shared_red_zone_ = 0;
};

void Loader::mark_reachable(std::vector<std::uint32_t> todo) {
  reachable_.assign(object_.sections().size(), false);
  while (!todo.empty()) {
    const std::uint32_t section = todo.back();
    todo.pop_back();
    if (section >= reachable_.size() || reachable_[section] || !object_.sections()[section].allocated) continue;
    reachable_[section] = true;
    for (const Relocation& relocation : object_.relocations(section)) todo.push_back(object_.symbols()[relocation.symbol].section);
  }
}

void Loader::confine_code() {
  const auto is_debuggers = [](const Symbol& symbol) { return symbol.name == "__cyg_profile_func_enter"; };
  if (options_.debugged || (options_.never_runs && std::ranges::any_of(object_.symbols(), is_debuggers))) return;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i)
    if (reachable_[i] && object_.sections()[i].executable) code_[i] = confine(object_, i);
  module_.is_shallow = std::ranges::all_of(code_, [](const auto& each) { return each.second.is_shallow; });
  for (const Symbol& symbol : object_.symbols())
    if (symbol.is_function && symbol.section != 0 && symbol.value != 0 && code_.contains(symbol.section)) code_[symbol.section].problem = "two functions in one place";
}

// The lines of code that has moved were read as if it had not.
void Loader::move_lines() {
  for (const auto& [section, code] : code_) {
    if (address_[section] == nullptr) continue;
    const auto base = static_cast<std::size_t>(address_[section] - window_.image());
    const auto line_at = [&](std::size_t offset) { return base + offset < module_.lines.size() ? module_.lines[base + offset] : 0; };
    if (!code.problem.empty() && unsupported_.empty())  // what is not there may have been what does not come back: that is told by its name
      refuse(fmt::format("the compiler made {} of this, which the emulator does not run. Write it more plainly, as CUDA C++ that nvcc takes", code.problem), line_at(code.problem_at));
    if (code.moved.empty() || base + code.bytes.size() > module_.lines.size()) continue;  // no lines: the file's debug information is damaged
    std::vector<int> moved(code.bytes.size(), 0);
    for (std::size_t k = 0; k + 1 < code.moved.size(); ++k)
      std::fill(moved.begin() + code.moved[k].to, moved.begin() + code.moved[k + 1].to, line_at(code.moved[k].from));
    std::ranges::copy(moved, module_.lines.begin() + static_cast<std::ptrdiff_t>(base));
  }
}

void Loader::mark_code_places() {
  forget_code_places(window_.image());
  for (const auto& [section, code] : code_) {
    const auto base = static_cast<std::uint32_t>(address_[section] - window_.image());
    mark_function(base);
    for (const ReturnPlace& place : code.returns) mark_return(base + place.offset, place.depth);
    for (const CheckedPlace& check : code.checks) {
      Site& site = (*module_.sites)[static_cast<SiteNumber>(base + check.offset)];
      site.kind = check.writes ? AccessKind::store : AccessKind::load;
      site.bytes = static_cast<std::uint8_t>(check.bytes);
    }
  }
  for (const std::uint32_t stub : callable_stubs_) mark_function(stub);
}

void Loader::bind_symbols() {
  module_.in_order = options_.in_order;
  for (std::uint32_t section = 0; section < reachable_.size(); ++section)
    if (reachable_[section])
      for (const Relocation& relocation : object_.relocations(section)) module_.in_order |= is_fence(object_.symbols()[relocation.symbol].name);
  module_.shows = module_.in_order || options_.shows;
  for (std::uint32_t section = 0; section < reachable_.size(); ++section) {
    if (!reachable_[section]) continue;
    for (const Relocation& relocation : object_.relocations(section)) {
      const Symbol& symbol = object_.symbols()[relocation.symbol];
      if (symbol.section != 0 || symbol.name.empty() || symbol.is_absolute) continue;
      module_.has_warp_sync |= symbol.name == "histolab_syncwarp";
      module_.allocates |= symbol.name == "malloc" || symbol.name == "_Znwm" || symbol.name == "_Znam";
      module_.blocks_are_apart &= !passes_between_blocks(symbol.name);
      if (const auto offset = runtime_variable(symbol.name)) built_ins_[relocation.symbol] = *offset;
      else if (const auto function = runtime_function(symbol.name, options_.stepping || module_.shows)) functions_[relocation.symbol] = *function;
      else if (!symbol.is_thread_local && symbol.name != "_GLOBAL_OFFSET_TABLE_") unsupported_[relocation.symbol] = 0;
    }
    // A thread_local that is initialized at run time has a guard beside it.
    for (const Relocation& relocation : object_.relocations(section)) {
      const Symbol& guard = object_.symbols()[relocation.symbol];
      if (!guard.is_thread_local || !guard.name.starts_with("_ZGV")) continue;
      const std::string full = demangle(guard.name);
      refuse(fmt::format("`{}` is a __shared__ variable whose type has a constructor; shared memory is not initialized. Use a plain type, and "
                         "set it in the kernel, then __syncthreads()", last_name(full)));
      return;
    }
    if (object_.sections()[section].is_thread_local && !object_.sections()[section].is_zero)
      refuse("a __shared__ variable cannot have an initial value. Write the values in the kernel, then __syncthreads()");
  }
}

// As wide as there is room for: an index far behind its variable is then still told as that variable's.
std::uint64_t Loader::red_zone(bool shared) const {
  std::uint64_t count = 1, bytes = 0;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    const Section& section = object_.sections()[i];
    if (!reachable_[i] || section.executable || section.is_thread_local != shared) continue;
    ++count;
    bytes += std::min(section.bytes, Window::image_bytes);
  }
  const std::uint64_t room = shared ? Window::shared_bytes : Window::image_bytes - Window::text_bytes;
  const std::uint64_t least = shared ? 4096 : 256, most = shared ? 256 * 1024 : 64 * 1024;
  const std::uint64_t each = (room - std::min(room, bytes)) / 2 / (2 * count) / 4096 * 4096;
  return std::clamp(each, least, most);
}

Status Loader::place_sections() {
  variable_red_zone_ = red_zone(false), shared_red_zone_ = red_zone(true);
  const Error too_large{"the kernel's code or its variables are too large for the emulator (64 KiB of code, 16 MiB of variables)"};
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    if (!reachable_[i]) continue;
    const Section& section = object_.sections()[i];
    if (section.is_thread_local) continue;
    address_[i] = section.executable ? text_.take(bytes_of(i), section.alignment) : data_.take(section.bytes, section.alignment, variable_red_zone_);
    if (address_[i] == nullptr) {
      refuse(too_large.message);
      return Done{};
    }
    if (const auto code = code_.find(i); code != code_.end()) std::ranges::copy(code->second.bytes, address_[i]);
    else if (!section.is_zero) std::memcpy(address_[i], section.data, section.bytes);
  }
  if (Status placed = place_shared(); !placed) return placed;
  for (const Symbol& symbol : object_.symbols())
    if (symbol.section != 0 && symbol.section < reachable_.size() && reachable_[symbol.section] && !symbol.is_function && symbol.bytes > 0)
      add_variable(symbol, symbol.section);
  return Done{};
}

Status Loader::place_shared() {
  std::uint64_t bank_base = 0;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    const Section& section = object_.sections()[i];
    if (!reachable_[i] || !section.is_thread_local) continue;
    bank_base = round_up(bank_base, section.alignment) + section.bytes;
  }
  module_.static_shared_bytes = bank_base;
  if (bank_base + options_.dynamic_shared_bytes > most_shared_bytes) return Done{};  // over the limit: never launched
  bank_base = 0;
  for (std::uint32_t i = 0; i < reachable_.size(); ++i) {
    const Section& section = object_.sections()[i];
    if (!reachable_[i] || !section.is_thread_local) continue;
    address_[i] = shared_.take(section.bytes, std::max<std::uint64_t>(section.alignment, 256), shared_red_zone_);
    if (address_[i] == nullptr) return Error{"too many shared arrays"};
    bank_base = round_up(bank_base, section.alignment) + section.bytes;
  }
  std::string dynamic_name;
  for (const auto& symbol : object_.symbols())
    if (symbol.is_thread_local && symbol.section == 0 && !runtime_variable(symbol.name) && dynamic_name.empty())
      dynamic_name = demangle(symbol.name);
  dynamic_shared_ = shared_.take(options_.dynamic_shared_bytes, 1024, shared_red_zone_);
  if (dynamic_shared_ == nullptr) return Error{"no room for dynamic shared memory"};
  if (dynamic_name.empty()) return Done{};
  Region region;
  region.role = Region::Role::shared_dynamic;
  region.space = Space::shared;
  region.name = last_name(dynamic_name);
  region.begin = dynamic_shared_;
  region.size = options_.dynamic_shared_bytes;
  region.bank_base = round_up(module_.static_shared_bytes, 16);
  region.red_zone_before = region.red_zone_after = shared_red_zone_;
  window_.add(std::move(region));
  return Done{};
}

void Loader::add_variable(const Symbol& symbol, std::uint32_t section) {
  if (address_[section] == nullptr) return;
  const bool shared = symbol.is_thread_local;
  const std::uint64_t red_zone = shared ? shared_red_zone_ : variable_red_zone_;
  const std::string full = demangle(symbol.name);
  Region region;
  region.role = shared ? Region::Role::shared_static : is_constant(object_.sections()[section]) ? Region::Role::constant : Region::Role::device_variable;
  region.space = shared ? Space::shared : Space::global;
  region.name = last_name(full);
  region.begin = address_[section] + symbol.value;
  region.size = std::min(symbol.bytes, object_.sections()[section].bytes - symbol.value);
  region.bank_base = 0;
  if (shared)
    for (std::uint32_t i = 0; i < section; ++i)
      if (reachable_[i] && object_.sections()[i].is_thread_local)
        region.bank_base = round_up(region.bank_base, object_.sections()[i].alignment) + object_.sections()[i].bytes;
  region.red_zone_before = region.red_zone_after = red_zone;
  for (const Symbol& other : object_.symbols()) {  // declared together, as `__constant__ int a, b;`
    if (other.section != section || other.bytes == 0 || other.is_function) continue;
    if (other.value > symbol.value) region.red_zone_after = std::min(region.red_zone_after, other.value - std::min(other.value, symbol.value + symbol.bytes));
    if (other.value < symbol.value) region.red_zone_before = std::min(region.red_zone_before, symbol.value - std::min(symbol.value, other.value + other.bytes));
  }
  window_.add(std::move(region));
}

std::uint64_t Loader::value_of(const Symbol& symbol) const {
  if (symbol.is_absolute || symbol.section == 0) return symbol.is_absolute ? symbol.value : 0;
  // A debug section has no address: its symbols are offsets.
  return reinterpret_cast<std::uint64_t>(address_[symbol.section]) + symbol.value;
}

// Where to call a runtime function: itself, or a jump that reaches anywhere when it is further away than a call can go.
// By an address a kernel calls only what lies in its own text.
std::uint64_t Loader::stub_for(std::uint32_t symbol, bool by_address) {
  const auto target = reinterpret_cast<std::uint64_t>(functions_.at(symbol).address);
  constexpr std::uint64_t reach = 1ull << 30;  // half of what a call reaches
  if (!by_address && target - reinterpret_cast<std::uint64_t>(window_.image()) + reach < 2 * reach) return target;
  if (const auto known = stubs_.find(symbol); known != stubs_.end()) return known->second;
  std::uint8_t* stub = text_.take(stub_bytes, stub_bytes);
  if (stub == nullptr) return 0;
  static constexpr std::uint8_t jump[8] = {0xff, 0x25, 0x02, 0, 0, 0, 0x90, 0x90};
  std::memcpy(stub, jump, sizeof jump);
  std::memcpy(stub + 8, &target, sizeof target);
  callable_stubs_.push_back(static_cast<std::uint32_t>(stub - window_.image()));
  return stubs_[symbol] = reinterpret_cast<std::uint64_t>(stub);
}

// A word that holds `value`: what a GOT entry would be. In the text, where the kernel cannot change it.
std::uint64_t Loader::slot_for(std::uint32_t symbol, std::uint64_t value) {
  if (const auto known = slots_.find(symbol); known != slots_.end()) return known->second;
  std::uint8_t* slot = text_.take(8, 8);
  if (slot == nullptr) return 0;
  std::memcpy(slot, &value, sizeof value);
  return slots_[symbol] = reinterpret_cast<std::uint64_t>(slot);
}

Status Loader::relocate() {
  for (std::uint32_t i = 0; i < address_.size(); ++i) {
    const bool debug = object_.sections()[i].name.starts_with(".debug_");
    if (address_[i] == nullptr && !debug) continue;
    if (object_.sections()[i].is_thread_local) continue;
    for (const Relocation& relocation : relocations_of(i))
      if (Status applied = apply(relocation, i); !applied) return applied;
  }
  return Done{};
}

Status Loader::apply(const Relocation& relocation, std::uint32_t section) {
  const Symbol& symbol = object_.symbols()[relocation.symbol];
  const bool loaded = address_[section] != nullptr;
  std::uint8_t* field = (loaded ? address_[section] : object_.mutable_data(section)) + relocation.offset;
  const auto place = reinterpret_cast<std::uint64_t>(field);
  const auto addend = static_cast<std::uint64_t>(relocation.addend);
  const std::uint64_t room = bytes_of(section) - relocation.offset;
  const Error malformed{fmt::format("the object file has a relocation (type {}) that cannot be applied", relocation.type)};
  const auto put64 = [&](std::uint64_t value) -> Status {
    if (room < 8) return malformed;
    std::memcpy(field, &value, 8);
    return Done{};
  };
  const auto put32 = [&](std::uint64_t value, bool is_signed) -> Status {
    const auto wide = static_cast<std::int64_t>(value);
    const bool fits = is_signed ? wide == static_cast<std::int32_t>(wide) : value == static_cast<std::uint32_t>(value);
    if (room < 4 || !fits) return malformed;
    const auto narrow = static_cast<std::uint32_t>(value);
    std::memcpy(field, &narrow, 4);
    return Done{};
  };
  if (loaded && unsupported_.contains(relocation.symbol)) {
    if (unsupported_[relocation.symbol] == 0) unsupported_[relocation.symbol] = place;
    return Done{};
  }
  const bool is_runtime = functions_.contains(relocation.symbol);
  const bool is_code = object_.sections()[section].executable;
  const std::uint8_t before = relocation.offset == 0 || !loaded ? 0 : field[-1];
  const bool called = is_code && (before == call_opcode || before == jump_opcode);
  std::uint64_t value = is_runtime && loaded ? stub_for(relocation.symbol, !called) : value_of(symbol);
  if (is_runtime && loaded) {
    if (value == 0) return malformed;
    const RuntimeFunction& function = functions_.at(relocation.symbol);
    const std::uint64_t return_address = place + 4;
    module_.blocks_are_apart &= called;
    if (!called && (function.bytes != 0 || is_reserved(symbol.name))) by_address_.try_emplace(relocation.symbol, place);
    if (is_code) {
      Site& site = (*module_.sites)[static_cast<SiteNumber>(return_address)];
      site.kind = function.kind;
      site.bytes = function.bytes;
      site.scope = function.scope;
      site.is_volatile = function.is_volatile;
      site.adds_one = symbol.name.starts_with("histolab_atomicAdd") && sets_second_argument_to_one(field, relocation.offset);
      if (const MergeableUpdate update = mergeable_update(symbol.name); update != MergeableUpdate::none)
        module_.mergeable_updates[static_cast<SiteNumber>(return_address)] = update;
      module_.calls.push_back(static_cast<SiteNumber>(return_address));
      if (function.reads_and_writes) {
        (*module_.sites)[static_cast<SiteNumber>(return_address - 1)].kind = AccessKind::load;
        module_.calls.push_back(static_cast<SiteNumber>(return_address - 1));
      }
      module_.has_compare_and_swap |= function.kind == AccessKind::compare_and_swap;
    }
  }
  const auto thread_pointer = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
  const auto thread_offset = [&]() -> std::uint64_t {
    if (const auto built_in = built_ins_.find(relocation.symbol); built_in != built_ins_.end()) return static_cast<std::uint64_t>(built_in->second);
    const std::uint64_t variable = symbol.section == 0 ? reinterpret_cast<std::uint64_t>(dynamic_shared_) : value_of(symbol);
    const bool placed = symbol.section == 0 ? dynamic_shared_ != nullptr : address_[symbol.section] != nullptr;
    return placed ? variable - thread_pointer : 0;  // over the limit: never launched
  };
  switch (relocation.type) {
    case R_X86_64_NONE: return Done{};
    case R_X86_64_64: return put64(value + addend);
    case R_X86_64_PC32:
    case R_X86_64_PLT32: return put32(value + addend - place, true);
    case R_X86_64_PC64: return put64(value + addend - place);
    case R_X86_64_32: return put32(value + addend, false);
    case R_X86_64_32S: return put32(value + addend, true);
    case R_X86_64_TPOFF32: return put32(thread_offset() + addend, true);
    case R_X86_64_TPOFF64: return put64(thread_offset() + addend);
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: return put32(slot_for(relocation.symbol, value) + addend - place, true);
    case R_X86_64_GOTTPOFF: return put32(slot_for(relocation.symbol, thread_offset()) + addend - place, true);
    case R_X86_64_DTPOFF32:
    case R_X86_64_DTPOFF64:  // debug information about shared arrays
      if (loaded) return malformed;
      if (options_.debugged && relocation.offset > 0 && room > 8 && address_[symbol.section] != nullptr)
        static_cast<void>(make_location_absolute(field, value_of(symbol)));  // what it is else, the debugger cannot follow, which is no harm
      return Done{};
    default: return malformed;
  }
}

void Loader::read_exports() {
  for (const Symbol& symbol : object_.symbols()) {
    if (!is_export(symbol)) continue;
    std::uint32_t value = 0;
    const bool fits = symbol.bytes == sizeof value && symbol.value + sizeof value <= object_.sections()[symbol.section].bytes;
    if (!fits || address_[symbol.section] == nullptr) {
      refuse(fmt::format("`{}` must be an unsigned int: extern \"C\" __device__ const unsigned int {} = ...;", symbol.name, symbol.name));
      continue;
    }
    std::memcpy(&value, address_[symbol.section] + symbol.value, sizeof value);
    module_.exports[symbol.name] = value;
  }
}

void Loader::name_sites() {
  for (std::size_t offset = 1; offset < module_.lines.size(); ++offset) {
    Site& site = (*module_.sites)[offset];
    site.line = module_.lines[offset - 1];
    for (const WideAccess& access : options_.wide_accesses)
      if (access.line == site.line) site.wide |= access.bytes;
  }
}

void Loader::explain_unsupported() {
  for (const auto& [number, address] : unsupported_) {
    const std::string name = demangle(object_.symbols()[number].name);
    const bool of_the_host = name.starts_with("__tsan_atomic");
    refuse(of_the_host ? "an atomic variable of the host's (std::atomic, __atomic_...) cannot be used in a kernel. Use atomicAdd and its kin, or "
                         "cuda::atomic_ref of <cuda/atomic>"
                       : fmt::format("`{}` cannot be used in a kernel here: it is no device function that this emulator knows", name),
           module_.line_of(address - 1, window_));
  }
  for (const auto& [number, address] : by_address_)
    refuse(fmt::format("the address of `{}` is taken: call it by its name, so that the emulator knows each place that does",
                       cuda_name(object_.symbols()[number].name)),
           module_.line_of(address - 1, window_));
}

void Loader::find_control_flow() {
  std::ranges::sort(module_.calls);
  const auto entry = static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(module_.entry) - window_.image());
  module_.flow = ControlFlow(decode_flow(module_.text, entry), module_.calls);
}

void Loader::show_to_debugger(std::uint32_t kernel_section) {
  histolab_debug_view.text = reinterpret_cast<std::uint64_t>(window_.image());
  histolab_debug_view.kernel = reinterpret_cast<std::uint64_t>(address_[kernel_section]);
  histolab_debug_view.kernel_bytes = object_.sections()[kernel_section].bytes;
  module_.debugger_image = std::make_unique<DebuggerImage>(image_for_debugger(object_, address_));
}

// The shim writes __launch_bounds__(n) as constructor(n): that is how an evaluated number gets into the object, as the
// name of the section that refers to the kernel. Nobody runs constructors here.
void Loader::read_launch_bounds(std::uint32_t kernel_section) {
  constexpr std::string_view prefix = ".init_array.";
  for (std::uint32_t i = 0; i < object_.sections().size(); ++i) {
    const std::string& name = object_.sections()[i].name;
    if (!name.starts_with(prefix)) continue;
    for (const Relocation& relocation : object_.relocations(i))
      if (object_.symbols()[relocation.symbol].section == kernel_section)
        module_.max_threads_per_block = static_cast<std::uint32_t>(std::strtoul(name.c_str() + prefix.size(), nullptr, 10));
  }
}

// Variables of the file, not of a function, and no tables of the compiler's own. A constant is there when its place in
// memory is used, and not only its value.
void Loader::name_variables() {
  for (const Symbol& symbol : object_.symbols()) {
    const Section& section = object_.sections()[symbol.section];
    if (symbol.section == 0 || !reachable_[symbol.section] || symbol.is_function || symbol.is_thread_local || symbol.bytes == 0 || section.executable || is_constant(section)) continue;
    const std::string full = demangle(symbol.name);
    if (full.find_first_of("( ") != std::string::npos) continue;
    const int line = line_of_first_use(symbol.section);
    if (line != 0 || section.writable) module_.variables.push_back({last_name(full), line});
  }
}

int Loader::line_of_first_use(std::uint32_t section) const {
  int first = 0;
  for (std::uint32_t i = 0; i < address_.size(); ++i) {
    if (address_[i] == nullptr || !object_.sections()[i].executable) continue;
    for (const Relocation& relocation : relocations_of(i)) {
      if (object_.symbols()[relocation.symbol].section != section) continue;
      const int line = module_.line_of(reinterpret_cast<std::uint64_t>(address_[i]) + relocation.offset, window_);
      if (line != 0 && (first == 0 || line < first)) first = line;
    }
  }
  return first;
}

}  // namespace

Result<Module> Module::load(std::span<const std::uint8_t> bytes, const KernelSignature& signature, Window& window,
                            const ModuleOptions& options) {
  Result<ObjectFile> object = ObjectFile::parse(bytes);
  if (!object) return object.error();
  Module module;
  module.sites = std::make_unique<SiteTable>();
  Loader loader(*object, signature, window, options, module);
  if (Status loaded = loader.load(); !loaded) return loaded.error();
  return module;
}

}  // namespace histolab::kernels::emulator
