# shellcheck shell=bash disable=SC2154 # variables of the wrapper
# The wrapper's part that gets Dear ImGui, ImPlot and the Test Engine for the viewer and its tests; ./histolab reads this file
# when they are not there, and not before. cmake/fetch_imgui.py does the work; what it makes, $build/imgui, is complete or is
# not there.

readonly imgui_size='54 MB'

download_imgui() { # runs as a child in a process group of its own
  local line
  PYTHONUNBUFFERED=1 python3 "$root/cmake/fetch_imgui.py" "$root/cmake/imgui.txt" "$build/imgui" 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $live && $line =~ ^[0-9]+' of '[0-9]+' MB'$ ]]; then progress "fetching Dear ImGui: $line"; fi
  done >"$log"
}

# Asks as for packages, unless the command was to fetch it. What stops it is said, with what to do next, and ends the command.
demand_imgui() {
  local answer=y problem='' status
  if [[ ! $fetching_is_wanted && $(id -u) != 0 && ${HISTOLAB_YES:-} != 1 ]]; then
    if [[ -t 0 && -t 2 ]]; then
      say "the viewer and the tests need Dear ImGui. histolab can fetch it for itself from the Python package index,"
      say "$imgui_size into $build/imgui; every other command does without"
      read -r -p 'histolab: fetch it now? [Y/n] ' answer || answer=n
      [[ ${answer:-y} == [yY]* ]] || problem='nothing was fetched'
    else
      problem="the viewer and the tests need Dear ImGui, and there is no terminal to ask whether to fetch it (HISTOLAB_YES=1 does without asking)"
    fi
  fi
  if [[ $problem ]]; then
    say "$problem"
    die "to fetch it ($imgui_size): ./histolab setup viewer"
  fi

  log=$build/imgui.log
  : >"$log" || die "cannot write $log"
  say "fetching Dear ImGui ($imgui_size) into $build/imgui"
  in_own_group download_imgui
  status=$?
  progress_done
  case $status in
    0) return ;;
    2) while IFS= read -r answer; do say "$answer"; done < <(tail -n 2 "$log") ;;
    *) tail -n 20 "$log" >&2 && say "fetching it failed (all of its output: $log); mend what is said above and run this again" ;;
  esac
  die 'only the viewer and the tests need it: every other command works'
}
