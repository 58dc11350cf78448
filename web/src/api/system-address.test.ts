import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { paths, systemIn } from '../paths.ts'
import { systemAddresses } from './system-address.ts'

test('systemAddresses uses a unique name as address, and the id of systems that share a name', () => {
  const [nas, first, second] = [
    { id: 'a', name: 'nas' },
    { id: 'b', name: 'twin' },
    { id: 'c', name: 'twin' },
  ]
  assert.deepEqual([nas, first, second].map(systemAddresses([nas, first, second])), ['nas', 'b', 'c'])
})

test('systemAddresses leads a browser to the right page for any names of systems', () => {
  const names = fc.oneof(
    fc.constantFrom('.', '..', '...', '%2e', '%2E%2e', ' .', '/', '\\', '?', '#'),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    inheritedName,
  )
  fc.assert(
    fc.property(fc.uniqueArray(names, { minLength: 1 }), (all) => {
      const systems = all.map((name, index) => ({ id: `id${index}`, name }))
      const addressOf = systemAddresses(systems)
      for (const system of systems) {
        const { pathname } = new URL(paths.system(addressOf(system)), 'http://hub.example')
        assert.ok([system.id, system.name].includes(systemIn(pathname)), system.name)
      }
    }),
  )
})
