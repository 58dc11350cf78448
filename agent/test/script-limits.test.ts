import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentHost } from './agent-host.ts'
import { testedHost } from './conformance/tested-host.ts'

test('limitsReached is empty at first', async () => {
  await using tested = await testedHost()
  assert.deepEqual(await tested.runtime.limitsReached(), { turnsEnded: 0, memoryRefused: 0 })
})

/** Only the native host limits its script. Node exits when it runs out of memory. */
const cases =
  agentHost === 'native'
    ? ([
        ['spin', { turnsEnded: 1, memoryRefused: 0 }, 'error A part of the agent took longer than 500 ms and was given up'],
        ['fill', { turnsEnded: 0, memoryRefused: 1 }, 'error A part of the agent wanted more than 64 MB of memory and was given up'],
      ] as const)
    : []

for (const [how, reached, line] of cases) {
  test(
    `native host cancels the work of a script that exceeds a limit, and keeps the process running: ${how}`,
    { timeout: 300_000 },
    async () => {
      await using tested = await testedHost()
      const goTooFar: unknown = Reflect.get(tested.runtime, how)
      assert.ok(typeof goTooFar === 'function')
      await goTooFar()
      assert.deepEqual(await tested.runtime.limitsReached(), reached)
      assert.ok(tested.lines.includes(line), tested.lines.join('\n'))
      assert.equal(await tested.runtime.readText('/proc/self/comm'), 'test-driver\n')
    },
  )
}
