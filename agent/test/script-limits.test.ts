import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentHost } from './agent-host.ts'
import { testedHost } from './conformance/tested-host.ts'

test('limitsReached counts nothing at first', async () => {
  await using tested = await testedHost()
  assert.deepEqual(await tested.runtime.limitsReached(), { turnsEnded: 0, memoryRefused: 0 })
})

/** Only the native host bounds its script; Node bounds its memory by ending. */
const cases =
  agentHost === 'native'
    ? ([
        ['spin', { turnsEnded: 1, memoryRefused: 0 }, 'error A part of the agent took longer than 500 ms and was given up'],
        ['fill', { turnsEnded: 0, memoryRefused: 1 }, 'error A part of the agent wanted more than 64 MB of memory and was given up'],
      ] as const)
    : []

for (const [how, reached, line] of cases) {
  test(`a script that goes too far loses its work and not the process: ${how}`, { timeout: 120_000 }, async () => {
    await using tested = await testedHost()
    const goTooFar: unknown = Reflect.get(tested.runtime, how)
    assert.ok(typeof goTooFar === 'function')
    await goTooFar()
    assert.deepEqual(await tested.runtime.limitsReached(), reached)
    assert.ok(tested.lines.includes(line), tested.lines.join('\n'))
    assert.equal(await tested.runtime.readText('/proc/self/comm'), 'test-driver\n')
  })
}
