import type { HttpRequest, Runtime } from '../../runtime/runtime.ts'

export type EngineAddress = HttpRequest['to']

/**
 * Setting for the container engine (Docker or Podman): disabled, a fixed address, or `search` for one of the usual sockets at each reading.
 */
export type EngineSetting =
  | { readonly mode: 'off' }
  | { readonly mode: 'fixed'; readonly address: EngineAddress }
  | { readonly mode: 'search' }

/** Path of the unix socket on which Docker listens by default, `/var/run/docker.sock`. */
export const USUAL_SOCKET = '/var/run/docker.sock'

/**
 * Parses the address of Docker or Podman: `unix:///path`, `tcp://host:port`, `http://…` or `https://…`. Returns the socket's path or the
 * URL without its last slashes, for `tcp` with `http:`; `undefined` when the text is invalid.
 */
export function parseEngineAddress(text: string): EngineAddress | undefined {
  const [, scheme, rest] = /^(unix|tcp|https?):\/\/(.+)$/.exec(text) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  if (scheme === 'unix') return rest.startsWith('/') ? { kind: 'unix', path: rest } : undefined
  return { kind: 'address', origin: `${scheme === 'tcp' ? 'http' : scheme}://${rest.replace(/\/+$/, '')}` }
}

/**
 * Returns the usual paths of Docker's and Podman's sockets: the system's Docker, the user's Podman and Docker, then the system's Podman.
 * `owner` is the numeric user id of the agent.
 */
export const usualSockets = (owner: number): readonly string[] => [
  USUAL_SOCKET,
  `/run/user/${owner}/podman/podman.sock`,
  `/run/user/${owner}/docker.sock`,
  '/run/podman/podman.sock',
]

export const ownerOf = (runtime: Runtime): number => runtime.stat('/proc/self')?.owner ?? 0

/**
 * Returns the address of Docker or Podman: the configured one unchecked, else the first usual socket that exists. `undefined` when it is
 * disabled or none is found. Call it for each request, because engines are installed, started and replaced while the agent runs.
 */
export function findEngine(runtime: Runtime, setting: EngineSetting): EngineAddress | undefined {
  if (setting.mode === 'off') return undefined
  if (setting.mode === 'fixed') return setting.address
  const path = usualSockets(ownerOf(runtime)).find((one) => runtime.stat(one)?.kind === 'socket')
  return path === undefined ? undefined : { kind: 'unix', path }
}

export const addressText = (address: EngineAddress): string => (address.kind === 'unix' ? address.path : address.origin)
