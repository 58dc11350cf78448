import assert from 'node:assert/strict'
import { test } from 'node:test'
import { names, oddlyNamed } from '../oddly-named-machine.ts'
import { sshAgent } from '../scripted-agent.ts'
import { idOf, RECORDS, startedHub } from '../started-hub.ts'

test('machines and sensors named like inherited properties are stored, listed, charted and alerted', { timeout: 300_000 }, async () => {
  await using hub = await startedHub()
  const { body: session } = await hub.signIn()
  const [token, user] = [String(session['token']), idOf(session)]
  const ask = async (path: string) => (await hub.call(token, 'GET', path)).body
  const items = async (collection: string, query = '') =>
    ((await ask(`/api/collections/${collection}/records?perPage=200&${query}`))['items'] ?? []) as readonly {
      readonly [field: string]: unknown
    }[]
  await using agent = await sshAgent(String((await ask('/api/beszel/getkey'))['key']), () => oddlyNamed)
  const made = await hub.call(token, 'POST', RECORDS, { name: 'odd', host: '127.0.0.1', port: String(agent.port), users: [user] })
  const system = String(made.body['id'])
  const alerted = ['Filesystem', 'Interface', 'ContainerCPU', 'Service', 'Container']
  for (const target of names)
    for (const name of alerted) {
      const alert = { user, system, name, target, value: 5, min: 1 }
      const { status, body } = await hub.call(token, 'POST', '/api/collections/alerts/records', alert)
      assert.equal(status, 200, `${name} ${target} ${JSON.stringify(body)}`)
    }
  const until = async <T>(found: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> => {
    for (;;) {
      const value = await found()
      if (isThere(value)) return value
    }
  }
  await until(
    () => items('system_stats', 'sort=-created'),
    (rows) => rows.length > 0,
  )
  // The next requests come a minute later, or at the end of a pause.
  await hub.call(token, 'PATCH', `${RECORDS}/${system}`, { status: 'paused' })
  await hub.call(token, 'PATCH', `${RECORDS}/${system}`, { status: 'pending' })
  const [row] = await until(
    () => items('system_stats', 'sort=-created'),
    (rows) => rows.length > 1,
  )
  const stats = row?.['stats'] as { readonly [key: string]: object } // as the hub stores it
  for (const key of ['t', 'f', 'bats', 'efs', 'ni', 'g']) assert.deepEqual(Object.keys(stats[key] ?? {}).toSorted(), names.toSorted(), key)
  const [containerRow] = await items('container_stats')
  const listed = containerRow?.['stats'] as readonly { readonly n: string }[] // as the hub stores it
  assert.deepEqual(listed.map(({ n }) => n).toSorted(), names.toSorted())
  for (const collection of ['containers', 'systemd_services'])
    assert.deepEqual((await items(collection)).map((one) => one['name']).toSorted(), names.toSorted(), collection)
  for (const [kind, key] of [
    ['sensors', 'temperature.NAME.celsius'],
    ['sensors', 'fan.NAME.rpm'],
    ['disks', 'filesystem.NAME.usedBytes'],
    ['interfaces', 'network.NAME.sentBytesPerSecond'],
    ['gpus', 'gpu.NAME.usagePercent'],
    ['gpus', 'gpu.toString.engine.NAME.usagePercent'],
    ['containers', 'NAME.cpuPercent'],
  ] as const) {
    const { series } = await ask(`/api/history/${system}?kind=${kind}`)
    const keys = (series as readonly { readonly key: string }[]).map((one) => one.key) // columns
    for (const name of names) assert.ok(keys.includes(key.replace('NAME', name)), `${key} of ${name} in ${keys.join(' ')}`)
  }
  const incidents = await until(
    async () => (await ask('/api/vedette/incidents?limit=100'))['items'] as readonly { readonly name: string; readonly target: string }[], // incidents
    (all) => new Set(all.map(({ name, target }) => `${name} ${target}`)).size >= 4 * names.length,
  )
  assert.deepEqual(
    // The pause ended the incidents that began before it.
    new Set(incidents.map(({ name, target }) => `${name} ${target}`)),
    new Set(names.flatMap((target) => alerted.filter((name) => name !== 'Container').map((name) => `${name} ${target}`))),
  )
  assert.equal((await hub.stop()).complaints, '')
})
