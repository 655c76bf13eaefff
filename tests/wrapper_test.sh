#!/usr/bin/env bash
# Tests the wrapper, ./histolab, in a copy of the tree with fake commands first in PATH: cmake,
# ctest, dpkg-query, apt-get, apt-cache, sudo, id, pip3, python3, nvidia-smi and df. A fake command
# appends its arguments to $calls and behaves as the files in $fakes say. So all branches run in
# seconds, without a compiler, a network, a GPU or the right to install.
set -uo pipefail
repository=${HISTOLAB_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
work=$(mktemp -d "${TMPDIR:-/tmp}/histolab wrapper.XXXXXX") || exit 2
trap 'rm -rf -- "$work"' EXIT
unset HISTOLAB_BUILD_DIR HISTOLAB_PRESET HISTOLAB_YES HISTOLAB_IMGUI_DIR HISTOLAB_REQUIRE_SLURM
export fakes=$work/fakes calls=$work/calls
tree="$work/a tree with spaces"
failures=0
checks=0

# ---- the fake environment --------------------------------------------------------------------------
mkdir -p "$fakes" "$work/bin" "$tree/grader" "$tree/tools/fuzzer" "$tree/cmake" "$tree/labs/01-race" "$tree/docs" "$tree/tests" "$work/elsewhere"
# The files of a GPU, its driver and an installed toolkit are in $fakes, whatever this machine has.
# shellcheck disable=SC2016
machine='s#/proc/driver/nvidia/gpus#"$fakes"/gpu#g; s#/dev/nvidia0#"$fakes"/nvidia0#g; s#/proc/driver/nvidia/version#"$fakes"/driver#g
  s#/usr/local/cuda/bin/nvcc#"$fakes"/nvcc#g'
sed "$machine" "$repository/histolab" >"$tree/histolab"
sed "$machine" "$repository/cmake/setup_cuda.bash" >"$tree/cmake/setup_cuda.bash"
chmod +x "$tree/histolab"
cp "$repository"/cmake/{cuda-1?.txt,cuda_wheels.py,imgui.txt,setup_viewer.bash} "$tree/cmake/"
echo 'project(x)' >"$tree/CMakeLists.txt"
echo '{}' >"$tree/CMakePresets.json"
echo 'module' >"$tree/grader/CMakeLists.txt"
echo 'int x;' >"$tree/grader/x.cpp"
echo 'program' >"$tree/tools/fuzzer/CMakeLists.txt"
echo '{}' >"$tree/labs/01-race/lab.json"

fake() { # NAME, body on stdin
  # shellcheck disable=SC2016
  { printf '#!/usr/bin/env bash\nprintf "%%s\\n" "%s $*" >>"$calls"\n' "$1" && cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
fake cmake <<'FAKE'
if [[ $1 == --build ]]; then
  [[ -e $fakes/build_is_slow ]] && { echo $$ >"$fakes/builder"; echo '[1/9] slow'; sleep 1000000; }
  if [[ -e $fakes/build_fails ]]; then
    printf '%s\n' '[1/2] Building CXX object w.o' 'w.cpp:1:1: warning: w' '[1/2] Building CXX object x.o' 'FAILED: x.o' 'c++ -c x.cpp' "x.cpp:1:1: error: 'y' was not declared"
    exit 1
  fi
  echo '[1/1] Linking'
  mkdir -p "$2/bin"
  printf '#!/usr/bin/env bash\necho "program in $PWD with <$*>"\nexit 1\n' >"$2/bin/histolab"
  cp "$2/bin/histolab" "$2/bin/histolab-worker"
  [[ $4 == histolab_viewer || $4 == histolab_tests ]] && cp "$2/bin/histolab" "$2/bin/histolab-viewer"
  chmod +x "$2/bin/"*
else
  if [[ -e $fakes/configure_fails && $1 != --fresh ]]; then echo 'CMake Error: the source does not match'; exit 1; fi
  while [[ $1 != -B ]]; do shift; done
  touch "$2/build.ninja"
  imgui=$2/imgui
  [[ ${3-} == -DHISTOLAB_IMGUI_DIR:PATH=?* ]] && imgui=${3#*=}
  if [[ -e $fakes/no_glfw ]]; then echo 'none pkg-config finds no glfw3'
  elif [[ -e $imgui ]]; then echo "$imgui"
  else echo "none there is no $imgui"; fi >"$2/imgui.txt"
  if [[ -e $2/cuda/version.txt ]]; then echo "13.0.88 nvcc $2/cuda" >"$2/cuda.txt"
  elif [[ -e $fakes/nvcc ]]; then echo "12.8.93 nvcc /opt/cuda" >"$2/cuda.txt"
  else echo none >"$2/cuda.txt"; fi
fi
FAKE
fake ctest <<'FAKE'
echo '100% tests passed, 0 tests failed out of 1'
exit "$(cat "$fakes/ctest_status" 2>/dev/null || echo 0)"
FAKE
fake dpkg-query <<'FAKE'
shift 3
for package; do grep -qx "$package" "$fakes/missing" 2>/dev/null || echo "$package installed"; done
FAKE
fake apt-cache <<'FAKE'
[[ ! -e $fakes/lists_empty ]]
FAKE
fake apt-get <<'FAKE'
[[ " $* " == *' update '* ]] && rm -f "$fakes/lists_empty" && exit 0
[[ -e $fakes/apt_fails || -e $fakes/lists_empty ]] && { echo 'E: Unable to locate package'; exit 100; }
rm -f "$fakes/missing"
FAKE
fake sudo <<'FAKE'
[[ -e $fakes/sudo_refuses ]] && { echo 'sudo: a password is required' >&2; exit 1; }
while [[ $1 == -n || $1 == -v ]]; do shift; [[ $# == 0 ]] && exit 0; done
"$@"
FAKE
fake id <<'FAKE'
[[ $1 == -u ]] && { cat "$fakes/uid" 2>/dev/null || echo 0; exit; }
echo somebody
FAKE
fake nvidia-smi <<'FAKE'
cat "$fakes/nvidia-smi" 2>/dev/null
FAKE
fake df <<'FAKE'
printf 'Filesystem 1048576-blocks Used Available Capacity Mounted on\ndisk 9 9 %s 9%% /\n' "$(cat "$fakes/disk" 2>/dev/null || echo 99999)"
FAKE
fake pip3 <<'FAKE'
while [[ $1 != --dest ]]; do shift; done
[[ -e $fakes/pip_is_slow ]] && { echo $$ >"$fakes/pip"; sleep 1000000; }
[[ -e $fakes/pip_says ]] && cat "$fakes/pip_says" && exit 1
mkdir -p "$2" && cp "$wheels"/*.whl "$2"
FAKE
# No program of this test's toolkit runs, and nothing is fetched.
real_python=$(command -v python3)
export real_python wheels=$work/wheels
fake python3 <<'FAKE'
if [[ $1 == *fetch_imgui.py ]]; then
  [[ -e $fakes/fetch_is_slow ]] && { mkdir "$3.part" && echo $$ >"$fakes/fetcher"; sleep 1000000; }
  [[ -e $fakes/fetch_says ]] && cat "$fakes/fetch_says" >&2 && exit "$(cat "$fakes/fetch_status")"
  echo '54 of 54 MB'
  mkdir -p "$3" && cp "$2" "$3/imgui.txt"
  exit
fi
[[ $2 != check ]] && exec "$real_python" "$@"
[[ -e $fakes/check_fails ]] && echo 'NVRTC does not compile a kernel' && exit 1
echo 'NVRTC 13.0, nvcc'
FAKE
mkdir "$wheels"
"$real_python" - "$wheels" <<'WHEELS'
import sys, zipfile
for name, files in {
    "nvidia_cuda_nvcc-13.0.88": ["nvidia/cu13/bin/nvcc", "nvidia/cu13/bin/nvcc.profile", "nvidia/cu13/include/fatbinary_section.h",
                                 "nvidia_cuda_nvcc-13.0.88.dist-info/licenses/License.txt", "nvidia/cu13/.metadata/sizes.txt"],
    "nvidia_cuda_nvrtc-13.0.88": ["nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cu13/lib/libnvrtc.alt.so.13", "nvidia/cu13/include/nvrtc.h"],
    "nvidia_nvvm-13.0.88": ["nvidia/cu13/nvvm/bin/cicc"],
    # Like the wheels of CUDA 12: one folder each.
    "nvidia_cuda_runtime-13.0.96": ["nvidia/cuda_runtime/include/cuda_runtime.h", "nvidia/__init__.py"],
}.items():
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-py3-none-manylinux2014_x86_64.whl", "w") as wheel:
        for file in files:
            wheel.writestr(file, file)
WHEELS
export PATH="$work/bin:$PATH"

# ---- the assertions --------------------------------------------------------------------------------------------------
run() { # COMMAND...: sets status, out, err and empties the list of calls first
  : >"$calls"
  out=$("$@" </dev/null 2>"$work/err")
  status=$?
  err=$(<"$work/err")
}
expect() { # WHAT, then a test command
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  status %s\n  out: %s\n  err: %s\n  calls: %s\n' "$what" "$status" "$out" "$err" "$(<"$calls")"
}
is() { [[ $1 == "$2" ]]; }
has() { [[ $1 == *"$2"* ]]; }
lacks() { [[ $1 != *"$2"* ]]; }
called() { has "$(<"$calls")" "$1"; }
not_called() { lacks "$(<"$calls")" "$1"; }
# A zombie counts as gone: process 1 of a container may never reap it.
gone() { # PID
  ! kill -0 "$1" 2>/dev/null || grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
}
# Waits for an event. No verdict depends on the limit: only a test that hangs reaches it.
wait_for() { # COMMAND...
  local end=$((SECONDS + 1200))
  until "$@" 2>/dev/null || ((SECONDS > end)); do sleep 0.02; done
}
# Runs a command line in a terminal, types the answer at the prompt, and sets `out` to the
# terminal's output.
at_terminal() { # COMMAND-LINE ANSWER
  local typist
  rm -f "$work/keys" && mkfifo "$work/keys"
  : >"$work/shown"
  { wait_for grep -qF '[Y/n]' "$work/shown" && echo "$2"; } >"$work/keys" &
  typist=$!
  TERM=xterm script -qefc "$1" /dev/null <"$work/keys" >"$work/shown"
  kill "$typist" 2>/dev/null
  wait "$typist"
  out=$(<"$work/shown")
}
later() { # FILE: makes it look as if it was just edited
  sleep 0.02
  echo more >>"$1"
}

# ---- the first run, and the ones after it ------------------------------------------------------------------------------
cd "$work/elsewhere" || exit 2
run "$tree/histolab" grade --json 'a file'
expect 'the first run configures' called 'cmake --preset release -S'
expect 'the first run builds the program only' called '--target histolab_program'
expect 'the first run does not build the tests' not_called 'histolab_tests'
expect 'the program gets the arguments and the current directory' is "$out" "program in $work/elsewhere with <grade --json a file>"
expect "the program's status is the wrapper's" is "$status" 1
expect 'one progress line' is "$(wc -l <"$work/err")" 1
expect 'nothing is installed where nothing is missing' not_called 'apt-get'

run "$tree/histolab" list
expect 'nothing changed: no cmake, no dpkg-query' is "$(<"$calls")" ''
expect 'nothing changed: not a word' is "$err" ''

ln -s "$tree/histolab" "$work/link"
ln -s link "$work/link to a link"
run "$work/link to a link" list
expect 'through a symbolic link' is "$out$(<"$calls")" "program in $work/elsewhere with <list>"
cd "$tree" || exit 2
run ./histolab list
expect 'from its own directory' is "$out$(<"$calls")" "program in $tree with <list>"
cd "$work/elsewhere" || exit 2

later "$tree/labs/01-race/lab.json"
later "$tree/docs/note.md"
later "$tree/report.json"
later "$tree/tools/script"
run "$tree/histolab" list
expect 'labs, docs, reports and scripts are no reason to build' is "$(<"$calls")" ''
later "$tree/grader/x.cpp"
run "$tree/histolab" list
expect 'a changed source is built' called 'cmake --build'
expect 'a changed source does not configure' not_called '--preset'
later "$tree/tools/fuzzer/main.cpp"
run "$tree/histolab" list
expect 'a changed source of a tool is built' called 'cmake --build'
touch -d '2001-01-01' "$tree/grader/old.cpp"
run "$tree/histolab" list
expect 'an added source is noticed, however old' called 'cmake --build'
rm "$tree/grader/old.cpp"
run "$tree/histolab" list
expect 'a deleted source is noticed' called 'cmake --build'
rm "$tree/build/release/bin/histolab-worker"
run "$tree/histolab" list
expect 'a lost program is built again' called 'cmake --build'
run "$tree/histolab" list
expect 'and then all is quiet' is "$(<"$calls")" ''
mv "$tree/tools" "$work/tools"
run "$tree/histolab" list
run "$tree/histolab" list
expect "all is quiet in a bundle's sources, too, which have no tools" is "$(<"$calls")" ''
mv "$work/tools" "$tree/tools"
run "$tree/histolab" list
mv "$tree/tests" "$work/tests" # as in a student edition
run "$tree/histolab" test
expect 'sources without tests cannot be tested' has "$err" 'these sources came without tests'
later "$tree/grader/x.cpp"
run "$tree/histolab" setup
expect 'and setup builds the program alone' called '--target histolab_program'
mv "$work/tests" "$tree/tests"
run "$tree/histolab" list

milliseconds=$(for _ in 1 2 3 4 5; do
  start=${EPOCHREALTIME/[.,]/}
  "$tree/histolab" list >/dev/null
  echo $(((${EPOCHREALTIME/[.,]/} - start) / 1000))
done | sort -n | head -n 1)
printf 'a run that changes nothing: %s ms\n' "$milliseconds"

# ---- build folder and build ------------------------------------------------------------------------
run env HISTOLAB_BUILD_DIR="$work/other build" HISTOLAB_PRESET=ci "$tree/histolab" list
expect 'HISTOLAB_BUILD_DIR and HISTOLAB_PRESET' called "cmake --preset ci -S $tree -B $work/other build/ci"
run env HISTOLAB_BUILD_DIR=here "$tree/histolab" list
expect 'a relative HISTOLAB_BUILD_DIR' test -x "$work/elsewhere/here/release/bin/histolab"
run env HISTOLAB_PRESET=fast "$tree/histolab" list
expect 'an unknown preset: status 2' is "$status" 2
expect 'an unknown preset is named' has "$err" 'no preset "fast"'
# shellcheck disable=SC2016
run env HISTOLAB_PRESET=fast bash -c '"$0" list 2>/dev/full' "$tree/histolab"
expect 'an unknown preset, and a full disk for the words: status 2' is "$status" 2
expect 'an unknown preset, and a full disk for the words: nothing is built' not_called 'cmake'
run env HISTOLAB_BUILD_DIR=/proc/nowhere "$tree/histolab" list
expect 'a build folder that cannot be made: status 2' is "$status" 2
expect 'a build folder that cannot be made: what to do' has "$err" 'HISTOLAB_BUILD_DIR'
# A read-only tree. (A folder instead of the lock file also stops root.)
rm "$tree/build/release/.lock" && mkdir "$tree/build/release/.lock"
sed -i '/status$/s/^./9/' "$tree/build/release/.stamp-program"
run "$tree/histolab" list
expect 'read-only, and some package changed since it was built: it runs' has "$out" 'program in'
later "$tree/grader/x.cpp"
run "$tree/histolab" list
expect 'read-only, and a source changed: status 2' is "$status" 2
rmdir "$tree/build/release/.lock"
mv "$tree" "$tree moved"
: >"$fakes/configure_fails"
run "$tree moved/histolab" list
expect 'a moved tree is configured from the beginning' called 'cmake --fresh --preset release'
expect 'a moved tree runs' has "$out" 'program in'
rm "$fakes/configure_fails"
mv "$tree moved" "$tree"
run "$tree/histolab" list

: >"$fakes/build_fails"
later "$tree/grader/x.cpp"
run "$tree/histolab" list
expect 'a failed build: status 2' is "$status" 2
expect "a failed build shows the compiler's words" has "$err" "x.cpp:1:1: error: 'y' was not declared"
expect 'a failed build keeps the progress to itself' lacks "$err" '[1/2]'
expect 'a failed build keeps the command line to itself' lacks "$err" 'c++ -c'
expect 'a failed build keeps the warnings of others to itself' lacks "$err" 'warning'
expect 'a failed build says what to do' has "$err" 'run this again'
rm "$fakes/build_fails"
run "$tree/histolab" list
expect 'a failed build is tried again' called 'cmake --build'

# Two first runs at once: one builds, the other waits and then finds everything done.
rm -rf "$tree/build"
: >"$calls"
for copy in 1 2; do "$tree/histolab" list >"$work/out.$copy" 2>/dev/null </dev/null & done
wait
expect 'two at once build once' is "$(grep -c -e --build "$calls")" 1
expect 'two at once both run' is "$(cat "$work"/out.? | sort -u)" "program in $work/elsewhere with <list>"

# A signal during the build leaves no child behind, and the next run continues. (Background
# processes of a script ignore INT.)
: >"$fakes/build_is_slow"
later "$tree/grader/x.cpp"
"$tree/histolab" list >/dev/null 2>"$work/err" </dev/null &
wrapper=$!
wait_for test -s "$fakes/builder"
builder=$(<"$fakes/builder")
kill -TERM "$wrapper"
wait "$wrapper"
status=$?
wait_for gone "$builder"
expect 'SIGTERM: the status says so' is "$status" 143
expect 'SIGTERM: no compiler is left' gone "$builder"
expect 'SIGTERM: a word' has "$(<"$work/err")" 'interrupted'
rm "$fakes/build_is_slow"
run "$tree/histolab" list
expect 'after an interruption the build goes on' called 'cmake --build'

# ---- packages ----------------------------------------------------------------------------------------------------------
fresh() { # MISSING...: a tree that was never built, on a machine without these
  rm -rf "$tree/build" "${fakes:?}"/*
  printf '%s\n' "$@" >"$fakes/missing"
}
fresh libfmt-dev libdw-dev
run "$tree/histolab" list
expect 'root: installs without asking' called 'apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends libfmt-dev libdw-dev'
expect 'root: no update while the lists are good' not_called 'update'
expect 'root: says what it installs' has "$err" 'installing libfmt-dev libdw-dev'
expect 'root: no word of apt' lacks "$err" 'apt-get'
expect 'root: then builds and runs' has "$out" 'program in'
run "$tree/histolab" list
expect 'once installed, packages are not looked at again' is "$(<"$calls")" ''

fresh libfmt-dev
: >"$fakes/lists_empty"
run "$tree/histolab" list
expect 'empty package lists are fetched' called 'apt-get -q -y -o DPkg::Lock::Timeout=300 update'
expect 'and then it runs' has "$out" 'program in'

fresh libfmt-dev
: >"$fakes/apt_fails"
run "$tree/histolab" list
expect 'a failed installation: status 2' is "$status" 2
expect "a failed installation shows apt's words" has "$err" 'Unable to locate package'
expect 'a failed installation says the command' has "$err" 'apt-get install --no-install-recommends libfmt-dev'
expect 'a failed installation does not build' not_called 'cmake --'

fresh libfmt-dev libdw-dev
echo 1000 >"$fakes/uid"
run "$tree/histolab" list
expect 'a user without a terminal: status 2' is "$status" 2
expect 'a user without a terminal: one command for an administrator' has "$err" \
  'sudo apt-get update && sudo apt-get install --no-install-recommends libfmt-dev libdw-dev'
expect 'a user without a terminal: nothing is installed' not_called 'apt-get'
expect 'a user without a terminal: standard output is empty' is "$out" ''
run env HISTOLAB_YES=1 "$tree/histolab" list
expect 'HISTOLAB_YES=1: by sudo' called 'sudo -n env DEBIAN_FRONTEND=noninteractive'
expect 'HISTOLAB_YES=1: it runs' has "$out" 'program in'

fresh libfmt-dev
echo 1000 >"$fakes/uid"
: >"$fakes/sudo_refuses"
run env HISTOLAB_YES=1 "$tree/histolab" list
expect 'no right to sudo: status 2' is "$status" 2
expect 'no right to sudo: the command for an administrator' has "$err" 'sudo apt-get update && '

if command -v script >/dev/null; then
  fresh libfmt-dev
  echo 1000 >"$fakes/uid"
  : >"$calls"
  at_terminal "'$tree/histolab' list" n
  expect 'at a terminal it names the packages and asks' has "$out" 'install them now with sudo apt-get? [Y/n]'
  expect 'at a terminal, no means no' has "$out" 'nothing was installed'
  expect 'at a terminal, no installs nothing' not_called 'apt-get'
  at_terminal "'$tree/histolab' list" y
  expect 'at a terminal, yes installs' called 'apt-get -q -y -o DPkg::Lock::Timeout=300 install'
  expect 'at a terminal, yes runs' has "$out" 'program in'
fi

# ---- test and setup ------------------------------------------------------------------------------------------------------
fresh doctest-dev python3-jsonschema
run "$tree/histolab" list
expect "a command does not need the tests' packages" not_called 'apt-get'
run "$tree/histolab" test -R grader
expect 'test installs what only tests need' called 'install --no-install-recommends doctest-dev python3-jsonschema'
expect 'test configures again after an installation' called 'cmake --preset'
expect 'test builds the tests' called '--target histolab_tests'
expect 'test passes arguments on' called "ctest --test-dir $tree/build/release -j$(($(nproc) + 1)) --output-on-failure --no-tests=error -LE ^slow\$ -R grader"
expect 'test: status 0' is "$status" 0
expect "test ends with ctest's summary" is "$out" '100% tests passed, 0 tests failed out of 1'
run "$tree/histolab" test
expect 'test: nothing changed, only ctest runs' is "$(wc -l <"$calls")" 1
mkdir -p "$tree/build/release/Testing/Temporary"
cat >"$tree/build/release/Testing/Temporary/LastTest.log" <<'LOG'
1/3 Testing: one_test
1/3 Test: one_test
skipped: there is no tool here
skipped: nor another
2/3 Test: two_test
nothing was skipped: this line is no skip
3/3 Test: three_test
a_test.cpp:7: MESSAGE: skipped: only root can do this
LOG
run "$tree/histolab" test
expect 'test counts the skips and shows each reason, before the summary' is "$out" "
3 skipped, whole tests or parts of one:
  one_test: there is no tool here
  one_test: nor another
  three_test: only root can do this

100% tests passed, 0 tests failed out of 1"
rm -r "$tree/build/release/Testing"
for option in -LE --label-exclude; do
  run "$tree/histolab" test $option sandbox -R grader
  expect "test $option sandbox leaves out the slow ones, too" called "--no-tests=error $option ^slow\$|sandbox -R grader"
done
run "$tree/histolab" test --label-exclude=sandbox
expect 'test --label-exclude=sandbox leaves out the slow ones, too' called '--no-tests=error -LE ^slow$|sandbox'
run "$tree/histolab" test -LE sandbox -LE 'unit|golden'
expect 'test with two of -LE: what matches both, and the slow ones' called '--no-tests=error -LE ^slow$|sandbox -LE ^slow$|unit|golden'
run "$tree/histolab" test --all -LE sandbox
expect 'test --all with -LE leaves out that and no more' called '--no-tests=error -LE sandbox'
run "$tree/histolab" test --all
expect 'test --all leaves nothing out' not_called '-LE'
expect 'test --all does not install what is there' not_called 'apt-get'
echo slurmd >"$fakes/missing"
run "$tree/histolab" test
expect 'test installs no daemon' not_called 'apt-get'
run "$tree/histolab" test --all
expect 'test --all installs a Slurm' called 'install --no-install-recommends slurmd'
echo slurmctld >"$fakes/missing"
run env HISTOLAB_REQUIRE_SLURM=1 "$tree/histolab" test
expect 'test that may not be without a Slurm installs it' called 'install --no-install-recommends slurmctld'
run "$tree/histolab" list
expect 'after test, a command has nothing to build' is "$(<"$calls")" ''
echo 8 >"$fakes/ctest_status"
run "$tree/histolab" test
expect 'a failed test: status 1' is "$status" 1
echo 5 >"$fakes/ctest_status"
run "$tree/histolab" test
expect 'ctest cannot run: status 2' is "$status" 2

fresh doctest-dev
run "$tree/histolab" setup
expect 'setup installs and builds everything' called '--target histolab_tests'
expect 'setup: status 0' is "$status" 0
fresh doctest-dev libglfw3-dev
rm "$tree/CMakeLists.txt"
run "$tree/histolab" setup packages
echo 'project(x)' >"$tree/CMakeLists.txt"
expect 'setup packages: status 0' is "$status" 0
expect 'setup packages installs what any command needs' called 'install --no-install-recommends libglfw3-dev doctest-dev'
expect 'setup packages builds nothing, and needs no sources' lacks "$(<"$calls")" 'cmake --'
expect 'setup packages: what it says' has "$err" 'ready: all packages are installed, and nothing was built'
run "$tree/histolab" setup packages
expect 'setup packages again: installs nothing' not_called 'apt-get'
expect 'setup packages again: status 0' is "$status" 0
fresh doctest-dev
: >"$fakes/apt_fails"
run "$tree/histolab" setup packages
expect 'setup packages, and the installation fails: status 2' is "$status" 2
expect 'setup packages, and the installation fails: not ready' lacks "$err" 'ready'
rm "$fakes/apt_fails"
fresh doctest-dev slurmd
for command in 'setup packages' 'test --all'; do
  # shellcheck disable=SC2086
  run env HISTOLAB_BUILD_DIR=/proc/nowhere "$tree/histolab" $command
  expect "$command, and the build folder cannot be made: status 2" is "$status" 2
  expect "$command, and the build folder cannot be made: what to do" is "$err" \
    "histolab: cannot write to /proc/nowhere/release: make it writable for $(id -un), or set HISTOLAB_BUILD_DIR to a folder of your own"
  expect "$command, and the build folder cannot be made: nothing is installed" not_called 'apt-get'
done

for part in nonsense 'cuda nonsense' 'packages nonsense' 'viewer nonsense'; do
  # shellcheck disable=SC2086
  run "$tree/histolab" setup $part
  expect "setup $part: status 2" is "$status" 2
done

# ---- the viewer ----------------------------------------------------------------------------------------------------------
imgui=$tree/build/release/imgui
said() { # LINE...: the complete output of the wrapper itself
  is "$err" "$(printf 'histolab: %s\n' "$@")"
}
no_imgui() { [[ ! -e $imgui && ! -e $imgui.part ]]; }
fresh libglfw3-dev xvfb
run "$tree/histolab" grade
expect 'a command fetches nothing for the viewer' not_called 'fetch_imgui'
expect 'a command needs no package of the viewer' not_called 'apt-get'
run "$tree/histolab" setup viewer
expect 'setup viewer: status 0' is "$status" 0
expect 'setup viewer: what it says' said 'installing libglfw3-dev' "fetching Dear ImGui (54 MB) into $imgui" "building in $tree/build/release" \
  "ready: the viewer is built in $tree/build/release; ./histolab view shows it"
expect 'setup viewer: the pinned version' called "fetch_imgui.py $tree/cmake/imgui.txt $imgui"
expect 'setup viewer builds the viewer' called '--target histolab_viewer'
expect 'setup viewer does not build the tests' not_called 'histolab_tests'
run "$tree/histolab" view --replay 'a file'
expect 'view, once it is built: nothing to do' is "$(<"$calls")$err" ''
expect 'view: the program gets the arguments' is "$out" "program in $work/elsewhere with <view --replay a file>"
run "$tree/histolab" grade
expect 'after setup viewer, a command has nothing to build' is "$(<"$calls")" ''
rm "$tree/build/release/bin/histolab-viewer"
run "$tree/histolab" grade
expect 'a lost viewer is nothing to other commands' is "$(<"$calls")" ''
run "$tree/histolab" view
expect 'a lost viewer is built again' called '--target histolab_viewer'
expect 'and nothing is fetched for that' not_called 'fetch_imgui'
echo '# another version' >>"$tree/cmake/imgui.txt"
run "$tree/histolab" view
expect 'another version of Dear ImGui is fetched' called 'fetch_imgui'
rm -r "$imgui"
run "$tree/histolab" view
expect 'a Dear ImGui that was deleted is fetched' called 'fetch_imgui'

fresh
run "$tree/histolab" test
expect 'test fetches Dear ImGui, too' called 'fetch_imgui'
expect 'and runs the tests' called 'ctest'
run "$tree/histolab" view
expect 'after test, the viewer is built' is "$(<"$calls")" ''

fresh
mkdir -p "$work/my imgui"
ln -s 'my imgui' "$work/imgui link"
cd "$work" || exit 2
run env HISTOLAB_IMGUI_DIR='imgui link' "$tree/histolab" view
expect 'HISTOLAB_IMGUI_DIR: nothing is fetched' not_called 'fetch_imgui'
expect 'HISTOLAB_IMGUI_DIR: CMake gets it' called "-DHISTOLAB_IMGUI_DIR:PATH=$work/my imgui"
expect 'HISTOLAB_IMGUI_DIR: it runs' has "$out" 'program in'
run env HISTOLAB_IMGUI_DIR="$work/my imgui/" "$tree/histolab" view
expect 'HISTOLAB_IMGUI_DIR, again: nothing to do' is "$(<"$calls")" ''
run "$tree/histolab" grade
expect 'and without it, a command has nothing to do' is "$(<"$calls")" ''
run env HISTOLAB_IMGUI_DIR=nowhere "$tree/histolab" view
expect 'HISTOLAB_IMGUI_DIR that is not there: status 2' is "$status" 2
expect 'HISTOLAB_IMGUI_DIR that is not there: what it says' has "$err" "CMake cannot build the viewer: there is no $work/nowhere"
cd "$work/elsewhere" || exit 2

fresh
: >"$fakes/no_glfw"
run "$tree/histolab" view
expect 'what CMake does not find: status 2' is "$status" 2
expect 'what CMake does not find: it is named' has "$err" 'CMake cannot build the viewer: pkg-config finds no glfw3'
run "$tree/histolab" grade
expect 'what CMake does not find: grading goes on' has "$out" 'program in'

for command in 'setup viewer' view test; do
  fresh
  printf '%s\n' 'no network' 'go where one is' >"$fakes/fetch_says"
  echo 2 >"$fakes/fetch_status"
  # shellcheck disable=SC2086
  run "$tree/histolab" $command
  expect "$command, no network: status 2" is "$status" 2
  expect "$command, no network: what it says" said "fetching Dear ImGui (54 MB) into $imgui" 'no network' 'go where one is' \
    'only the viewer and the tests need it: every other command works'
  expect "$command, no network: nothing is built or run" lacks "$(<"$calls")" '--build'
  expect "$command, no network: nothing is left" no_imgui
  run "$tree/histolab" list
  expect "$command, no network: other commands work" has "$out" 'program in'
done
echo 'Traceback: something else' >"$fakes/fetch_says"
echo 1 >"$fakes/fetch_status"
run "$tree/histolab" view
expect 'anything else that goes wrong is shown' has "$err" "Traceback: something else
histolab: fetching it failed (all of its output: $tree/build/release/imgui.log); mend what is said above and run this again"

fresh
: >"$fakes/fetch_is_slow"
"$tree/histolab" view >/dev/null 2>"$work/err" </dev/null &
wrapper=$!
wait_for test -s "$fakes/fetcher"
fetcher=$(<"$fakes/fetcher")
: >"$work/err.waits"
"$tree/histolab" list >/dev/null 2>"$work/err.waits" </dev/null &
waits=$!
wait_for grep -q 'waiting for it' "$work/err.waits"
kill -TERM "$waits"
wait "$waits"
status=$?
expect 'SIGTERM while another one fetches: the status says so' is "$status" 143
expect 'SIGTERM while another one fetches: it said that it waits' has "$(<"$work/err.waits")" 'another histolab is building'
expect 'SIGTERM while another one fetches: what that has of it stays' test -d "$imgui.part"
kill -TERM "$wrapper"
wait "$wrapper"
status=$?
wait_for gone "$fetcher"
expect 'SIGTERM while Dear ImGui is fetched: the status says so' is "$status" 143
expect 'SIGTERM while Dear ImGui is fetched: no python is left' gone "$fetcher"
expect 'SIGTERM while Dear ImGui is fetched: nothing is left half made' no_imgui

for command in 'view --help' 'view -h' '--labs folder view --help'; do
  fresh
  echo 1000 >"$fakes/uid"
  # shellcheck disable=SC2086
  run "$tree/histolab" $command
  expect "$command fetches nothing" not_called 'fetch_imgui'
  expect "$command is for the program" has "$out" "<$command>"
done
for command in '--labs folder view' '--labs=folder view'; do
  fresh
  # shellcheck disable=SC2086
  run "$tree/histolab" $command
  expect "$command builds the viewer" called '--target histolab_viewer'
done
for command in view test; do
  fresh
  echo 1000 >"$fakes/uid"
  run "$tree/histolab" $command
  expect "$command by a user without a terminal: status 2" is "$status" 2
  expect "$command by a user without a terminal: what it says" said \
    'the viewer and the tests need Dear ImGui, and there is no terminal to ask whether to fetch it (HISTOLAB_YES=1 does without asking)' \
    'to fetch it (54 MB): ./histolab setup viewer'
  expect "$command by a user without a terminal: nothing is fetched" not_called 'fetch_imgui'
  run env HISTOLAB_YES=1 "$tree/histolab" $command
  expect "$command with HISTOLAB_YES=1: fetches without asking" called 'fetch_imgui'
done
fresh
echo 1000 >"$fakes/uid"
run "$tree/histolab" setup viewer
expect 'setup viewer is asked for: it does not ask back' called 'fetch_imgui'
if command -v script >/dev/null; then
  for answer in n y; do
    fresh
    echo 1000 >"$fakes/uid"
    : >"$calls"
    at_terminal "'$tree/histolab' view" $answer
    expect 'view at a terminal: says how much and where' has "$out" "54 MB into $imgui; every other command does without"
    expect 'view at a terminal: asks' has "$out" 'fetch it now? [Y/n]'
    if [[ $answer == y ]]; then
      expect 'view at a terminal, yes: fetches' called 'fetch_imgui'
      expect 'view at a terminal, yes: shows how far it is' has "$out" 'fetching Dear ImGui: 54 of 54 MB'
      expect 'view at a terminal, yes: runs' has "$out" 'program in'
    else
      expect 'view at a terminal, no: fetches nothing' not_called 'fetch_imgui'
      expect 'view at a terminal, no: what to do' has "$out" 'to fetch it (54 MB): ./histolab setup viewer'
      expect 'view at a terminal, no: does not run' lacks "$out" 'program in'
    fi
  done
fi
cp "$repository/cmake/imgui.txt" "$tree/cmake/"

# ---- a CUDA toolkit ------------------------------------------------------------------------------------------------------
cuda=$tree/build/release/cuda
nothing_left() { [[ ! -e $cuda && ! -e $cuda.part ]]; }
fresh
run "$tree/histolab" setup cuda
expect 'setup cuda: status 0' is "$status" 0
expect 'setup cuda: what it says' said "fetching the CUDA 13 toolkit (195 MB) into $cuda" \
  'the CUDA toolkit works: NVRTC 13.0, nvcc' "building in $tree/build/release" \
  "ready: CUDA 13.0.88 in $cuda; what needs it is built in $tree/build/release" \
  'there is no NVIDIA GPU here: kernels are compiled for one, and run on the emulator'
expect 'setup cuda: hashes are asked for, and nothing is built' called '--no-deps --require-hashes --only-binary=:all:'
expect 'setup cuda: the pinned versions' called "-r $tree/cmake/cuda-13.txt"
expect 'setup cuda: CMake looks again' called "cmake --fresh --preset release"
expect 'setup cuda: builds what needs it' called '--target histolab_gpu_tools'
expect 'the toolkit: programs can run' test -x "$cuda/bin/nvcc" -a -x "$cuda/nvvm/bin/cicc"
expect 'the toolkit: what a linker looks for' is "$(<"$cuda/lib64/libnvrtc.so")" 'nvidia/cu13/lib/libnvrtc.so.13'
expect 'the toolkit: parts of several folders are one tree' test -e "$cuda/include/cuda_runtime.h" -a -e "$cuda/include/nvrtc.h"
expect 'the toolkit: its version' is "$(<"$cuda/version.txt")" 'CUDA Version 13.0.88'
expect 'the toolkit: licences' test -e "$cuda/licenses/nvidia_cuda_nvcc.txt"
expect 'the toolkit: nothing else' is "$(cd "$cuda" && find . -name '*alt*' -o -name '.metadata' -o -name '__init__.py' -o -name '*.whl')" ''
expect 'the toolkit: nothing half made' test ! -e "$cuda.part"
run "$tree/histolab" setup cuda
expect 'setup cuda again: nothing is fetched, configured or built' lacks "$(<"$calls")" 'cmake'
expect 'setup cuda again: no network' not_called 'pip3'
expect 'setup cuda again: what it says' said "ready: CUDA 13.0.88 in $cuda; what needs it is built in $tree/build/release" \
  'there is no NVIDIA GPU here: kernels are compiled for one, and run on the emulator'
run "$tree/histolab" grade
expect 'after setup cuda, a command has nothing to build' is "$(<"$calls")" ''
echo '# other versions' >>"$tree/cmake/cuda-13.txt"
run "$tree/histolab" setup cuda
expect 'setup cuda after an update of the versions fetches them' called 'pip3 download'
rm -r "$cuda"
run "$tree/histolab" list
expect 'a toolkit that was deleted: configured from the beginning' called 'cmake --fresh'

fresh
: >"$fakes/nvcc"
run "$tree/histolab" setup cuda
expect 'an installed toolkit is used' said "building in $tree/build/release" \
  "ready: CUDA 12.8.93 in /opt/cuda; what needs it is built in $tree/build/release" \
  'there is no NVIDIA GPU here: kernels are compiled for one, and run on the emulator'
expect 'an installed toolkit: nothing is fetched' not_called 'pip3'
run "$tree/histolab" setup cuda --fetch
expect 'setup cuda --fetch fetches one all the same' has "$err" "ready: CUDA 13.0.88 in $cuda"
run "$tree/histolab" setup cuda --fetch
expect 'setup cuda --fetch, again: no network' not_called 'pip3'

fresh
echo '| NVIDIA-SMI 550.54   Driver Version: 550.54   CUDA Version: 12.4 |' >"$fakes/nvidia-smi"
run "$tree/histolab" setup cuda
expect 'a driver that knows CUDA 12 only gets CUDA 12' called "-r $tree/cmake/cuda-12.txt"
expect 'a driver that knows CUDA 12 only: what it lacks' has "$err" 'bench and calibrate need a newer driver or an installed toolkit'
fresh
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Fri' >"$fakes/driver"
run "$tree/histolab" setup cuda
expect 'without nvidia-smi, the driver is asked' called "-r $tree/cmake/cuda-12.txt"

# WHAT, LINE...: setup cuda fails with these last lines, leaves nothing, and the emulator still
# works.
fails_with() {
  local what=$1 lines
  shift
  lines=$(printf 'histolab: %s\n' "$@")
  run "$tree/histolab" setup cuda
  expect "$what: status 2" is "$status" 2
  expect "$what: what it says" is "${err: -${#lines}}" "$lines"
  expect "$what: nothing is left half made" nothing_left
  run "$tree/histolab" list
  expect "$what: everything else runs" has "$out" 'program in'
  expect "$what: and fetches nothing" not_called 'pip3'
}
fresh
echo "WARNING: Retrying: NewConnectionError('Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')" >"$fakes/pip_says"
fails_with 'no network' 'the package index cannot be reached: is there a network?' \
  "run this again where there is one; or bring the wheels of $tree/cmake/cuda-13.txt in a folder and run it with PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER"
echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.' >"$fakes/pip_says"
fails_with 'another package' 'a package is not the one that this version of histolab was made with, so all were thrown away' \
  "something between here and the package index changed it; $tree/build/release/cuda.log has its name and the two hashes"
echo 'OSError: [Errno 28] No space left on device' >"$fakes/pip_says"
fails_with 'a full disk' "the disk of $tree/build/release is full" \
  'make room (800 MB), or set HISTOLAB_BUILD_DIR to a folder on another disk, and run this again'
echo 'ERROR: No matching distribution found for nvidia-cuda-nvcc==13.0.88' >"$fakes/pip_says"
fails_with 'another machine' "pip finds no package for this machine ($(uname -m)); it is among those of x86_64 and aarch64 in $tree/cmake/cuda-13.txt" \
  'look whether pip is told of another index (pip3 config list), or is older than 20.3 (pip3 --version)'
echo 'pip: something else' >"$fakes/pip_says"
fails_with 'anything else' "fetching the CUDA toolkit failed (all of its output: $tree/build/release/cuda.log)" 'mend what is said above and run this again'
rm "$fakes/pip_says"
: >"$fakes/check_fails"
fails_with 'a toolkit that does not work' "unpacking and trying the CUDA toolkit failed (all of its output: $tree/build/release/cuda.log)" \
  'mend what is said above and run this again'
expect 'a toolkit that does not work: its own words' has "$(cat "$tree/build/release/cuda.log")" 'NVRTC does not compile a kernel'
rm "$fakes/check_fails"
echo 100 >"$fakes/disk"
fails_with 'a disk that is too small' "the CUDA toolkit needs 800 MB while it is unpacked, and there are 100 in $tree/build/release" \
  'make room, or set HISTOLAB_BUILD_DIR to a folder on another disk, and run this again'
rm "$fakes/disk"

: >"$fakes/pip_is_slow"
"$tree/histolab" setup cuda >/dev/null 2>"$work/err" </dev/null &
wrapper=$!
wait_for test -s "$fakes/pip"
fetcher=$(<"$fakes/pip")
kill -TERM "$wrapper"
wait "$wrapper"
status=$?
wait_for gone "$fetcher"
expect 'SIGTERM while fetching: the status says so' is "$status" 143
expect 'SIGTERM while fetching: no pip is left' gone "$fetcher"
expect 'SIGTERM while fetching: nothing is left half made' nothing_left
rm "$fakes/pip_is_slow"
run "$tree/histolab" setup cuda
expect 'after an interruption it is fetched' has "$err" "ready: CUDA 13.0.88 in $cuda"

# A GPU without a toolkit: a command that would use it asks, as for packages.
fresh
mkdir "$fakes/gpu"
for command in list 'grade --device emulator' 'check --device=emulator' 'run 01' 'run 01 --device=emulator' 'explain 01' 'compare 01 02 --device auto' \
  'batch handed-in --out graded' 'debug 01' 'watch 01' 'grade --help' 'bench -h' '--labs gpu-labs run 01'; do
  # shellcheck disable=SC2086
  run "$tree/histolab" $command
  expect "$command does without a toolkit" not_called 'pip3'
  expect "$command says nothing of it" lacks "$err" 'CUDA'
done
run "$tree/histolab" grade
expect 'root: grade fetches a toolkit' said "fetching the CUDA 13 toolkit (195 MB) into $cuda" \
  'the CUDA toolkit works: NVRTC 13.0, nvcc' "building in $tree/build/release"
expect 'root: and grades' has "$out" 'program in'
expect 'root: not what only bench needs' not_called 'histolab_gpu_tools'
run "$tree/histolab" grade
expect 'once fetched, it is not looked at again' is "$(<"$calls")" ''
run "$tree/histolab" bench --json
expect 'bench builds what it needs' called '--target histolab_gpu_tools'
expect 'bench gets its arguments' has "$out" '<bench --json>'
run "$tree/histolab" calibrate
expect 'and calibrate has nothing to build then' is "$(<"$calls")" ''

for command in check 'check --device auto' 'run 01 --device gpu' 'explain 01 --device=gpu:1' 'compare 01 02 --device gpu' 'batch handed-in --device gpu --out graded' \
  'batch handed-in --device auto --out graded' 'view --device gpu' '--labs folder grade' '--labs=folder grade'; do
  fresh
  mkdir "$fakes/gpu"
  # shellcheck disable=SC2086
  run "$tree/histolab" $command
  expect "$command fetches a toolkit" called 'pip3 download'
  expect "$command runs" has "$out" "<$command>"
done

fresh
run "$tree/histolab" bench
expect 'without a GPU, bench builds nothing for one' not_called 'histolab_gpu_tools'
expect 'without a GPU, bench fetches nothing' not_called 'pip3'

fresh
mkdir "$fakes/gpu"
echo 'Temporary failure in name resolution' >"$fakes/pip_says"
run "$tree/histolab" grade
expect 'a GPU and no network: what it says' said "fetching the CUDA 13 toolkit (195 MB) into $cuda" \
  'the package index cannot be reached: is there a network?' \
  "that is no error, everything runs on the emulator; for the GPU: run this again where there is one; or bring the wheels of $tree/cmake/cuda-13.txt in a folder and run it with PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER" \
  "building in $tree/build/release"
expect 'a GPU and no network: it runs' has "$out" 'program in'
run "$tree/histolab" grade
expect 'a GPU and no network: said and tried once' is "$err$(<"$calls")" ''
rm "$fakes/pip_says"
run "$tree/histolab" setup cuda
expect 'a GPU and no network: setup cuda tries again' has "$err" "ready: CUDA 13.0.88 in $cuda"
expect 'with a GPU it does not say that there is none' lacks "$err" 'no NVIDIA GPU'

fresh
mkdir "$fakes/gpu"
echo 1000 >"$fakes/uid"
run "$tree/histolab" grade
expect 'a user without a terminal: fetches nothing' not_called 'pip3'
expect 'a user without a terminal: what it says' said \
  'there is an NVIDIA GPU here and no CUDA toolkit, and no terminal to ask whether to fetch one (HISTOLAB_YES=1 does without asking)' \
  'that is no error, everything runs on the emulator; for the GPU: ./histolab setup cuda' "building in $tree/build/release"
run "$tree/histolab" grade
expect 'a user without a terminal: said once' is "$err$(<"$calls")" ''
fresh
mkdir "$fakes/gpu"
echo 1000 >"$fakes/uid"
run env HISTOLAB_YES=1 "$tree/histolab" grade
expect 'HISTOLAB_YES=1: fetches without asking' called 'pip3 download'

if command -v script >/dev/null; then
  for answer in n y; do
    fresh
    mkdir "$fakes/gpu"
    echo 1000 >"$fakes/uid"
    : >"$calls"
    at_terminal "'$tree/histolab' grade" $answer
    expect 'a GPU, at a terminal: says how much and where' has "$out" "195 MB into $cuda; without it everything runs on the emulator"
    expect 'a GPU, at a terminal: asks' has "$out" 'fetch it now? [Y/n]'
    expect 'a GPU, at a terminal: runs' has "$out" 'program in'
    if [[ $answer == y ]]; then
      expect 'a GPU, at a terminal, yes: fetches' called 'pip3 download'
    else
      expect 'a GPU, at a terminal, no: fetches nothing' not_called 'pip3'
      expect 'a GPU, at a terminal, no: said' has "$out" 'no CUDA toolkit was fetched'
      run "$tree/histolab" grade
      expect 'a GPU, at a terminal, no: not asked again' is "$err$(<"$calls")" ''
    fi
  done
else
  echo 'skipped: there is no script(1) here, so no terminal'
fi

printf '%d checks, %d failed\n' $checks $failures
[[ $failures == 0 ]]
