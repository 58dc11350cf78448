import type { AgentHandout } from '../../api/agent-handout.ts'
import type { AgentOptions } from './compose-text.ts'

/** Default port of the agent's SSH server, as text: `45876`. Also used in commands while the typed port is invalid. */
const AGENT_PORT = '45876'

const portOf = (typed: string): string => (/^\d{1,5}$/.test(typed.trim()) ? typed.trim() : AGENT_PORT)

/** Returns a text as one word of a POSIX shell command, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Returns the part ` HUB_URL='…' TOKEN='…'` of a shell command that installs an agent which connects to the hub. Empty when the hub
 * connects to the agent instead.
 */
const dialled = (dials: AgentOptions['dials']): string =>
  dials === undefined ? '' : ` HUB_URL=${quoted(dials.hubUrl)} TOKEN=${quoted(dials.token)}`

const asRoot = '$(command -v sudo)'

const fetched = (url: string): string => `{ curl -fsSO ${quoted(url)} || wget -q ${quoted(url)}; }`

const checked = (sha256: string, file: string): string => `echo '${sha256}  ${file}' | sha256sum -c -`

/**
 * Returns a shell command that installs or upgrades the agent as a service. The command verifies the checksum of `install.sh`, which
 * verifies the agent's checksum, and removes its temporary folder.
 */
export function installLine({ port, publicKey, dials }: AgentOptions, { address, installSha256 }: AgentHandout): string {
  const script = [
    fetched(`${address}/install.sh`),
    checked(installSha256, 'install.sh'),
    `${asRoot} sh install.sh ${quoted(address)} KEY=${quoted(publicKey)} PORT=${portOf(port)}${dialled(dials)}`,
  ]
  return `(d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && ${script.join(' && ')})`
}

/** List of the paths of all files and folders of an installed agent service, which the uninstall command removes. */
const installed = [
  '/etc/systemd/system/vedette-agent.service',
  '/etc/systemd/system/vedette-agent.service.d',
  '/etc/vedette-agent.env',
  '/usr/local/bin/vedette-agent',
  '/var/lib/private/vedette-agent',
  '/var/lib/vedette-agent',
]

/** Text of the shell command that uninstalls the agent service. It downloads nothing from the hub. */
export const removeLine = `${asRoot} sh -c 'systemctl disable --now vedette-agent; rm -rf ${installed.join(' ')}; systemctl daemon-reload'`

/** Returns a shell command that runs the downloaded agent script `vedette-agent.mjs` with Node.js in the foreground. */
export const fileCommand = ({ port, publicKey, dials }: AgentOptions): string =>
  `KEY="${publicKey}" PORT=${portOf(port)}${dialled(dials)} node vedette-agent.mjs`

/** Returns a shell command that downloads the agent script, verifies its SHA-256 (`sha256`) and runs it in the foreground. */
export const fileLine = (agent: AgentOptions, { address }: AgentHandout, sha256: string): string =>
  [fetched(`${address}/node/vedette-agent.mjs`), checked(sha256, 'vedette-agent.mjs'), fileCommand(agent)].join(' && ')
