import type { HttpRequest, Runtime } from '../../runtime/runtime.ts'

export type EngineAddress = HttpRequest['to']

/** `search`: wherever one of the usual sockets is, now or later. */
export type EngineSetting =
  | { readonly mode: 'off' }
  | { readonly mode: 'fixed'; readonly address: EngineAddress }
  | { readonly mode: 'search' }

/** Docker's default socket. */
export const USUAL_SOCKET = '/var/run/docker.sock'

/** `unix:///path`, `tcp://host:port`, `http://…` or `https://…`. */
export function parseEngineAddress(text: string): EngineAddress | undefined {
  const [, scheme, rest] = /^(unix|tcp|https?):\/\/(.+)$/.exec(text) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  if (scheme === 'unix') return rest.startsWith('/') ? { kind: 'unix', path: rest } : undefined
  return { kind: 'address', origin: `${scheme === 'tcp' ? 'http' : scheme}://${rest.replace(/\/+$/, '')}` }
}

/** The sockets of Docker, then Podman, the user's own before the machine's; `owner` is the number of the agent's user. */
export const usualSockets = (owner: number): readonly string[] => [
  USUAL_SOCKET,
  `/run/user/${owner}/podman/podman.sock`,
  `/run/user/${owner}/docker.sock`,
  '/run/podman/podman.sock',
]

export const ownerOf = (runtime: Runtime): number => runtime.stat('/proc/self')?.owner ?? 0

/** The engine to ask; `undefined` when none is there. Engines are installed, started and replaced while the agent runs. */
export function findEngine(runtime: Runtime, setting: EngineSetting): EngineAddress | undefined {
  if (setting.mode === 'off') return undefined
  if (setting.mode === 'fixed') return setting.address
  const path = usualSockets(ownerOf(runtime)).find((one) => runtime.stat(one)?.kind === 'socket')
  return path === undefined ? undefined : { kind: 'unix', path }
}

export const addressText = (address: EngineAddress): string => (address.kind === 'unix' ? address.path : address.origin)
