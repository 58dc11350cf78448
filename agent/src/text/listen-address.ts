import type { SshAddress } from '../runtime/runtime.ts'

/**
 * Parses the address on which the SSH server listens: `45876`, `:45876`, `127.0.0.1:45876`, `[::1]:45876`, or the path of a unix socket.
 * Returns host and port, or the path; `undefined` for other texts.
 */
export function parseListenAddress(text: string): SshAddress | undefined {
  if (text.startsWith('/')) return { kind: 'unix', path: text }
  const [, host = '', digits = ''] = /^(?:(\[[0-9a-fA-F:.%]+\]|[^:[\]]*):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535) return undefined
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === '' ? { kind: 'tcp', port } : { kind: 'tcp', host: bare, port }
}

export const networks: readonly string[] = ['tcp', 'tcp4', 'tcp6', 'unix']

/**
 * Applies the option NETWORK (`tcp`, `tcp4`, `tcp6` or `unix`) to the address on which the SSH server is to listen, and returns it. With
 * `tcp4` or `tcp6`, a missing host becomes 0.0.0.0 or `::`. `undefined` when the address is of another kind.
 */
export function inNetwork(address: SshAddress, network: string | undefined): SshAddress | undefined {
  if (network === undefined) return address
  if (address.kind === 'unix') return network === 'unix' ? address : undefined
  const { host } = address
  if (network === 'tcp4') return isIpv6(host) ? undefined : { ...address, host: host ?? '0.0.0.0' }
  if (network === 'tcp6') return host === undefined || isIpv6(host) ? { ...address, host: host ?? '::', ipv6Only: true } : undefined
  return network === 'tcp' ? address : undefined
}

const isIpv6 = (host: string | undefined): boolean => host?.includes(':') === true

/** Returns the address on which the agent's SSH server listens as text for messages, such as `port 45876` or `[::1]:45876`. */
export function listenText(address: SshAddress): string {
  if (address.kind === 'unix') return address.path
  return address.host === undefined
    ? `port ${address.port}`
    : `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
}
