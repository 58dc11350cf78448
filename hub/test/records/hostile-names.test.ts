import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { test } from 'node:test'
import { inheritedNames } from '../../../protocol/test/hostile-names.ts'
import { idOf, RECORDS, startedHub } from '../started-hub.ts'

const probe = join(import.meta.dirname, '..', 'frozen-prototype-probe.ts')

test('an expand of a guest that names Object.prototype does not change it', async () => {
  await using hub = await startedHub()
  for (const expand of [
    '__proto__.get',
    '__proto__.set',
    'constructor.prototype.get',
    '__proto__.__proto__.get',
    'a.__proto__.toString',
    'users.__proto__.value',
  ])
    assert.equal((await hub.call('', 'GET', `${RECORDS}?expand=${expand}`)).status, 200, expand)
  const { status, body } = await hub.signIn()
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await hub.call(String(body['token']), 'GET', RECORDS)).status, 200)
})

test('a batch refuses inherited property names as methods', async () => {
  await using hub = await startedHub()
  const { body: session } = await hub.signIn()
  const { id } = session['record'] as { readonly id: string } // of a session
  const quiet = { user: id, type: 'daily', start: '2024-01-01', end: '2024-01-02' }
  const url = '/api/collections/quiet_hours/records'
  for (const method of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'])
    for (const path of [url, `${url}/someid`]) {
      const { status, body } = await hub.call(String(session['token']), 'POST', '/api/batch', {
        requests: [{ method, url: path, body: quiet }],
      })
      assert.equal(status, 400, `${method} ${JSON.stringify(body)}`)
    }
  assert.equal((await hub.call(String(session['token']), 'GET', url)).body['totalItems'], 0)
})

test('neither the hub nor its threads can change Object.prototype, which is frozen', async () => {
  await using hub = await startedHub({ NODE_OPTIONS: `--require=${probe}` })
  // A worker thread reads a list with a filter.
  const { body } = await hub.signIn()
  assert.equal((await hub.call(String(body['token']), 'GET', `${RECORDS}?filter=${encodeURIComponent('name != "x"')}`)).status, 200)
  const { status, complaints } = await hub.stop()
  assert.deepEqual([status, new Set(complaints.trim().split('\n'))], [0, new Set(['thread frozen', 'program frozen'])])
})

test('inherited property names are not fields, keywords, macros or values of a filter, sort or projection', async () => {
  await using hub = await startedHub()
  const { body: session } = await hub.signIn()
  const token = String(session['token'])
  const created = await hub.call(token, 'POST', RECORDS, { name: 'box', host: 'h', port: '1', users: [idOf(session)] })
  // A paused system does not change between two queries, because it is not dialled. A new system is always pending.
  const paused = await hub.call(token, 'PATCH', `${RECORDS}/${idOf({ record: created.body })}`, { status: 'paused' })
  assert.deepEqual([paused.status, paused.body['status']], [200, 'paused'])
  // Returns the error for an unknown name, without the name itself.
  const answerTo = async (query: string, name: string) => {
    const { status, body } = await hub.call(token, 'GET', `${RECORDS}?${query.replaceAll('NAME', name)}`)
    return { status, body: JSON.stringify(body).replaceAll(name, 'NAME') }
  }
  const filters = [
    'name = NAME',
    'NAME = "x"',
    '@NAME = "x"',
    'info.NAME != ""',
    'info.cpu.NAME = ""',
    '@request.query.NAME != ""',
    '@request.query.NAME:isset = true',
    '@request.headers.NAME = ""',
    '@request.body.NAME:isset = true',
    '@request.auth.NAME = ""',
    '@collection.NAME.id != ""',
    'NAME(1) = 1',
    'strftime("%Y", "2024-01-01", "NAME") = ""',
    '"\\\\NAME" = name',
  ]
  const queries = [
    ...filters.map((one) => `filter=${encodeURIComponent(one)}`),
    'sort=NAME',
    'sort=-users.NAME',
    'fields=NAME',
    'expand=NAME',
    'expand=users.NAME',
  ]
  for (const query of queries)
    for (const name of inheritedNames) {
      const control = name.replaceAll(/\w+/g, 'nobody')
      assert.deepEqual(await answerTo(query, name), await answerTo(query, control), `${query} of ${name}`)
    }
})

test('a guest may send headers with inherited property names', async () => {
  await using hub = await startedHub()
  const odd = [...inheritedNames, ...inheritedNames].map((name) => `${name}: text\r\n`).join('')
  const { port } = new URL(hub.address)
  for (const [start, expected] of [
    ['GET /api/health HTTP/1.1\r\nConnection: close\r\n', 200],
    ['GET /api/collections/systems/records?constructor=1&toString=2&__proto__=3&__proto__=4 HTTP/1.1\r\nConnection: close\r\n', 200],
    ['GET /api/beszel/agent-connect HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n', 400],
    [`GET /api/health HTTP/1.1\r\nConnection: close\r\nCookie: ${inheritedNames.map((name) => `${name}=1`).join('; ')}\r\n`, 200],
  ] as const) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`${start}Host: hub\r\n${odd}\r\n`)
    assert.match(await text(socket), new RegExp(`^HTTP/1.1 ${expected} `), start)
  }
  const trailer = connect(Number(port), '127.0.0.1')
  const head =
    'POST /api/collections/users/auth-with-password HTTP/1.1\r\nHost: hub\r\nConnection: close\r\nContent-Type: application/json\r\n'
  trailer.end(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${odd}\r\n`)
  assert.match(await text(trailer), /^HTTP\/1.1 400 /)
  assert.equal((await hub.stop()).status, 0)
})

const formOf = (entries: readonly (readonly [string, string])[]): FormData => {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  return form
}

test('a body with inherited property names sets its known fields, and changes nothing else', async () => {
  await using hub = await startedHub()
  const { body: session } = await hub.signIn()
  const token = String(session['token'])
  const odd = `{${inheritedNames.map((name) => `"${name}":{"name":"smuggled","get":1,"value":2,"role":"admin"}`).join(',')}}`
  const system = `"name":"box","host":"h","port":"1","users":["${idOf(session)}"]`
  const send = async (method: string, path: string, body: string | FormData, type = 'application/json') => {
    const headers = { authorization: token, ...(typeof body === 'string' ? { 'content-type': type } : {}) }
    const response = await fetch(`${hub.address}${path}`, { method, headers, body })
    return { status: response.status, text: await response.text() }
  }
  const fields = inheritedNames.flatMap((name) => [[name, 'text'] as const, [name, '{"name":"smuggled"}'] as const])
  const query = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()
  const requests = [
    { method: 'POST', url: RECORDS, body: JSON.parse(`{${system},${odd.slice(1)}`) as object },
    { method: 'POST', url: `${RECORDS}?${query}`, body: {} },
  ]
  for (const [method, path, body, expected, type] of [
    ['POST', RECORDS, `{${system},${odd.slice(1)}`, 200],
    ['POST', RECORDS, odd, 400],
    ['POST', RECORDS, `[${odd}]`, 400],
    ['POST', RECORDS, query, 400, 'application/x-www-form-urlencoded'],
    ['POST', RECORDS, formOf(fields), 400],
    ['POST', RECORDS, formOf([['@jsonPayload', odd]]), 400],
    ['POST', RECORDS, formOf([...fields, ['@jsonPayload', `{${system},${odd.slice(1)}`]]), 200],
    ['POST', '/api/batch', JSON.stringify({ requests }), 400],
    ['POST', '/api/batch', `{"requests":[{"__proto__":{"method":"POST","url":"${RECORDS}"}}],"__proto__":{"requests":[]}}`, 400],
    ['POST', '/api/collections/users/auth-with-password', formOf([['@jsonPayload', `{"__proto__":{"identity":"x","password":"y"}}`]]), 400],
    ['POST', '/api/collections/users/auth-with-password', odd, 400],
    ['PATCH', '/api/settings', odd, 200],
    ['PATCH', '/api/settings', `{"meta":${odd},"smtp":${odd},"logs":${odd},"rateLimits":${odd},"trustedProxy":${odd},"batch":${odd}}`, 200],
    ['PATCH', '/api/vedette/settings/retention', `{"days":${odd}}`, 400],
    ['PATCH', '/api/collections/users', odd, 400],
    ['PUT', '/api/collections/import', `{"collections":[${odd}]}`, 400],
    ['POST', '/api/beszel/user-alerts', odd, 400],
    ['POST', '/api/backups/upload', formOf(fields), 400],
  ] as const) {
    const { status, text: told } = await send(method, path, body, type)
    assert.equal(status, expected, `${method} ${path} ${typeof body === 'string' ? body.slice(0, 100) : 'form'}: ${told}`)
    assert.ok(!told.includes('smuggled'), told)
  }
  const [{ id = '' } = {}] = (await hub.call(token, 'GET', RECORDS)).body['items'] as readonly { readonly id?: string }[] // a page
  const kept = await send('PATCH', `${RECORDS}/${id}`, `{"info":${odd}}`)
  assert.deepEqual([kept.status, (JSON.parse(kept.text) as { info: unknown }).info], [200, JSON.parse(odd)])
  assert.deepEqual((await hub.call(token, 'GET', RECORDS)).body['totalItems'], 2)
  assert.deepEqual(await hub.stop(), { status: 0, complaints: '' })
})

test('realtime topics and options with inherited property names are served or ignored, and other topics still work', async () => {
  await using hub = await startedHub()
  const { body: session } = await hub.signIn()
  const token = String(session['token'])
  const stream = await fetch(`${hub.address}/api/realtime`)
  const reader = (stream.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const until = async (part: string) => {
    while (!heard.includes(part)) heard += (await reader.read()).value ?? assert.fail('the stream ended')
  }
  await until('clientId')
  const clientId = /"clientId":"([^"]+)"/.exec(heard)?.[1] ?? ''
  const options = (text: string) => `systems/*?options=${encodeURIComponent(text)}`
  const subscriptions = [
    ...inheritedNames.flatMap((name) => [
      name,
      `${name}/*`,
      `${name}/${name}`,
      `systems/${name}`,
      `history/${name}?kind=${name}`,
      `systems/*?${name}=1`,
    ]),
    ...inheritedNames.map((name) =>
      options(`{"query":{"${name}":"x","expand":"${name}","fields":"${name},name"},"headers":{"${name}":"x"}}`),
    ),
    options('{"__proto__":{"query":{"filter":"nope"}},"query":{"__proto__":{"filter":"nope"}}}'),
  ]
  const { status, body } = await hub.call(token, 'POST', '/api/realtime', { clientId, subscriptions: subscriptions.slice(0, 100) })
  assert.ok(status === 204 || status === 403 || status === 404, JSON.stringify(body))
  assert.equal(
    (
      await hub.call(token, 'POST', '/api/realtime', {
        clientId,
        subscriptions: subscriptions.filter((topic) => topic.startsWith('systems/*')),
      })
    ).status,
    204,
  )
  const made = await hub.call(token, 'POST', RECORDS, { name: 'box', host: 'h', port: '1', users: [idOf(session)] })
  assert.equal(made.status, 200)
  for (const topic of subscriptions.filter((one) => one.startsWith('systems/*'))) await until(`event:${topic}\n`)
  await reader.cancel()
  assert.deepEqual(await hub.stop(), { status: 0, complaints: '' })
})

test('a config.yml with inherited property names creates systems with these names', async () => {
  const systems = inheritedNames.map(
    (name, place) => `  - name: "${name}"\n    host: 127.0.0.1\n    port: ${46000 + place}\n    users:\n      - admin@example.com\n`,
  )
  await using hub = await startedHub({}, { 'config.yml': `__proto__: 1\nconstructor:\n  prototype: 2\nsystems:\n${systems.join('')}` })
  const { body: session } = await hub.signIn()
  const { body } = await hub.call(String(session['token']), 'GET', `${RECORDS}?perPage=100`)
  const items = body['items'] as readonly { readonly name: string }[] // a page
  assert.deepEqual(items.map(({ name }) => name).toSorted(), inheritedNames.toSorted())
})
