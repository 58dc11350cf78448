import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sampleArbitrary } from '../../test/sample-arbitrary.ts'
import { systemSeries, unitOf } from './series.ts'

test('bug class 32: every series except load has its unit in its key', () => {
  fc.assert(
    fc.property(sampleArbitrary, (sample) => {
      for (const key of Object.keys(systemSeries(sample))) assert.equal(unitOf(key) === 'load', key.startsWith('load.'), key)
    }),
  )
})
