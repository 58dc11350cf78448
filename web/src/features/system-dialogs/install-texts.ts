import type { AgentHandout } from '../../api/agent-handout.ts'
import type { AgentOptions } from './compose-text.ts'

/** The agent's own port; also what stands in a command while the port that is typed is none. */
const AGENT_PORT = '45876'

const portOf = (typed: string): string => (/^\d{1,5}$/.test(typed.trim()) ? typed.trim() : AGENT_PORT)

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** As further options, with a space before. */
const dialled = (dials: AgentOptions['dials']): string =>
  dials === undefined ? '' : ` HUB_URL=${quoted(dials.hubUrl)} TOKEN=${quoted(dials.token)}`

const asRoot = '$(command -v sudo)'

const fetched = (url: string): string => `{ curl -fsSO ${quoted(url)} || wget -q ${quoted(url)}; }`

const checked = (sha256: string, file: string): string => `echo '${sha256}  ${file}' | sha256sum -c -`

/**
 * One line for a shell: installs the agent as a service, or brings a newer one. It carries the checksum of the script it runs, which carries
 * those of the agents, so nothing runs that this hub did not mean; its folder goes with it.
 */
export function installLine({ port, publicKey, dials }: AgentOptions, { address, installSha256 }: AgentHandout): string {
  const script = [
    fetched(`${address}/install.sh`),
    checked(installSha256, 'install.sh'),
    `${asRoot} sh install.sh ${quoted(address)} KEY=${quoted(publicKey)} PORT=${portOf(port)}${dialled(dials)}`,
  ]
  return `(d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" && ${script.join(' && ')})`
}

/** Everything that the service and its agent left on the machine. */
const installed = [
  '/etc/systemd/system/vedette-agent.service',
  '/etc/systemd/system/vedette-agent.service.d',
  '/etc/vedette-agent.env',
  '/usr/local/bin/vedette-agent',
  '/var/lib/private/vedette-agent',
  '/var/lib/vedette-agent',
]

/** One line for a shell that takes the agent away again; it needs no hub. */
export const removeLine = `${asRoot} sh -c 'systemctl disable --now vedette-agent; rm -rf ${installed.join(' ')}; systemctl daemon-reload'`

/** Runs the agent's one file in a shell, for as long as that is open. */
export const fileCommand = ({ port, publicKey, dials }: AgentOptions): string =>
  `KEY="${publicKey}" PORT=${portOf(port)}${dialled(dials)} node vedette-agent.mjs`

/** The same with what fetches that file before, in one line. */
export const fileLine = (agent: AgentOptions, { address }: AgentHandout, sha256: string): string =>
  [fetched(`${address}/node/vedette-agent.mjs`), checked(sha256, 'vedette-agent.mjs'), fileCommand(agent)].join(' && ')
