/** Address of an agent: a host and TCP port, or the path of a Unix socket when the configured host begins with "/". */
export type AgentAddress = { readonly path: string } | { readonly host: string; readonly port: number }

export const DEFAULT_AGENT_PORT = 45876

/**
 * Parses the configured host and port of an agent. A host that begins with "/" is a socket path; its port is ignored. `undefined` for a
 * port outside 1 to 65535 or an empty host. An empty port means 45876; brackets around an IPv6 address are removed.
 */
export function parseAgentAddress(host: string, port: string): AgentAddress | undefined {
  if (host.startsWith('/')) return { path: host }
  const number = port.trim() === '' ? DEFAULT_AGENT_PORT : Number(port)
  if (!Number.isInteger(number) || number < 1 || number > 65_535 || host.trim() === '') return undefined
  return { host: host.trim().replace(/^\[(.*)\]$/, '$1'), port: number }
}

export function describeAddress(address: AgentAddress): string {
  if ('path' in address) return address.path
  return address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`
}
