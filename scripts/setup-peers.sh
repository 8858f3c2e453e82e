#!/usr/bin/env bash
# Installs the programs that tests use as real peers: a browser, a machine translator, an S3-compatible store, a pooler, proxies, a checker of alert rules, and the
# small tools that the README's tour and the checks of archives and patches need.
# Safe to run again: what is there is left alone, and nothing is fetched when nothing is missing.
# A machine without apt-get, or without the right to use it, is no failure: the tests then name what they skip.
set -euo pipefail

packages=(
  unzip curl git perl
  chromium
  apertium apertium-eng-spa apertium-apy
  swift swift-proxy swift-account swift-container swift-object
  pgbouncer
  nginx caddy
  prometheus
  buildah debootstrap docker-compose
)

say() { printf 'setup-peers: %s\n' "$*"; }
give_up() {
  printf '\n*** setup-peers: %s\n*** setup-peers: missing peers: %s. Their tests will be skipped.\n\n' "$1" "${missing[*]}" >&2
  exit 0
}

is_installed() {
  local state
  state=$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) || return 1
  [[ $state == "install ok installed" ]]
}

find_missing() {
  missing=()
  local package
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
}

# Debian starts a daemon as soon as it is installed, unless policy-rc.d answers 101. Ours stays only while we install,
# and only where the machine has none of its own.
forbid_service_start() {
  [[ -e /usr/sbin/policy-rc.d ]] && return
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee /usr/sbin/policy-rc.d >/dev/null
  "${as_root[@]}" chmod 755 /usr/sbin/policy-rc.d
  trap '"${as_root[@]}" rm -f /usr/sbin/policy-rc.d' EXIT
}

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"
}

# Tests start the daemons themselves, on ports of their own: nothing we installed may come up at the next boot.
disable_services() {
  command -v systemctl >/dev/null || return 0
  local units
  units=$(dpkg -L "${missing[@]}" | sed -n 's|.*/systemd/system/\([^@/]*\.service\)$|\1|p')
  [[ -z $units ]] || xargs "${as_root[@]}" systemctl --quiet disable <<<"$units" 2>/dev/null || true
}

install_missing() {
  apt install --yes --no-install-recommends "${missing[@]}" >"$log" 2>&1
}

missing=("${packages[@]}")
command -v dpkg-query >/dev/null || give_up "this is not a Debian system (no dpkg-query)"
find_missing
if ((${#missing[@]} == 0)); then
  say "all there already: ${packages[*]}"
  exit 0
fi
command -v apt-get >/dev/null || give_up "apt-get is not available"

as_root=()
if ((EUID != 0)); then
  { command -v sudo >/dev/null && sudo -n true 2>/dev/null; } || give_up "installing needs root or sudo without a password"
  as_root=(sudo -n)
fi

log=$(mktemp)
forbid_service_start
say "installing ${missing[*]}"
# The package lists may be absent or old: refresh them only when the first try fails.
if ! install_missing && ! { say "refreshing the package lists"; apt update >>"$log" 2>&1 && install_missing; }; then
  tail -n 20 "$log" >&2
  wanted="${missing[*]}"
  find_missing
  give_up "apt-get could not install all of: $wanted"
fi
disable_services
rm -f "$log"
say "installed in ${SECONDS} s: ${missing[*]}"
