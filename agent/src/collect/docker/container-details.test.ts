import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { fromHex } from '../../../../protocol/test/recorded.ts'
import { createLoop } from '../../runtime/deadline.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import type { HttpEvent, HttpRequest } from '../../runtime/runtime.ts'
import { containerDetails } from './container-details.ts'
import type { EngineSetting } from './engine-address.ts'

const recordedText = (name: string): string =>
  readFileSync(new URL(`../../../../protocol/vectors/agent/docker/engine/${name}`, import.meta.url), 'utf8')

const ID = '2cc408a73d52'
const { utf8 } = byteTools

function detailsOf(answer: (request: HttpRequest) => readonly HttpEvent[], setting: EngineSetting = FIXED) {
  const asked: HttpRequest[] = []
  const memory = memoryRuntime({
    files: {},
    bytes: byteTools,
    answer: (request) => {
      asked.push(request)
      return answer(request)
    },
  })
  return { ...containerDetails({ runtime: memory.runtime, loop: createLoop(memory.runtime) }, setting), asked }
}
const FIXED: EngineSetting = { mode: 'fixed', address: { kind: 'unix', path: '/var/run/docker.sock' } }

const streamed = (pieces: readonly Uint8Array[], type?: string, end: HttpEvent = { kind: 'end', cut: false }) =>
  detailsOf(() => [
    { kind: 'head', status: 200, headers: type === undefined ? [] : [['content-type', type]] },
    ...pieces.map((data) => ({ kind: 'piece', data }) as const),
    end,
  ])

function frame(stream: number, text: string): Uint8Array {
  const payload = utf8(text)
  const whole = new Uint8Array(8 + payload.length)
  whole[0] = stream
  new DataView(whole.buffer).setUint32(4, payload.length)
  whole.set(payload, 8)
  return whole
}
const concat = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const cut = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

test('ContainerDetails.logs reads a recorded log of a real engine, with stdout and stderr in order', async () => {
  const bytes = fromHex(recordedText('logs-web.multiplexed.hex').trim())
  const text = 'line 285 out\nline 285 err\nline 286 err\nline 286 out\nline 287 err\nline 287 out\n'
  for (const size of [1, 3, 8, 21, 1000]) assert.equal(await streamed(cut(bytes, size)).logs(ID), text)
  const { logs, asked } = streamed([bytes], 'application/vnd.docker.multiplexed-stream')
  assert.equal(await logs(ID), text)
  assert.equal(asked[0]?.path, `/containers/${ID}/logs?stderr=1&stdout=1&tail=200`)
})

test('ContainerDetails.logs requests timestamped lines that start at a given second', async () => {
  const { logs, asked } = streamed([frame(1, '2026-03-10T12:00:00.000000001Z a\n')])
  assert.equal(await logs(ID, 0), '2026-03-10T12:00:00.000000001Z a\n')
  await logs(ID, 1_773_144_000)
  assert.deepEqual(
    asked.map(({ path }) => path),
    ['', '&since=1773144000'].map((since) => `/containers/${ID}/logs?stderr=1&stdout=1&tail=200&timestamps=1${since}`),
  )
})

test('ContainerDetails.logs returns the same text however frames and chunks are split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string({ unit: fc.constantFrom('a', 'ü', ' ', '\n', '😀') })), { minLength: 1 }),
      fc.integer({ min: 1, max: 40 }),
      async (frames, size) => {
        const bytes = concat(...frames.map(([stream, text]) => frame(stream, text)))
        assert.equal(await streamed(cut(bytes, size)).logs(ID), frames.map(([, text]) => text).join(''))
      },
    ),
    { numRuns: 300 },
  )
})

test('ContainerDetails.logs removes colour codes from terminal output and keeps the other text', async () => {
  const text = 'plain\r\n\u001b[1;31mred\u001b[0m \u001b]0;title\u0007tab\there\u0000\u0008\r\nü\n'
  const shown = 'plain\r\nred tab\there\r\nü\n'
  for (const size of [1, 2, 5, 1000]) assert.equal(await streamed(cut(utf8(text), size)).logs(ID), shown)
  assert.equal(await streamed([concat(frame(1, 'x'))], 'application/vnd.docker.raw-stream').logs(ID), 'x')
  assert.equal(await streamed([utf8('short')]).logs(ID), 'short')
  assert.equal(await streamed([]).logs(ID), '')
})

test('bug class 25: ContainerDetails.logs removes escape sequences split over frames and all control characters', async () => {
  const pieces = 'a\u001b[31mb\u001b[0mc\u009b1md\n'.split('').map((letter, index) => frame(1 + (index % 2), letter))
  assert.equal(await streamed(pieces).logs(ID), 'abcd\n')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string({ unit: anyCharacter }), inheritedName, fc.constantFrom('\u001b', '[', ']0;', '\u0007', '31m'))),
      async (parts) => {
        const text = await streamed([utf8(`start of it ${parts.join('')}`)]).logs(ID)
        // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
        assert.doesNotMatch(text, /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/)
      },
    ),
    { numRuns: 200 },
  )
})

test('bug class 21: ContainerDetails.logs reads at most 5 MiB and 200 lines', async () => {
  const endless = streamed(cut(new Uint8Array(7 * 1024 * 1024).fill(97), 1_000_000), 'application/vnd.docker.raw-stream')
  assert.equal((await endless.logs(ID)).length, 5 * 1024 * 1024)
  assert.ok((endless.asked[0]?.maxBytes ?? Infinity) < 5.1 * 1024 * 1024)
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`)
  const text = await streamed([utf8(lines.join(''))]).logs(ID)
  assert.equal(text, lines.slice(-200).join(''))
  assert.equal(await streamed([utf8(lines.join('').trimEnd())]).logs(ID), lines.slice(-200).join('').trimEnd())
})

test('bug class 21: ContainerDetails.logs rejects a frame of more than 1 MiB without allocating it', async () => {
  const head = Uint8Array.of(1, 0, 0, 0, 0, 16, 0, 1)
  await assert.rejects(streamed([frame(1, 'ok\n'), head]).logs(ID), /Cannot read the log: a frame of 1048577 bytes/)
  await assert.rejects(streamed([head], 'application/vnd.docker.multiplexed-stream').logs(ID), /Cannot read the log/)
})

test('ContainerDetails.logs returns the output that arrived before the engine stalled', async () => {
  const silent: HttpEvent = { kind: 'failed', reason: 'no answer within 4500 ms' }
  assert.equal(await streamed([frame(2, 'last words\n')], undefined, silent).logs(ID), 'last words\n')
  await assert.rejects(streamed([], undefined, silent).logs(ID), /no answer within 4500 ms/)
})

for (const id of ['', 'web', '2cc408a73d5', '../../version', `${ID}/../x`, 'g'.repeat(12), 'a'.repeat(65), `${ID}\n`]) {
  test(`bug class 30: ContainerDetails refuses the id ${JSON.stringify(id)} before any request`, async () => {
    const { logs, inspect, asked } = detailsOf(() => [])
    await assert.rejects(logs(id), { message: 'invalid container id' })
    await assert.rejects(inspect(id), { message: 'invalid container id' })
    assert.equal(asked.length, 0)
  })
}

test("ContainerDetails reports the engine's error response, and a missing engine", async () => {
  const body = recordedText('not-found.json')
  const missing = detailsOf(({ stream }) =>
    stream === true
      ? [
          { kind: 'head', status: 404, headers: [] },
          { kind: 'piece', data: utf8(body) },
          { kind: 'end', cut: false },
        ]
      : [{ kind: 'answer', status: 404, headers: [], body: utf8(body) }],
  )
  await assert.rejects(missing.logs('0123456789ab'), { message: `logs request failed: 404 Not Found: ${body.trim()}` })
  await assert.rejects(missing.inspect('0123456789AB'), { message: `container info request failed: 404 Not Found: ${body.trim()}` })
  const long = detailsOf(() => [{ kind: 'answer', status: 500, headers: [], body: new Uint8Array(5000).fill(97) }])
  await assert.rejects(long.inspect(ID), { message: `container info request failed: 500 Internal Server Error: ${'a'.repeat(1024)}` })
  const none = detailsOf(() => [{ kind: 'failed', reason: 'connect ENOENT /var/run/docker.sock' }], { mode: 'search' })
  await assert.rejects(none.logs(ID), {
    message: `Get "http://localhost/containers/${ID}/logs?stderr=1&stdout=1&tail=200": dial unix /var/run/docker.sock: connect: no such file or directory`,
  })
})

test('ContainerDetails is empty where container monitoring is off', async () => {
  const { logs, inspect, asked } = detailsOf(() => [], { mode: 'off' })
  assert.deepEqual([await logs(ID), await inspect(ID), asked.length], ['', '', 0])
})

const inspected = async (inspection: unknown): Promise<unknown> =>
  JSON.parse(await detailsOf(() => [{ kind: 'answer', status: 200, headers: [], body: utf8(JSON.stringify(inspection)) }]).inspect(ID))

test('ContainerDetails.inspect removes only the environment from a recorded inspection', async () => {
  const recorded = JSON.parse(recordedText('inspect-web.json')) as { readonly Config: Readonly<Record<string, unknown>> }
  const { Env, ...config } = recorded.Config
  assert.ok(Array.isArray(Env))
  assert.deepEqual(await inspected(recorded), { ...recorded, Config: config })
})

test('bug class 30: ContainerDetails.inspect masks likely secrets in labels, arguments and addresses', async () => {
  const secret = 'hunter2'
  const shown = (await inspected({
    Args: ['--db-password', secret, `--token=${secret}`, '--verbose', 'plain'],
    Config: {
      Env: [`A=${secret}`],
      Cmd: ['sh', '-c', `export API_KEY="${secret}"; curl -H "Authorization: Bearer ${secret}" https://u:${secret}@example.org/x`],
      Labels: {
        'app.db-password': secret,
        'traefik.auth_token': secret,
        'app.name': 'shop',
        dsn: `postgres://app:${secret}@db/shop?sslmode=off`,
      },
      CreateCommand: ['podman', 'run', '-e', `ANY=${secret}`, `--env=OTHER=${secret}`, 'image'],
    },
    HostConfig: { LogConfig: { Config: { 'splunk-token': secret, tag: 'x' } }, Tokens: 5 },
  })) as Record<string, unknown>
  const text = JSON.stringify(shown)
  assert.ok(!text.includes(secret), text)
  assert.deepEqual(shown['Args'], ['--db-password', '***', '--token=***', '--verbose', 'plain'])
  assert.match(text, /"app.name":"shop"/)
  assert.match(text, /postgres:\/\/app:\*\*\*@db\/shop\?sslmode=off/)
  assert.match(text, /"ANY=\*\*\*","--env=OTHER=\*\*\*","image"/)
  assert.match(text, /"Tokens":5/)
})

test(
  'bug class 21: ContainerDetails.inspect takes time proportional to the length of the text for any labels',
  { timeout: 5000 },
  async () => {
    const hostile = ['a', 'token', '-token.', 'api_key ', '://', '://a:', 'authorization ', '--token-', 'pass.'].map((part) =>
      part.repeat(20_000),
    )
    await inspected({ Args: hostile, Config: { Labels: Object.fromEntries(hostile.map((text) => [`${text}!`, text])) } })
  },
)

test('ContainerDetails.inspect refuses a response that is too long or not JSON', async () => {
  const { inspect, asked } = detailsOf(() => [{ kind: 'answer', status: 200, headers: [], body: utf8('{"Id":') }])
  await assert.rejects(inspect(ID), /it is not JSON/)
  assert.equal(asked[0]?.maxBytes, 1024 * 1024)
})
