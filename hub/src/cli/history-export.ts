import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import { inProcessEventBus } from '../platform/events/event-bus.ts'
import { exportHistory } from '../history/read/export.ts'
import { historyStore } from '../history/history-store.ts'
import { oldestStored } from '../history/store/retention.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { textOf } from '../records/model/stored-record.ts'
import { CommandRefusedError, type Command } from './command.ts'

export const historyExport: Command = {
  name: ['history', 'export'],
  usage: 'history export SYSTEM [--from TIME] [--to TIME] [--tier TIER] [--kind KIND] [--format FORMAT]',
  doc: 'Writes any window of one system, given by name or id.',
  async run({ database, records, words, exporting, write, complain }) {
    const system = await systemIn(records, words)
    const nowMs = systemClock.now()
    const { tier, kind, format } = exporting
    const to = exporting.to ?? nowMs
    const from = exporting.from ?? (await oldestStored(database.kysely, tier, nowMs))
    if (from >= to) throw new CommandRefusedError('Cannot export nothing: --from must be before --to')
    const history = historyStore({ db: database, clock: systemClock, bus: inProcessEventBus(), log: silentLog })
    const query = {
      system,
      kinds: kind === undefined ? (['system', 'containers'] as const) : [kind],
      tier,
      window: { fromMs: from, toMs: to },
      format,
    }
    for await (const text of exportHistory(history, query, complain)) await write(text)
  },
}

async function systemIn(records: RecordStore, words: readonly string[]): Promise<{ readonly id: string; readonly name: string }> {
  const [word, ...more] = words
  if (word === undefined || more.length > 0) throw new CommandRefusedError('Name one system: history export SYSTEM')
  const byId = await records.load('systems', word)
  const found = byId === undefined ? await records.loadWhere('systems', { name: word }) : [byId]
  const [system, another] = found
  if (system === undefined) throw new CommandRefusedError(`There is no system "${word}"`)
  if (another !== undefined) throw new CommandRefusedError(`${found.length} systems are called "${word}": give the id of one`)
  return { id: system.id, name: textOf(system, 'name') }
}
