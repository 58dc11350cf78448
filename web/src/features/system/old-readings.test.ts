import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInfoJson } from '@vedette/protocol/wire/info-json'
import { oldAges, oldReadings } from './old-readings.ts'

const at = (old: object | undefined) => readInfoJson({ v: '0.18.8', at: 1_000_000, old })

test('oldAges lists each name once, with the current age of its reading', () => {
  const nameOf = (family: string) => (family === 'swap' ? 'memory' : family)
  const ages = oldAges(at({ memory: 60, swap: 60, rootDisk: 30 }), 1_060_000, nameOf)
  assert.deepEqual(
    [...ages],
    [
      ['memory', 120_000],
      ['rootDisk', 90_000],
    ],
  )
})

test('oldReadings is undefined while every reading is as old as its sample', () => {
  assert.equal(oldReadings(at(undefined), 1_060_000, { locale: 'en' }), undefined)
})
