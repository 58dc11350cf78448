import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { refusedHub, startHubProcess, type HubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { rawConnection } from '../raw-connection.ts'
import { socketCall } from '../socket-client.ts'

const ADMIN = 'admin@example.com'
const environment = { VEDETTE_ADMIN_EMAIL: ADMIN, VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }
const PROXY = '127.0.0.2'
const STRANGER = '127.0.0.3'
const REFRESH = 'POST /api/collections/users/auth-refresh'

type Lines = readonly string[]
type Reply = { readonly status: number; readonly body: { readonly [name: string]: unknown } }

/** A hub that accepts `Remote-Email` from {@link PROXY}. */
async function hubWithHeader(more: readonly string[] = [], variables: Readonly<Record<string, string>> = environment) {
  const data = makeMemoryFolder('vedette-header-')
  const flags = [`--data=${data}`, '--auth-header=Remote-Email', `--trusted-proxies=${PROXY}`, '--log-level=warn', ...more]
  const hub: HubProcess = await startHubProcess(flags, variables)
  const isTcp = hub.address.startsWith('http')
  /** Sends a request with exactly these header lines from an address of this machine. */
  async function ask(from: string, asked: string, lines: Lines = [], body = ''): Promise<Reply> {
    const connection = await rawConnection(Number(new URL(hub.address).port), from)
    const all = [
      'Host: hub.example.org',
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Content-Type: application/json',
      ...lines,
    ]
    connection.write(`${asked} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`)
    const text = await connection.ended
    const json = text.slice(text.indexOf('\r\n\r\n') + 4)
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), body: (json === '' ? {} : JSON.parse(json)) as Reply['body'] } // the hub answers objects
  }
  return {
    hub,
    data,
    ask,
    /** The token of the admin; undefined over a Unix socket. */
    admin: isTcp
      ? String(
          (
            await ask(
              STRANGER,
              'POST /api/collections/users/auth-with-password',
              [],
              JSON.stringify({ identity: ADMIN, password: environment.VEDETTE_ADMIN_PASSWORD }),
            )
          ).body['token'],
        )
      : undefined,
    async [Symbol.asyncDispose]() {
      hub.kill('SIGKILL')
      await hub.ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

type Asked = Awaited<ReturnType<typeof hubWithHeader>>

const createUser = async ({ ask, admin }: Asked, fields: object): Promise<void> => {
  const account = { password: 'a good password', passwordConfirm: 'a good password', role: 'user', verified: true, ...fields }
  const { status } = await ask(STRANGER, 'POST /api/collections/users/records', [`Authorization: ${admin}`], JSON.stringify(account))
  assert.equal(status, 200)
}

test('the header of a listed proxy gives a session of that account, which is an ordinary one', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader()
  const { ask } = served
  await createUser(served, { email: 'ops@example.com' })
  for (const name of ['Remote-Email', 'remote-email', 'REMOTE-EMAIL']) {
    const { status, body } = await ask(PROXY, REFRESH, [`${name}: ops@example.com`, 'X-Forwarded-For: 203.0.113.7'])
    assert.equal(status, 200, name)
    const token = String(body['token'])
    const own = await ask(STRANGER, 'GET /api/account/sessions', [`Authorization: ${token}`])
    assert.match(JSON.stringify(own.body), /"address":"203\.0\.113\.7"/)
    // The account is not an admin.
    assert.equal((await ask(PROXY, 'GET /api/settings', [`Authorization: ${token}`])).status, 403)
  }
  assert.equal((await ask(PROXY, REFRESH, [`Remote-Email: ${ADMIN}`])).status, 200)
})

test('the header of any other peer is ignored and logged once', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader()
  const { ask, hub } = served
  const forged = ['X-Forwarded-For: 127.0.0.2', 'X-Real-IP: 127.0.0.2', 'CF-Connecting-IP: 127.0.0.2', 'Forwarded: for=127.0.0.2']
  for (const lines of [[], forged, [...forged, `Authorization: ${'x'.repeat(40)}`]])
    assert.equal((await ask(STRANGER, REFRESH, [`Remote-Email: ${ADMIN}`, ...lines])).status, 401)
  assert.equal(hub.complaints().match(/sign-in header ignored: its sender is not a trusted proxy/g)?.length, 1)
  assert.match(hub.complaints(), /"address":"127\.0\.0\.3"/)
  assert.doesNotMatch(hub.complaints(), /admin@example\.com/)
})

test('admins cannot extend the proxies of the header by a setting', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader()
  const { ask, admin } = served
  const settings = JSON.stringify({ trustedProxy: { headers: [], useLeftmostIP: false, networks: ['127.0.0.3'] } })
  assert.equal((await ask(STRANGER, 'PATCH /api/settings', [`Authorization: ${admin}`], settings)).status, 200)
  assert.equal((await ask(STRANGER, REFRESH, [`Remote-Email: ${ADMIN}`])).status, 401)
})

test('a header that is missing, repeated or no email address gives no session', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader()
  const { ask } = served
  await createUser(served, { email: 'waiting@example.com', verified: false })
  for (const [lines, status] of [
    [[], 401],
    [['Remote-Email:'], 401],
    [['Remote-Email:   '], 401],
    [[`Remote_Email: ${ADMIN}`], 401],
    [[`Remote-Email-: ${ADMIN}`], 401],
    [[`Remote-Email: ${ADMIN}`, `Remote-Email: ${ADMIN}`], 400],
    [[`Remote-Email: ${ADMIN}`, 'remote-email: other@example.com'], 400],
    [['Remote-Email: ', `Remote-Email: ${ADMIN}`], 400],
    [[`Remote-Email: ${ADMIN}, other@example.com`], 400],
    [['Remote-Email: admin'], 400],
    [[`Remote-Email: <${ADMIN}>`], 400],
    [[`Remote-Email: ${'a'.repeat(300)}@example.com`], 400],
    [['Remote-Email: __proto__'], 400],
    [[`Remote-Email: ${ADMIN}\u0001`], 400],
    [['Remote-Email: ADMIN@EXAMPLE.COM'], 403],
    [['Remote-Email: nobody@example.com'], 403],
    [['Remote-Email: waiting@example.com'], 403],
  ] as const) {
    const reply = await ask(PROXY, REFRESH, lines)
    assert.equal(reply.status, status, lines.join(' | ').slice(0, 80))
    assert.equal(reply.body['token'], undefined)
  }
  // Only the collection of people signs in by the header.
  assert.equal((await ask(PROXY, 'POST /api/collections/_superusers/auth-refresh', [`Remote-Email: ${ADMIN}`])).status, 401)
})

test('the header authenticates no other request', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader()
  const header = [`Remote-Email: ${ADMIN}`]
  for (const [asked, status] of [
    ['GET /api/settings', 401],
    ['PATCH /api/settings', 401],
    ['GET /api/account/sessions', 401],
    ['POST /api/backups', 401],
    ['GET /api/logs', 401],
  ] as const)
    assert.equal((await served.ask(PROXY, asked, header, '{}')).status, status, asked)
  const systems = await served.ask(PROXY, 'GET /api/collections/users/records', header)
  assert.equal(JSON.stringify(systems.body).includes(ADMIN), false)
})

test('a page of another site cannot get a session by the header', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader(['--app-url=https://monitor.example.com/path'])
  for (const [lines, status] of [
    [['Origin: https://evil.example'], 403],
    [['Origin: null'], 403],
    [['Origin: https://hub.example.org.evil.example'], 403],
    [['Origin: http://hub.example.org:81'], 403],
    [['Sec-Fetch-Site: cross-site'], 403],
    [['Sec-Fetch-Site: same-site', 'Origin: https://monitor.example.com'], 403],
    [['Origin: https://evil.example', 'Sec-Fetch-Site: same-origin'], 403],
    // With DNS rebinding, another site's page has its own name in `Host`, too.
    [['Origin: https://hub.example.org', 'Sec-Fetch-Site: same-origin'], 403],
    [['Origin: https://monitor.example.com', 'Sec-Fetch-Site: same-origin'], 200],
    [['Sec-Fetch-Site: none'], 200],
    [[], 200],
  ] as const)
    assert.equal((await served.ask(PROXY, REFRESH, [`Remote-Email: ${ADMIN}`, ...lines])).status, status, lines.join(' | '))
  await using unnamed = await hubWithHeader()
  for (const [origin, status] of [
    ['https://hub.example.org', 200],
    ['https://evil.example', 403],
    ['null', 403],
  ] as const)
    assert.equal((await unnamed.ask(PROXY, REFRESH, [`Remote-Email: ${ADMIN}`, `Origin: ${origin}`])).status, status, origin)
})

test('the header creates an account only with --user-creation, never the first one and never an admin', { timeout: 300_000 }, async () => {
  {
    await using served = await hubWithHeader(['--user-creation=true'])
    const { status, body } = await served.ask(PROXY, REFRESH, ['Remote-Email: new@example.com'])
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { record: { email: 'new@example.com', role: 'user', verified: true } })
    const again = await Promise.all([1, 2, 3].map(() => served.ask(PROXY, REFRESH, ['Remote-Email: both@example.com'])))
    assert.equal(new Set(again.map((one) => (one.body['record'] as { readonly id: string }).id)).size, 1) // of a session
    const audit = await served.ask(STRANGER, 'GET /api/collections/users/records?perPage=50', [`Authorization: ${served.admin}`])
    assert.equal(audit.body['totalItems'], 3)
  }
  await using empty = await hubWithHeader(['--user-creation=true'], {})
  assert.equal((await empty.ask(PROXY, REFRESH, ['Remote-Email: new@example.com'])).status, 403)
  assert.match(JSON.stringify((await empty.ask(STRANGER, 'GET /api/beszel/first-run')).body), /"firstRun":true/)
})

test('with two-factor sign-in the header is the first factor only', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader(['--mfa-otp=true'])
  const { status, body } = await served.ask(PROXY, REFRESH, [`Remote-Email: ${ADMIN}`])
  assert.equal(status, 401)
  assert.deepEqual(Object.keys(body), ['mfaId'])
})

test('the dashboard learns whether its request has the header of a listed proxy', { timeout: 300_000 }, async () => {
  await using served = await hubWithHeader()
  const header = async (from: string, lines: Lines) => (await served.ask(from, 'GET /api/vedette/sign-in', lines)).body['header']
  assert.equal(await header(PROXY, [`Remote-Email: ${ADMIN}`]), true)
  assert.equal(await header(PROXY, []), false)
  assert.equal(await header(STRANGER, [`Remote-Email: ${ADMIN}`]), false)
})

test('over a Unix socket the header counts only if the operator lists "unix"', { timeout: 300_000 }, async () => {
  for (const [proxies, status] of [
    ['unix', 200],
    ['127.0.0.0/8', 401],
  ] as const) {
    const folder = makeMemoryFolder('vedette-header-socket-')
    const socket = join(folder, 'hub.sock')
    await using served = await hubWithHeader([`--listen=unix:${socket}`, `--trusted-proxies=${proxies}`])
    const reply = await socketCall(socket, REFRESH, { headers: { 'remote-email': ADMIN } })
    assert.equal(reply.status, status, `${proxies}: ${served.hub.complaints()}`)
    rmSync(folder, { recursive: true, force: true })
  }
})

test(
  '--auth-header is refused without listed proxies, with all addresses as proxies, and for a header that clients send',
  { timeout: 300_000 },
  async () => {
    for (const [flags, expected] of [
      [['--auth-header=Remote-Email'], /^--auth-header: list the proxies that set it, with --trusted-proxies$/],
      [
        ['--auth-header=Remote-Email', '--trusted-proxies=10.0.0.1,0.0.0.0/0'],
        /^--auth-header: with 0\.0\.0\.0\/0 in --trusted-proxies everybody could sign in as anybody; list the proxies alone$/,
      ],
      [['--auth-header=Remote-Email', '--trusted-proxies=::/0'], /^--auth-header: with ::\/0 in --trusted-proxies everybody/],
      [
        ['--auth-header=Remote Email', '--trusted-proxies=unix'],
        /^--auth-header: "Remote Email" is not the name of a header, such as Remote-Email$/,
      ],
      [
        ['--auth-header=Authorization', '--trusted-proxies=unix'],
        /^--auth-header: "Authorization" is a header that browsers or proxies send for another purpose$/,
      ],
      [['--auth-header=x-forwarded-for', '--trusted-proxies=unix'], /^--auth-header: "x-forwarded-for" is a header/],
    ] as const) {
      const { status, complaints } = await refusedHub(flags)
      assert.match(complaints.join('\n'), expected)
      assert.equal(status, 2)
    }
  },
)
