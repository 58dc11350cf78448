import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../protocol/test/hostile-names.ts'
import { paths, systemIn } from './paths.ts'

test('systemIn reads any name that paths.system wrote, below any base', () => {
  // Lone surrogates cannot be encoded in an address.
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), inheritedName),
      fc.constantFrom('', '/monitor', '/system/hub'),
      (name, base) => {
        assert.equal(systemIn(base + paths.system(name)), name)
      },
    ),
  )
})

test('systemIn returns an invalid encoding unchanged', () => {
  assert.equal(systemIn('/system/100%'), '100%')
  assert.equal(systemIn('/system/nas/'), 'nas')
  assert.equal(systemIn('/system/%252F'), '%2F')
})
