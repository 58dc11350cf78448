import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Fault of the connections of a proxy. `delayed`: every chunk waits. `frozen`: connections stay open and carry nothing.
 * `answers frozen`: requests arrive, their responses do not. `cut`: connections are closed, and new ones too.
 */
export type ProxyState =
  | { readonly kind: 'open' }
  | { readonly kind: 'delayed'; readonly byMs: number }
  | { readonly kind: 'frozen' }
  | { readonly kind: 'answers frozen' }
  | { readonly kind: 'cut' }

/** A TCP proxy that makes the faults of a network. */
export type FaultProxy = AsyncDisposable & {
  readonly port: number
  readonly become: (state: ProxyState) => void
}

/** A proxy of a PostgreSQL database. `url`: the same database through the proxy. `program`: name of its sessions in the database. */
export async function startDatabaseProxy(database: string, program: string): Promise<FaultProxy & { readonly url: string }> {
  // A socket's URL has no host, which URL does not take.
  const { hostname, port, pathname, searchParams } = new URL(database.replace('@/', '@socket/'))
  const host = searchParams.get('host') ?? hostname
  const number = port === '' ? 5432 : Number(port)
  const proxy = await startFaultProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number })
  return { ...proxy, url: `postgres://vedette@127.0.0.1:${proxy.port}${pathname}?application_name=${program}` }
}

type Direction = 'request' | 'answer'

/** Listens on a free port of 127.0.0.1 and forwards to `target`. */
export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  let state: ProxyState = { kind: 'open' }
  let changed = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()

  /** Resolves when a chunk may pass. */
  async function passage(direction: Direction): Promise<void> {
    while (state.kind === 'frozen' || (state.kind === 'answers frozen' && direction === 'answer')) await changed.promise
    if (state.kind === 'delayed') await wait(state.byMs)
  }

  async function forward(from: Socket, to: Socket, direction: Direction): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await passage(direction)
        if (!to.write(chunk)) await once(to, 'drain')
      }
      await passage(direction)
      to.end()
    } catch {
      // One side was cut, so the other one is.
      from.destroy()
      to.destroy()
    }
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (state.kind === 'cut') return void client.destroy()
    const upstream = connect({ ...target, allowHalfOpen: true })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    void forward(client, upstream, 'request')
    void forward(upstream, client, 'answer')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    become(next) {
      state = next
      changed.resolve()
      changed = Promise.withResolvers<void>()
      if (next.kind === 'cut') cut()
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
