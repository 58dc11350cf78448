import type { Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type ssh2Module from 'ssh2'
import type { AuthContext, Connection, ServerChannel, Session } from 'ssh2'
import type { Bytes, RuntimeEvents, SshOptions } from '../runtime.ts'
import { errorText } from './error-text.ts'
import { readText, stat, writeFile } from './files.ts'
import { acceptFrom } from './ssh-accept.ts'
import { peerText, createAdmission, createTurnPace, createRefusalLog } from './ssh-admission.ts'
import { listenOn } from './ssh-listen.ts'
import { reasons, REKEY_BYTES, SshPeer } from './ssh-peer.ts'
import type { SshPipe } from './ssh-pipe.ts'

type Ssh2 = typeof ssh2Module
type Events = Pick<RuntimeEvents, 'onSsh' | 'onSshServer'>

export type SshServer = {
  readonly listen: (options: SshOptions) => string | null
  readonly reply: (requestId: number, data: Bytes, exitStatus: number) => void
  readonly close: () => void
}

const MAX_CHANNELS = 32
const MAX_HOST_KEY_BYTES = 16 * 1024
/**
 * Maximum number of failed sign-in attempts of an SSH connection, 6, as OpenSSH's MaxAuthTries; then it is closed. The method `none`, by
 * which clients learn the allowed methods, does not count.
 */
const MAX_FAILURES = 6
/**
 * Maximum number of authentication requests of an SSH connection, 10: `none`, key queries without a signature, and failures. Beyond it, the
 * connection is closed.
 */
const MAX_SIGN_IN_REQUESTS = 10
/**
 * Size in bytes, 4,096, above which a hub's incomplete SSH request is reported to the agent only after a pause, since each report copies
 * and parses all of it.
 */
const LONG_INPUT_BYTES = 4096
const LONG_INPUT_PAUSE_MS = 100

/**
 * Object from purpose (key exchange, host key, cipher and so on) to the list of allowed algorithms of the SSH server: one cipher, one MAC,
 * curve25519. All hubs and OpenSSH support them.
 */
const algorithms = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['chacha20-poly1305@openssh.com'],
  hmac: ['hmac-sha2-256-etm@openssh.com'],
  compress: ['none'],
} as const

type Running = { readonly net: NetServer; readonly open: ReadonlySet<SshPeer> }

/**
 * Creates the SSH server (RFC 4252–4254): public key authentication only, one request per channel. The `ssh2` library is loaded on the
 * first `listen`.
 */
export function sshServer(events: () => Events, rekeyBytes = REKEY_BYTES): SshServer {
  const channels = new Map<number, ServerChannel>()
  const tellsRefusal = createRefusalLog()
  let lastRequestId = 0
  let wanted = 0
  let running: Running | undefined

  const start = async (options: SshOptions, turn: number): Promise<void> => {
    try {
      const { default: ssh2 } = await import('ssh2')
      const hostKey = loadHostKey(ssh2, options.hostKeyPath)
      const server = new ssh2.Server({ hostKeys: [hostKey], ident: options.identification, algorithms: mutable() })
      const admission = createAdmission()
      const exchangePace = createTurnPace()
      const refusalPace = createTurnPace()
      const peers = new WeakMap<Duplex, SshPeer>()
      server.on('connection', (client, info) => {
        const peer = peers.get(streamOf(client))
        if (peer === undefined) return void client.end()
        peer.attach(client, info.header.identRaw)
        attend(ssh2, client, peer, options)
      })
      const serve = (pipe: SshPipe, peer: SshPeer): void => {
        peers.set(pipe, peer)
        // The library's type demands a socket but uses it as a stream.
        server.injectSocket(pipe as Duplex as Socket)
      }
      const open = new Set<SshPeer>()
      const { identification, silenceMs } = options
      const net = process.getBuiltinModule('node:net').createServer()
      const port = await listenOn(net, options.address)
      // `close` was called while the library was loading or the port was being bound.
      if (turn !== wanted) return void net.close()
      acceptFrom(net, (socket) => {
        const peer = new SshPeer(socket, admission, { identification, silenceMs, rekeyBytes, exchangePace, refusalPace, serve })
        open.add(peer)
        socket.on('close', () => open.delete(peer))
        return (piece) => peer.take(piece)
      })
      running = { net, open }
      events().onSshServer(port === undefined ? { kind: 'listening' } : { kind: 'listening', port })
    } catch (error) {
      if (turn !== wanted) return
      const addressInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      events().onSshServer({ kind: 'failed', reason: failureText(options, error, addressInUse), addressInUse })
    }
  }

  const attend = (ssh2: Ssh2, client: Connection, peer: SshPeer, options: SshOptions): void => {
    let failures = 0
    let requests = 0
    let open = 0
    client.on('authentication', (context) => {
      requests++
      if (requests > MAX_SIGN_IN_REQUESTS) return peer.refuse(reasons.noMoreAuthMethods)
      if (isAuthorised(ssh2, context, options)) return context.accept()
      if (context.method === 'none') return context.reject(['publickey'])
      failures++
      if (context.method === 'publickey' && tellsRefusal(peer.source, performance.now()))
        events().onSshServer({ kind: 'refused', clientAddress: peerText(peer.address) })
      if (failures >= MAX_FAILURES) peer.refuse(reasons.noMoreAuthMethods)
      else context.reject(['publickey'])
    })
    client.on('error', () => {
      // A port scanner or a broken connection; it is closed without further action.
    })
    client.on('session', (accept, reject) => {
      if (open >= MAX_CHANNELS) return reject()
      open++
      const session = accept()
      session.on('close', () => {
        open--
      })
      serve(session, peer.identification, options)
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
    // The command is never run: `shell` and `exec` both mean that a request follows on the channel.
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
    let pause: NodeJS.Timeout | undefined
    const tell = (): void => {
      if (pause !== undefined && !ended) return
      clearTimeout(pause)
      pause = undefined
      if (!channels.has(id)) return
      events().onSsh(id, identification, Buffer.concat(pieces), ended)
      if (ended || length <= LONG_INPUT_BYTES) return
      const toldBytes = length
      pause = setTimeout(() => {
        pause = undefined
        if (length > toldBytes) tell()
      }, LONG_INPUT_PAUSE_MS)
    }
    /**
     * True while a report of received SSH input to the agent (`tell`) is scheduled. All input of one turn of Node's event loop is reported
     * once.
     */
    let isDue = false
    const tellSoon = (): void => {
      if (isDue) return
      isDue = true
      setImmediate(() => {
        isDue = false
        tell()
      })
    }
    channel.on('data', (piece: Buffer) => {
      if (ended) return
      length += piece.length
      pieces.push(piece)
      ended = length > options.maxRequestBytes
      tellSoon()
    })
    channel.on('end', () => {
      ended = true
      tellSoon()
    })
    const forget = (): void => {
      clearTimeout(pause)
      channels.delete(id)
    }
    channel.on('error', forget)
    channel.on('close', forget)
    tellSoon()
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
      for (const peer of running?.open ?? []) peer.drop()
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
  // Without a signature, the client only asks whether the key is acceptable.
  if (context.signature === undefined || context.blob === undefined) return true
  const key = ssh2.utils.parseKey(`${algo.startsWith('rsa-') ? 'ssh-rsa' : algo} ${data.toString('base64')}`)
  return !(key instanceof Error) && key.verify(context.blob, context.signature, context.hashAlgo)
}

/**
 * Reads the SSH host key of the agent from the file at `path` and returns the key's text in OpenSSH format. A missing file is created
 * (0600); without a path, the key is only new. Hubs recognise the agent by it. Throws when the file exists but cannot be used, or cannot be
 * written.
 */
function loadHostKey(ssh2: Ssh2, path: string | undefined): string {
  const kept = path === undefined ? null : readText(path, MAX_HOST_KEY_BYTES)
  // An unreadable key is not replaced: hubs recognise the agent by it.
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

/**
 * Returns a new Ed25519 host key as text in OpenSSH format. About 1 in 200 keys that ssh2 1.17 makes cannot be parsed and is generated
 * again.
 */
export function generateHostKey(ssh2: Ssh2): string {
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

/** Returns the stream on which the `ssh2` library runs a connection, from a private member of the library. */
const streamOf = (client: Connection): Duplex => Reflect.get(client, '_sock') as Duplex

function failureText({ address }: SshOptions, error: unknown, addressInUse: boolean): string {
  const where =
    address.kind === 'unix' ? `"${address.path}"` : `port ${address.port}${address.host === undefined ? '' : ` of ${address.host}`}`
  if (addressInUse) return `Cannot listen on ${where}: another program does; set LISTEN to a free port`
  return `Cannot listen on ${where}: ${errorText(error)}`
}
