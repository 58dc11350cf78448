import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelKind } from '../../src/alerts/judging/alert-kinds.ts'
import { previewTrends } from '../../src/alerts/trends/trend-preview.ts'
import { alertScene, MINUTE_MS, type AlertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'
import { storePastValues } from '../past-history.ts'

const HOUR_MS = 60 * MINUTE_MS

async function preview(scene: AlertScene, name: string, threshold: number) {
  const kind = levelKind(name) ?? assert.fail(`${name} is a kind`)
  const window = { fromMs: scene.now() - 10 * 24 * HOUR_MS, toMs: scene.now() }
  return previewTrends(scene.history, { system: scene.system.id, kind, rule: { threshold, minutes: 10 }, window, count: 240 })
}

for (const kind of databases) {
  test(`${kind.name}: the preview of a forecast shows when it would have fired and resolved`, async () => {
    await using scene = await alertScene(kind)
    const end = scene.now()
    // Constant, then a growth for 4 days until 2 days ago, when files were deleted.
    const valueAt = (hour: number): number => (hour < -144 ? 40 : hour < -48 ? 40 + (hour + 144) * 0.5 : 45)
    const valuesAt = (hour: number) => ({ 'disk.usedPercent': 20, 'filesystem./srv.usedPercent': valueAt(hour) })
    await storePastValues(scene.history, { system: scene.system.id, untilMs: end, days: 8, valuesAt })
    const { fromMs, minutes, episodes, line } = await preview(scene, 'DiskForecast', 48)
    assert.ok(Math.abs(fromMs - (end - 8 * 24 * HOUR_MS)) <= 10 * MINUTE_MS)
    assert.equal(minutes, 8 * 24 * 60)
    assert.deepEqual(
      episodes.map(({ target, value }) => [target, Math.round(value)]),
      [['/srv', 48]],
    )
    const [{ beganMs, endedMs = 0 } = { beganMs: 0 }] = episodes
    // The disk reaches 76 % 72 h after the growth began, and was cleaned 48 h ago.
    assert.ok(Math.abs(beganMs - (end - 72 * HOUR_MS)) <= 3 * HOUR_MS, `${(end - beganMs) / HOUR_MS} h ago`)
    assert.ok(endedMs >= end - 48 * HOUR_MS && endedMs <= end - 40 * HOUR_MS, `${(end - endedMs) / HOUR_MS} h ago`)
    assert.equal(line.length, 240)
    assert.equal(Math.max(...line.map((value) => value ?? 0)), 4 * 48)
    assert.ok(line.some((value) => value !== null && value < 48))
  })

  test(`${kind.name}: the preview of a forecast does not fire for a step, and an unknown system has nothing`, async () => {
    await using scene = await alertScene(kind)
    assert.deepEqual((await preview(scene, 'DiskForecast', 48)).minutes, 0)
    const valuesAt = (hour: number) => ({ 'disk.usedPercent': hour < -90 ? 30 : 90 })
    await storePastValues(scene.history, { system: scene.system.id, untilMs: scene.now(), days: 8, valuesAt })
    assert.deepEqual((await preview(scene, 'DiskForecast', 720)).episodes, [])
  })

  test(`${kind.name}: the preview of a rate fires like the alert`, async () => {
    await using scene = await alertScene(kind)
    const memory = (usedPercent: number) => ({ memory: { totalBytes: 100, usedBytes: usedPercent, usedPercent } })
    for (let minute = 0; minute < 70; minute++) await scene.measure(memory(minute < 30 ? 20 : Math.min(minute, 50)))
    const { episodes, minutes, line } = await preview(scene, 'MemoryRate', 30)
    assert.equal(minutes, 69)
    assert.deepEqual(
      episodes.map(({ value, target }) => [Math.round(value), target]),
      [[60, '']],
    )
    assert.equal(Math.round(Math.max(...line.map((value) => value ?? 0))), 60)
  })
}
