import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { watchAlerts, type AlertWatch } from '../src/alerts/rules/alert-watch.ts'
import type { DuePosition } from '../src/alerts/transitions/alert-transition.ts'
import { collections } from '../src/records/collections/collections.ts'
import { historyStore } from '../src/history/history-store.ts'
import { samplePipeline, type SamplePipeline } from '../src/samples/sample-pipeline.ts'
import type { Collection } from '../src/records/model/collection.ts'
import type { RecordValues } from '../src/records/model/record-store.ts'
import { textOf, type StoredRecord } from '../src/records/model/stored-record.ts'
import { deleteRecord, updateRecord } from '../src/records/writing/write.ts'
import { silentLog, type TestDatabaseKind } from './databases.ts'
import { engineOn } from './test-engine.ts'

export const MINUTE_MS = 60_000
const NOON_MS = Date.UTC(2026, 0, 10, 12)

/**
 * One person, one system and its alerts over a real database, at a time that the test moves. `decides` says whether this hub may fire
 * alerts now, as one of several; absent for a single hub.
 */
export async function alertScene(kind: TestDatabaseKind, decides?: () => boolean) {
  const stack = new AsyncDisposableStack()
  const { database, bus } = stack.use(await kind.open())
  let nowMs = NOON_MS
  const clock = { now: () => nowMs }
  const engine = engineOn(database, clock)
  const { store: records } = engine
  const history = historyStore({ db: database, clock, bus, log: silentLog })
  let running: { readonly watch: AlertWatch; readonly samples: SamplePipeline } | undefined
  const insert = (collection: string, values: RecordValues): Promise<StoredRecord> =>
    database.write((unit) => records.insert(unit, collection, values))
  const person = (role: string) => insert('users', { email: `${role}@example.com`, username: role, role, verified: true, password: 'none' })
  const owner = await person('user')
  const system = await insert('systems', { name: 'web', status: 'up', host: 'web', users: [owner.id], info: {} })

  /** As a hub does when it starts on this database. */
  async function restart(): Promise<void> {
    running?.watch.close()
    const watch = await watchAlerts({ engine, history, bus, log: silentLog, decides: decides && (async () => decides()) })
    running = { watch, samples: samplePipeline({ db: database, records, history, clock, bus, alerts: watch, log: silentLog }) }
    await watch.recalled()
  }
  await restart()
  stack.defer(() => running?.watch.close())

  function parts() {
    if (running === undefined) throw new Error('The scene has not begun')
    return running
  }

  async function measureOn(id: string, sample: Sample): Promise<void> {
    nowMs += MINUTE_MS
    await parts().samples.store({ system: id, sample, receivedAtMs: nowMs })
  }

  return {
    engine,
    history,
    owner,
    system,
    insert,
    restart,
    now: () => nowMs,
    pass: (minutes: number) => void (nowMs += minutes * MINUTE_MS),
    passSeconds: (seconds: number) => void (nowMs += seconds * 1000),
    addAlert: async (values: RecordValues) => {
      const alert = await insert('alerts', { user: owner.id, system: system.id, ...values })
      await parts().watch.recalled()
      return alert
    },
    /** A minute passes, and this is measured. */
    measure: (sample: Sample) => measureOn(system.id, sample),
    measureOn,
    readDrives: async (devices: DiskHealthReport['devices']) => {
      nowMs += MINUTE_MS
      await parts().samples.storeDrives(system.id, { devices, complete: true })
    },
    goDown: (id = system.id) =>
      database.write(async (unit) => {
        const previous = await records.load('systems', id, unit)
        if (previous === undefined || previous['status'] === 'paused') return
        await records.update(unit, 'systems', id, { status: 'down', info: { why: 'No answer' } })
        await parts().watch.wentDown(unit, previous, 'No answer')
      }),
    decideDue: (after?: DuePosition) => database.write((unit) => parts().watch.decideDue(unit, after)),
    watch: () => parts().watch,
    bus,
    /** Changes a record as its owner through the API. */
    change: (name: string, id: string, body: RecordValues) =>
      updateRecord(engine, collectionOf(name), { ...asked, actor: owner, method: 'PATCH', body }, id),
    remove: (name: string, id: string) => deleteRecord(engine, collectionOf(name), { ...asked, actor: owner, method: 'DELETE' }, id),
    /** Sent and pending notices, in order. */
    notices: async () =>
      (await database.kysely.selectFrom('notices').selectAll().orderBy('at').orderBy('transition').execute()).map(
        ({ transition, body, ...row }) => ({ transition, ...row, body: JSON.parse(body) as { readonly [key: string]: unknown } }), // as it was written
      ),
    incidents: () => database.kysely.selectFrom('incidents').selectAll().orderBy('began').execute(),
    isTriggered: async (alert: StoredRecord) => (await records.load('alerts', alert.id))?.['triggered'] === true,
    /** Rows of `alerts_history`: name, and whether the alert is resolved. */
    clientHistory: async () =>
      (await records.loadWhere('alerts_history', { user: owner.id })).map((row) => ({
        name: textOf(row, 'name'),
        over: textOf(row, 'resolved') !== '',
      })),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const asked = { context: 'default', query: {}, headers: {} } as const

function collectionOf(name: string): Collection {
  const found = collections.find(name)
  if (found === undefined) throw new RangeError(`There is no collection "${name}"`)
  return found
}

export type AlertScene = Awaited<ReturnType<typeof alertScene>>
