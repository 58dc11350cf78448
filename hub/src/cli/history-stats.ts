import { systemClock } from '../platform/clock.ts'
import { forecastOf } from '../history/read/forecast.ts'
import { loadSizes } from '../history/store/retention.ts'
import { tiers } from '../history/model/tier.ts'
import { retentionSettings } from '../settings/retention-settings.ts'
import { alignedTable } from './aligned-table.ts'
import type { Command } from './command.ts'

export const historyStats: Command = {
  name: ['history', 'stats'],
  usage: 'history stats',
  doc: 'Says what the history takes, and how far back it will reach.',
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
