#include "grader/sandbox/sandbox.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "grader/sandbox/obstacle.h"
#include "grader/sandbox/system_calls.h"
#include "kernels/worker/processes/dropping_privileges.h"

namespace histolab::sandbox {
namespace {

namespace fs = std::filesystem;
using kernels::worker::ProcessResult;
using kernels::worker::ProcessSpec;
using kernels::worker::Purpose;

// The filter's descriptor in histolab-confine. The worker's own descriptors begin at 3.
constexpr int filter_descriptor = 60;
// Per user number or namespace; g++ needs four.
constexpr std::uint64_t most_processes = 64;
constexpr const char* private_tmp_bytes = "134217728";

// The system's programs and libraries. A compiler has parts in all of these folders.
constexpr std::array system_folders = {"/usr",   "/bin",    "/lib", "/lib32",
                                       "/lib64", "/libx32", "/sbin"};
constexpr std::array system_files = {"/etc/ld.so.cache", "/etc/alternatives"};

// The devices that a child may use. A C library takes random numbers from one.
std::vector<const char*> devices_of(Purpose purpose) {
  if (purpose == Purpose::program) return {"/dev/null", "/dev/zero", "/dev/urandom"};
  return {"/dev/null"};
}

std::string found_in_path(const std::string& program) {
  const std::vector<std::string> places = kernels::worker::places_of_program(program);
  const auto found = std::ranges::find_if(
      places, [](const std::string& place) { return access(place.c_str(), X_OK) == 0; });
  return found == places.end() ? places.front() : *found;
}

void append(std::vector<std::string>& to, std::initializer_list<std::string> words) {
  to.insert(to.end(), words);
}

// Whether one of the system's folders contains the path.
bool is_in_system(const fs::path& path) {
  if (path.relative_path().empty()) return false;
  const std::string first = "/" + path.relative_path().begin()->string();
  return std::ranges::find(system_folders, first) != system_folders.end();
}

// Folders above a mount are created explicitly: those that bubblewrap creates are accessible to
// root only.
void make_above(std::vector<std::string>& words, const std::string& path) {
  fs::path above = "/";
  for (const fs::path& part : fs::path(path).parent_path().relative_path()) {
    above /= part;
    append(words, {"--perms", "0755", "--dir", above.string()});
  }
}

// Shows a file or folder at its outside path.
void show(std::vector<std::string>& words, const char* how, const std::string& path) {
  if (is_in_system(path)) return;
  make_above(words, path);
  append(words, {how, path, path});
}

// Returns an Error for a folder that shows the machine: all of it, or its processes and devices.
Status check_shown(const std::string& folder) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(folder, ignored);
  const fs::path rest = real.relative_path();
  const std::string first = rest.empty() ? "" : rest.begin()->string();
  if (!rest.empty() && first != "proc" && first != "sys" && rest != "dev") return Done{};
  return Error{fmt::format(
      "a program may not see {}: change to the folder of your program, and keep its files there",
      real.string())};
}

bool is_root() { return geteuid() == 0; }

std::string release_of_linux() {
  utsname system{};
  return uname(&system) == 0 ? system.release : "";
}

}  // namespace

std::string_view name(Tier tier) {
  switch (tier) {
    case Tier::full: return "full";
    case Tier::reduced: return "reduced";
    case Tier::none: break;
  }
  return "none";
}

Sandbox Sandbox::best(Places places, Tier wanted) {
  std::vector<Obstacle> obstacles;
  for (const Tier tier : {Tier::full, Tier::reduced}) {
    if (tier < wanted) continue;
    Sandbox sandbox(places, tier);
    if (const Status ready = sandbox.prepare(); !ready) {
      obstacles.push_back({tier, ready.error().message, "./histolab setup"});
      continue;
    }
    if (std::optional<Obstacle> met = sandbox.try_tier()) {
      obstacles.push_back(std::move(*met));
      continue;
    }
    sandbox.obstacles_ = std::move(obstacles);
    return sandbox;
  }
  Sandbox nothing(std::move(places), Tier::none);
  nothing.obstacles_ = std::move(obstacles);
  return nothing;
}

Status Sandbox::prepare() {
  if (is_root()) user_ = TRY(UserNumber::take());
  // With namespaces, signals cannot reach other processes.
  const FilterOptions options{.shares_user = tier_ == Tier::reduced};
  for (auto [filter, place] :
       {std::pair{Filter::tools, &tools_}, std::pair{Filter::driver, &driver_},
        std::pair{Filter::kernel, &kernel_}}) {
    *place = TRY(filter_program(filter, options));
  }
  return Done{};
}

// Tries the tier: the combined effect of a machine's kernel, profiles and limits cannot be
// predicted.
std::optional<Obstacle> Sandbox::try_tier() const {
  if (tier_ == Tier::full && access(places_.bubblewrap.c_str(), X_OK) != 0) return no_bubblewrap();
  if (struct stat shim{};
      user_ && stat((places_.include_dir + "/histolab/cuda_shim.h").c_str(), &shim) == 0 &&
      (shim.st_mode & S_IROTH) == 0)
    return Obstacle{tier_, fmt::format("other users cannot read {}", places_.include_dir),
                    fmt::format("chmod -R a+rX {}", places_.include_dir)};
  ProcessSpec spec;
  spec.command = {places_.worker, "try"};
  spec.purpose = Purpose::serve;
  spec.confinement = this;
  const Result<ProcessResult> ran = kernels::worker::run_process(spec);
  if (!ran) return Obstacle{tier_, ran.error().message, "./histolab setup"};
  if (ran->end == ProcessResult::End::exited && ran->code == 0) return std::nullopt;
  return obstacle_from(tier_, ran->errors);
}

// The options of bubblewrap: a new root that contains only the named paths.
std::vector<std::string> Sandbox::namespaces_for(const ProcessSpec& spec) const {
  std::vector<std::string> words = {places_.bubblewrap, "--unshare-pid", "--unshare-net",
                                    "--unshare-ipc",    "--unshare-uts", "--unshare-cgroup-try",
                                    "--hostname",       "histolab"};
  // Root needs no user namespace and drops its rights through a real user number. Other users need
  // a user namespace in which they are root.
  if (user_)
    append(words, {"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  else
    append(words, {"--unshare-user", "--cap-drop", "ALL"});
  std::error_code ignored;
  for (const char* folder : system_folders) {
    if (fs::is_symlink(folder, ignored))
      append(words, {"--symlink", fs::read_symlink(folder, ignored).string(), folder});
    else if (fs::is_directory(folder, ignored))
      append(words, {"--ro-bind", folder, folder});
  }
  for (const char* file : system_files) show(words, "--ro-bind-try", file);
  if (spec.purpose != Purpose::serve)
    append(words, {"--perms", "1777", "--size", private_tmp_bytes, "--tmpfs", "/tmp"});
  for (const char* device : devices_of(spec.purpose)) show(words, "--dev-bind", device);
  show(words, "--ro-bind", places_.confine);
  if (spec.purpose == Purpose::serve) show(words, "--ro-bind", places_.worker);
  if (spec.purpose == Purpose::compile) show(words, "--ro-bind", places_.include_dir);
  for (const std::string& folder : spec.reads) show(words, "--ro-bind", folder);
  const bool is_program = spec.purpose == Purpose::program;
  if (!spec.directory.empty() && !is_program) show(words, "--bind", spec.directory);
  for (const std::string& folder : spec.writes) show(words, "--bind", folder);
  // A program's own folder is in memory: on the disk, the number of its files would be unlimited.
  if (!spec.directory.empty() && is_program) {
    make_above(words, spec.directory);
    append(words, {"--perms", "1777", "--size", private_tmp_bytes, "--tmpfs", spec.directory});
    if (spec.command.front().starts_with(spec.directory + "/"))
      append(words, {"--ro-bind", spec.command.front(), spec.command.front()});
  }
  append(words, {"--remount-ro", "/", "--"});
  return words;
}

// The Landlock options of histolab-confine.
std::vector<std::string> Sandbox::files_for(const ProcessSpec& spec) const {
  std::vector<std::string> words;
  for (const char* device : devices_of(spec.purpose)) append(words, {"write", device});
  for (const char* folder : system_folders) append(words, {"read", folder});
  for (const char* file : system_files) append(words, {"read", file});
  for (const std::string& folder : spec.reads) append(words, {"read", folder});
  if (!spec.directory.empty()) append(words, {"write", spec.directory});
  for (const std::string& folder : spec.writes) append(words, {"write", folder});
  if (spec.purpose == Purpose::serve) append(words, {"read", places_.worker});
  if (spec.purpose == Purpose::compile) append(words, {"read", places_.include_dir});
  if (spec.purpose != Purpose::gpu) return words;
  append(words, {"read", spec.command.front()});
  for (const char* folder : {"/proc", "/sys", "/etc", "/run", "/var/run"})
    append(words, {"read", folder});
  for (const std::string& folder : places_.cuda) append(words, {"read", folder});
  // The driver names its threads there, and fails if it cannot.
  append(words, {"write", "/proc/self/task"});
  std::error_code ignored;
  for (fs::directory_iterator device{"/dev", ignored}, end; !ignored && device != end;
       device.increment(ignored))
    if (device->path().filename().string().starts_with("nvidia"))
      append(words, {"write", device->path().string()});
  return words;
}

std::vector<std::string> Sandbox::confinement_for(const ProcessSpec& spec) const {
  std::vector<std::string> words = {places_.confine};
  if (!spec.name.empty()) append(words, {"name", spec.name});
  if (spec.purpose == Purpose::gpu) {
    for (std::string& word : files_for(spec)) words.push_back(std::move(word));
    append(words, {"filter", std::to_string(filter_descriptor), "--"});
    return words;
  }
  if (user_) append(words, {"uid", std::to_string(user_->get())});
  // For an ordinary user without namespaces, this limit would count the user's other processes.
  if (user_ || (tier_ == Tier::full && counts_processes_by_namespace(release_of_linux())))
    append(words, {"processes", std::to_string(most_processes)});
  if (tier_ == Tier::reduced)
    for (std::string& word : files_for(spec)) words.push_back(std::move(word));
  const std::string& start = spec.starts_in.empty() ? spec.directory : spec.starts_in;
  if (!start.empty()) append(words, {"directory", start});
  if (spec.fixed_addresses) append(words, {"addresses", "fixed"});
  append(words, {"filter", std::to_string(filter_descriptor), "--"});
  return words;
}

Result<ProcessSpec> Sandbox::confine(ProcessSpec spec) const {
  if (tier_ == Tier::none) return spec;
  for (const std::vector<std::string>* folders : {&spec.reads, &spec.writes})
    for (const std::string& folder : *folders) TRY(check_shown(folder));
  // The folder is mounted at its own path, so paths below it are the same inside and outside.
  if (user_ && !spec.directory.empty()) {
    std::vector<std::string> all = {spec.directory};
    std::error_code unread;
    for (fs::directory_iterator entry{spec.directory, unread}, end; !unread && entry != end;
         entry.increment(unread))
      all.push_back(entry->path().string());
    if (unread) return Error{fmt::format("cannot read {}: {}", spec.directory, unread.message())};
    for (const std::string& path : all)
      if (lchown(path.c_str(), user_->get(), user_->get()) != 0)
        return Error{fmt::format("cannot give {} to the user of the sandbox: {}", path,
                                 std::strerror(errno))};
  }
  std::vector<std::string> command;
  const bool apart = tier_ == Tier::full && spec.purpose != Purpose::gpu;
  if (apart) command = namespaces_for(spec);
  for (std::string& word : confinement_for(spec)) command.push_back(std::move(word));
  command.push_back(found_in_path(spec.command.front()));
  command.insert(command.end(), spec.command.begin() + 1, spec.command.end());
  spec.command = std::move(command);
  spec.name.clear();
  spec.descriptors.emplace_back((spec.purpose == Purpose::gpu ? driver_ : tools_).get(),
                                filter_descriptor);
  if (spec.purpose == Purpose::serve)
    spec.descriptors.emplace_back(kernel_.get(), kernels::worker::serve_filter);
  if (apart && !spec.directory.empty() && spec.purpose != Purpose::program) {
    std::erase_if(spec.environment,
                  [](const std::string& each) { return each.starts_with("TMPDIR="); });
    spec.environment.emplace_back("TMPDIR=/tmp");
  }
  spec.confinement = nullptr;
  return spec;
}

}  // namespace histolab::sandbox
