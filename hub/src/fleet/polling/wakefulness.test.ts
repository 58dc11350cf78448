import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wakefulness } from './wakefulness.ts'

function slept({ wallMs, monotonicMs }: { wallMs: number; monotonicMs: number }) {
  const now = { wallMs: 1_800_000_000_000, monotonicMs: 5000 }
  const pass = (by: { wallMs: number; monotonicMs: number }) => {
    now.wallMs += by.wallMs
    now.monotonicMs += by.monotonicMs
  }
  const { look, stumble, settlingMs } = wakefulness({ wallMs: () => now.wallMs, monotonicMs: () => now.monotonicMs })
  pass({ wallMs, monotonicMs })
  return { look, stumble, settlingMs, pass }
}

const night = 8 * 3_600_000
const cases = [
  ['was awake', { wallMs: 1000, monotonicMs: 1000 }, 0],
  ['was busy for ten seconds', { wallMs: 10_000, monotonicMs: 10_000 }, 0],
  ['was suspended with its machine for a night', { wallMs: night, monotonicMs: 900 }, 30_000],
  ['was frozen for a minute', { wallMs: 60_000, monotonicMs: 60_000 }, 30_000],
  ['had its clock set back', { wallMs: -night, monotonicMs: 1000 }, 0],
] as const

for (const [name, passed, expectedMs] of cases) {
  test(`settlingMs of a hub that ${name} is ${expectedMs}`, () => {
    assert.equal(slept(passed).settlingMs(), expectedMs)
  })
}

test('settlingMs counts down from the wake-up', () => {
  const { look, settlingMs, pass } = slept({ wallMs: night, monotonicMs: 100 })
  look()
  pass({ wallMs: 12_000, monotonicMs: 12_000 })
  assert.equal(settlingMs(), 18_000)
  pass({ wallMs: 16_000, monotonicMs: 16_000 })
  look()
  pass({ wallMs: 2000, monotonicMs: 2000 })
  assert.equal(settlingMs(), 0)
})

test('settlingMs counts down from the last agent that the hub could not accept', () => {
  const { look, stumble, settlingMs, pass } = slept({ wallMs: 1000, monotonicMs: 1000 })
  stumble()
  pass({ wallMs: 10_000, monotonicMs: 10_000 })
  look()
  stumble()
  pass({ wallMs: 10_000, monotonicMs: 10_000 })
  assert.equal(settlingMs(), 20_000)
})
