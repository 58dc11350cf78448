import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../protocol/test/any-character.ts'
import { anyJson, inheritedName } from '../../../protocol/test/hostile-names.ts'
import { serve } from '../../src/platform/http/server.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const RUNS = roundsOf({ short: 60, long: 300, soak: 2000 })
const RECORDS = '/api/collections/systems/records'
const alice = dataset.aliases['alice'] ?? ''

async function served(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const hub = stack.use(await recordedHub(kind))
  const server = stack.adopt(await serve(hub.app, { host: '127.0.0.1', port: 0 }), ({ close }) => close())
  stack.defer(() => hub.realtime.close())
  const tokens = { alice: await hub.tokenOf('alice'), super: await hub.tokenOf('super') }
  const call = async (who: keyof typeof tokens, method: string, path: string, body?: string | FormData) => {
    const headers = { authorization: tokens[who], ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) }
    const response = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as { [name: string]: unknown } } // the response is an object
  }
  return { ...hub, call, address: server.address, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/**
 * Hostile texts: they try to break out of quotes, patterns, paths and SQL statements, or contain characters that no text should
 * have.
 */
const hostile = fc.oneof(
  fc.constantFrom(
    `'`,
    `"`,
    `\\`,
    `\0`,
    `%`,
    `_`,
    `--`,
    `/*`,
    `;`,
    `')`,
    `' or 1=1 --`,
    `"; drop table systems; --`,
    `x' union select * from users --`,
    `\\' or '1'='1`,
    `{{x}}`,
    '$1',
    '?',
    '${x}',
    '[0]',
    '$.a',
    'a".b',
    "a'.b",
    '\ud800',
    '\u202e',
    '☂',
    '%00',
    '%',
    '..',
    '../../etc',
    '@request.auth.id',
    '@collection.users.password',
  ),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  inheritedName,
)
/** The text as sent: a lone surrogate cannot be encoded in UTF-8. */
const text = fc.array(hostile, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('').toWellFormed())
const raw = fc.array(hostile, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
const quoted = text.map((one) => JSON.stringify(one))
const name = fc.oneof(
  text,
  inheritedName,
  fc.constantFrom('name', 'info.cpu', 'users.email', 'users.name', 'password', 'tokenKey', 'id', '@now', '@rowid'),
)
const filter = fc.oneof(
  text,
  fc.tuple(name, fc.constantFrom('=', '!=', '~', '!~', '>', '?=', '?~'), fc.oneof(quoted, name)).map((parts) => parts.join(' ')),
  fc.tuple(text, quoted).map(([path, value]) => `info.${path} = ${value}`),
  fc
    .tuple(
      fc.constantFrom('', '@', '@request.query.', '@request.headers.', '@request.body.', '@request.auth.', '@collection.'),
      inheritedName,
      quoted,
    )
    .map(([start, path, value]) => `${start}${path} = ${value}`),
)
const query = fc.record(
  {
    filter,
    sort: fc.oneof(text, name),
    fields: fc.oneof(text, inheritedName),
    expand: fc.oneof(text, fc.constantFrom('users', 'x_via_y'), inheritedName),
    page: text,
    perPage: text,
    skipTotal: text,
  },
  { requiredKeys: [] },
)

/** A string literal of the filter language, which has no numeric escapes. */
const inQuotes = (one: string): string => `"${one.toWellFormed().replaceAll(/[\\"]/g, String.raw`\$&`)}"`

for (const kind of databases) {
  test(`${kind.name}: any text in a query gets a normal response or a 400, and no record changes`, { timeout: 300_000 }, async () => {
    await using hub = await served(kind)
    const everything = async () => [await hub.engine.store.loadWhere('systems', {}), await hub.engine.store.loadWhere('users', {})]
    const before = await everything()
    const who = fc.constantFrom('alice' as const, 'super' as const)
    await fc.assert(
      fc.asyncProperty(who, query, text, async (asks, asked, odd) => {
        const search = new URLSearchParams(asked).toString()
        for (const path of [
          `${RECORDS}?${search}`,
          `${RECORDS}/${encodeURIComponent(odd)}?${search}`,
          `/api/collections/${encodeURIComponent(odd)}/records?${search}`,
        ]) {
          const { status, text: told } = await hub.call(asks, 'GET', path)
          assert.ok(status < 500, `${status} ${told}`)
          if (asks === 'alice') for (const secret of ['bob@example.com', '$argon2id$']) assert.ok(!told.includes(secret), told)
        }
      }),
      { numRuns: RUNS },
    )
    assert.deepEqual(await everything(), before)
  })

  test(`${kind.name}: any value that a client sends is stored unchanged or refused`, { timeout: 300_000 }, async () => {
    await using hub = await served(kind)
    await fc.assert(
      fc.asyncProperty(raw, fc.oneof(raw, inheritedName), anyJson, async (first, second, info) => {
        const sent = { name: first, host: 'h', port: '1', users: [alice], [second]: first }
        const made = await hub.call('alice', 'POST', RECORDS, JSON.stringify(sent))
        assert.ok(made.status === 200 || made.status === 400, `${made.status} ${made.text}`)
        if (made.status !== 200) return
        const path = `${RECORDS}/${String(made.body['id'])}`
        assert.equal(made.body['name'], first.toWellFormed())
        const changed = await hub.call('alice', 'PATCH', path, JSON.stringify({ info }))
        assert.ok(changed.status === 200 || changed.status === 400, `${changed.status} ${changed.text}`)
        const found = await hub.call(
          'super',
          'GET',
          `${RECORDS}?filter=${encodeURIComponent(`name = ${inQuotes(first)} && id = "${String(made.body['id'])}"`)}`,
        )
        assert.equal(found.body['totalItems'], 1, `${first} ${found.text}`)
        assert.equal((await hub.call('alice', 'DELETE', path)).status, 204)
      }),
      { numRuns: RUNS },
    )
  })

  test(`${kind.name}: an invalid body is refused with 400, and a too large body with 413`, async () => {
    await using hub = await served(kind)
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    for (const body of [
      '{"',
      '{"a":}',
      'nonsense',
      '[]',
      '"text"',
      '7',
      '{"name":"x",}',
      `{"info":${deep}}`,
      `{"name":"x","host":"h","users":"${alice}","info":${deep}}`,
    ]) {
      const { status, body: told } = await hub.call('alice', 'POST', RECORDS, body)
      assert.deepEqual([status, told['status']], [400, 400], body.slice(0, 40))
    }
    assert.equal((await hub.call('alice', 'PATCH', `${RECORDS}/sys000000000005`, `{"info":${deep}}`)).status, 400)
    assert.equal((await hub.call('alice', 'POST', RECORDS, JSON.stringify({ name: 'x'.repeat(9_000_000) }))).status, 413)
    const form = new FormData()
    form.set('name', 'x'.repeat(9_000_000))
    assert.equal((await hub.call('alice', 'POST', RECORDS, form)).status, 413)
    assert.match(await chunked(hub.address), /^HTTP\/1\.1 413 /)
  })

  test(`${kind.name}: sorting by a hidden or unknown field is refused, and a page out of range is empty`, async () => {
    await using hub = await served(kind)
    for (const sort of [
      'password',
      '-tokenKey',
      'users.password',
      'users.tokenKey',
      'nope',
      'users.nope',
      'name,',
      '@now',
      'users.email:x',
    ])
      assert.equal((await hub.call('alice', 'GET', `${RECORDS}?sort=${sort}`)).status, 400, sort)
    for (const page of ['2', '99', '1000000', '9007199254740993', '9223372036854775807']) {
      for (const skipTotal of ['0', '1']) {
        const { status, body } = await hub.call('alice', 'GET', `${RECORDS}?page=${page}&perPage=1000&skipTotal=${skipTotal}`)
        assert.deepEqual([status, body['items'], body['totalItems']], [200, [], skipTotal === '1' ? -1 : 10], page)
      }
    }
    for (const page of ['0', '-3', '']) assert.equal((await hub.call('alice', 'GET', `${RECORDS}?page=${page}`)).body['page'], 1)
    for (const page of ['x', '1.5', '1e3', ' ', '99999999999999999999'])
      assert.equal((await hub.call('alice', 'GET', `${RECORDS}?page=${encodeURIComponent(page)}`)).status, 400, page)
  })
}

/** Returns the status line of the response to a chunked body. */
async function chunked(address: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.write(
    `POST ${RECORDS} HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
  )
  const chunk = `${(1 << 20).toString(16)}\r\n${' '.repeat(1 << 20)}\r\n`
  for (let sent = 0; sent < 9; sent += 1) socket.write(chunk)
  socket.end('0\r\n\r\n')
  await once(socket, 'close')
  return answer
}
