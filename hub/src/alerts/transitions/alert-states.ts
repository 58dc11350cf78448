import type { Kysely, Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { AlertStateTable, Tables } from '../../platform/db/schema.ts'
import { ok, type AlertState } from '../judging/judgement.ts'

/** Loads the state (ok, pending or firing) of an alert for one target; `''` means the whole system. */
export async function loadAlertState({ sql }: UnitOfWork, alert: string, target = ''): Promise<AlertState> {
  const row = await sql.selectFrom('alert_states').selectAll().where('alert', '=', alert).where('target', '=', target).executeTakeFirst()
  return row === undefined ? ok : stateIn(row)
}

type StandingState = { readonly target: string; readonly state: AlertState }

/** Loads all pending and firing states of an alert, one for each target that it watches. */
export async function loadStates({ sql }: UnitOfWork, alert: string): Promise<readonly StandingState[]> {
  const rows = await sql.selectFrom('alert_states').selectAll().where('alert', '=', alert).orderBy('target').execute()
  return rows.map((row) => ({ target: row.target, state: stateIn(row) }))
}

function stateIn({ phase, since: sinceMs, due, incident }: Selectable<AlertStateTable>): AlertState {
  if (phase === 'firing') return { phase: 'firing', sinceMs, incident }
  return due === null ? { phase: 'pending', sinceMs } : { phase: 'pending', sinceMs, dueMs: due }
}

/** Stores the state of an alert for one target. */
export async function saveAlertState({ sql }: UnitOfWork, alert: string, state: AlertState, target = ''): Promise<void> {
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

/** Position in the list of pending alerts, which is sorted by due time: alert id and due time (epoch ms). */
export type DuePosition = { readonly alert: string; readonly due: number }

type DueQuery = { readonly nowMs: number; readonly most: number; readonly after: DuePosition | undefined }

/**
 * Loads up to `most` pending alerts whose waiting time is over, earliest first. Includes waits that began in the future, because the clock
 * was set back.
 */
export async function loadDue(kysely: Kysely<Tables>, { nowMs, most, after }: DueQuery): Promise<readonly DuePosition[]> {
  const rows = await kysely
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

/**
 * Deletes the pending and firing states of a deleted alert. Its stored incidents (firing periods) stay until the system or the user is
 * deleted.
 */
export async function deleteAlertStates({ sql }: UnitOfWork, alert: string): Promise<void> {
  await sql.deleteFrom('alert_states').where('alert', '=', alert).execute()
}
