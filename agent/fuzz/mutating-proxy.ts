import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { diceOf, mutate, type Dice } from './mutations.ts'

/** Address of a socket: a TCP port of this machine, or the path of a unix socket. */
export type SocketAddress = number | string

/**
 * TCP or unix socket proxy for fuzz tests, between a correct client or server and the program under test. It corrupts the bytes that go to
 * the program under test.
 */
export type MutatingProxy = AsyncDisposable & {
  readonly place: SocketAddress
  /**
   * With `true`, the proxy passes bytes of new connections on unchanged; with `false` it corrupts them again. Existing connections are
   * closed.
   */
  readonly beHonest: (isHonest: boolean) => void
}

export type ProxyOptions = {
  readonly at: SocketAddress
  readonly peer: SocketAddress
  /** Side under test, to which the proxy sends corrupted bytes: `who connects` is the proxy's client, `peer` the server behind it. */
  readonly under: 'who connects' | 'peer'
  /**
   * Seed of the random numbers that decide which bytes the proxy corrupts. The first connection uses this number, the second this number
   * plus 1, and so on.
   */
  readonly seed: number
}

/**
 * Rate of the fuzz proxy's faults: on average it corrupts 1 of 3 received chunks of data. So most connections get past their first
 * messages.
 */
const BROKEN_OF = 3

export async function startMutatingProxy({ at, peer, under, seed }: ProxyOptions): Promise<MutatingProxy> {
  const open = new Set<Socket>()
  let connections = 0
  let isHonest = false
  const server = createServer((client) => {
    const dice = isHonest ? undefined : diceOf(seed + connections++)
    const upstream = connectTo(peer)
    const [tested, real] = under === 'peer' ? [upstream, client] : [client, upstream]
    for (const socket of [tested, real]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        open.delete(socket)
        tested.destroy()
        real.destroy()
      })
    }
    tested.pipe(real)
    real.on('data', (piece: Buffer) => {
      if (tested.destroyed) return
      if (dice === undefined || dice(BROKEN_OF) > 0) tested.write(piece)
      else writeInPieces(tested, mutate(piece, dice), dice)
    })
    real.on('end', () => tested.end())
  })
  if (typeof at === 'number') server.listen(at, '127.0.0.1')
  else server.listen(at)
  await once(server, 'listening')
  const address = server.address()
  return {
    place: typeof address === 'string' || address === null ? at : address.port,
    beHonest(wanted) {
      isHonest = wanted
      for (const socket of open) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const connectTo = (place: SocketAddress): Socket =>
  typeof place === 'number' ? connect({ port: place, host: '127.0.0.1', noDelay: true }) : connect(place)

/** Returns the number of the TCP port on which a server listens. Throws an Error when the server has none. */
export const portOf = (server: { readonly address: () => AddressInfo | string | null }): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Cannot tell the port: the server has none')
  return address.port
}

/**
 * Writes all the bytes to a socket, for fuzz tests of parsers. They are written in one piece, or split in two at a random position; `dice`
 * gives the random numbers.
 */
function writeInPieces(socket: Socket, bytes: Uint8Array, dice: Dice): void {
  const cut = dice(2) === 0 ? bytes.length : dice(bytes.length + 1)
  socket.write(bytes.subarray(0, cut))
  if (cut < bytes.length) socket.write(bytes.subarray(cut))
}
