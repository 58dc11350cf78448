import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { keptBackStates } from './notice.ts'

type Row = Selectable<NoticeTable>

/**
 * Resolves to the ids of those `worse` notifications whose alert has ended, if they were kept back until then, its "fired" was not sent, or
 * its "resolved" was sent already.
 */
export async function outdatedRises({ sql }: UnitOfWork, rises: readonly Row[]): Promise<ReadonlySet<string>> {
  const incidents = rises.map(({ incident }) => incident)
  const { rows } = await raw<{ id: string; first: string; last: string | null }>`
    select i.id, n.state as first, r.state as last from incidents as i join notices as n on n.incident = i.id and n.transition = 'fired'
      left join notices as r on r.incident = i.id and r.transition = 'resolved'
    where i.ended is not null and i.id in (${raw.join(incidents)})`.execute(sql)
  const ended = new Map(rows.map(({ id, ...states }) => [id, states]))
  const isOutdated = ({ incident, state }: Row): boolean => {
    const states = ended.get(incident)
    if (states === undefined) return false
    return states.first === 'quiet' || states.last === 'handed' || keptBackStates.includes(state)
  }
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
