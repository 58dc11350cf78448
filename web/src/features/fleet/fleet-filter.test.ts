import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSystem } from '../../api/system-record.ts'
import { tagFilter } from '../../navigation/tagged-systems.ts'
import { filterSystems } from './fleet-filter.ts'
import { similarTags } from './similar-tags.ts'

const now = 1_800_000_000_000
const system = (name: string, status: string, tags: readonly string[], info: object = {}) =>
  readSystem({ id: name, name, host: `${name}.example.org`, status, tags, info: { at: now, ...info } })

const fleet = [
  system('mail', 'up', ['env=prod', 'data center']),
  system('lab', 'paused', ['env=test']),
  system('atlas', 'up', ['prod', 'Prod']),
  system('nas', 'up', ['prod=env', 'a=b=c'], { at: now - 200_000 }),
  system('edge', 'down', ['env=prod', 'zone=data center']),
]
const names = (filter: string) => filterSystems(fleet, filter, now).map(({ name }) => name)

for (const [filter, expected] of [
  ['ATL', ['atlas']],
  ['example nas', ['nas']],
  ['status:down', ['edge']],
  ['Status:STALE nas', ['nas']],
  ['status:p', ['lab']],
  ['status:nothing', []],
  ['tag:prod', ['mail', 'atlas', 'nas', 'edge']],
  ['tag:Prod', ['atlas']],
  ['TAG:prod down', []],
  ['tag:prod status:down', ['edge']],
  ['tag:env', ['mail', 'lab', 'nas', 'edge']],
  ['tag:env=', ['mail', 'lab', 'edge']],
  ['tag:env=prod', ['mail', 'edge']],
  ['tag:env=prod mail', ['mail']],
  ['tag:env=prod tag:data', []],
  ['tag:"data center"', ['mail', 'edge']],
  ['"tag:data center"', ['mail', 'edge']],
  ['tag:zone="data center"', ['edge']],
  ['tag:"data center', ['mail', 'edge']],
  ['tag:b=c', ['nas']],
  ['tag:pro', []],
  ['"atlas atlas"', ['atlas']],
  ['"atlas  atlas"', []],
] as const) {
  test(`filterSystems of ${filter}`, () => assert.deepEqual(names(filter), expected))
}

for (const filter of ['', '  ', 'tag:', 'status:', '"', '""', 'tag:""']) {
  test(`filterSystems of ${JSON.stringify(filter)} returns every system`, () => assert.equal(names(filter).length, fleet.length))
}

test('the filter text of a tag selects each system that carries it', () => {
  const tag = fc
    .string({ minLength: 1, maxLength: 64, unit: 'grapheme' })
    .map((text) => text.normalize('NFC').trim())
    .filter((text) => text !== '' && !/["\p{Cc},]/u.test(text))
  fc.assert(
    fc.property(tag, fc.array(tag), (one, others) => {
      assert.equal(filterSystems([system('carrier', 'up', [...others, one])], tagFilter(one), now).length, 1)
    }),
  )
})

test('similarTags proposes the tags that contain a half-typed one, ignoring case', () => {
  assert.deepEqual(similarTags(fleet, 'tag:PRO mail'), ['env=prod', 'prod', 'Prod', 'prod=env'])
  assert.deepEqual(similarTags(fleet, 'pro'), [])
  assert.deepEqual(similarTags(fleet, 'tag:nothing'), [])
})
