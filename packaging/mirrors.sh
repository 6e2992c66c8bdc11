# shellcheck shell=bash disable=SC2034
# Sourced by what makes root file systems: what of this machine they need to know.

# The mirrors that apt on this machine uses for Debian; else whoever makes a root file system has its own.
find_mirrors() {
  local uris
  uris="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sort -u || true)"
  mirror="$(grep -m 1 -E '/debian/?$' <<<"$uris" || true)"
  security_mirror="$(grep -m 1 -E '/debian-security/?$' <<<"$uris" || true)"
}

# What apt on this machine needs to reach its servers, as a configuration of apt.
apt_settings() {
  apt-config dump --format '%f "%v";%n' 2>/dev/null | grep -E '^Acquire::(https?::|Check-|Retries)' || true
}

# Whether this machine's kernel hands programs of ARM to an emulator: the program starts its reader itself. mmdebstrap
# asks arch-test, too.
starts_arm64() { arch-test arm64 >/dev/null 2>&1; }
no_arm64="this machine starts no programs of ARM (apt-get install qemu-user-static arch-test; arch-test arm64 tells)"
