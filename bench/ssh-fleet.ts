import { once } from 'node:events'
import { createServer } from 'node:net'
import ssh2, { type Connection, type ParsedKey, type ServerChannel } from 'ssh2'
import { generatePrivateKey } from '../hub/src/fleet/ssh/hub-key.ts'
import { addressOf } from './fleet-report.ts'
import type { SimulatedAgent } from './simulated-agent.ts'
import type { Fleet } from './websocket-fleet.ts'

export type SshFleetParts = {
  readonly port: number
  /** Public key of the hub, `ssh-ed25519 AAAA…`. The simulated agents refuse connections with other keys. */
  readonly hubKeyLine: string
  readonly onProblem: (problem: string) => void
}

/** Creates simulated agents to which the hub connects by SSH. Each listens on its own loopback address; all share one host key. */
export function sshFleet({ port, hubKeyLine, onProblem }: SshFleetParts): Fleet {
  const allowed = publicKey(hubKeyLine)
  const hostKey = generatePrivateKey()
  let connected = 0

  function meet(connection: Connection, agent: SimulatedAgent): void {
    connected++
    connection.on('error', (error) => onProblem(error.message))
    connection.on('close', () => connected--)
    connection.on('authentication', (context) => {
      const right = context.method === 'publickey' && context.key.data.equals(allowed.getPublicSSH())
      if (!right) context.reject(['publickey'])
      else if (context.signature === undefined || allowed.verify(context.blob ?? Buffer.of(), context.signature, context.hashAlgo))
        context.accept()
      else context.reject(['publickey'])
    })
    connection.on('session', (accept) => {
      accept().on('shell', (acceptShell) => serve(acceptShell(), agent))
    })
  }

  function serve(channel: ServerChannel, agent: SimulatedAgent): void {
    channel.on('error', () => {})
    channel.once('data', (message: Buffer) => {
      const answer = agent.answer(message)
      if (answer === undefined) onProblem('the hub sent something that is no request')
      else channel.write(Buffer.from(answer))
      channel.exit(0)
      channel.close()
    })
  }

  return {
    connected: () => connected,
    async start(makeAgent) {
      const agent = makeAgent(() => {})
      const ssh = new ssh2.Server({ hostKeys: [hostKey], ident: 'beszel_0.18.8' }, (connection) => meet(connection, agent))
      // With Nagle's algorithm each step of the handshake would wait 40 ms.
      const server = createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket))
      server.listen(port, addressOf(agent.index))
      await once(server, 'listening')
    },
  }
}

function publicKey(line: string): ParsedKey {
  const key = ssh2.utils.parseKey(line)
  if (key instanceof Error) throw key
  return key
}
