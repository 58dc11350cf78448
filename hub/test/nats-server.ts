import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localCertificate } from './local-certificate.ts'
import { freePort } from '../../tools/free-port.ts'

/** Where Debian puts it, which is on no ordinary account's path. */
const programs = ['nats-server', '/usr/sbin/nats-server']

/** The program, or undefined on a machine that has none. */
const natsProgram = (): string | undefined => programs.find((name) => spawnSync(name, ['--version']).status === 0)

/** Options of a test that needs the server: it says why it is skipped. */
export const withNats = { skip: natsProgram() === undefined && 'there is no nats-server here' }

export type NatsServer = AsyncDisposable & {
  readonly port: number
  /** `nats://127.0.0.1:PORT`, without a login. */
  readonly url: string
  /** File of the certificate that clients must trust. */
  readonly ca: string
  readonly stop: () => Promise<void>
  /** Starts it again on its port. Resolves when it accepts connections. */
  readonly start: () => Promise<void>
}

export type NatsOptions = {
  readonly isEncrypted?: boolean
  /** Lines of the server's configuration, such as its `authorization`. */
  readonly lines?: string
}

/** A nats-server of its own on a free port of 127.0.0.1. */
export async function startNatsServer({ isEncrypted = false, lines = '' }: NatsOptions = {}): Promise<NatsServer> {
  const program = natsProgram()
  if (program === undefined) throw new Error('There is no nats-server')
  const folder = mkdtempSync(join(tmpdir(), 'vedette-nats-'))
  const port = await freePort()
  const [ca, key, file] = ['cert.pem', 'key.pem', 'nats.conf'].map((name) => join(folder, name)) as [string, string, string] // three names
  writeFileSync(ca, localCertificate.cert)
  writeFileSync(key, localCertificate.key)
  const tls = isEncrypted ? `tls { cert_file: "${ca}", key_file: "${key}" }` : ''
  writeFileSync(file, `listen: "127.0.0.1:${port}"\n${tls}\n${lines}\n`)
  let child: ReturnType<typeof spawn> | undefined

  async function start(): Promise<void> {
    let said = ''
    const started = spawn(program ?? '', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    child = started
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    started.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
      if (said.includes('Server is ready')) resolve()
    })
    const ended = once(started, 'exit').then(() => Promise.reject(new Error(`nats-server ended: ${said}`)))
    ended.catch(() => {})
    await Promise.race([ready, ended])
  }

  async function stop(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    ca,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
