import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { openEvent, sealEvent } from '../../platform/cluster/change-journal.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import { parseJson } from '../../platform/json.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/**
 * Interval in ms (3 s) at which a running hub looks for record changes that commands such as `vedette apply config` made. Each check reads
 * one row by its key.
 */
const READ_EVERY_MS = 3000
const RETRY_MS = 5000
/**
 * Number of the newest transactions of commands such as `vedette apply config` (30) whose record events stay in the database. A running hub
 * reads them from there and sends them to its dashboards.
 */
const KEPT = 30

/**
 * Key in the table `hub_state` for the number of the last command-line transaction that changed records, such as one of `vedette apply
 * config`. The record events of each transaction are under a key of their own.
 */
const LAST = 'command changes'
const rowOf = (no: number): string => `${LAST} ${no}`
const PLACE = 'command.changes'

/** Value of `hub` in record events that commands of the command line caused. Events with this value are not sent to other hubs. */
const SENDER = 'command line'

/**
 * Returns the database wrapped so that its transactions also store their record events, encrypted. A command of the command line uses it;
 * running hubs then publish the events, see {@link followCommands}.
 */
export const announcingDatabase = (database: Database, secrets: SecretBox): Database => ({
  ...database,
  write: (work, durability) =>
    database.write(async (unit) => {
      const events: RecordEvent[] = []
      const emit = (event: RecordEvent): void => {
        events.push(event)
        unit.emit(event)
      }
      const result = await work({ ...unit, emit })
      if (events.length > 0) await storeEvents(unit, secrets, events)
      return result
    }, durability),
})

async function storeEvents(unit: UnitOfWork, secrets: SecretBox, events: readonly RecordEvent[]): Promise<void> {
  await unit.alone(LAST)
  const no = (await lastNo(unit.sql)) + 1
  await saveState(unit.sql, rowOf(no), JSON.stringify(events.map((event) => sealEvent(secrets, PLACE, event))))
  await saveState(unit.sql, LAST, String(no))
  await unit.sql
    .deleteFrom('hub_state')
    .where('name', '=', rowOf(no - KEPT))
    .execute()
}

const lastNo = async (sql: Database['kysely']): Promise<number> => Number((await loadState(sql, LAST)) ?? 0)

type FollowParts = {
  readonly database: Database
  readonly bus: Pick<EventBus, 'publish'>
  readonly secrets: SecretBox
  readonly log: Log
}

/**
 * Starts to publish, on this hub's event bus, the record events of commands that change records from now on, such as `vedette apply
 * config`. Disposing the result stops it.
 */
export async function followCommands({ database, bus, secrets, log }: FollowParts): Promise<AsyncDisposable> {
  const { kysely } = database
  let seen = await lastNo(kysely)

  async function work(): Promise<number> {
    const last = await lastNo(kysely)
    while (seen < last) {
      const text = await loadState(kysely, rowOf(seen + 1))
      seen += 1
      const events = text === undefined ? undefined : eventsIn(secrets, text)
      if (events === undefined) log.warn('changes of a command not read; restart the hub to apply them', { no: seen })
      for (const event of events ?? []) bus.publish({ ...event, hub: SENDER })
    }
    return READ_EVERY_MS
  }

  return startLoop({
    work,
    firstMs: READ_EVERY_MS,
    retryMs: RETRY_MS,
    onError: (error) => log.warn('changes of commands were not read', { error }),
  })
}

const rowSchema = z.array(z.string())

function eventsIn(secrets: SecretBox, text: string): readonly RecordEvent[] | undefined {
  const { success, data } = rowSchema.safeParse(parsed(text))
  const events = success ? data.map((sealed) => openEvent(secrets, PLACE, sealed)) : [undefined]
  return events.every((event) => event !== undefined) ? events : undefined
}

function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
