#!/bin/sh
# Installs Vedette @VERSION@ from a folder or an address with the files of the release: sh install.sh [OPTION]...
# It verifies the signature of the release, shows each step and waits for "yes". "sh install.sh --help" lists the options.
set -eu

version='@VERSION@'
# Public key that signs releases, in the minisign format.
key='@KEY@'

name=vedette from='' action=install yes=no plan=no purge=no work=''

help() {
  cat <<'HELP'
Installs the hub or the agent of Vedette, or removes it.

  sh install.sh [--from FOLDER|URL] [--agent] [--plan] [--yes]
  sh install.sh --undo [--agent] [--purge] [--plan] [--yes]

  --from FOLDER|URL  Folder or address with the files of the release. Default: the folder of this script.
  --agent            The agent in place of the hub.
  --plan             Only verify, and show the steps.
  --yes              Do the steps without a question.
  --undo             Remove the package. Settings and data stay.
  --purge            With --undo: delete settings and data too.
HELP
}

fail() {
  echo "Cannot $action Vedette: $*" >&2
  exit 1
}

# Shows the steps, and ends the script unless the operator agrees.
agree() {
  if [ "$plan" = yes ]; then exit 0; fi
  if [ "$yes" = no ]; then
    printf 'Continue? Type "yes": '
    read -r answer || answer=''
    [ "$answer" = yes ] || fail 'you did not type "yes"; nothing was changed. --yes skips the question'
  fi
  [ "$(id -u)" = 0 ] || fail "only root can; run it with sudo; nothing was changed"
}

# Finds the package manager, and the names of package files of this machine in the release.
find_manager() {
  case $(uname -m) in
    x86_64) deb=amd64 rpm=x86_64 ;;
    aarch64) deb=arm64 rpm=aarch64 ;;
    *) fail "the release has no package for $(uname -m)" ;;
  esac
  if command -v dpkg >/dev/null; then manager=dpkg file="${name}_${version}_$deb.deb"
  elif command -v rpm >/dev/null; then manager=rpm file="$name-$version-1.$rpm.rpm"
  else fail 'this machine has neither dpkg nor rpm; use the single executable of the release'; fi
}

fetch() {
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null; then curl -fsSL --max-time 600 -o "$work/$1" "$from/$1"
      else wget -q -T 60 -O "$work/$1" "$from/$1"; fi || fail "$from/$1 could not be downloaded; nothing was changed"
      ;;
    *) cp "$from/$1" "$work/$1" 2>/dev/null || fail "$from has no readable file $1; nothing was changed" ;;
  esac
}

# Verifies SHA256SUMS by its signature, and the version in the signature's trusted comment.
verify() {
  reason="the signature of $from/SHA256SUMS is not that of Vedette $version; nothing was changed"
  comment=$(sed -n 3p "$work/SHA256SUMS.minisig")
  [ "$comment" = "trusted comment: vedette $version" ] || fail "$reason"
  if command -v minisign >/dev/null; then
    minisign -V -q -P "$key" -m "$work/SHA256SUMS" >/dev/null 2>&1 || fail "$reason"
  elif openssl version 2>/dev/null | grep -q '^OpenSSL [3-9]'; then
    verify_with_openssl || fail "$reason"
  else
    fail 'it needs minisign to verify the release; install it, for example with "apt-get install minisign"'
  fi
}

# A signature has 2 bytes of the kind "ED", 8 of the key's id and 64 of Ed25519 over the BLAKE2b hash. A key has 32 bytes after "Ed" and id.
verify_with_openssl() {
  bytes() { tail -c +"$2" "$1" | head -c "$3"; }
  echo "$key" | base64 -d >"$work/key" || return 1
  sed -n 2p "$work/SHA256SUMS.minisig" | base64 -d >"$work/signed" || return 1
  sed -n 4p "$work/SHA256SUMS.minisig" | base64 -d >"$work/global" || return 1
  [ "$(bytes "$work/signed" 1 2)" = ED ] && [ "$(wc -c <"$work/signed")" = 74 ] && [ "$(wc -c <"$work/global")" = 64 ] || return 1
  bytes "$work/key" 3 8 >"$work/key-id"
  bytes "$work/signed" 3 8 | cmp -s - "$work/key-id" || return 1
  # The bytes before a raw key in its DER form (RFC 8410).
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000'; bytes "$work/key" 11 32; } >"$work/key.der"
  bytes "$work/signed" 11 64 >"$work/signature"
  openssl dgst -blake2b512 -binary "$work/SHA256SUMS" >"$work/hash" || return 1
  { cat "$work/signature"; printf %s "${comment#trusted comment: }"; } >"$work/whole"
  for pair in "hash signature" "whole global"; do
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin -in "$work/${pair% *}" -sigfile "$work/${pair#* }" \
      >/dev/null 2>&1 || return 1
  done
}

verify_package() {
  sum=$(sed -n "s/^\\([0-9a-f]\\{64\\}\\)  $file\$/\\1/p" "$work/SHA256SUMS")
  [ -n "$sum" ] || fail "the release has no file $file for this machine; nothing was changed"
  fetch "$file"
  echo "$sum  $work/$file" | sha256sum -c - >/dev/null 2>&1 || fail "$file is damaged: its checksum is not $sum; nothing was changed"
  if [ "$manager" = dpkg ]; then needed=$(dpkg-deb --field "$work/$file" Installed-Size)
  else needed=$(($(rpm -qp --queryformat '%{SIZE}' "$work/$file" 2>/dev/null) / 1024)); fi
  free=$(df -Pk /usr | awk 'END { print $4 }')
  [ "$free" -gt $((needed + 10240)) ] || fail "/usr has $free KiB free, and needs $((needed + 10240)); nothing was changed"
}

contents() {
  if [ "$manager" = dpkg ]; then dpkg-deb --contents "$work/$file" | awk '$6 !~ /\/$/ { print "       " substr($6, 2) }'
  else rpm -qpl "$work/$file" 2>/dev/null | sed 's/^/       /'; fi
}

install_package() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  find_manager
  fetch SHA256SUMS
  fetch SHA256SUMS.minisig
  verify
  verify_package
  cat <<PLAN
Vedette $version is signed with the key of its releases. The steps:
  1. Install $file with $manager. It writes these files:
$(contents)
  2. Start the service $name, and enable it for each start of the machine.
To undo it: sh install.sh --undo$([ "$name" = vedette ] || echo ' --agent')
PLAN
  agree
  if [ "$manager" = dpkg ]; then dpkg --force-confold --install "$work/$file"
  else rpm --upgrade --replacepkgs "$work/$file"; fi || fail "$manager refused $file, see above"
}

is_installed() {
  if [ "$manager" = dpkg ]; then dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^[ir][ic]'
  else rpm -q "$name" >/dev/null 2>&1; fi
}

remove_package() {
  find_manager
  case $name in
    vedette) settings=/etc/vedette file=/etc/vedette/vedette.env ;;
    *) settings=/etc/vedette-agent.env file=/etc/vedette-agent.env ;;
  esac
  is_installed || [ "$purge" = yes ] || fail "the package $name is not installed"
  echo 'The steps:'
  if is_installed; then echo "  1. Stop the service $name, and remove its package with $manager."; fi
  if [ "$purge" = yes ]; then echo "  2. Delete $settings and all data in /var/lib/$name."
  else echo "Settings and data stay: $settings and /var/lib/$name. --purge deletes them too."; fi
  agree
  if is_installed; then
    if [ "$manager" = rpm ]; then rpm --erase "$name"
    elif [ "$purge" = yes ]; then dpkg --purge "$name"
    else dpkg --remove "$name"; fi || fail "$manager refused to remove $name, see above"
  fi
  # rpm renames changed settings; under their own name, the next installation finds them.
  if [ -f "$file.rpmsave" ]; then mv "$file.rpmsave" "$file"; fi
  if [ "$purge" = yes ]; then rm -rf "$settings" "$settings.rpmnew" "/var/lib/private/$name" "/var/lib/$name"; fi
}

main() {
  while [ $# -gt 0 ]; do
    case $1 in
      --from) [ $# -gt 1 ] || fail '--from needs a value'; from=$2; shift ;;
      --agent) name=vedette-agent ;;
      --plan) plan=yes ;;
      --yes) yes=yes ;;
      --undo) action=remove ;;
      --purge) purge=yes ;;
      --help) help; exit 0 ;;
      *) fail "\"$1\" is no option; --help lists all" ;;
    esac
    shift
  done
  [ "$purge" = no ] || [ "$action" = remove ] || fail '--purge is for --undo only'
  [ -n "$from" ] || from=$(dirname "$0")
  from=${from%/}
  if [ "$action" = remove ]; then remove_package; else install_package; fi
}

main "$@"
