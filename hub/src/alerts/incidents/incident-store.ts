import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { AlertStateTable } from '../../platform/db/schema.ts'
import { ok, type AlertState } from '../judging/alert-state.ts'

/** Loads the state of an alert for one target; `''` means the whole system. */
export async function loadState({ sql }: UnitOfWork, alert: string, target = ''): Promise<AlertState> {
  const row = await sql.selectFrom('alert_states').selectAll().where('alert', '=', alert).where('target', '=', target).executeTakeFirst()
  return row === undefined ? ok : stateOf(row)
}

export type StandingState = { readonly target: string; readonly state: AlertState }

/** Loads all pending and firing states of an alert, by target. */
export async function loadStates({ sql }: UnitOfWork, alert: string): Promise<readonly StandingState[]> {
  const rows = await sql.selectFrom('alert_states').selectAll().where('alert', '=', alert).orderBy('target').execute()
  return rows.map((row) => ({ target: row.target, state: stateOf(row) }))
}

function stateOf({ phase, since: sinceMs, due, incident }: Selectable<AlertStateTable>): AlertState {
  if (phase === 'firing') return { phase: 'firing', sinceMs, incident }
  return due === null ? { phase: 'pending', sinceMs } : { phase: 'pending', sinceMs, dueMs: due }
}

export async function saveState({ sql }: UnitOfWork, alert: string, state: AlertState, target = ''): Promise<void> {
  if (state.phase === 'ok') {
    await sql.deleteFrom('alert_states').where('alert', '=', alert).where('target', '=', target).execute()
    return
  }
  const row = {
    phase: state.phase,
    since: state.sinceMs,
    due: state.phase === 'pending' ? (state.dueMs ?? null) : null,
    incident: state.phase === 'firing' ? state.incident : '',
  }
  await sql
    .insertInto('alert_states')
    .values({ alert, target, ...row })
    .onConflict((conflict) => conflict.columns(['alert', 'target']).doUpdateSet(row))
    .execute()
}

/** Position of a pending alert in the order of due times. */
export type DuePosition = { readonly alert: string; readonly due: number }

type DueQuery = { readonly nowMs: number; readonly most: number; readonly after: DuePosition | undefined }

/** Pending alerts that are due, earliest first. Includes waits that began in the future, because the clock was set back. */
export async function loadDue({ sql }: UnitOfWork, { nowMs, most, after }: DueQuery): Promise<readonly DuePosition[]> {
  const rows = await sql
    .selectFrom('alert_states')
    .select(['alert', 'due'])
    .where((is) => is.or([is('due', '<=', nowMs), is.and([is('due', 'is not', null), is('since', '>', nowMs)])]))
    .where((is) =>
      after === undefined
        ? is.lit(true)
        : is.or([is('due', '>', after.due), is.and([is('due', '=', after.due), is('alert', '>', after.alert)])]),
    )
    .orderBy('due')
    .orderBy('alert')
    .limit(most)
    .execute()
  return rows.flatMap(({ alert, due }) => (due === null ? [] : [{ alert, due }]))
}

export type NewIncident = {
  readonly id: string
  readonly alert: string
  readonly owner: string
  readonly system: string
  readonly kind: string
  readonly target: string
  readonly threshold: number
  readonly minutes: number
  /** The measured value; undefined for alerts without a numeric value. */
  readonly value: number | undefined
  readonly beganMs: number
}

export async function beginIncident({ sql }: UnitOfWork, { value, beganMs, ...incident }: NewIncident): Promise<void> {
  await sql
    .insertInto('incidents')
    .values({ ...incident, value: value ?? null, began: beganMs, ended: null, ending: '' })
    .execute()
}

/** Selects all open incidents of an alert, or one of them. */
export type Which = { readonly alert: string; readonly incident?: string }

/** Ends open incidents of an alert. `closed` means that no measurement showed the end. */
export async function endIncidents(
  { sql }: UnitOfWork,
  { alert, incident }: Which,
  { atMs, ending }: { readonly atMs: number; readonly ending: 'resolved' | 'closed' },
): Promise<void> {
  // The clock may have been set back since the incident began.
  const ended = raw<number>`case when began > ${atMs} then began else ${atMs} end`
  const all = sql.updateTable('incidents').set({ ended, ending }).where('alert', '=', alert).where('ended', 'is', null)
  await (incident === undefined ? all : all.where('id', '=', incident)).execute()
}

/** Deletes the states of an alert that is deleted. Its incidents stay until the system or the owner is deleted. */
export async function deleteAlertStates({ sql }: UnitOfWork, alert: string): Promise<void> {
  await sql.deleteFrom('alert_states').where('alert', '=', alert).execute()
}

export async function deleteIncidentsOf({ sql }: UnitOfWork, whose: 'owner' | 'system', id: string): Promise<void> {
  await sql.deleteFrom('notices').where(whose, '=', id).execute()
  await sql.deleteFrom('incidents').where(whose, '=', id).execute()
}
