import type { Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { loadNetworkCauses } from '../incidents/network-causes.ts'
import { GROUPED } from '../messages/grouping-window.ts'
import { REMINDER, WORSE } from './notice.ts'

type Row = Selectable<NoticeTable>

/** Interval in ms (30 s) at which a silenced notification is checked again: it may be sent once the outage that explains it is over. */
const RECHECK_MS = 30_000
/**
 * Time in ms (60 s) that the notification "system is down" waits if the system is behind another one. That one's outage, which would
 * explain it, may be noticed later, at its next poll.
 */
const CAUSE_MS = 60_000
/** Time in ms (2 min) after the end of an outage in which the systems behind it must be up again. Alerts that last longer are notified. */
const RECOVERY_MS = 120_000

type Reader = { readonly engine: Engine; readonly unit: UnitOfWork; readonly owner: string }

/**
 * Decision about a due "fired", `worse` or reminder. `next`: send it, wait for a possible cause (`new`), hold it back (`silenced` by an
 * outage), or wait for the recovery (`outlasting`). `cause` is the id of the system that is down; `''` unless silenced.
 */
type Decision = { readonly next: 'send' | 'new' | 'silenced' | 'outlasting'; readonly cause: string }

/**
 * Resolves to those due notifications of a user that no outage explains or may soon explain. A "fired" or `worse` becomes `silenced` if all
 * upstreams of its system are down, or, except for the alert `Status`, the system itself. Once the cause is over it becomes `outlasting`.
 * If its incident lasts 2 minutes longer than the cause, it is sent. Reminders during an outage are dropped.
 */
export async function withoutSilenced(reader: Reader, notices: readonly Row[]): Promise<readonly Row[]> {
  const ended = new Set(notices.flatMap(({ transition, incident }) => (transition === 'resolved' ? [incident] : [])))
  const { unit, engine } = reader
  const nowMs = engine.clock.now()
  const kinds = notices.length === 0 ? noKinds : await loadKinds(unit, notices)
  const fired = notices.filter(
    ({ transition, incident, state }) =>
      // A notification in a grouping window could be sent before the outage.
      state !== GROUPED &&
      (transition === 'fired' || transition.startsWith(REMINDER) || (transition === WORSE && kinds.has(incident) && !ended.has(incident))),
  )
  if (fired.length === 0) return notices
  const kindOf = ({ incident }: Row): string => kinds.get(incident) ?? ''
  const network = await loadNetworkCauses(
    reader,
    fired.map((notice) => ({ system: notice.system, kind: kindOf(notice) })),
  )

  function decide(notice: Row): Decision {
    const kind = kindOf(notice)
    const cause = network.causeOf({ system: notice.system, kind })
    if (cause !== undefined) return { next: 'silenced', cause }
    if (notice.state === 'silenced') return { next: 'outlasting', cause: '' }
    const mayHaveCause = notice.state === 'new' && notice.transition === 'fired' && kind === 'Status' && network.hasUpstream(notice.system)
    return { next: mayHaveCause && !ended.has(notice.incident) && nowMs - notice.at < CAUSE_MS ? 'new' : 'send', cause: '' }
  }

  const decisions = new Map(fired.map((notice) => [notice, decide(notice)]))
  const unsent = new Set<string>()
  for (const some of Map.groupBy(fired, (notice) => JSON.stringify(decisions.get(notice))).values()) {
    const [first] = some
    const decision = first && decisions.get(first)
    if (decision === undefined) continue
    const [reminders, begins] = [
      some.filter(({ transition }) => transition.startsWith(REMINDER)),
      some.filter(({ transition }) => !transition.startsWith(REMINDER)),
    ]
    await saveDecision(unit, begins, decision, nowMs)
    // The first message was sent before the outage. The next reminder follows if the incident outlasts it.
    if (decision.next !== 'send') await setQuiet(unit, reminders)
    if (decision.next !== 'send') for (const { incident } of some) unsent.add(incident)
  }
  await saveEnd(
    unit,
    [...unsent].filter((incident) => ended.has(incident)),
  )
  return notices.filter(({ incident }) => !unsent.has(incident))
}

/**
 * Stores a decision about notifications: their new state, and in their incidents the id of the system whose outage silences them.
 * Notifications to be sent stay as they are.
 */
async function saveDecision({ sql }: UnitOfWork, notices: readonly Row[], { next, cause }: Decision, nowMs: number): Promise<void> {
  if (notices.length === 0) return
  // A rise from warning to critical does not silence an incident whose start was sent.
  const incidents = notices.flatMap(({ incident, transition }) => (transition === WORSE ? [] : [incident]))
  if (incidents.length > 0 && (next === 'silenced' || notices.some(({ state }) => state === 'outlasting')))
    await sql.updateTable('incidents').set({ cause }).where('id', 'in', incidents).where('cause', '<>', cause).execute()
  if (next === 'send') return
  const firstMs = Math.min(...notices.map(({ at }) => at))
  const due = { new: firstMs + CAUSE_MS, silenced: nowMs + RECHECK_MS, outlasting: nowMs + RECOVERY_MS }[next]
  const ids = notices.map(({ id }) => id)
  await sql.updateTable('notices').set({ state: next, due }).where('id', 'in', ids).execute()
}

async function setQuiet({ sql }: UnitOfWork, notices: readonly Row[]): Promise<void> {
  const ids = notices.map(({ id }) => id)
  if (ids.length > 0) await sql.updateTable('notices').set({ state: 'quiet' }).where('id', 'in', ids).execute()
}

/**
 * Gives the state `quiet` to all notifications of incidents (by id) that ended while an outage explained them, or within 2 minutes after
 * it.
 */
async function saveEnd({ sql }: UnitOfWork, incidents: readonly string[]): Promise<void> {
  if (incidents.length > 0) await sql.updateTable('notices').set({ state: 'quiet' }).where('incident', 'in', incidents).execute()
}

const noKinds: ReadonlyMap<string, string> = new Map()

/**
 * Loads the alert kinds (such as `Status`) of the incidents to which the notifications `notices` belong, as a map from incident id to kind.
 */
async function loadKinds({ sql }: UnitOfWork, notices: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const ids = notices.map(({ incident }) => incident)
  const rows = await sql.selectFrom('incidents').select(['id', 'kind']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}
