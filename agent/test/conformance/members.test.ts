import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { MembersAnswer, MembersRequest } from '../../src/runtime/runtime.ts'
import { testedHost } from './tested-host.ts'

/** The runtime call that reads some members of many JSON responses. Every host must agree with `JSON.parse`. */

type Asked = Pick<MembersRequest, 'paths' | 'members'> & Partial<MembersRequest>

async function servedMembers(listener: RequestListener) {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-members-'))
  const path = join(folder, 'engine.sock')
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const tested = await testedHost()
  let id = 0
  return {
    ask: async (asked: Asked): Promise<readonly MembersAnswer[]> => {
      id += 1
      const limits = { atOnce: 5, maxBytes: 1_000_000, deadlineMs: 20_000, totalMs: 30_000 }
      await tested.runtime.httpMembers(id, { to: { kind: 'unix', path }, headers: [['X-Test', 'a']], ...limits, ...asked })
      const [toldId, answers] = await tested.next('onHttpMembers')
      assert.equal(toldId, id)
      return answers as readonly MembersAnswer[]
    },
    async [Symbol.asyncDispose]() {
      await tested[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

/** Results of the requests, without their times. */
const said = (answers: readonly MembersAnswer[]) =>
  answers.map((answer) => (answer.kind === 'members' ? answer.values : answer.kind === 'refused' ? answer.status : answer.reason))

test('httpMembers returns the requested members in the order of the paths, and the error of each failed request', async () => {
  await using served = await servedMembers((request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/gone') return void response.writeHead(404).end('{"n":1}')
    if (request.url === '/broken') return void response.end('{"n":1')
    if (request.url === '/long') return void response.end(`{"n":1,"x":"${'x'.repeat(300)}"}`)
    response.write('{"n": 1.5, "t": ["x"],')
    setImmediate(() => response.end(`"a": {"eth0": {"v": 1}, "eth1": {}}, "path": "${request.url} ${String(request.headers['x-test'])}"}`))
  })
  const wanted = { members: ['n', 'path', 'a.*.v', 't.*', 'none', 'a'], maxBytes: 300, deadlineMs: 2000 }
  const paths = ['/1', '/silent', '/gone', '/broken', '/long', '/2', 'no path']
  const answers = await served.ask({ ...wanted, paths, atOnce: 2 })
  const found = (path: string) => [1.5, `${path} a`, [1, null], ['x'], null, null]
  assert.deepEqual(said(answers), [
    found('/1'),
    'no answer within 2000 ms',
    404,
    'the answer is not JSON',
    'the answer is longer than 300 bytes',
    found('/2'),
    'the request has characters no request has',
  ])
  const ends = answers.map(({ endedAtMs }) => endedAtMs)
  assert.ok(ends.every((atMs) => atMs <= (ends[1] ?? 0)) && (ends[0] ?? 0) <= (ends[5] ?? 0))
  assert.deepEqual(await served.ask({ ...wanted, paths: [] }), [])
})

test('httpMembers limits its concurrent requests, and returns partial results at its timeout', async () => {
  const held = new Set<() => void>()
  let most = 0
  await using served = await servedMembers((request, response) => {
    if (request.url === '/silent') return
    held.add(() => response.end('{"a":1}'))
    most = Math.max(most, held.size)
    // The other concurrent requests have arrived by then.
    if (held.size >= 3 || request.url === '/alone') setImmediate(answerAll)
  })
  const answerAll = (): void => {
    for (const answer of held) answer()
    held.clear()
  }
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}`)
  const all = said(await served.ask({ paths, members: ['a'], atOnce: 3 }))
  assert.deepEqual(
    all,
    paths.map(() => [1]),
  )
  assert.equal(most, 3)
  const late = await served.ask({ paths: ['/alone', '/silent', '/alone', '/silent', '/1'], members: ['a'], atOnce: 2, totalMs: 200 })
  assert.deepEqual(said(late), [[1], 'no answer within 200 ms', [1], 'no answer within 200 ms', 'no answer within 200 ms'])
})

test('httpMembers returns the reason for each path when nothing listens at the address', async () => {
  await using served = await servedMembers((_request, response) => void response.end())
  const nowhere = { kind: 'unix', path: '/run/vedette-none.sock' } as const
  const answers = await served.ask({ to: nowhere, paths: ['/1', '/2'], members: ['a'] })
  assert.deepEqual(
    said(answers).map((one) => /ENOENT/.test(String(one))),
    [true, true],
  )
})

const members = ['a', 'a.b', 'a.b.c', '*', '*.a', 'a.*', 'a.*.b', '*.*', 'ü', '1', '*.1', '__proto__.a', 'length']

/** Reference implementation, different from those of the hosts. */
function expected(text: string): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return 'the answer is not JSON'
  }
  return members.map((path) => {
    const follow = (steps: readonly string[], node: unknown): unknown => {
      const [step, ...rest] = steps
      if (step === undefined) return typeof node === 'number' ? node : typeof node === 'string' ? node.toWellFormed() : null
      const entries: readonly [string, unknown][] = typeof node === 'object' && node !== null ? Object.entries(node) : []
      if (step === '*') return typeof node === 'object' && node !== null ? entries.map(([, one]) => follow(rest, one)) : null
      return Array.isArray(node) ? null : follow(rest, entries.find(([name]) => name === step)?.[1])
    }
    return follow(path.split('.'), parsed)
  })
}

const name = fc.constantFrom(
  '"a"',
  '"b"',
  '"c"',
  '"\\u0061"',
  '"\\u00fc"',
  '"ü"',
  '"1"',
  '"10"',
  '"01"',
  '"__proto__"',
  '"\\ud800"',
  '"length"',
)
const number = fc.constantFrom(
  '0',
  '-0',
  '1',
  '12.5',
  '1e3',
  '-1E-2',
  '9007199254740993',
  '18446744073709551615',
  '0.1e+22',
  '1e400',
  '5e-324',
)
const literal = fc.constantFrom('true', 'false', 'null', '"a"', '""', '"\\n\\"\\\\"', '"\\ud83d\\ude00"', '"\\udc00"', '"é😀"', '[]', '{}')
const blank = fc.constantFrom('', '', ' ', '\n\t\r')
const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, number, literal, tie('list'), tie('object'), tie('object')),
  list: fc.tuple(blank, fc.array(tie('json'), { maxLength: 3 })).map(([space, all]) => `[${space}${all.join(`${space},`)}]`),
  object: fc
    .tuple(blank, fc.array(fc.tuple(name, tie('json')), { maxLength: 4 }))
    .map(([space, all]) => `{${space}${all.map(([key, value]) => `${key}${space}:${space}${value}`).join(`,${space}`)}}`),
}))
/** Text is removed, inserted or replaced at one position. */
const broken = fc
  .tuple(json, fc.nat(), fc.nat(3), fc.constantFrom('', '"', '{', ']', ',', ':', '\\', '\u0000', '\ufeff', 'e', '0', '-', '.', ' ', '\t'))
  .map(([text, seed, count, more]) => {
    const at = seed % (text.length + 1)
    return text.slice(0, at) + more + text.slice(at + count)
  })

test('httpMembers finds the values that JSON.parse finds, and refuses the texts that JSON.parse refuses', async () => {
  let bodies: readonly string[] = []
  await using served = await servedMembers((request, response) => void response.end(bodies[Number(request.url?.slice(1))]))
  const lists = fc.array(fc.oneof(json, broken), { minLength: 40, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(lists, async (texts) => {
      bodies = texts
      const answers = await served.ask({ paths: texts.map((_, place) => `/${place}`), members })
      // The native host and its test exchange numbers as JSON, which has neither infinity nor negative zero.
      const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
      // The host removes the byte order mark of a body; JSON.parse does not.
      const wanted = texts.map((text) => expected(text.replace(/^\ufeff/, '')))
      said(answers).forEach((found, place) => assert.deepEqual(asJson(found), asJson(wanted[place]), JSON.stringify(texts[place])))
    }),
    { numRuns: process.env['VEDETTE_LONG'] === undefined ? 50 : 1000 },
  )
})
