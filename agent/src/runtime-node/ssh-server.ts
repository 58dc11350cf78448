import type { Server as NetServer, Socket } from 'node:net'
import type ssh2Module from 'ssh2'
import type { AuthContext, Connection, ServerChannel, Session } from 'ssh2'
import type { Bytes, RuntimeEvents, SshOptions } from '../runtime.ts'
import { errorText } from './error-text.ts'
import { readText, stat, writeFile } from './files.ts'
import { listenOn } from './ssh-listen.ts'

type Ssh2 = typeof ssh2Module
type Events = Pick<RuntimeEvents, 'onSsh' | 'onSshServer'>

export type SshServer = {
  readonly listen: (options: SshOptions) => string | null
  readonly reply: (requestId: number, data: Bytes, exitStatus: number) => void
  readonly close: () => void
}

/** A hub keeps one connection; a few more may be left over from restarts. */
const MAX_CONNECTIONS = 64
const MAX_CHANNELS = 32
const MAX_HOST_KEY_BYTES = 16 * 1024
/** As OpenSSH's MaxAuthTries; asking for `none` first is how clients learn the methods and does not count. */
const MAX_FAILURES = 6

/** Only what the hubs speak (and OpenSSH and this library do too): one cipher, one MAC, curve25519. */
const algorithms = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['chacha20-poly1305@openssh.com'],
  hmac: ['hmac-sha2-256-etm@openssh.com'],
  compress: ['none'],
} as const

type Running = { readonly net: NetServer; readonly sockets: Set<Socket> }

/** The SSH server (RFC 4252–4254): public keys only, one request a channel. The library is loaded with the first listening. */
export function sshServer(events: () => Events): SshServer {
  const channels = new Map<number, ServerChannel>()
  let lastRequestId = 0
  let wanted = 0
  let running: Running | undefined

  const start = async (options: SshOptions, turn: number): Promise<void> => {
    try {
      const { default: ssh2 } = await import('ssh2')
      const hostKey = loadHostKey(ssh2, options.hostKeyPath)
      const server = new ssh2.Server({ hostKeys: [hostKey], ident: options.identification, algorithms: mutable() })
      server.on('connection', (client, info) => attend(ssh2, client, info.header.identRaw, options))
      const sockets = new Set<Socket>()
      const net = process.getBuiltinModule('node:net').createServer((socket) => {
        sockets.add(socket)
        socket.setNoDelay(true)
        socket.setTimeout(options.silenceMs, () => socket.destroy())
        socket.on('close', () => sockets.delete(socket))
        server.injectSocket(socket)
      })
      net.maxConnections = MAX_CONNECTIONS
      const port = await listenOn(net, options.address)
      // Closed again while the library was loading or the port was being taken.
      if (turn !== wanted) return void net.close()
      running = { net, sockets }
      events().onSshServer(port === undefined ? { kind: 'listening' } : { kind: 'listening', port })
    } catch (error) {
      if (turn !== wanted) return
      const addressInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      events().onSshServer({ kind: 'failed', reason: failureText(options, error, addressInUse), addressInUse })
    }
  }

  const attend = (ssh2: Ssh2, client: Connection, identification: string, options: SshOptions): void => {
    let failures = 0
    let open = 0
    client.on('authentication', (context) => {
      if (isAuthorised(ssh2, context, options)) return context.accept()
      if (context.method === 'none') return context.reject(['publickey'])
      failures++
      if (context.method === 'publickey') events().onSshServer({ kind: 'refused', clientAddress: addressOf(client) })
      if (failures >= MAX_FAILURES) client.end()
      else context.reject(['publickey'])
    })
    client.on('error', () => {
      // A scanner or a broken connection; it is closed, and nobody waits for it.
    })
    client.on('session', (accept, reject) => {
      if (open >= MAX_CHANNELS) return reject()
      open++
      const session = accept()
      session.on('close', () => {
        open--
      })
      serve(session, identification, options)
    })
  }

  const serve = (session: Session, identification: string, options: SshOptions): void => {
    let started = false
    const begin = (accept: () => ServerChannel, reject: () => boolean | void): void => {
      if (started) {
        reject?.()
        return
      }
      started = true
      hear(accept(), identification, options)
    }
    session.on('shell', begin)
    // Whatever command is named: it is never run, both mean "here comes a request".
    session.on('exec', (accept, reject) => begin(accept, reject))
    session.on('env', (accept) => accept?.())
    session.on('auth-agent', (accept) => accept?.())
    session.on('pty', (_accept, reject) => reject?.())
    session.on('subsystem', (_accept, reject) => reject?.())
  }

  const hear = (channel: ServerChannel, identification: string, options: SshOptions): void => {
    const id = ++lastRequestId
    const pieces: Buffer[] = []
    let length = 0
    let ended = false
    channels.set(id, channel)
    const tell = (): void => {
      if (channels.has(id)) events().onSsh(id, identification, Buffer.concat(pieces), ended)
    }
    channel.on('data', (piece: Buffer) => {
      if (ended) return
      length += piece.length
      pieces.push(piece)
      ended = length > options.maxRequestBytes
      tell()
    })
    channel.on('end', () => {
      ended = true
      tell()
    })
    channel.on('error', () => channels.delete(id))
    channel.on('close', () => channels.delete(id))
    tell()
  }

  return {
    listen: (options) => {
      if (options.authorisedKeys.length === 0) return 'no key may come in'
      void start(options, ++wanted)
      return null
    },
    reply: (requestId, data, exitStatus) => {
      const channel = channels.get(requestId)
      channels.delete(requestId)
      channel?.write(data, () => {
        // Data, status, close, in this order and no EOF: hubs wait for the close and never close first.
        channel.exit(exitStatus)
        channel.close()
      })
    },
    close: () => {
      wanted++
      running?.net.close()
      for (const socket of running?.sockets ?? []) socket.destroy()
      running = undefined
      channels.clear()
    },
  }
}

function isAuthorised(ssh2: Ssh2, context: AuthContext, { authorisedKeys }: SshOptions): boolean {
  if (context.method !== 'publickey') return false
  const { algo, data } = context.key
  const isListed = authorisedKeys.some(({ blob }) => data.equals(blob))
  if (!isListed) return false
  // Without a signature the client only asks whether the key would do.
  if (context.signature === undefined || context.blob === undefined) return true
  const key = ssh2.utils.parseKey(`${algo.startsWith('rsa-') ? 'ssh-rsa' : algo} ${data.toString('base64')}`)
  return !(key instanceof Error) && key.verify(context.blob, context.signature, context.hashAlgo)
}

/** Kept in a file of its own (0600), so that hubs can recognise this agent; made when it is not there. */
function loadHostKey(ssh2: Ssh2, path: string | undefined): string {
  const kept = path === undefined ? null : readText(path, MAX_HOST_KEY_BYTES)
  // One that is there and cannot be read is still what hubs recognise the agent by.
  if (kept === null && path !== undefined && stat(path) !== null) throw new Error(`Cannot read the host key "${path}"`)
  if (kept !== null) {
    const parsed = ssh2.utils.parseKey(kept)
    if (parsed instanceof Error) throw new Error(`Cannot use the host key "${path}": ${parsed.message}`)
    return kept
  }
  const made = generateHostKey(ssh2)
  const problem = path === undefined ? null : writeFile(path, Buffer.from(made), 0o600)
  if (problem !== null) throw new Error(`Cannot write the host key "${path}": ${problem}`)
  return made
}

/** About one in two hundred keys that ssh2 1.17 makes cannot be read back; such a one is made again. */
function generateHostKey(ssh2: Ssh2): string {
  for (;;) {
    const { private: pem } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pem) instanceof Error)) return pem
  }
}

const mutable = () => ({
  kex: [...algorithms.kex],
  serverHostKey: [...algorithms.serverHostKey],
  cipher: [...algorithms.cipher],
  hmac: [...algorithms.hmac],
  compress: [...algorithms.compress],
})

const addressOf = (client: Connection): string =>
  '_sock' in client && isSocket(client._sock) ? (client._sock.remoteAddress ?? 'local socket') : 'unknown'
const isSocket = (value: unknown): value is Socket => typeof value === 'object' && value !== null && 'remoteAddress' in value

function failureText({ address }: SshOptions, error: unknown, addressInUse: boolean): string {
  const where =
    address.kind === 'unix' ? `"${address.path}"` : `port ${address.port}${address.host === undefined ? '' : ` of ${address.host}`}`
  if (addressInUse) return `Cannot listen on ${where}: another program does; set LISTEN to a free port`
  return `Cannot listen on ${where}: ${errorText(error)}`
}
