import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectOptions } from '../collect/collectors.ts'
import { wantedPrograms } from './confinement.ts'

const gpus = { mode: 'on', makers: ['nvidia', 'amd', 'intel'] } as const
const diskHealth = { scan: true, devices: [], exclude: [] }

type Case = readonly [what: string, options: Pick<CollectOptions, 'gpus' | 'diskHealth'>, programs: readonly string[]]
const cases: readonly Case[] = [
  ['all values are collected', { gpus, diskHealth }, ['smartctl', 'nvidia-smi']],
  ['drive health is off', { gpus, diskHealth: { ...diskHealth, scan: false } }, ['nvidia-smi']],
  ['every drive is excluded', { gpus, diskHealth: { ...diskHealth, exclude: ['*'] } }, ['nvidia-smi']],
  [
    'one drive is configured',
    { gpus, diskHealth: { ...diskHealth, scan: false, devices: [{ path: '/dev/sda', isTypeGiven: false }] } },
    ['smartctl', 'nvidia-smi'],
  ],
  ['GPUs are off', { gpus: { mode: 'off' }, diskHealth }, ['smartctl']],
  ['only GPUs of another maker are collected', { gpus: { mode: 'on', makers: ['amd'] }, diskHealth }, ['smartctl']],
]

for (const [what, options, programs] of cases) {
  test(`wantedPrograms where ${what}`, () => assert.deepEqual(wantedPrograms(options), programs))
}
