import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { silentLog } from '../../test/databases.ts'
import { liveJson } from './live.ts'

const live = (sample: Parameters<typeof encodeDocument>[0]) =>
  liveJson(encodeDocument({ ...sample, agentVersion: ANNOUNCED_VERSION }), 0, silentLog)

test('liveJson: temperatures include values at and below zero', () => {
  const { stats, info } = live({ temperatures: { cpu: 40, outside: -12.5 }, dashboardCelsius: -1 })
  assert.deepEqual((stats as { t?: object }).t, { cpu: 40, outside: -12.5 })
  assert.equal((info as { dt?: number }).dt, -1)
})

test('liveJson: the memory of a GPU is in MiB and its name is included', () => {
  const { stats } = live({
    gpus: { '0': { name: 'A', memoryUsedMegabytes: 1024, memoryTotalMegabytes: 4096, sharedMemoryUsedMegabytes: 5 } },
  })
  assert.deepEqual((stats as { g?: object }).g, { '0': { n: 'A', mu: 1024, mt: 4096, smu: 5 } })
})
