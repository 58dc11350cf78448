import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardQueries } from '../tools/grafana/dashboard.ts'
import { startPagesHub, type PagesHub, type Session } from './pages-hub.ts'
import { startPrometheus, withPrometheus, type PrometheusServer } from './prometheus-server.ts'

async function createKey(hub: PagesHub, session: Session): Promise<{ readonly id: string; readonly key: string }> {
  const created = await hub.send(session, 'POST', '/api/account/api-keys', { name: 'Prometheus', scope: 'read' })
  return created as { readonly id: string; readonly key: string } // the response of the route
}

/** Values of a query by system name; the empty name for series without a system. */
async function valuesOf(prometheus: PrometheusServer, query: string): Promise<ReadonlyMap<string, number>> {
  const found = (await prometheus.read(`query?query=${encodeURIComponent(query)}`)) as {
    readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[]
  } // an instant vector
  return new Map(found.result.map(({ metric, value }) => [metric['system'] ?? '', Number(value[1])]))
}

type Targets = { readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[] }

test('Prometheus scrapes the systems and the hub with a read key, until the key is revoked', withPrometheus, async () => {
  await using hub = await startPagesHub()
  const admin = await hub.createAdmin()
  await hub.watchMachine(admin, 'web-1')
  await hub.addSystem(admin, { name: 'nowhere', port: 1 })
  const { id, key } = await createKey(hub, admin)
  await using prometheus = await startPrometheus(hub.address, key)
  const target = async () => ((await prometheus.read('targets')) as Targets).activeTargets[0] // the API's shape
  await prometheus.scraped()
  assert.deepEqual(await target().then((found) => [found?.health, found?.lastError]), ['up', ''])
  assert.equal((await valuesOf(prometheus, 'vedette_system_up')).get('web-1'), 1)
  assert.equal((await valuesOf(prometheus, 'vedette_system_up')).get('nowhere'), 0)
  assert.ok(((await valuesOf(prometheus, 'vedette_system_memory_size_bytes')).get('web-1') ?? 0) > 1e6)
  assert.equal((await valuesOf(prometheus, 'vedette_system_memory_size_bytes')).has('nowhere'), false)
  assert.equal((await valuesOf(prometheus, 'sum(vedette_hub_systems)')).get(''), 2)
  const metadata = async (metric: string) => {
    const [found] = (await prometheus.read(`targets/metadata?metric=${metric}`)) as readonly {
      readonly type: string
      readonly unit: string
    }[] // the API's shape
    return [found?.type, found?.unit]
  }
  assert.deepEqual(await metadata('vedette_system_memory_used_bytes'), ['gauge', 'bytes'])
  assert.deepEqual(await metadata('vedette_system_interface_sent_bytes'), ['counter', 'bytes'])

  // Prometheus accepts every query of the Grafana dashboard, and those that each machine has return data.
  for (const query of dashboardQueries) {
    const values = await valuesOf(prometheus, query.replaceAll('$system', 'web-1|nowhere'))
    if (/cpu_ratio|memory_used|load5|filesystem_used/.test(query) && !query.includes('container')) assert.ok(values.size > 0, query)
  }

  await hub.send(admin, 'DELETE', `/api/account/api-keys/${id}`)
  await prometheus.scraped()
  assert.deepEqual(await target().then((found) => [found?.health, found?.lastError]), [
    'down',
    'server returned HTTP status 401 Unauthorized',
  ])
})
