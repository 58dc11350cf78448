import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isRestorePending } from '../../src/operations/backups/pending-restore.ts'
import { fill, hubData, type HubData } from '../backed-up-hub.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, machinesPostgres } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'

const ROUNDS = roundsOf({ short: 3, long: 6, soak: 20 })
const restorer = join(import.meta.dirname, '..', 'restorer.ts')

/** Maximum delay of the kill after the signal, in ms. The delays cover the whole restore. */
const LONGEST_MS = { sqlite: 12, postgres: 900 } as const

const kinds = [databases.find(({ name }) => name === 'sqlite'), machinesPostgres()].filter((kind) => kind !== undefined)

for (const kind of kinds) {
  test(
    `${kind.name}: a killed restore leaves the old data or the new data, never a mix (${ROUNDS} rounds)`,
    { timeout: 600_000 },
    async () => {
      await using data = await hubData(kind)
      const states: unknown[] = []
      {
        await using hub = await data.open()
        for (const name of ['first.zip', 'second.zip']) {
          await fill(hub, 30)
          states.push(await hub.everything())
          await hub.backups.make({ name, passphrase: undefined, by: 'person' })
        }
      }
      for (let round = 0; round < ROUNDS; round++) {
        const target = round % 2
        {
          await using hub = await data.open()
          await hub.backups.prepareRestore(target === 0 ? 'first.zip' : 'second.zip', undefined)
        }
        const afterMs = ((round + 0.5) / ROUNDS) * LONGEST_MS[kind.name]
        let wasKilled = await restore(data, afterMs)
        // Killed again while it finishes the restore, until it may finish.
        for (let again = 0; wasKilled && again < 2; again++) wasKilled = await restore(data, afterMs / (again + 2))
        if (wasKilled) assert.equal(await restore(data), false)
        assert.equal(isRestorePending(data.directory), false)
        await using hub = await data.open()
        assert.deepEqual(await hub.everything(), states[target])
      }
    },
  )
}

/** Runs a restore and kills it this long after its signal; without a time it may finish. Returns whether it was killed. */
async function restore({ directory, url = '' }: HubData, killAfterMs?: number): Promise<boolean> {
  const child = spawn(process.execPath, [restorer, directory, url], {
    env: { PATH: process.env['PATH'], ...compiledSources },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdin.write('go\n')
  if (killAfterMs !== undefined) {
    await Promise.race([ended, wait(killAfterMs)])
    child.kill('SIGKILL')
  }
  const [, signal] = await ended
  return signal === 'SIGKILL'
}
