import { listOf, recordOf, textOf } from './json.ts'

/**
 * Agent downloads that this hub offers, parsed from the response of `/agent/`: address, platforms, checksums, systemd unit and container
 * image.
 */
export type AgentHandout = {
  /** URL of the folder with the agent files, without a slash at its end: `https://hub.example.org/agent`. */
  readonly address: string
  /** List of the names of the Linux platforms, such as `linux-x86_64`, for which this hub offers a native agent executable for download. */
  readonly platforms: readonly string[]
  /** SHA-256 of the agent script for Node.js, as hexadecimal text; `undefined` when the hub does not offer that agent. */
  readonly scriptSha256: string | undefined
  /** SHA-256 of the agent's installation script `install.sh`, as hexadecimal text; empty string when the response has none. */
  readonly installSha256: string
  /** Text of the systemd unit that `install.sh` installs for the agent. */
  readonly service: string
  /**
   * Version of the agents that this hub offers, to compare with those of systems. `undefined` when the hub offers no agents, or the
   * operator has disabled hints about newer agents.
   */
  readonly newestVersion: string | undefined
  /** Name of the agent's container image for Docker or Podman, as in `docker pull`. */
  readonly image: string
}

const SHA256 = /^[0-9a-f]{64}$/

const sumOf = (value: unknown): string | undefined => (SHA256.test(textOf(value) ?? '') ? textOf(value) : undefined)

/**
 * Parses the JSON response of `/agent/` and returns the agent downloads. `address` is the URL of that path without the slash at its end.
 */
export function readAgentHandout(value: unknown, address: string): AgentHandout {
  const { version, agents, install, service, image, hasUpdateHint } = recordOf(value)
  const listed = listOf(agents).map(recordOf)
  return {
    address,
    platforms: listed.map(({ platform }) => textOf(platform) ?? '').filter((platform) => platform.startsWith('linux-')),
    scriptSha256: sumOf(listed.find(({ platform }) => platform === 'node')?.['sha256']),
    installSha256: sumOf(recordOf(install)['sha256']) ?? '',
    service: textOf(service) ?? '',
    newestVersion: hasUpdateHint === true && listed.length > 0 ? textOf(version) : undefined,
    image: textOf(image) ?? '',
  }
}
