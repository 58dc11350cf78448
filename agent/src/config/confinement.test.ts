import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectOptions } from '../collect/collectors.ts'
import { wantedPrograms } from './confinement.ts'

const gpus = { mode: 'on', makers: ['nvidia', 'amd', 'intel'] } as const
const diskHealth = { scan: true, devices: [], exclude: [] }

type Case = readonly [what: string, options: Pick<CollectOptions, 'gpus' | 'diskHealth'>, programs: readonly string[]]
const cases: readonly Case[] = [
  ['everything is read', { gpus, diskHealth }, ['smartctl', 'nvidia-smi']],
  ['no drive is asked', { gpus, diskHealth: { ...diskHealth, scan: false } }, ['nvidia-smi']],
  ['every drive is left out', { gpus, diskHealth: { ...diskHealth, exclude: ['*'] } }, ['nvidia-smi']],
  [
    'one drive is named',
    { gpus, diskHealth: { ...diskHealth, scan: false, devices: [{ path: '/dev/sda', isTypeGiven: false }] } },
    ['smartctl', 'nvidia-smi'],
  ],
  ['no GPU is read', { gpus: { mode: 'off' }, diskHealth }, ['smartctl']],
  ['GPUs of another maker are read', { gpus: { mode: 'on', makers: ['amd'] }, diskHealth }, ['smartctl']],
]

for (const [what, options, programs] of cases) {
  test(`wantedPrograms where ${what}`, () => assert.deepEqual(wantedPrograms(options), programs))
}
