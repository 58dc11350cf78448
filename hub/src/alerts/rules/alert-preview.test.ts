import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelKind } from '../judging/alert-kinds.ts'
import { previewEpisodes, sketch } from './alert-preview.ts'

const MINUTE_MS = 60_000
const cpu = levelKind('CPU')
const battery = levelKind('Battery')
const minutes = (values: readonly number[]) => ({ times: values.map((_, at) => at * MINUTE_MS), targets: new Map([['', values]]) })

test('previewEpisodes returns each time an alert would have fired, and whether it is still firing', () => {
  assert.ok(cpu !== undefined && battery !== undefined)
  const values = [10, 90, 95, 10, 10, 85, Number.NaN, 85]
  assert.deepEqual(previewEpisodes(cpu, { threshold: 80, minutes: 1 }, minutes(values)), [
    { beganMs: MINUTE_MS, endedMs: 3 * MINUTE_MS, value: 90, target: '', severity: 'critical' },
    { beganMs: 5 * MINUTE_MS, endedMs: undefined, value: 85, target: '', severity: 'critical' },
  ])
  assert.deepEqual(previewEpisodes(cpu, { threshold: 80, minutes: 2 }, minutes(values)), [
    { beganMs: 2 * MINUTE_MS, endedMs: 3 * MINUTE_MS, value: 92.5, target: '', severity: 'critical' },
  ])
  assert.deepEqual(previewEpisodes(battery, { threshold: 20, minutes: 1 }, minutes([50, 19, 20])), [
    { beganMs: MINUTE_MS, endedMs: 2 * MINUTE_MS, value: 19, target: '', severity: 'critical' },
  ])
  assert.deepEqual(previewEpisodes(cpu, { threshold: 80, minutes: 1 }, minutes([])), [])
})

test('previewEpisodes returns the highest severity that an alert with two thresholds would have reached', () => {
  assert.ok(cpu !== undefined)
  const rule = { threshold: 90, minutes: 1, warning: { threshold: 70, minutes: 1 } }
  assert.deepEqual(previewEpisodes(cpu, rule, minutes([10, 75, 80, 60, 75, 95, 75, 60, 95])), [
    { beganMs: MINUTE_MS, endedMs: 3 * MINUTE_MS, value: 75, target: '', severity: 'warning' },
    { beganMs: 4 * MINUTE_MS, endedMs: 7 * MINUTE_MS, value: 75, target: '', severity: 'critical' },
    { beganMs: 8 * MINUTE_MS, endedMs: undefined, value: 95, target: '', severity: 'critical' },
  ])
})

test('sketch keeps the most extreme value of each part, and null for a part without values', () => {
  assert.ok(cpu !== undefined && battery !== undefined)
  const readings = minutes([10, 90, 20, 30, Number.NaN, Number.NaN])
  const asked = { window: { fromMs: 0, toMs: 6 * MINUTE_MS }, count: 3 }
  assert.deepEqual(sketch(readings, cpu, asked), [90, 30, null])
  assert.deepEqual(sketch(readings, battery, asked), [10, 20, null])
})
