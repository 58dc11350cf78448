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

test('protocol imports nothing but itself', () => {
  assert.deepEqual(show(imports.filter(({ from, to }) => packageOf(from) === 'protocol' && !isOwn(to))), [])
})

test('agent reaches its runtime through one door', () => {
  const broken = imports.filter(
    ({ from, to }) => packageOf(from) === 'agent' && !isOwn(to) && !/^agent\/src\/(runtime-node|main\.ts)/.test(from),
  )
  assert.deepEqual(show(broken), [])
})

/** Lower areas never import higher ones; areas of one line never import each other. */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  agent: [['main.ts'], ['agent.ts'], ['collect'], ['link'], ['source', 'text']],
  hub: [
    ['main.ts', 'vedette.ts'],
    ['hub.ts', 'cli'],
    ['http'],
    ['fleet', 'metrics', 'auth', 'collections'],
    ['alerts'],
    ['history'],
    ['records'],
    ['events', 'db'],
    ['clock.ts', 'log.ts'],
  ],
  web: [['main.tsx', 'back-office'], ['app.tsx', 'routes.tsx'], ['features'], ['api', 'chart', 'preferences'], ['ui', 'format']],
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

/** What other domains of the hub may import of a domain. */
const faces: Readonly<Record<string, RegExp>> = {
  fleet: /\/(fleet|hub-key)\.ts$/,
  metrics: /\/(ingest|storing)\.ts$/,
  history:
    /\/(history|history-query|container-identity|stretch|columns|columns-bytes|tier|retention|forecast|export|verify|stored-history|live-tail|pushed-roll-ups|stats-records|history-store)\.ts$/,
  auth: /./,
  collections: /./,
}

test('hub: a domain reaches another only through its face', () => {
  const broken = imports.filter(({ from, to }) => {
    const face = packageOf(to) === 'hub' && packageOf(from) === 'hub' ? faces[areaOf(to)] : undefined
    return face !== undefined && areaOf(from) !== areaOf(to) && !face.test(to)
  })
  assert.deepEqual(show(broken), [])
})

test('web: a feature never imports a feature', () => {
  const featureOf = (path: string) => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1]
  const broken = imports.filter(
    ({ from, to }) => featureOf(from) !== undefined && featureOf(to) !== undefined && featureOf(from) !== featureOf(to),
  )
  assert.deepEqual(show(broken), [])
})

test('no file imports itself by way of others', () => {
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

test('the rules see the imports there are', () => {
  assert.ok(imports.length > 100, `found ${imports.length} imports`)
  assert.ok(imports.some(({ from, to }) => packageOf(from) === 'hub' && packageOf(to) === 'protocol'))
})
