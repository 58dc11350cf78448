import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { carryOutRestore, finishRestore, rollBackRestore } from '../../src/operations/backups/pending-restore.ts'
import { fill, hubData, writeConfig, type HubData } from '../backed-up-hub.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, machinesPostgres } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'

const program = join(import.meta.dirname, '..', 'killed-restorer.ts')
const kinds = [databases.find(({ name }) => name === 'sqlite'), machinesPostgres()].filter((kind) => kind !== undefined)
/** Number of steps between two kills. The soak kills at each step. */
const apartOn = {
  sqlite: roundsOf({ short: 16, long: 3, soak: 1 }),
  postgres: roundsOf({ short: 27, long: 5, soak: 1 }),
}

type Action = 'restore' | 'finish' | 'take back'
type Killing = { readonly at: number; readonly moment: 'before' | 'after' }

for (const kind of kinds) {
  const apart = apartOn[kind.name === 'sqlite' ? 'sqlite' : 'postgres']

  test(`${kind.name}: a restore that is killed at any step ends with the new data, beside the old data`, { timeout: 900_000 }, async () => {
    await using scene = await restoreScene(kind)
    await eachStep(apart, async (killing) => {
      await scene.prepare()
      const wasKilled = await run('restore', scene.data, killing)
      assert.ok(await carryOutRestore(scene.data.directory, scene.data.url))
      assert.deepEqual(await scene.everything(), scene.states.new)
      assert.equal(await rollBackRestore(scene.data.directory, scene.data.url), true)
      assert.deepEqual(await scene.everything(), scene.states.old)
      return wasKilled
    })
  })

  test(`${kind.name}: a rollback that is killed at any step ends with the old data`, { timeout: 900_000 }, async () => {
    await using scene = await restoreScene(kind)
    await eachStep(apart, async (killing) => {
      await scene.prepare()
      await carryOutRestore(scene.data.directory, scene.data.url)
      const wasKilled = await run('take back', scene.data, killing)
      // Killed before it decided to roll back, the hub starts on the restored data and fails again.
      if ((await carryOutRestore(scene.data.directory, scene.data.url)) !== undefined)
        await rollBackRestore(scene.data.directory, scene.data.url)
      assert.deepEqual(await scene.everything(), scene.states.old)
      assert.equal(await carryOutRestore(scene.data.directory, scene.data.url), undefined)
      return wasKilled
    })
  })

  test(`${kind.name}: confirming a restore that is killed at any step leaves the new data`, { timeout: 900_000 }, async () => {
    await using scene = await restoreScene(kind)
    await eachStep(apart, async (killing) => {
      await scene.prepare()
      await carryOutRestore(scene.data.directory, scene.data.url)
      const wasKilled = await run('finish', scene.data, killing)
      const again = await carryOutRestore(scene.data.directory, scene.data.url)
      assert.deepEqual(await scene.everything(), scene.states.new)
      // Partly deleted old data is not rolled back to: all of it is present, or none.
      assert.equal(await rollBackRestore(scene.data.directory, scene.data.url), again !== undefined)
      assert.deepEqual(await scene.everything(), again === undefined ? scene.states.new : scene.states.old)
      await scene.goTo('old')
      return wasKilled
    })
  })

  test(`${kind.name}: a second restore before a hub start keeps the data from before both restores`, { timeout: 300_000 }, async () => {
    await using scene = await restoreScene(kind)
    const { directory, url } = scene.data
    for (let round = 0; round < 2; round++) {
      await scene.prepare()
      assert.ok(await carryOutRestore(directory, url))
      assert.deepEqual(await scene.everything(), scene.states.new)
    }
    assert.equal(await rollBackRestore(directory, url), true)
    assert.deepEqual(await scene.everything(), scene.states.old)
  })
}

/** Runs a test with a kill at one step after the other, until there is no step left. `work` returns whether it was killed. */
async function eachStep(apart: number, work: (killing: Killing) => Promise<boolean>): Promise<void> {
  let killed = 0
  for (let at = 1, wasKilled = true; wasKilled; at += apart) {
    wasKilled = await work({ at, moment: 'before' })
    if (wasKilled) wasKilled = await work({ at, moment: 'after' })
    killed += Number(wasKilled)
  }
  assert.ok(killed > 0)
}

/** A hub with the data `old`, and a backup of the data `new`. */
async function restoreScene(kind: Parameters<typeof hubData>[0]) {
  const data = await hubData(kind)
  const config = (name: string) => writeConfig(data.directory, `# ${name}\nsystems: []\n`)
  const everything = async () => {
    await using hub = await data.open()
    return await hub.everything()
  }
  const states: Record<'old' | 'new', unknown> = { old: undefined, new: undefined }
  for (const name of ['new', 'old'] as const) {
    await using hub = await data.open()
    await fill(hub, 5)
    config(name)
    states[name] = await hub.everything()
    await hub.backups.make({ name: `${name}.zip`, passphrase: undefined, by: 'person' })
  }
  const prepare = async (name: 'old' | 'new' = 'new') => {
    await using hub = await data.open()
    await hub.backups.prepareRestore(`${name}.zip`, undefined)
  }
  return {
    data,
    states,
    everything,
    prepare,
    async goTo(name: 'old' | 'new') {
      await prepare(name)
      await carryOutRestore(data.directory, data.url)
      await finishRestore(data.directory, data.url)
    },
    [Symbol.asyncDispose]: () => data[Symbol.asyncDispose](),
  }
}

/** Whether the process was killed. */
async function run(action: Action, { directory, url = '' }: HubData, { at, moment }: Killing): Promise<boolean> {
  const child = spawn(process.execPath, [program, action, directory, url, String(at), moment], {
    env: { PATH: process.env['PATH'], ...compiledSources },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [steps, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.ok(signal === 'SIGKILL' || Number(steps) < at)
  return signal === 'SIGKILL'
}
