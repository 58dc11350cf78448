import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'
import { programNamed } from '../../tools/installed-programs.ts'
import { localCertificate } from './local-certificate.ts'

const DEADLINE_MS = 30_000

const programs = ['mosquitto', 'mosquitto_passwd', 'mosquitto_sub']

/** Options of a test that needs the broker: it says why it is skipped. */
export const withMosquitto = {
  skip: programs.some((name) => programNamed(name) === undefined) && 'there is no mosquitto with its clients here',
}

type Login = { readonly user: string; readonly password: string }

function started(name: string, args: readonly string[]) {
  const child = spawn(programNamed(name) ?? name, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const checks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
      for (const check of checks) check()
    })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended: ${said}`)))
  ended.catch(() => {})
  return {
    said: () => said,
    /** Resolves when the output matches; rejects when the program ends before. */
    says(pattern: RegExp): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const check = (): void => void (pattern.test(said) && resolve())
      const late = setTimeout(() => reject(new Error(`${name} does not say ${pattern}, but: ${said}`)), DEADLINE_MS)
      checks.add(check)
      check()
      return Promise.race([promise, ended]).finally(() => {
        clearTimeout(late)
        checks.delete(check)
      })
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const over = once(child, 'exit')
      child.kill('SIGKILL')
      await over
    },
  }
}

/** A real MQTT broker on free ports of 127.0.0.1, one plain and one with TLS, which accepts this login; and a subscriber of all topics. */
export async function startMosquitto({ user, password }: Login) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-mqtt-'))
  const inFolder = (name: string): string => join(folder, name)
  const [port, tlsPort] = [await freePort(), await freePort()]
  writeFileSync(inFolder('cert.pem'), localCertificate.cert)
  writeFileSync(inFolder('key.pem'), localCertificate.key)
  spawnSync(programNamed('mosquitto_passwd') ?? '', ['-b', '-c', inFolder('passwords'), user, password])
  const lines = [
    // Root would lose the access to the folder.
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    'log_type all',
    'log_dest stderr',
    'allow_anonymous false',
    `password_file ${inFolder('passwords')}`,
    `listener ${port} 127.0.0.1`,
    `listener ${tlsPort} 127.0.0.1`,
    `certfile ${inFolder('cert.pem')}`,
    `keyfile ${inFolder('key.pem')}`,
  ]
  writeFileSync(inFolder('mosquitto.conf'), `${lines.join('\n')}\n`)
  const broker = started('mosquitto', ['-c', inFolder('mosquitto.conf')])
  const login = ['-h', '127.0.0.1', '-p', String(port), '-u', user, '-P', password]
  await using stack = new AsyncDisposableStack()
  stack.defer(() => broker.stop())
  await broker.says(/mosquitto version \S+ running/)
  const subscriber = started('mosquitto_sub', [...login, '-i', 'subscriber', '-q', '1', '-t', '#', '-F', '%t q%q r%r %p'])
  stack.defer(() => subscriber.stop())
  await broker.says(/Sending SUBACK to subscriber/)
  const owned = stack.move()
  return {
    port,
    tlsPort,
    broker,
    subscriber,
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
