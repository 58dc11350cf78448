import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { BUILD_COMMANDS, type AgentFile } from './agent-files.ts'
import { SERVICE_UNIT } from './service-unit.ts'

/** Oldest major version of Node.js that runs the agent's JavaScript bundle: 26. The install script checks it. */
const LEAST_NODE = 26

/**
 * Returns a POSIX shell script that downloads the agent, verifies its checksum and installs a systemd service. Root runs it as `sh
 * install.sh ADDRESS [NAME=VALUE]...`: the URL of `/agent` on this hub, and the agent's options. A second run updates the agent and keeps
 * its options if none are given.
 */
export function installScript(files: readonly AgentFile[]): string {
  const executables = files.filter(({ platform }) => platform.startsWith('linux-'))
  const script = files.find(({ platform }) => platform === 'node')
  const cases = executables.map(
    ({ platform, address, sha256 }) => `    '${platform.replace('linux-', 'Linux ')}') file=${address} sum=${sha256} ;;`,
  )
  const there = files.length === 0 ? `none: run ${BUILD_COMMANDS} there` : files.map(({ platform }) => platform).join(', ')
  return `#!/bin/sh
# Installs the Vedette agent ${VEDETTE_VERSION} as a service of systemd: sh install.sh ADDRESS [NAME=VALUE]...
# ADDRESS is the one of /agent on the hub; NAME=VALUE are options of the agent. Run again it brings a newer one and keeps the options.
set -eu

program=/usr/local/bin/vedette-agent
options=/etc/vedette-agent.env
unit=/etc/systemd/system/vedette-agent.service

fail() {
  echo "Cannot install the agent: $*" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null; then curl -fsS --max-time 600 -o "$2" "$1"; else wget -q -T 60 -O "$2" "$1"; fi
}

main() {
  address=\${1-}
  case $address in
    http://?* | https://?*) shift ;;
    *) fail "the first argument is \\"$address\\", expected an address such as https://hub.example.org/agent" ;;
  esac
  for option; do
    case $option in
      *"'"* | *'
'*) fail "an option has a quote or a line break: $option" ;;
      [A-Z]*=*) ;;
      *) fail "\\"$option\\" is no option, expected NAME=VALUE" ;;
    esac
  done
  [ "$(id -u)" = 0 ] || fail 'only root can'
  [ -d /run/systemd/system ] || fail 'systemd does not run here'
  [ $# -gt 0 ] || [ -f "$options" ] || fail 'it has no options yet; it needs KEY'

  kind=executable
  case "$(uname -s) $(uname -m)" in
${cases.join('\n')}${cases.length > 0 ? '\n' : ''}    *)
      ${script === undefined ? `fail "this hub has none for $(uname -s) $(uname -m); it has ${there}"` : `kind=script file=${script.address} sum=${script.sha256}`}
      ;;
  esac
  if [ "$kind" = script ]; then
    node -e 'process.exit(Number.parseInt(process.versions.node) < ${LEAST_NODE} ? 1 : 0)' 2>/dev/null ||
      fail "this hub has none for $(uname -s) $(uname -m) (it has ${there}), and Node.js ${LEAST_NODE} is not installed"
  fi

  mkdir -p "\${program%/*}"
  new=$(mktemp "$program-XXXXXX")
  trap 'rm -f "$new"' EXIT
  fetch "$address/$file" "$new" || fail "nothing came from $address/$file"
  echo "$sum  $new" | sha256sum -c - >/dev/null 2>&1 || fail "what came from $address/$file has another checksum than $sum"
  chmod 755 "$new"
  "$new" --version >/dev/null || fail "what came from $address/$file does not run here"
  mv "$new" "$program"

  if [ $# -gt 0 ]; then
    (
      umask 077
      for option; do echo "\${option%%=*}='\${option#*=}'"; done >"$options.new"
    )
    mv "$options.new" "$options"
  fi
  cat >"$unit" <<'UNIT'
${SERVICE_UNIT}UNIT
  if grep -q '^docker:' /etc/group; then sed -i 's/^#\\(SupplementaryGroups=docker\\)$/\\1/' "$unit"; fi
  # Node.js compiles while it runs.
  if [ "$kind" = script ]; then sed -i '/^MemoryDenyWriteExecute=/d' "$unit"; fi
  systemctl daemon-reload
  systemctl enable --quiet vedette-agent
  systemctl restart vedette-agent
  echo 'The agent runs: systemctl status vedette-agent'
}

main "$@"
`
}
