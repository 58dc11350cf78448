import { listOf, recordOf, textOf } from './json.ts'

/** Agent downloads that this hub offers. */
export type AgentHandout = {
  /** Where a machine fetches it: `https://hub.example.org/agent`. */
  readonly address: string
  /** Platforms of the native executables: `linux-x86_64`. */
  readonly platforms: readonly string[]
  /** The agent for Node.js, by its checksum. */
  readonly scriptSha256: string | undefined
  /** The checksum of `install.sh`. */
  readonly installSha256: string
  /** The service of systemd that it makes. */
  readonly service: string
  /** The image for containers. */
  readonly image: string
}

const SHA256 = /^[0-9a-f]{64}$/

const sumOf = (value: unknown): string | undefined => (SHA256.test(textOf(value) ?? '') ? textOf(value) : undefined)

/** Reads what the hub says at `/agent/`; `address` is where that is. */
export function readAgentHandout(value: unknown, address: string): AgentHandout {
  const { agents, install, service, image } = recordOf(value)
  const listed = listOf(agents).map(recordOf)
  return {
    address,
    platforms: listed.map(({ platform }) => textOf(platform) ?? '').filter((platform) => platform.startsWith('linux-')),
    scriptSha256: sumOf(listed.find(({ platform }) => platform === 'node')?.['sha256']),
    installSha256: sumOf(recordOf(install)['sha256']) ?? '',
    service: textOf(service) ?? '',
    image: textOf(image) ?? '',
  }
}
