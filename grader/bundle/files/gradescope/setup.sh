#!/usr/bin/env bash
# Gradescope runs this once, as root, to build the assignment's image. It installs the distribution's
# packages and builds histolab from the sources in this folder, without other network access. A
# failure here fails the image, not a student.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
program=$here/histolab/build/release/bin/histolab

if ! apt-cache show cmake >/dev/null 2>&1; then apt-get update; fi
newest=$(apt-cache policy cmake | sed -n 's/^ *Candidate: *//p')
if ! dpkg --compare-versions "${newest:-0}" ge 3.25; then
  echo "histolab needs CMake 3.25 or newer, and this image has ${newest:-none}: choose Ubuntu 24.04 (or Debian 12) as the base image and build again" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive HISTOLAB_YES=1
unset HISTOLAB_PRESET HISTOLAB_BUILD_DIR
bash "$here/histolab/histolab" list

# Before any student is graded, the labs' own solutions must get full marks here.
mapfile -t arguments <"$here/arguments"
[[ -e $here/rubric.json ]] && arguments+=(--rubric "$here/rubric.json")
cd /tmp
"$program" --labs "$here/histolab/labs" grade "${arguments[@]}" --solutions --quick --device emulator --json /dev/null
