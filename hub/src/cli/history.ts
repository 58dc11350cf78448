import { historyStore } from '../history/history-store.ts'
import { tiers } from '../history/model/tier.ts'
import { exportHistory } from '../history/read/export.ts'
import { forecastOf } from '../history/read/forecast.ts'
import { loadSizes, oldestStored } from '../history/store/retention.ts'
import { loadStoredHistory } from '../history/store/stored-history.ts'
import { verifyHistory } from '../history/store/verify.ts'
import { systemClock } from '../platform/clock.ts'
import { inProcessEventBus } from '../platform/events/event-bus.ts'
import { silentLog } from '../platform/log.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { textOf } from '../records/model/stored-record.ts'
import { retentionSettings } from '../settings/retention-settings.ts'
import { alignedTable } from './aligned-table.ts'
import { type Command, CommandRefusedError } from './command.ts'

export const historyExport: Command = {
  name: ['history', 'export'],
  usage: 'history export SYSTEM [--from TIME] [--to TIME] [--tier TIER] [--kind KIND] [--format FORMAT]',
  doc: 'Exports a time range of one system, given by name or id.',
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

export const historyStats: Command = {
  name: ['history', 'stats'],
  usage: 'history stats',
  doc: 'Prints the size of the history, and how far back it will reach.',
  async run({ database, say }) {
    const retention = await retentionSettings(database).load()
    const forecast = forecastOf(await loadSizes(database.kysely), retention, systemClock.now())
    const rows = tiers.map((tier) => {
      const { blocks, storedBytes, oldestMs, bytesPerDay, reachDays } = forecast.tiers[tier]
      const oldest = oldestMs === undefined ? '' : new Date(oldestMs).toISOString().slice(0, 10)
      return [tier, String(blocks), String(storedBytes), oldest, String(bytesPerDay), String(reachDays)]
    })
    say(alignedTable(['Tier', 'Blocks', 'Bytes', 'Oldest day', 'Bytes a day', 'Days it will reach'], rows))
    say(`All of it: ${forecast.storedBytes} bytes now, ${forecast.bytesPerDay} more each day, ${forecast.finalBytes} in the end`)
  },
}

export const historyVerify: Command = {
  name: ['history', 'verify'],
  usage: 'history verify',
  doc: 'Reads the whole history and reports damage.',
  async run({ database, say }) {
    const stored = await loadStoredHistory(database)
    const found = await verifyHistory(database.kysely, stored, say)
    const rows = tiers.map((tier) => {
      const { blocks, bytes, numbers } = found.tiers[tier]
      return [tier, String(blocks), String(bytes), String(numbers), numbers === 0 ? '' : (bytes / numbers).toFixed(2)]
    })
    say(alignedTable(['Tier', 'Blocks', 'Bytes', 'Numbers', 'Bytes a number'], rows))
    say(`${found.open.samples} samples are in no block yet`)
    if (found.problems > 0)
      throw new CommandRefusedError(
        `The history is damaged: ${found.problems} problems found; restore a backup, or keep the undamaged rest`,
      )
  },
}
