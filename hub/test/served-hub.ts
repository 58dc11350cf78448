import type { Hono } from 'hono'
import { systemClock } from '../src/platform/clock.ts'
import { peerAddress, trustedProxies } from '../src/platform/http/client-address.ts'
import { connectionGuard } from '../src/platform/http/connection-guard.ts'
import { standardPeerLimits, type PeerLimits } from '../src/platform/http/peer-limits.ts'
import type { TlsPair } from '../src/platform/http/listening/tls-files.ts'
import { serve } from '../src/platform/http/server.ts'
import type { RequestContext } from '../src/http/requests/request-context.ts'
import { databases, silentLog } from './databases.ts'
import { recordedHub, type ServedLimits } from './recorded-hub.ts'

/** The hub of the recordings at a port of its own, on the embedded database. */
export async function servedHub({ limits, ...more }: Omit<ServedLimits, 'limits'> & { readonly limits?: Partial<PeerLimits> } = {}) {
  const [kind] = databases
  if (kind === undefined) throw new Error('There is no database to test on')
  const hub = await recordedHub(kind, 'with data', { ...more, limits: { ...standardPeerLimits, ...limits } })
  const server = await serve(hub.app, { host: '127.0.0.1', port: 0 }, { connections: hub.connections })
  return {
    ...hub,
    server,
    port: server.port,
    async [Symbol.asyncDispose]() {
      hub.realtime.close()
      await server.close()
      await hub[Symbol.asyncDispose]()
    },
  }
}

/** An app of a test's own, served as the hub's is. */
export async function servedApp(app: Hono<RequestContext>, limits: Partial<PeerLimits>, tls?: TlsPair) {
  const proxies = trustedProxies([])
  const connections = connectionGuard({
    limits: { ...standardPeerLimits, ...limits },
    addressOfPeer: peerAddress(false),
    proxies: () => proxies,
    clock: systemClock,
    log: silentLog,
  })
  let open = 0
  const waiting = new Set<() => void>()
  const counted: typeof connections = {
    ...connections,
    onConnection(socket, phase) {
      open += 1
      socket.once('close', () => {
        open -= 1
        for (const check of waiting) check()
      })
      connections.onConnection(socket, phase)
    },
  }
  const server = await serve(app, { host: '127.0.0.1', port: 0 }, { connections: counted, tls })
  return {
    port: server.port,
    close: server.close,
    /** Resolves when the server has closed connections until so many are left. */
    openCount: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (open > count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    [Symbol.asyncDispose]: server.close,
  }
}
