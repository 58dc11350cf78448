import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownFinding } from './own-finding.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

test('ownFinding names the runtime host of the agent and each limit that was reached', () => {
  const of = (limitsReached: object) =>
    ownFinding(memoryRuntime({ files: {}, bytes: byteTools, limitsReached }).runtime, {
      holds: ['no new privileges'],
      lacks: [{ what: 'files', why: 'none' }],
    })
  assert.deepEqual(of({}), {
    name: 'agent',
    state: 'works',
    found: 'on memory, no new privileges',
    skipped: [{ what: 'files', why: 'none' }],
  })
  const failing = of({ turnsEnded: 2, memoryRefused: 1 })
  assert.equal(failing.state, 'failing')
  assert.match(failing.error ?? '', /^2 times it worked .*; 1 times it wanted more memory/)
})
