import type { Selectable } from 'kysely'
import type { UnitOfWork } from '../../../platform/db/database.ts'
import type { NoticeTable } from '../../../platform/db/schema.ts'
import { viewableIds } from '../../../records/engine/access.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import { whereReadable } from '../../../records/engine/record-table-store.ts'
import { chooseChannels } from '../notification-rules.ts'
import { channelsOf, loadPreferences } from '../recipient.ts'

type Row = Selectable<NoticeTable>

type ReachQuery = { readonly engine: Engine; readonly unit: UnitOfWork; readonly sendsMail: boolean }

/**
 * Resolves to true if a notification can reach its user. The account exists and may view the system, and notification rules leave it a
 * channel (email, Slack, …). Quiet hours do not count. False for an account that cannot be read.
 */
export async function isReachable({ engine, unit, sendsMail }: ReachQuery, notice: Row): Promise<boolean> {
  const { store: records } = engine
  const { owner, system } = notice
  const mayView = await whereReadable(async () => {
    const actor = await records.load('users', owner, unit)
    return actor !== undefined && (await viewableIds(engine, { actor, collection: 'systems', ids: [system] }, unit)).has(system)
  })
  if (mayView !== true) return false
  const channels = await channelsOf({ records, unit, owner, sendsMail })
  const preferences = await loadPreferences({ records, unit, owner })
  if (preferences === undefined) return channels.length > 0
  const choice = await chooseChannels({ engine, unit, preferences, channels }, [notice])
  return choice(notice).length > 0
}
