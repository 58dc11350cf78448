import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { readSystem } from '../../api/system-record.ts'
import { groupedLines, groupState, groupSystems, tagKeys } from './fleet-groups.ts'
import { flatLines, type FleetGroup } from './fleet-lines.ts'
import { groupingText, parseGrouping } from './grouping.ts'

const now = 1_800_000_000_000
const system = (name: string, tags: readonly string[], status = 'up', at = now) =>
  readSystem({ id: name, name, status, tags, info: { at } })

const fleet = [
  system('edge', ['env=prod', 'rack=10'], 'down'),
  system('nas', [], 'up', now - 200_000),
  system('atlas', ['env=prod', 'env=test']),
  system('lab', ['env', 'rack=2'], 'paused'),
  system('mail', ['rack=10']),
]
const namesOf = (groups: readonly FleetGroup[]) => groups.map(({ name, systems }) => [name, ...systems.map((one) => one.name)])

test('groupSystems by a key groups by its values; a system may be in several, others are in the last', () => {
  assert.deepEqual(namesOf(groupSystems(fleet, { kind: 'key', key: 'env' })), [
    ['prod', 'edge', 'atlas'],
    ['test', 'atlas'],
    [undefined, 'nas', 'lab', 'mail'],
  ])
  assert.deepEqual(
    groupSystems(fleet, { kind: 'key', key: 'rack' }).map(({ name }) => name),
    ['2', '10', undefined],
  )
})

test('groupSystems by any tag has a group for each tag', () => {
  assert.deepEqual(namesOf(groupSystems(fleet, { kind: 'anyTag' })), [
    ['env', 'lab'],
    ['env=prod', 'edge', 'atlas'],
    ['env=test', 'atlas'],
    ['rack=2', 'lab'],
    ['rack=10', 'edge', 'mail'],
    [undefined, 'nas'],
  ])
})

test('groupSystems by a key that no system has returns one group', () => {
  assert.deepEqual(
    groupSystems(fleet, { kind: 'key', key: 'none' }).map(({ name, systems }) => [name, systems.length]),
    [[undefined, fleet.length]],
  )
})

test('groupSystems puts each system in as many groups as it has such tags, and in one at least', () => {
  const tags = fc.uniqueArray(
    fc.oneof(
      inheritedName,
      inheritedName.map((key) => `${key}=1`),
      fc.constantFrom('a=1', 'a=2', 'b'),
    ),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(fc.array(tags, { maxLength: 20 }), (lists) => {
      const systems = lists.map((list, index) => system(`s${index}`, list))
      const groups = groupSystems(systems, { kind: 'anyTag' })
      const total = groups.reduce((sum, group) => sum + group.systems.length, 0)
      assert.equal(
        total,
        lists.reduce((sum, list) => sum + Math.max(1, list.filter((tag) => tag !== '').length), 0),
      )
      assert.equal(new Set(groupedLines(groups, () => false).map(({ key }) => key)).size, total + groups.length)
    }),
  )
})

test('groupedLines omits the systems of a folded group', () => {
  const lines = groupedLines(groupSystems(fleet, { kind: 'key', key: 'env' }), (name) => name === 'prod' || name === undefined)
  assert.deepEqual(
    lines.map((line) => (line.kind === 'group' ? [line.group.name, line.isOpen] : line.system.name)),
    [['prod', false], ['test', true], 'atlas', [undefined, false]],
  )
  assert.deepEqual(
    flatLines(fleet).map(({ key }) => key),
    fleet.map(({ id }) => id),
  )
})

test('groupState sums health states and firing alerts', () => {
  const firing = new Map([
    ['edge', 2],
    ['atlas', 1],
    ['elsewhere', 5],
  ])
  const group = { name: undefined, systems: fleet }
  const counts = { up: 2, down: 1, stale: 1, paused: 1, pending: 0 }
  assert.deepEqual(groupState(group, { counts: firing, isPart: false }, now), { counts, firing: 3, isFiringPart: false })
  assert.deepEqual(groupState(group, { counts: firing, isPart: true }, now), { counts, firing: 3, isFiringPart: true })
  assert.deepEqual(groupState(group, undefined, now), { counts, firing: undefined, isFiringPart: false })
})

test('tagKeys returns the keys of tags, the most frequent first', () => assert.deepEqual(tagKeys(fleet), ['env', 'rack']))

test('parseGrouping reads the text that groupingText wrote', () => {
  for (const grouping of [{ kind: 'none' }, { kind: 'anyTag' }, { kind: 'key', key: 'env' }, { kind: 'key', key: '' }] as const)
    assert.deepEqual(parseGrouping(groupingText(grouping)), grouping)
  for (const text of [undefined, '', 'env', '__proto__']) assert.equal(parseGrouping(text), undefined)
})
