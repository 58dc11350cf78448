import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CborValue } from '@vedette/protocol/cbor/value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { fleetOn, type RunningFleet } from '../running-fleet.ts'
import { behavingSshAgent, bytesOf, finish, machineSample, sshAgent, writing } from '../scripted-agent.ts'
import { storedSamples } from '../stored-samples.ts'

type Fields = readonly (readonly [key: number, value: CborValue])[]
const map = (fields: Fields): CborValue => new Map<number, CborValue>(fields)

/** An envelope with a document of the given fields only. */
const envelope = (stats: Fields, info: Fields, containers: CborValue, services: CborValue = []): Uint8Array =>
  bytesOf(
    map([
      [
        1,
        map([
          [0, map(stats)],
          [1, map(info)],
          [2, containers],
          [3, services],
        ]),
      ],
    ]),
  )

const container = (id: string, fields: Fields = []): CborValue =>
  new Map<number, CborValue>([[0, `name of ${id}`], [1, 1.5], [2, 64], [5, 2], [6, 'Up'], [7, id], [8, 'image'], ...fields])

async function up(fleet: RunningFleet, bytes: Uint8Array) {
  await using agent = await behavingSshAgent(fleet.key.publicLine, { behave: writing(bytes) })
  const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
  const record = await fleet.status(system.id, 'up')
  const [sample] = await storedSamples(fleet.history, 'system', system.id)
  return {
    id: system.id,
    info: record['info'] as { readonly [key: string]: Json }, // as the hub stores it
    series: sample?.values ?? {},
    containers: await fleet.records.loadWhere('containers', { system: system.id }),
    services: await fleet.records.loadWhere('systemd_services', { system: system.id }),
  }
}

for (const kind of databases) {
  test(`${kind.name}: endlessly nested JSON of an old agent is refused, and the next document is read`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const nested = Buffer.from(`{"stats":{"cpu":1,"efs":{"x":${'['.repeat(50_000)}1${']'.repeat(50_000)}}},"info":{"v":"0.11.1"}}`)
    let bytes = nested
    await using agent = await behavingSshAgent(fleet.key.publicLine, {
      ident: 'beszel_0.11.1',
      behave: (channel) => finish(channel, bytes),
    })
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    await fleet.status(system.id, 'down')
    bytes = Buffer.from('{"stats":{"cpu":1.5},"info":{"v":"0.11.1"},"container":[]}')
    await fleet.update(system.id, { status: 'paused' })
    await fleet.update(system.id, { status: 'pending' })
    await fleet.status(system.id, 'up')
  })

  test(`${kind.name}: a null among containers or services is skipped, and all others are stored`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const service = map([
      [0, 'nginx'],
      [1, 0],
      [5, 1],
    ])
    const bytes = envelope([[0, 12.5]], [[5, 3600]], [null, container('0123456789ab'), null], [null, service])
    const { info, containers, services } = await up(fleet, bytes)
    assert.deepEqual([info['cpu'], containers.map(({ id }) => id), services.map((row) => row['name'])], [12.5, ['0123456789ab'], ['nginx']])
  })

  test(`${kind.name}: NaN and infinity are stored as missing values, and the other values are stored`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const stats: Fields = [
      [0, Number.NaN],
      [2, 16],
      [3, 4],
      [4, 25],
      [9, Number.POSITIVE_INFINITY],
      [10, 40],
    ]
    const { info, series, containers } = await up(fleet, envelope(stats, [[6, Number.NaN]], [container('0123456789ab', [[1, Number.NaN]])]))
    assert.equal(info['cpu'], undefined)
    assert.deepEqual([series['cpu.busyPercent'], series['memory.usedPercent'], series['disk.totalBytes']], [undefined, 25, undefined])
    assert.equal(containers.length, 1)
  })

  test(`${kind.name}: out-of-range numbers and overlong texts of a sample are limited`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const stats: Fields = [
      [0, 250],
      [2, 1e308],
      [3, -4],
      [4, 30],
      [28, [-1, 1e300, 2]],
    ]
    const long = container('0123456789ab', [
      [0, `x\0${'é'.repeat(10_000)}`],
      [1, 900],
    ])
    const { info, series, containers } = await up(fleet, envelope(stats, [[5, -1]], [long]))
    assert.deepEqual([info['cpu'], info['u'], series['cpu.busyPercent']], [100, undefined, 100])
    assert.deepEqual([series['memory.totalBytes'], series['memory.usedBytes']], [undefined, undefined])
    const [row] = containers
    assert.deepEqual([String(row?.['name']).length <= 500, String(row?.['name']).includes('\0'), row?.['cpu']], [true, false, 100])
  })

  for (const count of [300, 3000]) {
    test(`${kind.name}: ${count} containers are stored as ${count} rows`, { timeout: 300_000 }, async () => {
      await using fleet = await fleetOn(kind)
      const many = Array.from({ length: count }, (_, at) => container(at.toString(16).padStart(12, '0')))
      assert.equal((await up(fleet, envelope([[0, 1]], [], many))).containers.length, count)
    })
  }

  test(`${kind.name}: two systems that report the same container id have a row each`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const first = await up(fleet, envelope([], [], [container('abcabcabcabc', [[0, 'c-first']])]))
    fleet.forget()
    const second = await up(fleet, envelope([], [], [container('abcabcabcabc', [[0, 'c-second']])]))
    assert.deepEqual(
      [first.containers, second.containers].map((rows) => rows.map((row) => row['name'])),
      [['c-first'], ['c-second']],
    )
    const rows = await fleet.records.loadWhere('containers', {})
    assert.deepEqual(rows.map((row) => row['name']).toSorted(), ['c-first', 'c-second'])
    assert.equal(rows.find((row) => row['name'] === 'c-first')?.id, 'abcabcabcabc', 'clients know the first by its own id')
    const other = rows.find((row) => row['name'] === 'c-second')
    assert.match(other?.id ?? '', /^[a-f0-9]{12}$/)
    assert.equal(other?.['containerId'], 'abcabcabcabc', 'its engine is asked by this')
  })

  test(
    `${kind.name}: removed services are removed from the list, and a sample without services keeps the list`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      const service = (name: string) => ({ name, state: 'active', subState: 'running' }) as const
      let services: readonly ReturnType<typeof service>[] | undefined = [service('ssh'), service('nginx')]
      await using agent = await sshAgent(fleet.key.publicLine, () => ({ ...machineSample, ...(services && { services }) }))
      const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
      await fleet.status(system.id, 'up')
      const pollAgain = async () => {
        await fleet.update(system.id, { status: 'paused' })
        await fleet.update(system.id, { status: 'pending' })
        await fleet.status(system.id, 'up')
        const rows = await fleet.records.loadWhere('systemd_services', { system: system.id })
        return rows.map((row) => String(row['name'])).toSorted()
      }
      services = undefined
      assert.deepEqual(await pollAgain(), ['nginx', 'ssh'])
      services = [service('ssh')]
      assert.deepEqual(await pollAgain(), ['ssh'])
    },
  )

  test(`${kind.name}: a document above the size limit is refused and not stored`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const large = bytesOf(new Uint8Array(17 * 1024 * 1024))
    await using agent = await behavingSshAgent(fleet.key.publicLine, { behave: (channel) => void channel.write(large) })
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    const down = await fleet.status(system.id, 'down')
    assert.match(String((down['info'] as { readonly why?: Json }).why), /larger than 16777216 bytes/) // as the hub stores it
  })
}
