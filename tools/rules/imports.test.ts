import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, isSource, isTest, listFiles, type Import } from './source-tree.ts'

const product = listFiles().filter((path) => isSource(path) && /^(protocol|agent|hub|web)\/src\//.test(path) && !isTest(path))
const imports = product.flatMap(importsOf)
const show = (broken: readonly Import[]) => broken.map(({ from, to, line }) => `${from}:${line} imports ${to}`)

/** The folder (or file) below `src` that a path belongs to. */
const areaOf = (path: string): string => path.split('/')[2] ?? ''
const packageOf = (path: string): string => path.split('/')[0] ?? ''
const isOwn = (path: string): boolean => /^(protocol|agent|hub|web)\/src\//.test(path)

test('packages import only themselves and protocol', () => {
  const broken = imports.filter(({ from, to }) => isOwn(to) && packageOf(to) !== packageOf(from) && packageOf(to) !== 'protocol')
  assert.deepEqual(show(broken), [])
})

test('protocol imports only itself', () => {
  assert.deepEqual(show(imports.filter(({ from, to }) => packageOf(from) === 'protocol' && !isOwn(to))), [])
})

test('agent accesses its runtime through one module', () => {
  const broken = imports.filter(
    ({ from, to }) => packageOf(from) === 'agent' && !isOwn(to) && !/^agent\/src\/(runtime\/node|main\.ts)/.test(from),
  )
  assert.deepEqual(show(broken), [])
})

/** Lower areas never import higher areas. Areas on the same line never import each other. */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  agent: [
    ['main.ts', 'main-native.ts'],
    ['program.ts'],
    ['agent.ts', 'print.ts'],
    ['config'],
    ['link'],
    ['collect'],
    ['source', 'text', 'runtime'],
  ],
  web: [
    ['main.tsx', 'back-office', 'development'],
    ['app.tsx', 'routes.tsx'],
    ['features'],
    ['policies'],
    ['api', 'chart', 'preferences', 'navigation'],
    ['ui', 'format'],
  ],
}

for (const [name, order] of Object.entries(layers)) {
  const rankOf = (path: string): number => order.findIndex((line) => line.includes(areaOf(path)))

  test(`${name}: imports point down the diagram`, () => {
    const broken = imports.filter(({ from, to }) => {
      if (packageOf(from) !== name || packageOf(to) !== name || !isOwn(to)) return false
      const [fromRank, toRank] = [rankOf(from), rankOf(to)]
      return fromRank !== -1 && toRank !== -1 && toRank < fromRank
    })
    assert.deepEqual(show(broken), [])
  })
}

/**
 * Every folder on the first two levels of the hub, and its programs, from the lowest to the highest. A file may import from its own folder
 * and from those above it in this list.
 */
const hubOrder: readonly string[] = [
  'platform',
  'platform/process',
  'platform/events',
  'platform/db',
  'platform/network',
  'platform/limits',
  'platform/outgoing',
  'platform/secrets',
  'platform/cluster',
  'platform/http',
  'records/model',
  'records/filter',
  'records/engine',
  'records/presentation',
  'records/reading',
  'records/realtime',
  'records/writing',
  'history/model',
  'history/codec',
  'history/store',
  'history/read',
  'history',
  'delivery/channels',
  'operations/backups',
  'operations/health',
  'operations/metrics',
  'operations/jobs',
  'operations/heartbeat',
  'operations/logs',
  'operations/system-events',
  'settings',
  'delivery/mail',
  'accounts/passwords',
  'accounts/sessions',
  'accounts/api-keys',
  'accounts/mailed',
  'accounts/groups',
  'accounts/providers',
  'accounts/second-factors',
  'accounts',
  'alerts/judging',
  'alerts/incidents',
  'alerts/messages',
  'alerts/notifications',
  'alerts/transitions',
  'alerts/policies',
  'alerts/rules',
  'alerts/trends',
  'records/collections',
  'samples',
  'fleet/enrolment',
  'fleet/session',
  'fleet/polling',
  'fleet/ownership',
  'fleet/ssh',
  'fleet/websocket',
  'fleet/tags',
  'fleet',
  'operations/transfer',
  'operations/configuration',
  'http/requests',
  'http/routing',
  'http/description',
  'records/routes',
  'history/routes',
  'operations/routes',
  'settings/routes',
  'accounts/routes',
  'alerts/routes',
  'samples/routes',
  'fleet/routes',
  'startup/options',
  'startup/hubs',
  'startup',
  'http',
  'hub.ts',
  'cli/doctor',
  'cli/import',
  'cli',
  'main.ts',
  'vedette.ts',
]
const hubPlaceOf = (path: string): string => {
  const folders = path.split('/').slice(2)
  return folders.length === 1 ? (folders[0] ?? '') : folders.slice(0, -1).slice(0, 2).join('/')
}

test('hub: the order lists exactly the existing folders on the first two levels', () => {
  const places = new Set(product.filter((path) => packageOf(path) === 'hub').map(hubPlaceOf))
  assert.deepEqual([...places].toSorted(), hubOrder.toSorted())
})

test('hub: imports point down the order', () => {
  const rankOf = (path: string): number => hubOrder.indexOf(hubPlaceOf(path))
  const broken = imports.filter(
    ({ from, to }) => packageOf(from) === 'hub' && packageOf(to) === 'hub' && isOwn(to) && rankOf(to) > rankOf(from),
  )
  assert.deepEqual(show(broken), [])
})

test('hub: the first level has at most 16 entries', () => {
  const first = new Set(product.filter((path) => packageOf(path) === 'hub').map(areaOf))
  assert.ok(first.size <= 16, `${first.size} entries: ${[...first].join(', ')}`)
})

/** Folders that are lists of one kind, with a file per entry. */
const lists = ['hub/src/delivery/channels/kinds', 'hub/src/records/collections', 'hub/src/platform/db/migrations']

test('hub: no folder has more than 15 files, except lists of one kind', () => {
  const counts = new Map<string, number>()
  for (const path of product)
    if (packageOf(path) === 'hub') counts.set(path.replace(/\/[^/]+$/, ''), (counts.get(path.replace(/\/[^/]+$/, '')) ?? 0) + 1)
  const crowded = [...counts].filter(([folder, files]) => files > 15 && !lists.includes(folder))
  assert.deepEqual(crowded, [])
})

test('web: no feature imports another feature', () => {
  const featureOf = (path: string) => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1]
  const broken = imports.filter(
    ({ from, to }) => featureOf(from) !== undefined && featureOf(to) !== undefined && featureOf(from) !== featureOf(to),
  )
  assert.deepEqual(show(broken), [])
})

test('files have no import cycles', () => {
  const next = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    else if (!done.has(path)) {
      for (const { to } of next.get(path) ?? []) visit(to, [...trail, path])
      done.add(path)
    }
  }
  for (const path of product) visit(path, [])
  assert.deepEqual(cycles, [])
})

test('rules find all existing imports', () => {
  assert.ok(imports.length > 100, `found ${imports.length} imports`)
  assert.ok(imports.some(({ from, to }) => packageOf(from) === 'hub' && packageOf(to) === 'protocol'))
})
