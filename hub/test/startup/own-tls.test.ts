import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { connect, type SecureVersion } from 'node:tls'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { framingAgent } from '../framing-agent.ts'
import { refusedHub, startHubProcess, type HubProcess } from '../hub-process.ts'
import { localCertificate, siteCertificate } from '../local-certificate.ts'
import { rawConnection } from '../raw-connection.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'
import { eventsOf, tlsCall, tlsRequest, type TlsSite } from '../tls-client.ts'

const ADMIN = { identity: 'admin@example.com', password: 'correct-horse-1' }
const environment = { VEDETTE_ADMIN_EMAIL: ADMIN.identity, VEDETTE_ADMIN_PASSWORD: ADMIN.password }
const ca = localCertificate.cert + siteCertificate.cert

type Pair = { readonly cert: string; readonly key: string }

/** A folder with a certificate and its key, for a hub that serves HTTPS. */
function place(pair: Pair = siteCertificate) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-tls-'))
  chmodSync(folder, 0o755)
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const write = ({ cert, key: secret }: Pair): void => {
    // A certificate tool replaces each file as a whole.
    for (const [path, text] of [
      [certificate, cert],
      [key, secret],
    ] as const) {
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
  }
  write(pair)
  const flags = [`--data=${join(folder, 'data')}`, `--tls-certificate=${certificate}`, `--tls-key=${key}`] as const
  const started: HubProcess[] = []
  return {
    certificate,
    key,
    flags,
    write,
    async start() {
      const hub = await startHubProcess([...flags, '--log-level', 'info'], environment)
      started.push(hub)
      const site: TlsSite = { port: Number(new URL(hub.address).port), host: '127.0.0.1', base: '', from: '127.0.0.1', ca }
      return { hub, site }
    },
    [Symbol.dispose]() {
      for (const hub of started) hub.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The serial number of the certificate that a new connection gets; undefined when the handshake fails. */
async function servedSerial(port: number, version?: SecureVersion): Promise<string | undefined> {
  const versions = version === undefined ? {} : { minVersion: version, maxVersion: version }
  const socket = connect({ port, host: '127.0.0.1', ca, ...versions, ciphers: 'DEFAULT:@SECLEVEL=0', rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate().serialNumber
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

/** Repeats new connections until one gets another certificate; the test's own timeout is the limit. */
async function replacedSerial(port: number, before: string | undefined): Promise<string | undefined> {
  for (;;) {
    const serial = await servedSerial(port)
    if (serial !== before) return serial
  }
}

/** Resolves when standard error has a line that matches; the test's own timeout is the limit. */
async function logged(hub: HubProcess, port: number, pattern: RegExp): Promise<string> {
  for (;;) {
    const line = hub
      .complaints()
      .split('\n')
      .find((one) => pattern.test(one))
    if (line !== undefined) return line
    await servedSerial(port)
  }
}

/** A session, a stream of all systems and a connected agent of a hub. */
async function clientsOf(site: TlsSite) {
  const json = { 'content-type': 'application/json' }
  const { body } = await tlsCall(site, 'POST /api/collections/users/auth-with-password', { headers: json, body: JSON.stringify(ADMIN) })
  const { token, record } = JSON.parse(body) as { readonly token: string; readonly record: { readonly id: string } } // of a session
  const call = (asked: string, sent: object = {}) =>
    tlsCall(site, asked, { headers: { ...json, authorization: token }, ...(asked.startsWith('GET') ? {} : { body: JSON.stringify(sent) }) })
  const response = await tlsRequest(site, 'GET /api/realtime')
  const events = eventsOf(response)
  const first = await events.next((event) => event.includes('PB_CONNECT'))
  const { clientId } = JSON.parse(/^data:(.*)$/m.exec(first)?.[1] ?? '{}') as { readonly clientId: string } // the first event
  assert.equal((await call('POST /api/realtime', { clientId, subscriptions: ['systems/*'] })).status, 204)
  const enabled = await call('GET /api/beszel/universal-token?enable=1')
  const agent = framingAgent({
    url: `wss://127.0.0.1:${site.port}/api/beszel/agent-connect`,
    token: (JSON.parse(enabled.body) as { readonly token: string }).token, // the response of the route
    connection: { ca },
    answer({ id, request }) {
      if (request.action === 'fingerprint')
        return [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'over-tls', hostname: 'over-tls' } }, id))]
      if (request.action !== 'data') return []
      return [bytesOf(encodeEnvelope({ kind: 'document', document: encodeDocument(machineSample) }, id))]
    },
  })
  await events.next((event) => event.includes('"status":"up"'))
  return {
    agent,
    async createSystem(name: string): Promise<void> {
      assert.equal((await call('POST /api/collections/systems/records', { name, host: '192.0.2.1', users: [record.id] })).status, 200)
      await events.next((event) => event.includes(name))
    },
    [Symbol.dispose]() {
      agent.close()
      response.destroy()
    },
  }
}

test('a hub with a certificate serves pages, streams and agents over TLS 1.2 and 1.3 only', { timeout: 300_000 }, async () => {
  using at = place()
  const { hub, site } = await at.start()
  assert.match(hub.address, /^https:\/\/127\.0\.0\.1:\d+$/)
  using clients = await clientsOf(site)
  await clients.createSystem('over TLS')
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) assert.notEqual(await servedSerial(site.port, version), undefined, version)
  for (const version of ['TLSv1', 'TLSv1.1'] as const) assert.equal(await servedSerial(site.port, version), undefined, version)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
})

test('plain HTTP and garbage on the HTTPS port are refused, and the hub continues', { timeout: 300_000 }, async () => {
  using at = place()
  const { site } = await at.start()
  const http = await rawConnection(site.port)
  http.write('GET /api/health HTTP/1.1\r\nHost: hub\r\nAuthorization: secret\r\n\r\n')
  assert.match(await http.ended, /^HTTP\/1\.1 400 Bad Request\r\n[^]*This port serves HTTPS/)
  for (const garbage of ['\u0016\u0003\u0001garbage', '\u0016', '\0', 'x'.repeat(100_000)]) {
    const one = await rawConnection(site.port)
    one.socket.end(garbage, 'latin1')
    await one.ended
  }
  const reset = connectPlain(site.port, '127.0.0.1')
  await once(reset, 'connect')
  reset.resetAndDestroy()
  assert.equal((await tlsCall(site, 'GET /api/health')).status, 200)
})

test('a new certificate serves new connections while open streams and agents stay connected', { timeout: 300_000 }, async () => {
  using at = place()
  const { hub, site } = await at.start()
  using clients = await clientsOf(site)
  const before = await servedSerial(site.port)
  at.write(localCertificate)
  const replaced = await replacedSerial(site.port, before)
  assert.notEqual(replaced, undefined)
  await clients.createSystem('after the replacement')
  await clients.agent.wasHeard()

  at.write({ cert: siteCertificate.cert, key: localCertificate.key })
  assert.match(
    await logged(hub, site.port, /certificate not replaced/),
    /"level":"error".*Cannot use the key.*it does not belong to the certificate/,
  )
  assert.equal(await servedSerial(site.port), replaced)
  rmSync(at.key)
  await logged(hub, site.port, /Cannot read .*there is no such file/)
  assert.equal(await servedSerial(site.port), replaced)
  assert.equal(hub.complaints().match(/certificate not replaced/g)?.length, 2)

  at.write(siteCertificate)
  assert.equal(await replacedSerial(site.port, replaced), before)
  await clients.createSystem('after the second replacement')
  await clients.agent.wasHeard()
})

test('a certificate that cannot be used is refused at the start with one sentence and a command', { timeout: 300_000 }, async (t) => {
  using at = place()
  const refused = async (expected: RegExp, flags: readonly string[] = [], uid?: number): Promise<void> => {
    const { status, complaints } = await refusedHub(['--listen=127.0.0.1:0', ...at.flags, ...flags], {}, uid)
    assert.match(complaints.join('\n'), expected)
    assert.ok(!complaints.join('\n').includes('PRIVATE KEY'))
    assert.equal(status, 1)
  }
  at.write({ cert: siteCertificate.cert, key: localCertificate.key })
  await refused(/^Cannot use the key ".*key\.pem": it does not belong to the certificate; compare: openssl [^\n]+$/)
  at.write({ cert: siteCertificate.cert, key: siteCertificate.key.slice(0, 90) })
  await refused(/^Cannot use the key ".*key\.pem": it is not a PEM key without passphrase; check it: openssl pkey -noout -in \S+$/)
  at.write({ cert: 'nothing', key: siteCertificate.key })
  await refused(/^Cannot use the certificate ".*": it is not PEM; check it: openssl x509 -noout -text -in \S+$/)
  at.write({ cert: 'x'.repeat(1_000_001), key: siteCertificate.key })
  await refused(/^Cannot use ".*certificate\.pem": it is larger than a megabyte$/)
  await refused(/^Cannot read ".*missing\.pem": there is no such file; see: ls -l \S+$/, [
    `--tls-certificate=${at.certificate}/../missing.pem`,
  ])
  await t.test(
    'a key that the account may not read',
    { skip: process.getuid?.() !== 0 && 'only root can be another account' },
    async () => {
      at.write(siteCertificate)
      chmodSync(at.key, 0o600)
      await refused(/^Cannot read ".*key\.pem": this account may not; run: sudo chown 65534 \S+$/, [], 65_534)
      const hidden = join(dirname(at.key), 'hidden')
      mkdirSync(hidden, { mode: 0o700 })
      writeFileSync(join(hidden, 'key.pem'), siteCertificate.key)
      const flags = [`--tls-key=${join(hidden, 'key.pem')}`]
      await refused(/^Cannot read ".*key\.pem": this account may not enter its folder; find it with: namei -l \S+$/, flags, 65_534)
    },
  )
})
