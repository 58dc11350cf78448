import { connect as connectTcp, type AddressInfo } from 'node:net'
import ssh2, { type ClientChannel, type ConnectConfig } from 'ssh2'

export type SshAnswer = {
  readonly stdout: Uint8Array
  readonly exitStatus: number | undefined
  /** Events of the channel in order of arrival: `data`, `exit`, `end` and `close`. */
  readonly order: readonly string[]
}

export type Connected = ConnectConfig & { readonly ident: string }

/** SSH connection of a hub to an agent, with the options that hubs use. */
export class SshHub implements AsyncDisposable {
  readonly #client: ssh2.Client
  readonly #closed: Promise<void>

  private constructor(client: ssh2.Client) {
    this.#client = client
    this.#closed = new Promise((resolve) => void client.on('close', resolve))
  }

  /** Connects to a port or the path of a unix socket. Rejects when the agent refuses the client. */
  static connect(at: number | string, privateKey: string, ident = 'beszel_0.18.8', host = '127.0.0.1'): Promise<SshHub> {
    const client = new ssh2.Client()
    return new Promise((resolve, reject) => {
      client.on('ready', () => resolve(new SshHub(client)))
      client.on('error', reject)
      client.connect({
        // Nagle's delay would cost 40 ms several times.
        sock: typeof at === 'string' ? connectTcp(at) : connectTcp({ host, port: at, noDelay: true }),
        username: 'u',
        privateKey,
        ident,
        // The timeout of the test decides how long a busy machine may take.
        readyTimeout: 0,
        algorithms: { cipher: ['chacha20-poly1305@openssh.com'], kex: ['curve25519-sha256'], serverHostKey: ['ssh-ed25519'] },
      })
    })
  }

  /** Opens a shell channel and writes `stdin`. Resolves when the agent closes the channel, since a hub never closes first. */
  shell(stdin: Uint8Array, { end }: { readonly end: boolean }): Promise<SshAnswer> {
    return new Promise((resolve, reject) => {
      this.#client.shell(false, {}, (error, channel) => {
        if (error) return reject(error)
        resolve(collect(channel))
        if (stdin.length > 0) channel.write(Buffer.from(stdin))
        if (end) channel.end()
      })
    })
  }

  exec(command: string, stdin: Uint8Array): Promise<SshAnswer> {
    return new Promise((resolve, reject) => {
      this.#client.exec(command, (error, channel) => {
        if (error) return reject(error)
        resolve(collect(channel))
        channel.end(Buffer.from(stdin))
      })
    })
  }

  /** Resolves with the error text of a request that the agent refuses. Rejects when the agent accepts it. */
  refusal(ask: (client: ssh2.Client, done: (error: Error | undefined) => void) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      ask(this.#client, (error) => (error ? resolve(error.message) : reject(new Error('The agent accepted what it must refuse'))))
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.end()
    await this.#closed
  }
}

function collect(channel: ClientChannel): Promise<SshAnswer> {
  const pieces: Buffer[] = []
  const order: string[] = []
  let exitStatus: number | undefined
  return new Promise((resolve) => {
    channel.on('data', (piece: Buffer) => {
      if (order.at(-1) !== 'data') order.push('data')
      pieces.push(piece)
    })
    channel.on('exit', (code: number) => {
      order.push('exit')
      exitStatus = code
    })
    channel.on('close', () => {
      order.push('close')
      resolve({ stdout: Uint8Array.from(Buffer.concat(pieces)), exitStatus, order })
    })
  })
}

export const portOf = (address: string | AddressInfo | null): number => (typeof address === 'object' && address !== null ? address.port : 0)
