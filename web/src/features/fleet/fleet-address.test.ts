import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { readSearch } from '../../navigation/search.ts'
import { fleetFields, viewAddress, viewSearch } from './fleet-address.ts'
import type { FleetGrouping } from './grouping.ts'

const lists = fc.record(
  {
    filter: fc.string({ maxLength: 100, unit: 'grapheme' }).filter((text) => text.isWellFormed()),
    sort: fc.option(fc.record({ column: fc.constantFrom('system', 'tags', 'cpu'), descending: fc.boolean() }, { noNullPrototype: true }), {
      nil: undefined,
    }),
    grouping: fc.oneof(
      fc.constantFrom<FleetGrouping>({ kind: 'none' }, { kind: 'anyTag' }),
      inheritedName.filter((key) => key.isWellFormed()).map((key): FleetGrouping => ({ kind: 'key', key })),
    ),
  },
  { noNullPrototype: true },
)

test('viewAddress of the text that viewSearch wrote shows the same list, also in a browser with another sort order', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const { filter, sort, group } = readSearch(fleetFields, viewAddress(viewSearch(list)).replace(/^\/\??/, ''))
      assert.deepEqual({ filter, sort: sort ?? 'missing', group }, { filter: list.filter, sort: list.sort ?? 'none', group: list.grouping })
    }),
  )
})

for (const [search, address] of [
  ['', '/'],
  ['filter=tag%3Aprod&dialog=delete&item=x', '/?filter=tag%3Aprod'],
  ['sort=-cpu&group=tag', '/?sort=-cpu&group=tag'],
  ['sort=__proto__&group=constructor&palette=open', '/'],
  ['javascript:alert(1)', '/'],
  ['//example.com/?filter=a', '/'],
] as const) {
  test(`viewAddress of "${search}" is ${address}`, () => assert.equal(viewAddress(search), address))
}
