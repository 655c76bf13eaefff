#!/usr/bin/env bash
# The wrapper, ./histolab, in a copied tree, with the real ninja and otherwise fake commands: cmake,
# compile, ctest, dpkg-query, apt-get, apt-cache, sudo, id, pip3, python3 and nvidia-smi log their
# arguments in $calls and obey files in $fakes. So each branch is tested in seconds, without a
# compiler, a network, a GPU or the right to install. `on` describes a machine, `try` a command.
set -uo pipefail
repository=${HISTOLAB_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
work=$(mktemp -d "${TMPDIR:-/tmp}/histolab wrapper.XXXXXX") || exit 2
trap 'rm -rf -- "$work"' EXIT
unset HISTOLAB_BUILD_DIR HISTOLAB_PRESET HISTOLAB_YES HISTOLAB_IMGUI_DIR HISTOLAB_REQUIRE_SLURM
real_python=$(python3 -c 'import sys; print(sys.executable)') # not pyenv's, which changes PATH
export fakes=$work/fakes calls=$work/calls wheels=$work/wheels header=$work/usr/header.h real_python
tree="$work/a tree with spaces"
build=$tree/build/release imgui=$tree/build/release/imgui cuda=$tree/build/release/cuda
failures=0
checks=0

# ---- the stage -----------------------------------------------------------------------------------
mkdir -p "$fakes" "$wheels" "$work/"{bin,usr,elsewhere} \
  "$tree/"{grader,tools/fuzzer,cmake,labs/01-race,docs,tests}
# A GPU, its driver, an installed toolkit, the package database and the free space are in $fakes.
# shellcheck disable=SC2016
machine='s#/proc/driver/nvidia/gpus#"$fakes"/gpu#g; s#/dev/nvidia0#"$fakes"/nvidia0#g
  s#/usr/local/cuda/bin/nvcc#"$fakes"/nvcc#g; s#/var/lib/dpkg/status#"$fakes"/dpkg#g
  s#input /usr/#input /.*/usr/#'
# shellcheck disable=SC2016
python_machine='s#"/proc/driver/nvidia/version"#os.environ["fakes"] + "/driver"#
  s#sys.executable#"python3"#; s#^    free = .*#    free = int(os.environ["DISK"])#'
sed "$machine" "$repository/histolab" >"$tree/histolab"
sed "$python_machine" "$repository/cmake/cuda_wheels.py" >"$tree/cmake/cuda_wheels.py"
chmod +x "$tree/histolab"
cp "$repository"/cmake/{cuda-1?,imgui,editor}.txt "$tree/cmake/"
for file in CMakeLists.txt grader/x.cpp tools/fuzzer/main.cpp labs/01-race/lab.json; do
  echo one >"$tree/$file"
done
: >"$header"

fake() { # NAME, body on stdin
  # shellcheck disable=SC2016
  printf '#!/usr/bin/env bash\nprintf "%%s\\n" "%s $*" >>"$calls"\n' "$1" >"$work/bin/$1"
  cat >>"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
fake cmake <<'FAKE'
[[ -e $fakes/configure_fails && $1 != --fresh ]] && { echo 'CMake Error: another source'; exit 1; }
while [[ $1 != -S ]]; do shift; done
source=${2// /\$ } build=$4 imgui=$4/imgui
[[ ${5-} == -DHISTOLAB_IMGUI_DIR:PATH=?* ]] && imgui=${5#*=}
if [[ -e $fakes/no_glfw ]]; then echo 'none pkg-config finds no glfw3'
elif [[ -e $imgui ]]; then echo "$imgui"
else echo "none there is no $imgui"; fi >"$build/imgui.txt"
if [[ -e $build/cuda/version.txt ]]; then echo "13.0.88 nvcc $build/cuda"
elif [[ -e $fakes/nvcc ]]; then echo '12.8.93 nvcc /opt/cuda'
else echo none; fi >"$build/cuda.txt"
sources=()
for file in "$2"/grader/*.cpp "$2"/tools/fuzzer/*.cpp; do
  [[ -e $file ]] && sources+=("${file// /\$ }")
done
cat >"$build/build.ninja" <<NINJA
rule compile
  command = compile \$out \$in
rule cmake
  command = cmake --again -S '$2' -B '$build'
  generator = 1
build build.ninja: cmake | $source/CMakeLists.txt
build bin/histolab: compile ${sources[*]} | ${header// /\$ }
build bin/histolab-worker: compile ${sources[0]}
build bin/histolab-viewer: compile ${sources[0]}
build bin/histolab-bench: compile ${sources[0]}
build bin/tests: compile ${sources[0]}
build histolab_program: phony bin/histolab bin/histolab-worker
build histolab_viewer: phony histolab_program bin/histolab-viewer
build histolab_gpu_tools: phony histolab_program bin/histolab-bench
build histolab_tests: phony histolab_viewer bin/tests
NINJA
FAKE
fake compile <<'FAKE'
[[ -e $fakes/build_is_slow ]] && { echo $$ >"$fakes/builder"; sleep 1000000; }
[[ $1 == *-worker ]] && echo 'w.cpp:1:1: warning: w'
[[ -e $fakes/build_fails && $1 != *-worker ]] && {
  echo "x.cpp:1:1: error: 'y' was not declared"; exit 1; }
cat >"$1" <<'PROGRAM'
#!/usr/bin/env bash
[[ $1 == --needs ]] && cat "$fakes/needs" && exit
echo "program in $PWD with <$*>"
exit 1
PROGRAM
chmod +x "$1"
FAKE
fake ctest <<'FAKE'
echo '100% tests passed, 0 tests failed out of 1'
exit "$(cat "$fakes/ctest_status" 2>/dev/null || echo 0)"
FAKE
fake dpkg-query <<'FAKE'
shift 3
for package; do grep -qsw -e "$package" "$fakes/missing" || echo "$package installed"; done
FAKE
fake apt-cache <<'FAKE'
[[ ! -e $fakes/lists_empty ]]
FAKE
fake apt-get <<'FAKE'
[[ " $* " == *' update '* ]] && rm -f "$fakes/lists_empty" && exit 0
[[ -e $fakes/apt_fails || -e $fakes/lists_empty ]] &&
  { echo 'E: Unable to locate package'; exit 100; }
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
fake pip3 <<'FAKE'
while [[ $1 != --dest ]]; do shift; done
[[ -e $fakes/slow_fetch ]] && { echo $$ >"$fakes/fetcher"; sleep 1000000; }
[[ -e $fakes/pip_says ]] && cat "$fakes/pip_says" && exit 1
mkdir -p "$2" && cp "$wheels"/*.whl "$2"
FAKE
# Nothing in this test's toolkit runs, and nothing is fetched.
fake python3 <<'FAKE'
if [[ $1 == *fetch_package.py ]]; then
  [[ -e $fakes/slow_fetch ]] && { mkdir "$3.part"; echo $$ >"$fakes/fetcher"; sleep 1000000; }
  [[ -e $fakes/fetch_says ]] && cat "$fakes/fetch_says" >&2 && exit "$(cat "$fakes/fetch_status")"
  echo '54 of 54 MB'
  mkdir -p "$3" && cp "$2" "$3/"
  exit
fi
DISK=$(cat "$fakes/disk" 2>/dev/null || echo 99999)
export DISK
[[ $2 != check ]] && exec "$real_python" "$@"
[[ -e $fakes/check_fails ]] && echo 'NVRTC does not compile a kernel' && exit 1
echo 'NVRTC 13.0, nvcc'
FAKE
"$real_python" - "$wheels" <<'WHEELS'
import sys, zipfile
for name, files in {
    "nvidia_cuda_nvcc-13.0.88": [
        "nvidia/cu13/bin/nvcc", "nvidia/cu13/bin/nvcc.profile",
        "nvidia/cu13/include/fatbinary_section.h", "nvidia/cu13/.metadata/sizes.txt",
        "nvidia_cuda_nvcc-13.0.88.dist-info/licenses/License.txt"],
    "nvidia_cuda_nvrtc-13.0.88": [
        "nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cu13/lib/libnvrtc.alt.so.13",
        "nvidia/cu13/include/nvrtc.h"],
    "nvidia_nvvm-13.0.88": ["nvidia/cu13/nvvm/bin/cicc"],
    # The wheels of CUDA 12 have a folder each.
    "nvidia_cuda_runtime-13.0.96": [
        "nvidia/cuda_runtime/include/cuda_runtime.h", "nvidia/__init__.py"],
}.items():
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-py3-none-manylinux2014_x86_64.whl", "w") as wheel:
        for file in files:
            wheel.writestr(file, file)
WHEELS
export PATH="$work/bin:$PATH"

# ---- the table's words ---------------------------------------------------------------------------
now() { # FAKE[=TEXT]...: changes the machine
  local each
  for each; do printf '%s\n' "${each#*=}" >"$fakes/${each%%=*}"; done
}
on() { # SITUATION [FAKE[=TEXT]]...: a tree that was never built, on a machine that is like this
  situation=$1
  rm -rf "$tree/build" "${fakes:?}"/*
  now "${@:2}"
}
expect() { # WHAT, then a test command
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  printf 'FAILED: %s: %s\n  status %s\n  out: %s\n  err: %s\n  calls: %s\n' \
    "$situation" "$1" "$status" "$out" "$err" "$(<"$calls")"
}
is() { [[ $1 == "$2" ]]; }
has() { [[ $1 == *"$2"* ]]; }
lacks() { [[ $1 != *"$2"* ]]; }
ends() { [[ $1 == *"$2" ]]; }
words() { printf 'histolab: %s\n' "${1//$'\n'/$'\n'histolab: }"; }
# KEY VALUE...: `calls`, `out`, `err` have the value, `no-...` lack it, `...-are` are the value;
# `says`: standard error is these lines of the wrapper; `ends`: it ends in them; `status`
verify() { # WHAT KEY VALUE...
  local what=$1 name test got
  shift
  while (($#)); do
    case $1 in
      status) expect "$what: status $2" is "$status" "$2" ;;
      says) expect "$what: says $2" is "$err" "$(words "$2")" ;;
      ends) expect "$what: ends in $2" ends "$err" "$(words "$2")" ;;
      *)
        name=${1#no-} name=${name%-are} test=has
        case $1 in no-*) test=lacks ;; *-are) test=is ;; esac
        case $name in calls) got=$(<"$calls") ;; out) got=$out ;; err) got=$err ;; esac
        expect "$what: $1 '$2'" $test "$got" "$2"
        ;;
    esac
    shift 2
  done
}
# Runs a command line of the wrapper; words like HISTOLAB_YES=1 in front are its environment.
try() { # COMMAND-LINE KEY VALUE...
  local line=$1 expected=("${@:2}") variables=()
  eval "set -- $line"
  while [[ ${1-} == HISTOLAB_*=* ]]; do variables+=("$1") && shift; done
  : >"$calls"
  out=$(env "${variables[@]}" "${wrapper:-$tree/histolab}" "$@" </dev/null 2>"$work/err")
  status=$?
  err=$(<"$work/err")
  verify "$line" "${expected[@]}"
}
# Runs it at a terminal and types the answer to its question; `out` is all that the terminal showed.
at_terminal() { # COMMAND-LINE ANSWER KEY VALUE...
  local typist
  command -v script >/dev/null || return
  rm -f "$work/keys" && mkfifo "$work/keys"
  : >"$work/shown"
  : >"$calls"
  { wait_for grep -qF '[Y/n]' "$work/shown" && echo "$2"; } >"$work/keys" &
  typist=$!
  TERM=xterm script -qefc "'$tree/histolab' $1" /dev/null <"$work/keys" >"$work/shown"
  kill "$typist" 2>/dev/null
  wait "$typist"
  out=$(<"$work/shown")
  verify "$1 at a terminal, $2" "${@:3}"
}
# Waits for an event. The limit decides no verdict: only a test that hangs reaches it.
wait_for() { # COMMAND...
  local end=$((SECONDS + 1200))
  until "$@" 2>/dev/null || ((SECONDS > end)); do sleep 0.02; done
}
# A zombie is gone too: process 1 of a container may never reap it.
gone() { # PID
  ! kill -0 "$1" 2>/dev/null || grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
}
later() { # FILE...: as if edited just now
  sleep 0.02
  local file
  for file; do echo more >>"$file"; done
}
# Starts a command and ends it with SIGTERM as soon as FILE has the id of its process that hangs.
terminate() { # COMMAND FILE KEY VALUE...
  local wrapper hanging
  # shellcheck disable=SC2086
  "$tree/histolab" $1 >/dev/null 2>"$work/err" </dev/null &
  wrapper=$!
  wait_for test -s "$fakes/$2"
  hanging=$(<"$fakes/$2")
  kill -TERM "$wrapper"
  wait "$wrapper"
  status=$? out='' err=$(<"$work/err")
  wait_for gone "$hanging"
  expect "$1, SIGTERM: no process is left" gone "$hanging"
  verify "$1, SIGTERM" status 143 err 'interrupted' "${@:3}"
}
nothing_of() { [[ ! -e $1 && ! -e $1.part ]]; } # FOLDER
runs=(out 'program in')
quiet=(calls-are '' err-are '')

# ---- the first run, and those after it -----------------------------------------------------------
cd "$work/elsewhere" || exit 2
on 'nothing is missing'
try "grade --json 'a file'" calls 'cmake --preset release -S' calls 'compile bin/histolab' \
  no-calls 'bin/tests' no-calls 'bin/histolab-viewer' status 1 no-calls 'apt-get' \
  out-are "program in $work/elsewhere with <grade --json a file>" says "building in $build"
try list "${quiet[@]}"
ln -s "$tree/histolab" "$work/link"
ln -s link "$work/link to a link"
wrapper="$work/link to a link" try list "${quiet[@]}" \
  out-are "program in $work/elsewhere with <list>"
cd "$tree" || exit 2
wrapper=./histolab try list out-are "program in $tree with <list>" "${quiet[@]}"
cd "$work/elsewhere" || exit 2

situation='something changed'
later "$tree/"{labs/01-race/lab.json,docs/note.md,report.json,tools/script}
try list "${quiet[@]}"
later "$tree/grader/x.cpp"
try list calls 'compile bin/histolab' no-calls '--preset' "${runs[@]}"
later "$tree/tools/fuzzer/main.cpp"
try list calls 'compile bin/histolab'
touch -d '2001-01-01' "$tree/grader/old.cpp"
later "$tree/CMakeLists.txt" # where sources are listed
try list calls 'cmake --again' calls 'old.cpp'
rm "$tree/grader/old.cpp"
later "$tree/CMakeLists.txt"
try list calls 'compile bin/histolab' no-calls 'old.cpp'
rm "$build/bin/histolab-worker"
try list calls 'compile bin/histolab-worker'
rm "$build/build.ninja"
try list calls 'cmake --preset'
now dpkg
try list calls 'dpkg-query' calls 'cmake --preset' no-calls '--fresh' no-calls 'compile'
try list "${quiet[@]}"
mv "$tree/tools" "$work/tools" # as in a bundle's sources
later "$tree/CMakeLists.txt"
try list calls 'compile'
try list "${quiet[@]}"
mv "$work/tools" "$tree/tools"
mv "$tree/tests" "$work/tests" # as in a student edition
try test err 'these sources came without tests'
later "$tree/grader/x.cpp" "$tree/CMakeLists.txt"
try setup calls 'compile bin/histolab' no-calls 'bin/tests'
mv "$work/tests" "$tree/tests"
try list "${quiet[@]}"

milliseconds=$(for _ in 1 2 3 4 5; do
  start=${EPOCHREALTIME/[.,]/}
  "$tree/histolab" list >/dev/null
  echo $(((${EPOCHREALTIME/[.,]/} - start) / 1000))
done | sort -n | head -n 1)
printf 'a run that changes nothing: %s ms\n' "$milliseconds"

# ---- where and how it builds ---------------------------------------------------------------------
situation='settings'
try "HISTOLAB_BUILD_DIR='$work/other build' HISTOLAB_PRESET=ci list" \
  calls "cmake --preset ci -S $tree -B $work/other build/ci"
try 'HISTOLAB_BUILD_DIR=here list'
expect 'a relative HISTOLAB_BUILD_DIR' test -x "$work/elsewhere/here/release/bin/histolab"
try 'HISTOLAB_PRESET=fast list' status 2 err 'no preset "fast"'
# shellcheck disable=SC2016
HISTOLAB_PRESET=fast wrapper=bash try '-c '\''"$0" list 2>/dev/full'\'' "$tree/histolab"' \
  status 2 no-calls 'cmake' # no room for the message
try 'HISTOLAB_BUILD_DIR=/proc/nowhere list' status 2 err 'HISTOLAB_BUILD_DIR'

situation='a build that others may only read' # a folder in place of the lock stops root, too
rm "$build/.lock" && mkdir "$build/.lock"
now dpkg
try list "${runs[@]}" err-are ''
later "$header" # of a newer package
try list "${runs[@]}" err-are ''
later "$tree/grader/x.cpp"
try list status 2 ends "cannot write to $build: make it writable for somebody, or set \
HISTOLAB_BUILD_DIR to a folder of your own"
rmdir "$build/.lock"

situation='a moved tree'
mv "$tree" "$tree moved"
now configure_fails
wrapper="$tree moved/histolab" try list calls 'cmake --fresh --preset release' "${runs[@]}"
mv "$tree moved" "$tree"
rm "$build/.configured" # and what an interruption left half made
try list calls 'cmake --preset' calls 'cmake --fresh' "${runs[@]}"
rm "$fakes/configure_fails"

on 'a build that fails' build_fails
try list status 2 err "x.cpp:1:1: error: 'y' was not declared" no-err '[1/2]' no-err 'compile bin' \
  no-err 'warning' err 'run this again'
rm "$fakes/build_fails"
try list calls 'compile' "${runs[@]}"

on 'two first runs at once: one builds, the other one waits'
: >"$calls"
for copy in 1 2; do "$tree/histolab" list >"$work/out.$copy" 2>/dev/null </dev/null & done
wait
expect 'build once' is "$(grep -c 'compile bin/histolab ' "$calls")" 1
expect 'both run' is "$(sort -u "$work"/out.?)" "program in $work/elsewhere with <list>"

# A script's command behind & ignores INT.
on 'a signal during the build' build_is_slow
terminate list builder
rm "$fakes/build_is_slow"
try list calls 'compile' "${runs[@]}"

# ---- packages ------------------------------------------------------------------------------------
apt='apt-get -q -y -o DPkg::Lock::Timeout=300'
install='install --no-install-recommends'
on 'root, packages are missing' missing='libfmt-dev libdw-dev'
try list calls "$apt $install libfmt-dev libdw-dev" no-calls 'update' no-err 'apt-get' \
  err 'installing libfmt-dev libdw-dev' "${runs[@]}"
try list "${quiet[@]}"
on 'the package lists are empty' missing=libfmt-dev lists_empty
try list calls "$apt update" "${runs[@]}"
on 'the installation fails' missing=libfmt-dev apt_fails
try list status 2 err 'Unable to locate package' err "apt-get $install libfmt-dev" \
  no-calls 'cmake --'
try 'setup packages' status 2 no-err 'ready'
on 'a user without a terminal' missing='libfmt-dev libdw-dev' uid=1000
try list status 2 out-are '' no-calls 'apt-get' \
  err "sudo apt-get update && sudo apt-get $install libfmt-dev libdw-dev"
try 'HISTOLAB_YES=1 list' calls 'sudo -n env DEBIAN_FRONTEND=noninteractive' "${runs[@]}"
on 'sudo refuses' missing=libfmt-dev uid=1000 sudo_refuses
try 'HISTOLAB_YES=1 list' status 2 err 'sudo apt-get update && '
on 'a user at a terminal' missing=libfmt-dev uid=1000
at_terminal list n out 'install them now with sudo apt-get? [Y/n]' out 'nothing was installed' \
  no-calls 'apt-get'
at_terminal list y calls "$apt install" "${runs[@]}"

# ---- test and setup ------------------------------------------------------------------------------
passed='100% tests passed, 0 tests failed out of 1'
ctest="ctest --test-dir $build -j$(($(nproc) + 1)) --output-on-failure --no-tests=error"
on 'packages of the tests are missing' missing='doctest-dev python3-jsonschema'
try list no-calls 'apt-get'
try 'test -R grader' calls "$install doctest-dev python3-jsonschema" calls 'cmake --preset' \
  calls 'compile bin/tests' calls "$ctest -R grader" no-calls '-C slow' status 0 out-are "$passed"
try test calls-are "$ctest"
mkdir -p "$build/Testing/Temporary"
cat >"$build/Testing/Temporary/LastTest.log" <<'LOG'
1/3 Testing: one_test
1/3 Test: one_test
skipped: there is no tool here
skipped: nor another
2/3 Test: two_test
nothing was skipped: this line is no skip
3/3 Test: three_test
a_test.cpp:7: MESSAGE: skipped: only root can do this
LOG
try test out-are "
3 skipped, whole tests or parts of one:
  one_test: there is no tool here
  one_test: nor another
  three_test: only root can do this

$passed"
rm -r "$build/Testing"
for words in '-LE sandbox -R grader' '--label-exclude=sandbox' '-LE sandbox -LE "unit|golden"'; do
  try "test $words" calls "--no-tests=error ${words//\"/}"
done
try 'test --all -LE sandbox' calls '--no-tests=error -C slow -LE sandbox' no-calls 'apt-get'
try 'test -V --all' calls '--no-tests=error -C slow -V'
now missing=slurmd
try test no-calls 'apt-get'
try 'test --all' calls "$install slurmd"
now missing=slurmctld
try 'HISTOLAB_REQUIRE_SLURM=1 test' calls "$install slurmctld"
try list "${quiet[@]}"
now ctest_status=8
try test status 1
now ctest_status=5
try test status 2
for help in 'test --help' 'setup -h' 'setup cuda --help'; do
  try "$help" status 0 out 'setup cuda [--fetch]' out 'HISTOLAB_YES=1' "${quiet[@]}"
done
if [[ ${HISTOLAB_BIN-} ]]; then # the real ctest
  # In a folder of its own: ctest -N would replace the log of the run that this test belongs to.
  mkdir "$work/listed" && printf 'subdirs("%s")\n' "$(readlink -f "$HISTOLAB_BIN/..")" \
    >"$work/listed/CTestTestfile.cmake"
  listed() { (ctest=$(type -ap ctest | sed -n 2p) && "$ctest" --test-dir "$work/listed" -N "$@" |
    grep -c 'each_file_test'); }
  expect 'slow tests are not run' is "$(listed)" 0
  expect 'slow tests are run with --all' is "$(listed -C slow)" 1
fi

on 'setup' missing=doctest-dev
try setup calls 'compile bin/tests' calls "$install doctest-dev" status 0
on 'setup packages' missing='doctest-dev libglfw3-dev'
mv "$tree/CMakeLists.txt" "$work"
try 'setup packages' calls "$install libglfw3-dev doctest-dev" no-calls 'cmake --' \
  err 'ready: all packages are installed, and nothing was built' status 0
try 'setup packages' no-calls 'apt-get' status 0
mv "$work/CMakeLists.txt" "$tree"
on 'no build folder can be made' missing='doctest-dev slurmd'
for command in 'setup packages' 'test --all'; do
  try "HISTOLAB_BUILD_DIR=/proc/nowhere $command" status 2 no-calls 'apt-get' \
    says "cannot write to /proc/nowhere/release: make it writable for somebody, or set \
HISTOLAB_BUILD_DIR to a folder of your own"
done
for part in nonsense 'cuda nonsense' 'packages nonsense' 'viewer nonsense'; do
  try "setup $part" status 2 no-calls 'cmake'
done

# ---- the viewer ----------------------------------------------------------------------------------
on 'no Dear ImGui' missing='libglfw3-dev xvfb' needs=viewer
try grade no-calls 'fetch_package' no-calls 'apt-get'
try 'setup viewer' status 0 says "installing libglfw3-dev
fetching Dear ImGui (54 MB) into $imgui
building in $build
ready: the viewer is built in $build; ./histolab view shows it" \
  calls "fetch_package.py $tree/cmake/imgui.txt $imgui" calls 'compile bin/histolab-viewer' \
  no-calls 'bin/tests'
try "view --replay 'a file'" "${quiet[@]}" \
  out-are "program in $work/elsewhere with <view --replay a file>"
try grade "${quiet[@]}"
rm "$build/bin/histolab-viewer"
try grade "${quiet[@]}"
try view calls 'compile bin/histolab-viewer' no-calls 'fetch_package'
echo '# another version' >>"$tree/cmake/imgui.txt"
try view calls 'fetch_package'
rm -r "$imgui"
try view calls 'fetch_package'
on 'test needs the viewer' needs=viewer
try test calls 'fetch_package' calls 'ctest'
try view "${quiet[@]}"

on 'HISTOLAB_IMGUI_DIR' needs=viewer
mkdir -p "$work/my imgui"
ln -s 'my imgui' "$work/imgui link"
cd "$work" || exit 2
try 'HISTOLAB_IMGUI_DIR="imgui link" view' no-calls 'fetch_package' "${runs[@]}" \
  calls "-DHISTOLAB_IMGUI_DIR:PATH=$work/my imgui"
try "HISTOLAB_IMGUI_DIR='$work/my imgui/' view" "${quiet[@]}"
try grade "${quiet[@]}"
try 'HISTOLAB_IMGUI_DIR=nowhere view' status 2 \
  err "CMake cannot build the viewer: there is no $work/nowhere"
cd "$work/elsewhere" || exit 2

on 'CMake does not find glfw' no_glfw needs=viewer
try view status 2 err 'CMake cannot build the viewer: pkg-config finds no glfw3'
try grade "${runs[@]}"

for command in 'setup viewer' view test; do
  on 'no network' fetch_says=$'no network\ngo where one is' fetch_status=2 needs=viewer
  try "$command" status 2 ends "fetching Dear ImGui (54 MB) into $imgui
no network
go where one is
only the viewer and the tests need it: every other command works" \
    no-calls 'bin/histolab-viewer' no-calls 'bin/tests' no-calls 'ctest --' out-are ''
  expect "$command: nothing is left" nothing_of "$imgui"
  try list "${runs[@]}"
done
now fetch_says='Traceback: something else' fetch_status=1
try view err "Traceback: something else
histolab: fetching Dear ImGui failed (all of its output: $build/imgui.log)
histolab: fix the error above and run this again"

on 'SIGTERM while Dear ImGui is fetched' slow_fetch
"$tree/histolab" setup viewer >/dev/null 2>&1 </dev/null &
first=$!
wait_for test -s "$fakes/fetcher"
fetcher=$(<"$fakes/fetcher")
: >"$work/err"
"$tree/histolab" list >/dev/null 2>"$work/err" </dev/null &
second=$!
wait_for grep -q 'waiting for it' "$work/err"
kill -TERM "$second"
wait "$second"
status=$? err=$(<"$work/err")
verify 'to one that waits' status 143 err 'another histolab is building'
expect "to one that waits: the other's half-made folder stays" test -d "$imgui.part"
kill -TERM "$first"
wait "$first"
status=$?
wait_for gone "$fetcher"
verify 'to the first' status 143
expect 'no python is left' gone "$fetcher"
expect 'nothing is left half made' nothing_of "$imgui"

on 'no editor for the pages of serve'
try 'setup editor' status 0 says "fetching CodeMirror (9 MB) into $build/editor
building in $build
ready: the pages of ./histolab serve have CodeMirror 6" \
  calls "fetch_package.py $tree/cmake/editor.txt $build/editor"
try 'setup editor' no-calls 'fetch_package'
on 'no network for the editor' fetch_says=$'no network\ngo where one is' fetch_status=2
rm -rf "$build/editor"
try 'setup editor' status 2 ends "no network
go where one is
the pages of serve work without it, with a simpler editor"
try list "${runs[@]}"

on 'a user asks for help of the viewer' uid=1000 needs=
try 'view --help' no-calls 'fetch_package' out '<view --help>'
for command in view test; do
  on 'a user without a terminal' uid=1000 needs=viewer
  try "$command" status 2 no-calls 'fetch_package' ends "the viewer and the tests need Dear ImGui, \
and there is no terminal to ask on (HISTOLAB_YES=1 does it without asking)
to fetch it (54 MB): ./histolab setup viewer"
  try "HISTOLAB_YES=1 $command" calls 'fetch_package'
done
on 'a user who asked for it' uid=1000
try 'setup viewer' calls 'fetch_package'
on 'a user at a terminal' uid=1000 needs=viewer
asked=(out "54 MB into $imgui; every other command does without" out 'fetch it now? [Y/n]')
at_terminal view n "${asked[@]}" no-calls 'fetch_package' no-out 'program in' \
  out 'to fetch it (54 MB): ./histolab setup viewer'
at_terminal view y "${asked[@]}" calls 'fetch_package' out 'fetching Dear ImGui: 54 of 54 MB' \
  "${runs[@]}"
cp "$repository/cmake/imgui.txt" "$tree/cmake/"

# ---- a CUDA toolkit ------------------------------------------------------------------------------
no_gpu='there is no NVIDIA GPU here: kernels are compiled for one, and run on the emulator'
works='the CUDA toolkit works: NVRTC 13.0, nvcc'
fetching="fetching the CUDA 13 toolkit (195 MB) into $cuda"
ready="ready: CUDA 13.0.88 in $cuda; what needs it is built in $build"
on 'no toolkit'
try 'setup cuda' status 0 says "$fetching
$works
building in $build
$ready
$no_gpu" calls '--no-deps --require-hashes --only-binary=:all:' calls "-r $tree/cmake/cuda-13.txt" \
  calls 'cmake --fresh --preset release' calls 'compile bin/histolab-bench'
expect 'programs can run' test -x "$cuda/bin/nvcc" -a -x "$cuda/nvvm/bin/cicc"
expect 'a linker finds it' is "$(<"$cuda/lib64/libnvrtc.so")" 'nvidia/cu13/lib/libnvrtc.so.13'
expect 'one tree' test -e "$cuda/include/cuda_runtime.h" -a -e "$cuda/include/nvrtc.h"
expect 'its version' is "$(<"$cuda/version.txt")" 'CUDA Version 13.0.88'
expect 'licences' test -e "$cuda/licenses/nvidia_cuda_nvcc.txt"
expect 'nothing else' is '' "$(cd "$cuda" &&
  find . -name '*alt*' -o -name '.metadata' -o -name '__init__.py' -o -name '*.whl')"
expect 'nothing half made' test ! -e "$cuda.part"
try 'setup cuda' no-calls 'cmake --' no-calls 'compile' no-calls 'pip3 download' says "$ready
$no_gpu"
try grade "${quiet[@]}"
echo '# other versions' >>"$tree/cmake/cuda-13.txt"
try 'setup cuda' calls 'pip3 download'
rm -r "$cuda"
try list calls 'cmake --fresh'

on 'an installed toolkit' nvcc
try 'setup cuda' no-calls 'pip3' says "building in $build
ready: CUDA 12.8.93 in /opt/cuda; what needs it is built in $build
$no_gpu"
try 'setup cuda --fetch' err "$ready"
try 'setup cuda --fetch' no-calls 'pip3 download'
on 'a driver for CUDA 12' nvidia-smi='| NVIDIA-SMI 550.54  Driver: 550.54  CUDA Version: 12.4 |'
try 'setup cuda' calls "-r $tree/cmake/cuda-12.txt" \
  err 'bench and calibrate need a newer driver or an installed toolkit'
on 'an old driver without nvidia-smi' \
  driver='NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Fri'
try 'setup cuda' calls "-r $tree/cmake/cuda-12.txt"

cannot_fetch() { # SITUATION FAKE MESSAGE: `setup cuda` leaves nothing, and the emulator works
  on "$1" "$2"
  try 'setup cuda' status 2 ends "$3"
  expect 'nothing is left half made' nothing_of "$cuda"
  try list "${runs[@]}" no-calls 'pip3'
}
network='the package index cannot be reached: is there a network?'
bring="run this again with a network; or put the wheels of $tree/cmake/cuda-13.txt into a folder \
and run it with PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER"
room='make room, or set HISTOLAB_BUILD_DIR to a folder on another disk, and run this again'
cannot_fetch 'no network' \
  pip_says="Retrying: NewConnectionError('[Errno -3] Temporary failure in name resolution')" \
  "$network
$bring"
cannot_fetch 'another package' \
  pip_says='THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.' \
  "a package differs from the one that this version of histolab was made with; all packages were \
deleted
something between here and the package index changed it; $cuda.log has its name and the two hashes"
cannot_fetch 'a full disk' pip_says='OSError: [Errno 28] No space left on device' \
  "the disk of $build is full
${room/room/room (800 MB)}"
cannot_fetch 'another machine' \
  pip_says='ERROR: No matching distribution found for nvidia-cuda-nvcc==13.0.88' \
  "pip finds no package for this machine ($(uname -m)); $tree/cmake/cuda-13.txt has those of \
x86_64 and aarch64
check whether pip uses another index (pip3 config list), or is older than 20.3 (pip3 --version)"
failed="fetching the CUDA toolkit failed (all of its output: $cuda.log)
fix the error above and run this again"
cannot_fetch 'anything else' pip_says='pip: something else' "$failed"
cannot_fetch 'a toolkit that does not work' check_fails "$failed"
expect 'its own words' has "$(<"$cuda.log")" 'NVRTC does not compile a kernel'
cannot_fetch 'a disk that is too small' disk=100 \
  "the CUDA toolkit needs 800 MB while it is unpacked, and there are 100 in $build
$room"

on 'a signal while the toolkit is fetched' slow_fetch
terminate 'setup cuda' fetcher
expect 'nothing is left half made' nothing_of "$cuda"
rm "$fakes/slow_fetch"
try 'setup cuda' err "$ready"

on 'a GPU without a toolkit, a command that does not need it' gpu needs=
try list no-calls 'pip3' no-err 'CUDA'
on 'root, a GPU without a toolkit' gpu needs=gpu
try grade says "building in $build
$fetching
$works" "${runs[@]}" no-calls 'bin/histolab-bench'
try grade "${quiet[@]}"
now needs=gpu_tools
try 'bench --json' calls 'compile bin/histolab-bench' out '<bench --json>'
try calibrate "${quiet[@]}"
on 'root, a GPU, the viewer' gpu needs='viewer gpu'
try 'view --device gpu' calls 'pip3 download' calls 'fetch_package' out '<view --device gpu>'
on 'root, a GPU, setup' gpu
try setup calls 'pip3 download' calls 'compile bin/histolab-bench' calls 'compile bin/tests'
on 'no GPU' needs=gpu_tools
try bench no-calls 'bin/histolab-bench' no-calls 'pip3' "${runs[@]}"

emulator='that is not an error, everything runs on the emulator; for the GPU:'
on 'a GPU and no network' gpu needs=gpu pip_says='Temporary failure in name resolution'
try grade "${runs[@]}" says "building in $build
$fetching
$network
$emulator $bring"
try grade "${quiet[@]}"
rm "$fakes/pip_says"
try 'setup cuda' err "$ready" no-err 'no NVIDIA GPU'
on 'a GPU and a user without a terminal' gpu needs=gpu uid=1000
try grade no-calls 'pip3' says "building in $build
there is an NVIDIA GPU here and no CUDA toolkit, and there is no terminal to ask on \
(HISTOLAB_YES=1 does it without asking)
$emulator ./histolab setup cuda"
try grade err-are '' no-calls 'compile'
on 'a GPU and a user who says yes' gpu needs=gpu uid=1000
try 'HISTOLAB_YES=1 grade' calls 'pip3 download'
for answer in n y; do
  on 'a GPU and a user at a terminal' gpu needs=gpu uid=1000
  at_terminal grade $answer out "195 MB into $cuda" \
    out 'without it everything runs on the emulator' out 'fetch it now? [Y/n]' "${runs[@]}"
  if [[ $answer == y ]]; then
    verify 'yes' calls 'pip3 download'
  else
    verify 'no' no-calls 'pip3' out 'no CUDA toolkit was fetched'
    try grade err-are '' no-calls 'compile'
  fi
done
command -v script >/dev/null || echo 'skipped: there is no script(1) here, so no terminal'

printf '%d checks, %d failed\n' $checks $failures
[[ $failures == 0 ]]
