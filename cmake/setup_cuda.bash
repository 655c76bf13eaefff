# shellcheck shell=bash disable=SC2154 # variables of the wrapper
# The wrapper's part that gets a CUDA toolkit; ./histolab reads this file when it may need one, and not before.
#
# The toolkit is NVIDIA's Python wheels, of the versions and hashes in cmake/cuda-13.txt (or cuda-12.txt, for older drivers),
# unpacked into $build/cuda. That folder is complete and was tried, or is not there: the work is done in $build/cuda.part.

readonly part=$build/cuda.part

# Sets what is to be fetched: `major`, its file of `pins`, the megabytes that come (`size`) and that unpacking takes (`room`).
# CUDA 13, or 12 for a driver that knows no newer one; 13 where there is no driver, since that can all the same compile.
choose_wheels() {
  local word
  major=13 size=195 room=800
  if word=$(nvidia-smi 2>/dev/null) && [[ $word =~ 'CUDA Version: '([0-9]+) ]]; then
    ((BASH_REMATCH[1] < 13)) && major=12
  elif word=$(cat /proc/driver/nvidia/version 2>/dev/null) && [[ $word =~ [^0-9]([0-9]{3})\.[0-9]+ ]]; then
    ((BASH_REMATCH[1] < 580)) && major=12
  fi
  [[ $major == 12 ]] && size=137 room=550
  pins=$root/cmake/cuda-$major.txt
}
outdated_toolkit() { # there is a fetched one, and it is not what this version, or this driver, would get
  local major size room pins
  [[ -e $build/cuda/wheels.txt ]] && choose_wheels && ! cmp -s -- "$pins" "$build/cuda/wheels.txt"
}

# Both run as children in a process group of their own.
download_wheels() {
  mkdir -p -- "$part/tmp" || return
  TMPDIR=$part/tmp PYTHONUNBUFFERED=1 pip3 download --no-input --disable-pip-version-check --progress-bar off --retries 2 \
    --no-deps --require-hashes --only-binary=:all: --dest "$part/wheels" -r "$pins" >"$log" 2>&1 &
  local pip=$! megabytes
  while [[ $live ]] && kill -0 "$pip"; do
    megabytes=$(du -sm "$part" | cut -f1)
    progress "fetching the CUDA toolkit: $((megabytes < size ? megabytes : size)) of $size MB"
    sleep 0.5
  done 2>/dev/null
  wait "$pip"
}
unpack_wheels() {
  python3 "$root/cmake/cuda_wheels.py" unpack "$part/wheels" "$part/cuda" >"$log" 2>&1 &&
    python3 "$root/cmake/cuda_wheels.py" check "$part/cuda" >>"$log" 2>&1 &&
    cp -- "$pins" "$part/cuda/wheels.txt" 2>>"$log" && sync -f "$part/cuda/wheels.txt"
}

fetch_failed() { # WHAT: sets `problem` and `remedy`
  progress_done
  problem="$1 failed (all of its output: $log)"
  remedy='mend what is said above and run this again'
  if grep -q 'No space left on device' "$log"; then
    problem="the disk of $build is full"
    remedy="make room ($room MB), or set HISTOLAB_BUILD_DIR to a folder on another disk, and run this again"
  elif grep -q 'DO NOT MATCH THE HASHES' "$log"; then
    problem='a package is not the one that this version of histolab was made with, so all were thrown away'
    remedy="something between here and the package index changed it; $log has its name and the two hashes"
  elif grep -Eq 'name resolution|Name or service not known|NewConnectionError|ConnectTimeout|ReadTimeout|Connection (refused|timed out|aborted|reset)|Network is unreachable|ProxyError' "$log"; then
    problem='the package index cannot be reached: is there a network?'
    remedy="run this again where there is one; or bring the wheels of $pins in a folder and run it with PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER"
  elif grep -q 'No matching distribution found' "$log"; then
    problem="pip finds no package for this machine ($(uname -m)); it is among those of x86_64 and aarch64 in $pins"
    remedy='look whether pip is told of another index (pip3 config list), or is older than 20.3 (pip3 --version)'
  else
    tail -n 20 "$log" >&2
  fi
  rm -rf -- "$part"
  return 1
}

# Into $build/cuda, in place of one that was there. Status 1: it could not be had; `problem` and `remedy` say why.
fetch_toolkit() {
  local available
  log=$build/cuda.log
  : >"$log" || die "cannot write $log"

  available=$(df -Pm -- "$build" 2>/dev/null | awk 'NR == 2 { print $4 }')
  if [[ $available ]] && ((available < room)); then
    problem="the CUDA toolkit needs $room MB while it is unpacked, and there are $available in $build"
    remedy='make room, or set HISTOLAB_BUILD_DIR to a folder on another disk, and run this again'
    return 1
  fi
  rm -rf -- "$part"
  say "fetching the CUDA $major toolkit ($size MB) into $build/cuda"
  [[ $major == 13 ]] || say 'the driver knows no CUDA 13, and of CUDA 12 there is no nvcc in packages: bench and calibrate need a newer driver or an installed toolkit'
  in_own_group download_wheels || { fetch_failed 'fetching the CUDA toolkit' || return; }
  [[ $live ]] && progress 'unpacking and trying the CUDA toolkit'
  in_own_group unpack_wheels || { fetch_failed 'unpacking and trying the CUDA toolkit' || return; }
  { rm -rf -- "$build/cuda" && mv -- "$part/cuda" "$build/cuda"; } >>"$log" 2>&1 || { fetch_failed 'moving it into place' || return; }
  rm -rf -- "$part"
  progress_done
  say "the CUDA toolkit works: $(tail -n 1 "$log")"
}

# For a command that would use the GPU of this machine: asks as for packages. Whatever goes wrong is a note, said once: the
# emulator does without.
offer_toolkit() {
  local answer major size room pins problem='' remedy='./histolab setup cuda'
  choose_wheels
  missing_packages python3-pip:pip3
  if [[ $(id -u) != 0 && ${HISTOLAB_YES:-} != 1 ]]; then
    if [[ -t 0 && -t 2 ]]; then
      say 'there is an NVIDIA GPU here and no CUDA toolkit of 12.8 or later. histolab can fetch one for itself, from NVIDIA,'
      say "$size MB into $build/cuda${missing:+, with the package ${missing[*]}}; without it everything runs on the emulator"
      read -r -p 'histolab: fetch it now? [Y/n] ' answer || answer=n
      [[ ${answer:-y} == [yY]* ]] || problem='no CUDA toolkit was fetched'
    else
      problem='there is an NVIDIA GPU here and no CUDA toolkit, and no terminal to ask whether to fetch one (HISTOLAB_YES=1 does without asking)'
    fi
  fi
  if [[ ! $problem && ${missing[*]} ]]; then
    log=$build/install.log
    (HISTOLAB_YES=1 && install_packages) || problem='no CUDA toolkit was fetched'
  fi
  [[ ! $problem ]] && fetch_toolkit && return
  say "$problem"
  say "that is no error, everything runs on the emulator; for the GPU: $remedy"
  printf '%s\n' "$problem" >"$build/.no-cuda"
  return 1
}

# `./histolab setup cuda`: what stops it is said, with what to do next, and ends it.
demand_toolkit() {
  local major size room pins problem='' remedy=''
  choose_wheels
  rm -f -- "$build/.no-cuda"
  missing_packages python3-pip:pip3
  if ((${#missing[@]})); then
    log=$build/install.log
    install_packages
  fi
  fetch_toolkit && return
  say "$problem"
  say "$remedy"
  exit 2
}
