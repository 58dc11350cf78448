import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { keptBackStates } from './notice-columns.ts'

type Row = Selectable<NoticeTable>

/**
 * Resolves to the ids of those `worse` notifications whose alert has ended, if they were kept back until then or its "fired" was not
 * sent.
 */
export async function outdatedRises({ sql }: UnitOfWork, rises: readonly Row[]): Promise<ReadonlySet<string>> {
  const incidents = rises.map(({ incident }) => incident)
  const { rows } = await raw<{ id: string; first: string }>`
    select i.id, n.state as first from incidents as i join notices as n on n.incident = i.id and n.transition = 'fired'
    where i.ended is not null and i.id in (${raw.join(incidents)})`.execute(sql)
  const firstStates = new Map(rows.map(({ id, first }) => [id, first]))
  const isOutdated = (rise: Row): boolean =>
    firstStates.get(rise.incident) === 'quiet' || (firstStates.has(rise.incident) && keptBackStates.includes(rise.state))
  return new Set(rises.filter(isOutdated).map(({ id }) => id))
}

/**
 * Resolves to the ids of incidents (firing periods) behind the held notifications that ended without a "resolved". That happens after a
 * deleted alert or a paused system.
 */
export async function closedIncidents({ sql }: UnitOfWork, held: readonly Row[]): Promise<ReadonlySet<string>> {
  const rows = await sql
    .selectFrom('incidents')
    .select('id')
    .where('ending', '=', 'closed')
    .where(
      'id',
      'in',
      held.map(({ incident }) => incident),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
