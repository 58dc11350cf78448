import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import { withoutIpv6 } from '../../protocol/test/own-ipv6.ts'
import { agentCommand } from './agent-host.ts'
import { hubKey } from './running-agent.ts'

const path = (name: string): string => fileURLToPath(new URL(`./test-only-certificates/${name}`, import.meta.url))

/** Test-only keys and certificates, valid for `localhost` and 127.0.0.1; the self-signed one also for ::1. */
const authority = path('authority.pem')
const selfSigned = { cert: path('self-signed.pem'), key: path('self-signed.key') }
const signed = { cert: path('signed.pem'), key: path('signed.key') }

type Case = {
  readonly name: string
  readonly server: { readonly cert: string; readonly key: string }
  readonly trusts: string | undefined
  /** The pinned certificate: the agent accepts only its digest. */
  readonly only?: string
  readonly host?: string
  readonly connects: boolean
}

const cases: readonly Case[] = [
  { name: 'signed by a configured authority', server: signed, trusts: authority, connects: true },
  { name: 'self-signed and configured', server: selfSigned, trusts: selfSigned.cert, connects: true },
  { name: 'self-signed and configured, at ::1', server: selfSigned, trusts: selfSigned.cert, host: '::1', connects: true },
  { name: 'signed by an unknown authority', server: signed, trusts: undefined, connects: false },
  { name: 'self-signed while another one is configured', server: selfSigned, trusts: authority, connects: false },
  { name: 'configured, but for another host', server: selfSigned, trusts: selfSigned.cert, host: '127.0.0.2', connects: false },
  { name: 'pinned and self-signed', server: selfSigned, trusts: undefined, only: selfSigned.cert, connects: true },
  {
    name: 'pinned, for another host',
    server: selfSigned,
    trusts: undefined,
    only: selfSigned.cert,
    host: '127.0.0.2',
    connects: true,
  },
  { name: 'trusted, but not the pinned one', server: signed, trusts: authority, only: selfSigned.cert, connects: false },
]

const digestOf = (path: string): string => new X509Certificate(readFileSync(path)).fingerprint256

for (const { name, server, trusts, only, host = 'localhost', connects } of cases) {
  const what = connects ? 'connects to' : 'refuses'
  test(`agent ${what} a hub over TLS whose certificate is ${name}`, { timeout: 300_000, skip: host === '::1' && withoutIpv6 }, async () => {
    const https = createServer({ cert: readFileSync(server.cert), key: readFileSync(server.key) })
    const sockets = new WebSocketServer({ server: https })
    https.listen(0, host === 'localhost' ? '127.0.0.1' : host)
    await once(https, 'listening')
    const { port } = https.address() as AddressInfo // a TCP server's address is an object
    const folder = await mkdtemp(join(tmpdir(), 'vedette-tls-'))
    const [program, ...args] = agentCommand()
    const child = spawn(program, args, {
      env: {
        ...(trusts === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusts }),
        ...(only === undefined ? {} : { HUB_CERT_SHA256: digestOf(only) }),
        HUB_URL: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
        TOKEN: 'test-token',
        KEY: hubKey.publicLine,
        DATA_DIR: folder,
        LISTEN: '127.0.0.1:0',
        DOCKER_HOST: '',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = once(child, 'close')
    const failed = new Promise<string>((resolve) => {
      child.stderr.on('data', (data: Buffer) => {
        if (data.toString().includes('Cannot connect to the hub')) resolve(data.toString())
      })
    })
    const connected = once(sockets, 'connection').then(() => 'connected')
    const outcome = await Promise.race([connected, failed])
    if (connects) assert.equal(outcome, 'connected')
    else assert.match(outcome, /certificate/)
    child.kill('SIGTERM')
    await exited
    https.closeAllConnections()
    https.close()
    await rm(folder, { recursive: true })
  })
}
