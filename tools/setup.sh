# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by ./run and ./test: installs missing packages, configures and builds. Everything it says goes to
# stderr, everything that apt, CMake and the compiler say goes to build/setup-PROGRAM.log.
# Expects: root (the checkout, absolute) and program (the command's name, for messages).

log="$root/build/setup-$program.log"
apt_log="$root/build/.apt-$program"

# What a build and a run cannot do without.
build_packages=(cmake ninja-build g++ pkg-config python3 python3-glad
  libglfw3-dev libglm-dev libimgui-dev libstb-dev libegl-dev libgl-dev libfmt-dev libspdlog-dev libcli11-dev
  nlohmann-json3-dev libpng-dev zlib1g-dev libzstd-dev libexpat1-dev libfast-float-dev libhwy-dev libcairo2-dev)
# What makes it faster or nicer: without root rights the build goes on without these.
# Mesa draws on machines without a graphics driver of their own; Open MPI lets several processes share the work; HDF5 and OpenEXR are for
# files of these formats; Boost, libvpx and libturbojpeg show the window in a browser (orrery serve).
extra_packages=(ccache fonts-dejavu-core libgl1 libegl1 libgl1-mesa-dri libglx-mesa0 libopenmpi-dev openmpi-bin libhdf5-dev
  libopenexr-dev libboost-dev libvpx-dev libturbojpeg0-dev)
# What makes Debian packages of a build.
package_packages=(dpkg-dev file help2man)
# What only the tests use.
test_packages=("${package_packages[@]}" git libgtest-dev libbenchmark-dev xvfb xauth xdotool python3-xlib python3-pil python3-h5py python3-yt
  python3-selenium chromium chromium-driver openssh-server openssh-client iproute2 ruby imagemagick clang-format
  desktop-file-utils groff-base python3-pip ffmpeg)
tidy_packages=(clang-tidy)
# What fetches NVRTC, only where an NVIDIA driver is and no CUDA toolkit.
nvrtc_packages=(python3-pip)

# cross_packages ARCHITECTURE NAME...: what of these serves a build for another architecture: its libraries and
# compilers, an emulator, and tools of this machine's. Open MPI's packages cannot lie beside those of another architecture.
cross_packages() {
  local name
  for name in "${@:2}"; do
    case "$name" in
      g++) echo "crossbuild-essential-$1" qemu-user "libgomp1:$1" ;;
      *openmpi*) ;;
      # Headers alone.
      libglm-dev | libcli11-dev | libboost-dev | nlohmann-json3-dev) echo "$name" ;;
      lib*-dev | zlib1g-dev) echo "$name:$1" ;;
      # What only draws.
      lib*) ;;
      *) echo "$name" ;;
    esac
  done
}

say() { printf '%s: %s\n' "$program" "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# The reason is in the first error of CMake, or else at the end of the log.
die_with_log() {
  if grep -q '^CMake Error' "$log"; then
    sed -n '/^CMake Error/,$p' "$log" | head -n 40 >&2
  else
    tail -n 40 "$log" >&2
  fi
  die "$* (the lines above are from $log)"
}

# Holds the build folders of this program for this process until end_setup: two set-ups of the same would break each
# other. ./run and ./test build in folders of their own and do not wait.
begin_setup() {
  mkdir -p "$root/build" 2>/dev/null || die "cannot create $root/build: make the folder writable for $(id -un)"
  { : >>"$root/build/.lock-$program" && : >>"$log"; } 2>/dev/null ||
    die "cannot write to $root/build (made by another user?): make it writable for $(id -un), or remove it"
  exec 9>>"$root/build/.lock-$program"
  if ! flock -n 9; then
    say "waiting for another ./$program that sets up in this checkout"
    flock 9
  fi
  : >"$log"
  # The compiler cache needs a home.
  if [ ! -w "${HOME:-/nonexistent}" ]; then export CCACHE_DIR="${CCACHE_DIR:-$root/build/ccache}"; fi
}

end_setup() { exec 9>&-; }

# missing_packages NAME...: those that are not installed, on one line.
missing_packages() {
  local installed name missing=()
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  for name in "$@"; do
    [[ $installed == *" installed:$name "* ]] || missing+=("$name")
  done
  echo "${missing[*]-}"
}

# The words that run a command with root's rights, in as_root; fails where there is no way.
find_root_rights() {
  as_root=()
  if [ "$(id -u)" = 0 ]; then return 0; fi
  command -v sudo >/dev/null || return 1
  as_root=(sudo)
  if ! sudo -n true 2>/dev/null; then
    [ -t 0 ] && [ -t 2 ] || return 1
    say "sudo may ask for your password to install packages"
    sudo -v || return 1
  fi
  # sudo forgets the proxies that apt needs; not everybody may tell it to keep them.
  local keep=--preserve-env=http_proxy,https_proxy,ftp_proxy,all_proxy,no_proxy,HTTP_PROXY,HTTPS_PROXY,NO_PROXY
  if sudo -n "$keep" true 2>/dev/null; then as_root+=("$keep"); fi
}

# What apt says goes to the log, and what its last commands said to a file of its own.
apt() {
  local status=0
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$apt_log.part" 2>&1 ||
    status=$?
  cat "$apt_log.part" >>"$apt_log"
  cat "$apt_log.part" >>"$log"
  rm -f "$apt_log.part"
  return $status
}

# Whether apt's last command, or the one before, could not reach a server.
apt_met_no_network() {
  grep -qE 'Failed to fetch|Could not (resolve|connect)|Temporary failure|Connection (failed|timed out)|Unable to connect' "$apt_log"
}

# die_of_apt PACKAGE...: says once what every line of apt's means.
die_of_apt() {
  local again="as root, run: apt-get update && apt-get install -y --no-install-recommends $*"
  if apt_met_no_network; then
    say "apt-get reaches no server, so packages are missing: $*"
    die "connect to the network, or set http_proxy, and start ./$program again (log: $log); or $again"
  fi
  if grep -q 'Unable to locate package' "$apt_log"; then
    say "apt-get knows no $(sed -n 's/^E: Unable to locate package //p' "$apt_log" | sort -u | paste -sd ' ')"
    die "Orrery is built on Debian 12 or newer, with package lists in /etc/apt that have its section main (log: $log)"
  fi
  die_with_log "apt-get could not install the packages"
}

# One at a time. Another set-up may have installed them while this one waited.
install_packages() {
  exec 8>>"$root/build/.lock-packages"
  if ! flock -n 8; then
    say "waiting for packages that another set-up installs"
    flock 8
  fi
  # shellcheck disable=SC2046  # a list of words
  set -- $(missing_packages "$@")
  if [ $# = 0 ]; then
    exec 8>&-
    return 0
  fi
  say "installing with apt: $*"
  local failed=0
  : >"$apt_log"
  apt update || failed=1
  # apt-get calls it a success where old lists are left.
  if [ $failed = 1 ] || apt_met_no_network; then say "apt-get could not fetch new package lists; trying with those that are there"; fi
  apt install -y --no-install-recommends "$@" || die_of_apt "$@"
  packages_changed=1
  exec 8>&-
}

# Without apt the tools may still be there; CMake then says which library is lacking.
check_tools_without_apt() {
  local tool missing=()
  for tool in cmake ninja c++ pkg-config python3 glad; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if [ ${#missing[@]} = 0 ]; then return 0; fi
  say "this system has no apt, and it lacks: ${missing[*]}"
  die "install CMake 3.25, Ninja, GCC 12 (or newer ones), pkg-config, Python 3.9, glad 2, and the libraries that third_party/README.md lists"
}

# ensure_packages STAMP "REQUIRED..." "EXTRA...": what was found complete once is remembered in build/STAMP.
ensure_packages() {
  local stamp="$root/build/.packages-$1" required="$2" extra="$3" missing missing_extra
  packages_changed=0
  if [ -f "$stamp" ] && [ "$(<"$stamp")" = "$required $extra" ]; then return 0; fi
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    check_tools_without_apt
    return 0
  fi
  # shellcheck disable=SC2086  # lists of words
  missing="$(missing_packages $required)" missing_extra="$(missing_packages $extra)"
  if [ -n "$missing$missing_extra" ]; then
    if find_root_rights; then
      # shellcheck disable=SC2086
      install_packages $missing $missing_extra
    elif [ -n "$missing" ]; then
      say "these packages are missing and $(id -un) may not install them: $missing"
      die "as root, run: apt-get update && apt-get install -y --no-install-recommends $missing $missing_extra"
    else
      say "going on without packages that would help: $missing_extra"
      return 0
    fi
  fi
  echo "$required $extra" >"$stamp"
}

# find_library NAME: whether the linker finds a library whose file name begins so.
find_library() {
  local folder folders
  if PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -F "$1" >/dev/null; then return 0; fi
  IFS=: read -ra folders <<<"${LD_LIBRARY_PATH-}"
  for folder in "${folders[@]}"; do
    if compgen -G "$folder/$1*" >/dev/null; then return 0; fi
  done
  return 1
}

has_nvidia_driver() { [ -e /proc/driver/nvidia/version ] || find_library libcuda.so.1; }

usual_toolkits="/usr/local/cuda*"
# The same places as in sim/cuda/driver/library_search.cpp.
has_nvrtc() {
  local place
  if find_library libnvrtc.so; then return 0; fi
  for place in "${XDG_DATA_HOME:-${HOME:-/nowhere}/.local/share}/orrery/cuda/nvidia/*/lib" \
    {"${CUDA_PATH:-/nowhere}","${CUDA_HOME:-/nowhere}","$usual_toolkits"}/{lib64,lib,"targets/*-linux/lib"} \
    "$root/build/*/lib/python3*/site-packages/nvidia/*/lib" "${VIRTUAL_ENV:-/nowhere}/lib/python3*/site-packages/nvidia/*/lib" \
    "${HOME:-/nowhere}/.local/lib/python3*/site-packages/nvidia/*/lib"; do
    if compgen -G "$place/libnvrtc.so*" >/dev/null; then return 0; fi
  done
  return 1
}

lacks_nvrtc() { has_nvidia_driver && ! has_nvrtc; }

# ensure_nvrtc PROGRAM: where an NVIDIA driver is, the compiler of the kernels; the GPU computes nothing without it.
# The program knows which one suits, and fetches it. What failed is tried again after a day.
ensure_nvrtc() {
  local tried="$root/build/.nvrtc-tried"
  if ! lacks_nvrtc; then return 0; fi
  if [ -z "$(find "$tried" -mtime -1 2>/dev/null)" ]; then
    # In the present folder Python would take a file pip.py for pip.
    if ! (cd / && python3 -m pip --version) >/dev/null 2>&1 && command -v apt-get >/dev/null && find_root_rights; then
      (install_packages "${nvrtc_packages[@]}") || true
    fi
    say "this machine has an NVIDIA driver but no run-time compiler (NVRTC)"
    if "$1" doctor --fix nvrtc >&2; then return 0; fi
    : >"$tried"
  fi
  say "no run-time compiler (NVRTC), so the GPU computes nothing: with a network run: ./run doctor --fix nvrtc"
}

# As many jobs as there are cores, and 1 GiB of memory for each.
job_count() {
  local key value jobs
  jobs="$(nproc)"
  while read -r key value _; do
    if [ "$key" = MemAvailable: ] && [ $((value / 1048576)) -lt "$jobs" ]; then jobs=$((value / 1048576)); fi
  done < <(cat /proc/meminfo 2>/dev/null)
  echo $((jobs < 1 ? 1 : jobs))
}

# Copies ninja's lines to the log; tells the user once that there is something to do, and on a terminal how far it is.
show_progress() {
  local line announced=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    # What ninja does each time is nothing to tell.
    [[ $line == \[* && $line != *"Re-checking globbed directories"* ]] || continue
    if [ $announced = 0 ]; then
      say "building $1 (log: $log)"
      announced=1
    fi
    if [ -t 2 ]; then printf '\r\033[K%.100s' "$line" >&2; fi
  done
  if [ $announced = 1 ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

forget_packages() { rm -f "$root"/build/.packages-*; }

# configure PRESET: only when there is no build folder, it came from elsewhere, presets changed, or packages were
# added. The rest ninja notices by itself.
configure() {
  local folder="$root/build/$1" fresh=() once=()
  if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    fresh=(--fresh)
  elif [ "$folder/build.ninja" -nt "$root/CMakePresets.json" ] && [ "$packages_changed" = 0 ]; then
    return 0
  fi
  say "configuring build/$1"
  # Who wants to look at a galaxy waits for the build, and CI builds once: several files are compiled at once, and nobody
  # looks at these programs with a debugger.
  if [ -n "${CI:-}" ] || [ "$1" = default ]; then
    once=(-DORRERY_UNITY=ON "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -DNDEBUG")
  fi
  # Reports of sanitizers still name functions, and programs link in three quarters of the time.
  if [ -n "${CI:-}" ] && [ "$1" = asan ]; then once+=(-DCMAKE_CXX_FLAGS_DEBUG=-O1); fi
  if [ -n "${CI:-}" ] && [ "$1" = tsan ]; then once+=(-DCMAKE_CXX_FLAGS_DEBUG=-O0); fi
  # app/ and lab/ compile in two thirds of the time; sim/ and render/, which compute and draw, are optimized. The program alone:
  # half of the time to configure goes into tests.
  if [ "$1" = default ]; then once+=(-DORRERY_OPTIMIZE_COLD=OFF -DORRERY_TESTS=OFF -DORRERY_BENCHMARKS=OFF); fi
  # A process for each of a thousand unit tests takes time, too.
  if [ -n "${CI:-}" ] && [ "$1" = dev ]; then once+=(-DORRERY_GROUP_TESTS=ON); fi
  (cd "$root" && cmake "${fresh[@]}" --preset "$1" "${once[@]}") </dev/null >>"$log" 2>&1 ||
    { forget_packages; die_with_log "CMake could not configure build/$1"; }
}

# run_ninja PRESET TARGET...: its lines are in the log, and on a terminal it shows how far it is.
run_ninja() {
  local preset="$1"
  shift
  NINJA_STATUS='[%f/%t] ' ninja -C "$root/build/$preset" -j "$(job_count)" "$@" </dev/null 2>&1 | show_progress "build/$preset"
}

# True if ninja failed in files that are compiled together although each compiles alone: from now on they are. What may
# be joined is judged by reading the sources, and a name that tools/join_sources.py misses must not keep anybody from building.
unjoin_failed() {
  grep -q '^FAILED: .*/Unity/' "$log" && python3 -B "$root/tools/unjoin.py" "$root/build/$1" "$log" >>"$log" 2>&1 &&
    say "files of build/$1 that are compiled together do not suit each other (log: $log): compiling these alone" &&
    cmake "$root/build/$1" </dev/null >>"$log" 2>&1
}

# build PRESET TARGET...
build() {
  local preset="$1"
  shift
  configure "$preset"
  until run_ninja "$preset" "$@"; do
    if ! unjoin_failed "$preset"; then
      forget_packages
      die_with_log "the build in build/$preset failed"
    fi
  done
}

# Packages bring headers and libraries.
package_list=/var/lib/dpkg/status
# is_built PRESET FILE: whether the last build of that file saw all that a build reads as it is now: contents, and which
# files there are. A picture that somebody saves beside the folders is no part of it. Compares times that the kernel keeps
# (ctime), which no copying or unpacking sets back.
is_built() {
  local folder="$root/build/$1" stamp="$root/build/$1/.built"
  [ -x "$folder/$2" ] && [ -f "$stamp" ] && [ "$(<"$stamp")" = "$root" ] &&
    [ -f "$package_list" ] && [ ! "$package_list" -nt "$stamp" ] &&
    [ -z "$(find "$folder/build.ninja" "$folder/CMakeCache.txt" "$folder/$2" -newercc "$stamp" -print -quit)" ] &&
    [ -z "$(cd "$root" && find . -mindepth 1 \( -path './.*' -o -path ./build -o -path ./dist -o -name __pycache__ \) -prune \
      -o -newercm "$stamp" \( -type d -o -path './*/*' -o -path './C*' \) -print -quit)" ]
}

# build_and_note PRESET TARGET: a build that is_built knows. The time is that of its beginning: what is changed
# meanwhile is newer.
build_and_note() {
  local begin="$root/build/.begin-$program"
  echo "$root" >"$begin"
  build "$1" "$2"
  mv "$begin" "$root/build/$1/.built"
}

# build_beside PRESET TARGET [PRESET TARGET...]: one after the other, beside what this program does meanwhile and with
# the cores that these leave free. Its output waits for finish_builds. It ends with this program.
build_beside() {
  # A process group of its own, to be ended as a whole.
  set -m
  {
    # Whoever is nicer already stays so.
    renice -n 10 -p "$BASHPID" >/dev/null 2>&1 || true
    while [ $# != 0 ]; do
      build "$1" "$2"
      shift 2
    done
  } </dev/null >"$root/build/.beside-$program-$$" 2>&1 &
  beside=$!
  set +m
  trap 'kill -- "-$beside" 2>/dev/null || true' EXIT
}

# Waits for those builds and says what they said. False if one failed.
finish_builds() {
  local status=0
  if kill -0 "$beside" 2>/dev/null; then say "waiting for the builds beside these tests"; fi
  wait "$beside" || status=$?
  trap - EXIT
  cat "$root/build/.beside-$program-$$" >&2
  rm -f "$root/build/.beside-$program-$$"
  return $status
}
