// Program that floods the agent's SSH port: `ssh-flood.ts FLOOD PORT FROM`. It prints a line for each connection that the agent closed.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { sshPacket } from './ssh-packet.ts'

const LOOPBACK = '127.0.0.1'
const SILENT_SOCKETS = 1500
/** Number of parallel connections of a flood. */
const LANES = 32
const PIECE_BYTES = 64 * 1024
const IDENTIFICATION = 'SSH-2.0-flood\r\n'
const IGNORE = 2

/** Runs one connection of a flood, from its start to its end. */
type Flood = (dial: () => Socket) => Promise<void>

/** Resolves at the socket's event. Unlike `once` of node:events, it does not reject when the agent resets the connection. */
const heard = (socket: Socket, event: 'close' | 'connect' | 'drain'): Promise<void> =>
  new Promise((resolve) => void socket.once(event, () => resolve()))

/** Writes as fast as the peer reads, until the peer closes. */
async function pour(socket: Socket, piece: Buffer): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(piece)) await Promise.race([heard(socket, 'drain'), heard(socket, 'close')])
  }
}

const ignore = sshPacket(Uint8Array.of(IGNORE, 0, 0, 0, 0))
const manyIgnores = Buffer.alloc(PIECE_BYTES - (PIECE_BYTES % ignore.length), ignore)

/** Private members of the SSH library that send messages of RFC 4252 without waiting for replies. */
type Requests = {
  readonly authNone: (user: string) => void
  readonly authPK: (user: string, key: ssh2.ParsedKey, algorithm: string | undefined) => void
}

/** Exchanges keys, stops reading, and sends requests until the agent closes. */
async function pourRequests(socket: Socket, send: (requests: Requests) => void): Promise<void> {
  const client = new ssh2.Client()
  const ready = new Promise<void>((resolve) => {
    client.connect({
      sock: socket,
      username: 'u',
      // Called when the authentication service is ready.
      authHandler: () => resolve(),
    })
  })
  client.on('error', () => undefined)
  const closed = heard(socket, 'close')
  await Promise.race([ready, closed])
  socket.pause()
  const requests = Reflect.get(client, '_protocol') as Requests // private to the library
  while (!socket.destroyed) {
    for (let count = 0; count < 100; count++) send(requests)
    if (socket.writableNeedDrain) await Promise.race([heard(socket, 'drain'), closed])
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

/** URL of a hub's public key, which is not secret. */
const keyFile = new URL('../../protocol/vectors/agent/test-only-keys/hub_ed25519.pub', import.meta.url)
const publicKey = ssh2.utils.parseKey(readFileSync(keyFile, 'utf8'))

const floods: Readonly<Record<string, Flood>> = {
  'ignore-before-kexinit': async (dial) => {
    const socket = dial()
    socket.write(IDENTIFICATION)
    await pour(socket, manyIgnores)
  },
  'unread-none': (dial) => pourRequests(dial(), (requests) => requests.authNone('u')),
  'unread-key-queries': (dial) =>
    pourRequests(dial(), (requests) => {
      if (publicKey instanceof Error) throw publicKey
      requests.authPK('u', publicKey, undefined)
    }),
  'silent-sockets': async (dial) => {
    const socket = dial()
    await heard(socket, 'close')
  },
  'endless-identification': async (dial) => {
    const socket = dial()
    await pour(socket, Buffer.alloc(PIECE_BYTES, 'S'))
  },
  'bad-packet-after-half-close': async (dial) => {
    const socket = dial()
    socket.pause()
    socket.write(Buffer.concat([Buffer.from(IDENTIFICATION), Buffer.alloc(8, 0xff)]))
    socket.write('x')
    socket.end()
    socket.resume()
    await heard(socket, 'close')
  },
  'connect-and-close': async (dial) => {
    const socket = dial()
    await Promise.race([heard(socket, 'connect'), heard(socket, 'close')])
    socket.destroy()
  },
}

export const floodNames = Object.keys(floods)

if (import.meta.main) {
  const [name = '', port = '', from = ''] = process.argv.slice(2)
  const flood = floods[name]
  if (flood === undefined) throw new Error(`There is no flood "${name}"`)
  const dial = (): Socket => {
    const socket = connect({ host: LOOPBACK, port: Number(port), localAddress: from, noDelay: true })
    socket.on('error', () => undefined)
    if (name !== 'bad-packet-after-half-close') socket.resume()
    return socket
  }
  let closed = 0
  const lane = async (): Promise<never> => {
    for (;;) {
      await flood(dial)
      closed++
      if (closed <= 10 || closed % 500 === 0) process.stdout.write(`closed ${closed}\n`)
    }
  }
  await Promise.all(Array.from({ length: name === 'silent-sockets' ? SILENT_SOCKETS : LANES }, lane))
}
