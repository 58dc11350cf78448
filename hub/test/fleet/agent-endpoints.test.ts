import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { CborValue } from '@vedette/protocol/cbor/value'
import { encodeDiagnosis } from '@vedette/protocol/wire/diagnosis'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import type { Message } from '@vedette/protocol/wire/request'
import { encodeSmartDevices } from '@vedette/protocol/wire/smart'
import { databases } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { readLinkVector } from '../recorded-link.ts'
import { itemsOf, runningHub, type RunningHub } from '../running-hub.ts'
import { answering, behavingSshAgent, bytesOf, machineSample } from '../scripted-agent.ts'

const CONTAINER = '0123456789ab'
const sample = {
  ...machineSample,
  containers: [
    { name: 'web', id: CONTAINER, cpuPercent: 1.5, memoryBytes: 64 * 1024 ** 2, health: 'healthy', status: 'Up 2 hours', ports: '80' },
    { name: 'limited', id: 'abcdef012345', memoryLimitBytes: 512 * 1024 ** 2, cpuLimitCpus: 1.5, restarts: 0, composeProject: 'shop' },
  ],
  services: [{ name: 'nginx', state: 'active', subState: 'running', cpuPercent: 0.5, memoryBytes: 1000 }],
} as const
/** Sent with every sample. */
const startedAtMs = Date.now()
const containerEvents = [
  { atMs: startedAtMs - 9000, container: 'web', exitCode: 137, outOfMemory: true },
  { atMs: startedAtMs - 4000, container: 'limited', exitCode: 3, outOfMemory: false },
]
const drive = {
  id: 'S-1',
  device: '/dev/sda',
  model: 'Disk A',
  serial: 'S-1',
  status: 'PASSED',
  celsius: 33,
  type: 'sat',
  capacityBytes: 1000204886016,
  attributes: [
    { id: 5, name: 'Reallocated_Sector_Ct', value: 100, worst: 100, threshold: 10, raw: 0, rawText: '0' },
    { id: 9, name: 'Power_On_Hours', value: 99, worst: 99, raw: 1234, rawText: '1234' },
    { id: 12, name: 'Power_Cycle_Count', value: 99, worst: 99, raw: 56 },
    { id: 177, name: 'Wear_Leveling_Count', value: 93, worst: 93, raw: 140 },
  ],
} as const
const diagnosis = {
  agentVersion: '0.18.8+vedette.0.1.0',
  takenAtMs: 1_700_000_000_000,
  collectors: [{ name: 'smart', state: 'failing', skipped: [], error: 'no permission', remedy: 'run it as root' }],
} as const

/** Responses of an agent on a machine with every kind of source. */
function answerOf({ request: asked }: Message): Reply {
  switch (asked.action) {
    case 'data':
      return { kind: 'document', document: encodeDocument({ ...sample, takenAtMs: Date.now(), containerEvents }) }
    case 'fingerprint':
      return { kind: 'identity', identity: { fingerprint: 'machine-with-everything' } }
    case 'container-logs':
      return asked.containerId === CONTAINER
        ? { kind: 'text', text: `a line${asked.sinceSeconds ?? ''}\n` }
        : { kind: 'error', message: 'no such container' }
    case 'container-inspect':
      return { kind: 'text', text: JSON.stringify({ Id: asked.containerId }) }
    case 'smart':
      return { kind: 'smart', devices: encodeSmartDevices([drive]), complete: true }
    case 'service-details':
      return {
        kind: 'service',
        properties: new Map<string, CborValue>([
          ['Id', `${asked.serviceName}.service`],
          ['InvocationID', Uint8Array.of(1, 2, 3)],
          ['MemoryMax', 2n ** 64n - 1n],
          ['MemoryPeak', null],
        ]),
      }
    case 'forget-proof':
      return { kind: 'text', text: '' }
    case 'diagnosis':
      return { kind: 'diagnosis', diagnosis: encodeDiagnosis(diagnosis) }
  }
}

async function addSystem(hub: RunningHub, port: string, users: readonly string[] = []): Promise<string> {
  const values = { name: `machine ${port}`, host: '127.0.0.1', port, users: [hub.admin.id, ...users] }
  const { body } = await hub.call(hub.admin.token, 'POST /api/collections/systems/records', values)
  return String(body['id'])
}

const isUp = ({ body }: { readonly body: { readonly status?: unknown } }): boolean => body.status === 'up'

async function checkAnswers(hub: RunningHub, system: string): Promise<void> {
  const { token } = hub.admin
  await hub.until(token, `GET /api/collections/systems/records/${system}`, isUp)
  const logs = await hub.call(token, `GET /api/beszel/containers/logs?system=${system}&container=${CONTAINER}`)
  assert.deepEqual([logs.status, logs.body], [200, { logs: 'a line\n' }])
  const since = await hub.call(token, `GET /api/beszel/containers/logs?system=${system}&container=${CONTAINER}&since=1764000000`)
  assert.deepEqual([since.status, since.body], [200, { logs: 'a line1764000000\n' }])
  const info = await hub.call(token, `GET /api/beszel/containers/info?system=${system}&container=${CONTAINER}`)
  assert.deepEqual([info.status, info.body], [200, { info: `{"Id":"${CONTAINER}"}` }])
  const missing = await hub.call(token, `GET /api/beszel/containers/logs?system=${system}&container=ffffffffffff`)
  assert.deepEqual([missing.status, missing.body['message']], [500, 'The agent answered with an error: no such container'])
  const service = await hub.call(token, `GET /api/beszel/systemd/info?system=${system}&service=nginx.service`)
  assert.equal(service.status, 200)
  assert.deepEqual(service.body, {
    details: { Id: 'nginx.service', InvocationID: 'AQID', MemoryMax: 18446744073709552000, MemoryPeak: null },
  })
  assert.equal((await hub.call(token, `GET /api/beszel/systemd/info?system=${system}&service=none`)).status, 404)
  await checkLists(hub, system)
  const events = itemsOf(await hub.call(token, `GET /api/systems/${system}/events`)).filter((event) => 'container' in event)
  assert.deepEqual(events, [
    { at: containerEvents[0]?.atMs, kind: 'container-out-of-memory', text: '', container: 'web', exitCode: 137 },
    { at: containerEvents[1]?.atMs, kind: 'container-exited', text: '', container: 'limited', exitCode: 3 },
  ])
  await checkDriveHistory(hub, system)
  const doctor = await hub.call(token, `GET /api/vedette/systems/${system}/diagnosis`)
  assert.deepEqual([doctor.status, doctor.body], [200, diagnosis])
}

/** Drives are stored in the history with the next sample. */
async function checkDriveHistory(hub: RunningHub, system: string): Promise<void> {
  const { token } = hub.admin
  for (const status of ['paused', 'pending']) await hub.call(token, `PATCH /api/collections/systems/records/${system}`, { status })
  const hasDrives = ({ body }: { readonly body: { readonly series?: unknown } }) => Array.isArray(body.series) && body.series.length > 0
  const { body } = await hub.until(token, `GET /api/history/${system}?kind=drives`, hasDrives)
  const { series } = body as {
    readonly series: readonly { readonly key: string; readonly unit: string; readonly average: readonly unknown[] }[]
  } // the columns of a window
  assert.deepEqual(
    series.map(({ key, unit, average }) => [key, unit, average.filter((value) => value !== null).at(-1)]),
    [
      ['drive.S-1.celsius', 'celsius', 33],
      ['drive.S-1.wearPercent', 'percent', 7],
    ],
  )
}

async function checkLists(hub: RunningHub, system: string): Promise<void> {
  const { token } = hub.admin
  const refreshed = await hub.call(token, `POST /api/beszel/smart/refresh?system=${system}`)
  assert.deepEqual([refreshed.status, refreshed.body], [200, { status: 'ok' }])
  const list = (name: string) => hub.call(token, `GET /api/collections/${name}/records?filter=${encodeURIComponent(`system="${system}"`)}`)
  const { name, state, temp, hours, cycles, attributes } = itemsOf(await list('smart_devices'))[0] ?? {}
  assert.deepEqual([name, state, temp, hours, cycles], ['/dev/sda', 'PASSED', 33, 1234, 56])
  assert.ok(Array.isArray(attributes))
  assert.deepEqual(attributes[0], {
    id: 5,
    n: 'Reallocated_Sector_Ct',
    v: 100,
    w: 100,
    t: 10,
    rv: 0,
    rs: '0',
  })
  const [unit] = itemsOf(await list('systemd_services'))
  assert.deepEqual([unit?.['name'], unit?.['state'], unit?.['sub'], unit?.['memory']], ['nginx', 0, 1, 1000])
  checkContainers(itemsOf(await list('containers')))
}

function checkContainers(items: ReturnType<typeof itemsOf>): void {
  const [container, limited] = items.toSorted((a, b) => (String(a['name']) > String(b['name']) ? -1 : 1))
  assert.deepEqual([container?.['status'], container?.['health'], container?.['ports']], ['Up 2 hours', 2, '80'])
  const own = ['memoryLimit', 'cpuLimit', 'restarts', 'composeProject', 'unknownFields']
  const valuesOf = (row = {}) => Object.fromEntries(Object.entries<unknown>(row).filter(([name]) => own.includes(name)))
  const expected = { memoryLimit: 512, cpuLimit: 1.5, restarts: 0, composeProject: 'shop', unknownFields: 'cpu,memory' }
  assert.deepEqual(valuesOf(limited), expected)
  assert.deepEqual(valuesOf(container), {}, 'no limit is not a limit of 0, and an unknown number of restarts is not 0')
  assert.equal(container?.['containerId'], undefined, 'the engine’s own id stays inside')
}

type Upgrade = {
  readonly case: string
  readonly method: string
  readonly path?: string
  readonly sent: { readonly [name: string]: string }
  readonly status: number
  readonly body?: string
}
const { cases: upgrades } = readLinkVector('hub-link/ws/head/upgrade.json') as { readonly cases: readonly Upgrade[] } // the shape of the recording

function upgrade(address: string, { case: name, method, path = '/api/beszel/agent-connect', sent }: Upgrade) {
  const standard = {
    Connection: 'Upgrade',
    ...(name.startsWith('no Upgrade') ? {} : { Upgrade: 'websocket' }),
    ...(name === 'no Sec-WebSocket-Version' ? {} : { 'Sec-WebSocket-Version': '13' }),
    ...(name === 'no Sec-WebSocket-Key' ? {} : { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }),
  }
  return new Promise<{ readonly status: number; readonly body: string; readonly protocol: unknown }>((resolve, reject) => {
    const asking = request(`${address}${path}`, { method, headers: { ...standard, ...sent }, agent: false })
    asking.on('error', reject)
    asking.on('upgrade', ({ statusCode = 0, headers }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, body: '', protocol: headers['sec-websocket-protocol'] ?? headers['sec-websocket-extensions'] })
    })
    asking.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), protocol: undefined }))
    })
    asking.end()
  })
}

for (const kind of databases) {
  test(
    `${kind.name}: logs, container details, services and drives work with an agent that the hub dials`,
    { timeout: 300_000 },
    async () => {
      await using hub = await runningHub(kind)
      const { body } = await hub.call(hub.admin.token, 'GET /api/beszel/getkey')
      await using agent = await behavingSshAgent(String(body['key']), { ident: 'beszel_0.18.8+vedette.0.1.0', behave: answering(answerOf) })
      await checkAnswers(hub, await addSystem(hub, String(agent.port)))
    },
  )

  test(
    `${kind.name}: logs, container details, services and drives work with an agent that dials the hub`,
    { timeout: 300_000 },
    async () => {
      await using hub = await runningHub(kind)
      const system = await addSystem(hub, '1')
      await hub.call(hub.admin.token, 'POST /api/collections/fingerprints/records', { system, token: 'token-of-everything' })
      const agent = framingAgent({
        url: `${hub.address.replace('http', 'ws')}/api/beszel/agent-connect`,
        token: 'token-of-everything',
        version: '0.18.8+vedette.0.1.0',
        answer: (message) => [bytesOf(encodeEnvelope(answerOf(message), message.id))],
      })
      await checkAnswers(hub, system)
      agent.close()
    },
  )

  test(`${kind.name}: requests to an agent are allowed for users that may view, or manage, its system`, { timeout: 300_000 }, async () => {
    await using hub = await runningHub(kind, ['--container-details', 'false'])
    const { token } = hub.admin
    const people = await Promise.all(
      (['user', 'readonly', 'user'] as const).map(async (role, at) => {
        const account = {
          email: `p${at}@example.com`,
          password: 'a good password',
          passwordConfirm: 'a good password',
          role,
          verified: true,
        }
        await hub.call(token, 'POST /api/collections/users/records', account)
        return hub.signIn(account.email, account.password)
      }),
    )
    const [member, reader, stranger] = people
    const system = await addSystem(hub, '1', [member?.id ?? '', reader?.id ?? ''])
    const paths = {
      logs: `GET /api/beszel/containers/logs?system=${system}&container=${CONTAINER}`,
      service: `GET /api/beszel/systemd/info?system=${system}&service=nginx`,
      refresh: `POST /api/beszel/smart/refresh?system=${system}`,
      diagnosis: `GET /api/vedette/systems/${system}/diagnosis`,
      hostKey: `POST /api/vedette/systems/${system}/accept-host-key`,
      proof: `POST /api/vedette/systems/${system}/forget-proof`,
    }
    const statuses = async (who: string) =>
      Object.fromEntries(await Promise.all(Object.entries(paths).map(async ([name, path]) => [name, (await hub.call(who, path)).status])))
    const denied = { logs: 404, service: 404, refresh: 404, diagnosis: 404, hostKey: 403, proof: 403 }
    // There is no agent, so allowed requests end in 500, or in 400 without a host key to accept.
    assert.deepEqual(await statuses(token), { ...denied, refresh: 500, diagnosis: 500, hostKey: 400, proof: 500 })
    assert.deepEqual(await statuses(member?.token ?? ''), { ...denied, refresh: 500, diagnosis: 500 })
    assert.deepEqual(await statuses(reader?.token ?? ''), { ...denied, refresh: 403 })
    assert.deepEqual(await statuses(stranger?.token ?? ''), denied)
    assert.deepEqual(await statuses(''), { logs: 404, service: 401, refresh: 401, diagnosis: 401, hostKey: 401, proof: 401 })
  })

  test(`${kind.name}: every recorded upgrade request of an agent gets the recorded response`, { timeout: 300_000 }, async (t) => {
    await using hub = await runningHub(kind)
    const system = await addSystem(hub, '1')
    await hub.call(hub.admin.token, 'POST /api/collections/fingerprints/records', { system, token: 'token-of-a-system-1' })
    for (const one of upgrades) {
      await t.test(one.case, async () => {
        const answer = await upgrade(hub.address, one)
        // RFC 6455 §4.2.1: a key has 16 bytes.
        assert.equal(answer.status, one.case === 'Sec-WebSocket-Key short' ? 400 : one.status)
        assert.equal(answer.protocol, undefined, 'nothing that was offered is chosen')
        const isText = one.body !== undefined && one.method === 'GET' && one.status >= 400
        if (isText) assert.equal(answer.body, one.body)
      })
    }
  })
}
