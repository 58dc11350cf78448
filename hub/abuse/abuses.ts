import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/**
 * Hub under test to which an abuse of the abuse test connects: port on 127.0.0.1, and the source address, session token and file path that
 * some abuses need.
 */
export type AbuseTarget = {
  readonly port: number
  /** Source IP address from which a client of the abuse test connects, in 127.0.0.0/8, so that the hub counts it as one client. */
  readonly localAddress: string
  /** Session token of an ordinary user of the hub under test, for those abuses whose clients are signed in. */
  readonly session: string
  /**
   * URL path of a file of the dashboard that is larger than the kernel's socket buffers. A client of the abuse test that does not read it
   * stalls the hub's response.
   */
  readonly largeFile: string
}

/**
 * Function of the abuse test: abuses a hub in one way, and resolves when the signal is aborted. It calls `attempted` for each connection
 * attempt.
 */
export type Abuse = (target: AbuseTarget, signal: AbortSignal, attempted: () => void) => Promise<void>

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
/**
 * Interval between the bytes that a slow client of the abuse test sends, in ms (500). It is short enough that the hub's idle timeout does
 * not end the connection.
 */
const DRIBBLE_MS = 500

/**
 * Calls the function `one` in `count` endless parallel loops of the abuse test, each 1 ms after its last call ended. Resolves when the
 * signal is aborted. Rejections of `one` are ignored.
 */
async function runLoops(count: number, signal: AbortSignal, one: () => Promise<void>): Promise<void> {
  async function again(): Promise<void> {
    while (!signal.aborted) {
      await one().catch(() => {})
      // Local ports may run out, and the hub may refuse connections. Neither may cause a busy loop.
      await wait(1)
    }
  }
  await Promise.all(Array.from({ length: count }, again))
}

/**
 * Opens a TCP connection from the abuse test to the hub under test, runs `use` on the socket and resets the connection. Resolves when `use`
 * is done, or when the signal or the hub ends the connection.
 */
async function connection(target: AbuseTarget, signal: AbortSignal, use: (socket: Socket) => Promise<unknown>): Promise<void> {
  const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: target.localAddress })
  socket.on('error', () => {})
  const end = (): void => void socket.destroy()
  signal.addEventListener('abort', end)
  try {
    await once(socket, 'connect')
    const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    await Promise.race([use(socket), over])
  } finally {
    signal.removeEventListener('abort', end)
    // A reset leaves no connection in TIME_WAIT.
    socket.resetAndDestroy()
  }
}

const ended = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.resume().once('end', resolve).once('close', resolve))
const answered = (socket: Socket): Promise<unknown> => Promise.race([once(socket, 'data'), ended(socket)])

async function dribble(socket: Socket, piece: string): Promise<void> {
  while (!socket.destroyed) {
    socket.write(piece)
    await wait(DRIBBLE_MS)
  }
}

const head = (request: string, headers: Readonly<Record<string, string | number>> = {}): string =>
  `${request} HTTP/1.1\r\nHost: hub\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const post = (
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string | number>> = {},
): readonly (string | Buffer)[] => [
  head(`POST ${path}`, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers }),
  body,
]

const SIGN_IN = '/api/collections/users/auth-with-password'
const SYSTEMS = '/api/collections/systems/records'

/** Abuse test: opens 1000 connections that send endless HTTP headers slowly (slowloris), until the signal is aborted. */
const slowHeaders: Abuse = (target, signal, attempted) =>
  runLoops(1000, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      socket.write('GET /api/health HTTP/1.1\r\nHost: hub\r\n')
      await Promise.race([dribble(socket, 'X-More: x\r\n'), ended(socket)])
    }),
  )

/** Abuse test: opens 1000 connections that send endless request bodies slowly, until the signal is aborted. */
const slowBodies: Abuse = (target, signal, attempted) =>
  runLoops(1000, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      socket.write(head(`POST ${SIGN_IN}`, { 'Content-Type': 'application/json', 'Content-Length': 200 * KIBIBYTE }))
      socket.write('{"identity":"'.padEnd(100 * KIBIBYTE, 'x'))
      await Promise.race([dribble(socket, 'x'), ended(socket)])
    }),
  )

/**
 * Abuse test: opens 400 connections that request large responses and read nothing, half as a guest, half with a session, until the signal
 * is aborted.
 */
const slowReaders: Abuse = (target, signal, attempted) => {
  let at = 0
  return runLoops(400, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      const list = head(`GET ${SYSTEMS}?perPage=500`, { Authorization: target.session })
      const file = head(`GET ${target.largeFile}`).repeat(20)
      socket.pause()
      socket.write(at++ % 2 === 0 ? list : file)
      await wait(10_000, undefined, { signal })
    }),
  )
}

/** Abuse test: opens 1000 event streams as a guest and reads them, until the signal is aborted. */
const eventStreams: Abuse = (target, signal, attempted) =>
  runLoops(1000, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      socket.write(head('GET /api/realtime', { Connection: 'close' }))
      await ended(socket)
    }),
  )

/**
 * Returns HTTP requests of the abuse test that are costly to parse: large, deeply nested and compressed bodies, and long filters. Each is a
 * list of texts or bytes, written to one socket in turn.
 */
function costlyRequests({ session }: AbuseTarget): readonly (readonly (string | Buffer)[])[] {
  const Authorization = session
  const deep = '['.repeat(MEBIBYTE / 2) + ']'.repeat(MEBIBYTE / 2)
  const shallow = `{"info":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`
  const many = `{${Array.from({ length: 60_000 }, (_, at) => `"field${at}":${at}`).join(',')}}`
  const bomb = gzipSync(Buffer.alloc(64 * MEBIBYTE, 'x'))
  const terms = Array.from({ length: 150 }, (_, at) => `name~"${at}"`).join('||')
  const crossing = '(users.systems_via_users.users.systems_via_users.name ?~ "a")'
  const filters = [terms, '('.repeat(60) + 'id=1' + ')'.repeat(60), `${crossing}||${crossing}||${crossing}`]
  const bodies = [' '.repeat(MEBIBYTE), deep, shallow, many]
  return [
    ...bodies.flatMap((body) => [post(SIGN_IN, body), post(SYSTEMS, body, { Authorization })]),
    post(SYSTEMS, bomb, { Authorization, 'Content-Encoding': 'gzip' }),
    post('/api/batch', `{"requests":[${Array.from({ length: 5000 }, () => '{}').join(',')}]}`, { Authorization }),
    ...filters.map((filter) => [head(`GET ${SYSTEMS}?filter=${encodeURIComponent(filter)}`, { Authorization })]),
    [head(`GET ${SYSTEMS}?expand=${Array.from({ length: 6 }, () => 'users.systems_via_users').join('.')}`, { Authorization })],
  ]
}

const costlyBodies: Abuse = (target, signal, attempted) => {
  const requests = costlyRequests(target)
  let at = 0
  return runLoops(16, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      for (const piece of requests[at++ % requests.length] ?? []) socket.write(piece)
      await answered(socket)
    }),
  )
}

/**
 * Abuse test: connects like agents, with invalid tokens, 64 at a time, until the signal is aborted. The requests offer WebSocket
 * compression, as real agents' do.
 */
const wrongTokens: Abuse = (target, signal, attempted) =>
  runLoops(64, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      socket.write(
        head('GET /api/beszel/agent-connect', {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Version': 13,
          'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
          'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
          'X-Token': randomBytes(16).toString('hex'),
          'X-Beszel': '0.18.8',
        }),
      )
      await answered(socket)
    }),
  )

/** Abuse test: tries to sign in with random accounts and passwords, in 64 parallel loops, until the signal is aborted. */
const passwordGuesses: Abuse = (target, signal, attempted) =>
  runLoops(64, signal, () =>
    connection(target, signal, async (socket) => {
      attempted()
      const identity = `guess-${randomBytes(4).toString('hex')}@example.com`
      for (const piece of post(SIGN_IN, JSON.stringify({ identity, password: randomBytes(8).toString('hex') }))) socket.write(piece)
      await answered(socket)
    }),
  )

export const abuses = {
  'slow headers': slowHeaders,
  'slow bodies': slowBodies,
  'slow readers': slowReaders,
  'event streams': eventStreams,
  'costly bodies': costlyBodies,
  'wrong tokens': wrongTokens,
  'password guesses': passwordGuesses,
} as const satisfies Readonly<Record<string, Abuse>>

export type AbuseName = keyof typeof abuses

export const abuseNames: readonly AbuseName[] = [
  'slow headers',
  'slow bodies',
  'slow readers',
  'event streams',
  'costly bodies',
  'wrong tokens',
  'password guesses',
]
