import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { severities, type Severity } from '../judging/judgement.ts'
import { minuteOfDay } from '../judging/zone-clock.ts'
import { WORSE } from './notice-columns.ts'
import { quietZoneOf, type PersonsChannel } from './recipient.ts'

type Row = Selectable<NoticeTable>

/** Maximum number of notification rules of a user: 50. */
const MOST_RULES = 50
/** Maximum length of a tag or a channel address in a notification rule, in characters: 2,000. */
const LONGEST = 2000

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day, such as 22:00.')

/**
 * Schema of a notification rule, an item of `notificationRules` in a user's settings. It names the channels (addresses in the settings) that
 * get messages about alerts. `tag`, `severity` and the hours (`from` to `to`, in the zone of the user's quiet hours) limit it; absent means
 * all. An empty list of channels: nothing is sent.
 */
const notificationRule = z
  .strictObject({
    tag: z.string().min(1).max(LONGEST).optional(),
    severity: z.enum(severities).optional(),
    from: timeOfDay.optional(),
    to: timeOfDay.optional(),
    channels: z.array(z.string().max(LONGEST)).max(40),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), 'Must have both "from" and "to", or neither.')
type NotificationRule = Readonly<z.infer<typeof notificationRule>>

const notificationRules = z.array(notificationRule).max(MOST_RULES)

const rulesIn = (settings: Json | undefined): Json | undefined => (isJsonObject(settings) ? settings['notificationRules'] : undefined)

/**
 * Returns why the notification rules in a user's settings are invalid, in English. `undefined` if they are valid, absent, or the same as in
 * the settings `before`, where a newer version may have stored them.
 */
export function notificationRulesProblem(settings: Json, before?: Json): string | undefined {
  const stored = rulesIn(settings)
  if (JSON.stringify(stored) === JSON.stringify(rulesIn(before))) return undefined
  const [issue] = stored === undefined || stored === null ? [] : (notificationRules.safeParse(stored).error?.issues ?? [])
  return issue === undefined ? undefined : `"${['notificationRules', ...issue.path].join('.')}" is wrong: ${issue.message}`
}

/** Facts about a message by which notification rules choose its channels: tags, severity, and minute of the day in the user's zone. */
export type MessageFacts = { readonly tags: readonly string[]; readonly severity: Severity; readonly minute: number }

/** Returns the channels of the first rule that matches. `undefined`: no rule does, so that all channels get the message. */
export const channelsByRules = (rules: readonly NotificationRule[], facts: MessageFacts): readonly string[] | undefined =>
  rules.find((rule) => matches(rule, facts))?.channels

function matches({ tag, severity, from, to }: NotificationRule, facts: MessageFacts): boolean {
  if (tag !== undefined && !facts.tags.includes(tag)) return false
  if (severity !== undefined && facts.severity !== severity) return false
  return from === undefined || to === undefined || isWithin(facts.minute, minuteIn(from), minuteIn(to))
}

const minuteIn = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns true for a minute of the day between two others; equal ones mean the whole day. */
const isWithin = (minute: number, from: number, to: number): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to

type ChoiceQuery = {
  readonly unit: UnitOfWork
  readonly records: Pick<RecordStore, 'load'>
  /** The user's settings record. */
  readonly preferences: StoredRecord
  readonly nowMs: number
  readonly channels: readonly PersonsChannel[]
}

/** Function from a notification to the channels that get it. */
export type ChannelChoice = (notice: Row) => readonly PersonsChannel[]

/**
 * Loads a user's notification rules and resolves to a function that chooses the channels of each of the notifications. Without a matching
 * rule, and for a rule whose channels were all removed from the settings, it returns all `channels`. A "resolved" goes to the channels of
 * its alert's earlier messages. Only tags count that an admin, or an admin's enrolment token, gave to the system.
 */
export async function chooseChannels(query: ChoiceQuery, notices: readonly Row[]): Promise<ChannelChoice> {
  const { unit, records, preferences, channels, nowMs } = query
  const rules = notificationRules.safeParse(rulesIn(preferences['settings'])).data ?? []
  if (rules.length === 0) return () => channels
  const zone = quietZoneOf(preferences)
  const tags = new Map<string, readonly string[]>()
  for (const id of new Set(notices.map(({ system }) => system)))
    tags.set(id, labelsIn((await records.load('systems', id, unit))?.['accessTags']))
  const earlier = await loadEarlier(unit, notices)

  function chosen(notice: Row, atMs: number): readonly PersonsChannel[] {
    const facts = { tags: tags.get(notice.system) ?? [], severity: severityOf(notice), minute: minuteOfDay(atMs, zone) }
    const addresses = channelsByRules(rules, facts)
    if (addresses === undefined) return channels
    const found = channels.filter(({ target }) => addresses.includes(target.way === 'mail' ? target.to : target.address))
    return found.length === 0 && addresses.length > 0 ? channels : found
  }

  return (notice) => {
    const before = notice.transition === 'resolved' ? (earlier.get(notice.incident) ?? []) : []
    if (before.length === 0) return chosen(notice, nowMs)
    const all = new Set(before.flatMap((one) => chosen(one, one.due)))
    return channels.filter((channel) => all.has(channel))
  }
}

/** Returns the severity of a stored notification; `critical` if its alert rule sets none, or if its row is damaged. */
function severityOf({ body }: Row): Severity {
  try {
    const stored = parseJson(body)
    return isJsonObject(stored) && stored['severity'] === 'warning' ? 'warning' : 'critical'
  } catch {
    return 'critical'
  }
}

/** Loads the messages that were queued about the incidents of the "resolved" among some notifications, by incident. */
async function loadEarlier({ sql }: UnitOfWork, notices: readonly Row[]): Promise<ReadonlyMap<string, readonly Row[]>> {
  const incidents = notices.flatMap(({ transition, incident }) => (transition === 'resolved' ? [incident] : []))
  if (incidents.length === 0) return new Map()
  const rows = await sql
    .selectFrom('notices')
    .selectAll()
    .where('incident', 'in', incidents)
    .where('transition', 'in', ['fired', WORSE])
    .where('state', '=', 'handed')
    .execute()
  return Map.groupBy(rows, ({ incident }) => incident)
}
