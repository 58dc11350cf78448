import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { compiledSources } from '../../compiled-sources.ts'
import { databases, silentLog } from '../../databases.ts'
import { killRounds, killTimeoutMs } from '../../kill-rounds.ts'
import { makeMemoryFolder } from '../../memory-folder.ts'
import { foreignDatabase, writeForeignHistory } from './foreign-history.ts'
import { importScene, systemIds } from './import-scene.ts'

const UNTIL_MS = Date.UTC(2026, 10, 26, 14, 23, 30)
const ROUNDS = killRounds(1, 8)
const importer = join(import.meta.dirname, 'history-importer.ts')

const [sqlite] = databases

test(`an import that is killed ${ROUNDS} times continues, and ends as one that was not`, { timeout: killTimeoutMs(ROUNDS) }, async () => {
  const folder = makeMemoryFolder('vedette-import-')
  using cleanup = new DisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const systems = systemIds(ROUNDS + 2)
  const file = join(folder, 'data.db')
  const foreign = foreignDatabase(file)
  cleanup.defer(() => foreign.close())
  writeForeignHistory(foreign, { systems, containers: 1, untilMs: UNTIL_MS })
  await using place = await sqlite!.place()
  for (let round = 0; round < ROUNDS; round++) assert.equal(await importUntil(JSON.stringify(place.at), file, 2 + 2 * round), 'SIGKILL')
  assert.equal(await importUntil(JSON.stringify(place.at), file, Number.POSITIVE_INFINITY), null)
  await using whole = await sqlite!.open()
  const uninterrupted = importScene(whole, UNTIL_MS)
  await uninterrupted.take(foreign, systems)
  const bus = inProcessEventBus()
  const database = await openDatabase({ at: place.at, bus, log: silentLog })
  try {
    const continued = importScene({ database, bus }, UNTIL_MS)
    assert.deepEqual(await continued.rows(), await uninterrupted.rows())
    assert.deepEqual(await continued.problems(), [])
  } finally {
    await database.close()
  }
})

/** Runs an import and kills it after so many parts; those of earlier rounds count too. Resolves to the signal that ended it. */
async function importUntil(at: string, file: string, enough: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [importer, at, file, String(UNTIL_MS)], {
    env: { NODE_NO_WARNINGS: '1', ...compiledSources },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]> // the event's arguments
  let parts = 0
  for await (const _ of createInterface({ input: child.stdout })) if (++parts === enough) child.kill('SIGKILL')
  const [status, signal] = await ended
  if (signal === null) assert.equal(status, 0)
  return signal
}
