import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { severities, type Severity } from '../judging/judgement.ts'
import { minuteOfDay } from '../judging/zone-clock.ts'
import { channelOf } from './delivery-store.ts'
import { RESOLVED_FOR } from './notice.ts'
import { addressesIn, quietZoneOf, type PersonsChannel } from './recipient.ts'

type Row = Selectable<NoticeTable>

/** Maximum number of notification rules of a user: 50. Changed settings with more are rejected; of stored ones only the first 50 count. */
const MOST_RULES = 50
/** Maximum length in characters (2,000) of a tag or a channel address in a notification rule. Rules with a longer one are rejected. */
const LONGEST = 2000

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day, such as 22:00.')

/**
 * Schema of a notification rule, an item of `notificationRules` in a user's settings. It names the channels (addresses in the settings)
 * that get messages about alerts; an empty list means none. `tag`, `severity` and the hours limit it; absent means all. Hours go from
 * `from` to before `to`, in the zone of the user's quiet hours.
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

const rulesIn = (settings: Json | undefined): Json | undefined => (isJsonObject(settings) ? settings['notificationRules'] : undefined)

/** Parses the first 50 notification rules in settings. Items that this version cannot read, such as those of a newer one, are left out. */
function readableRules(settings: Json | undefined): readonly NotificationRule[] {
  const stored = rulesIn(settings)
  return (Array.isArray(stored) ? stored : []).slice(0, MOST_RULES).flatMap((item) => notificationRule.safeParse(item).data ?? [])
}

/**
 * Returns why the notification rules in a user's settings are invalid, in English. `undefined` if they are valid, absent or unchanged.
 * Items that the settings `before` have, too, are accepted: a newer version may have stored them.
 */
export function notificationRulesProblem(settings: Json, before?: Json): string | undefined {
  const [stored, known] = [rulesIn(settings), rulesIn(before)]
  if (stored === undefined || stored === null || JSON.stringify(stored) === JSON.stringify(known)) return undefined
  if (!Array.isArray(stored)) return '"notificationRules" is wrong: Must be a list'
  if (stored.length > MOST_RULES) return `"notificationRules" is wrong: Must have at most ${MOST_RULES} items`
  const accepted = new Set((Array.isArray(known) ? known : []).map((item) => JSON.stringify(item)))
  for (const [index, item] of stored.entries()) {
    const [issue] = accepted.has(JSON.stringify(item)) ? [] : (notificationRule.safeParse(item).error?.issues ?? [])
    if (issue !== undefined) return `"${['notificationRules', index, ...issue.path].join('.')}" is wrong: ${issue.message}`
  }
  return undefined
}

/**
 * Facts by which notification rules choose the channels of a message: the system's tags, the alert's severity, and the minute of the day.
 * The minute is 0 to 1439, in the zone of the user's quiet hours.
 */
export type MessageFacts = { readonly tags: readonly string[]; readonly severity: Severity; readonly minute: number }

/**
 * Returns the channel addresses that the first matching notification rule names; an empty list means that nothing is sent. `undefined` if
 * no rule matches, so that all channels get the message.
 */
export const channelsByRules = (rules: readonly NotificationRule[], facts: MessageFacts): readonly string[] | undefined =>
  rules.find((rule) => matches(rule, facts))?.channels

function matches({ tag, severity, from, to }: NotificationRule, facts: MessageFacts): boolean {
  if (tag !== undefined && !facts.tags.includes(tag)) return false
  if (severity !== undefined && facts.severity !== severity) return false
  return from === undefined || to === undefined || isWithin(facts.minute, minuteIn(from), minuteIn(to))
}

const minuteIn = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Returns true for a minute of the day (0 to 1439) at or after `from` and before `to`, the hours of a notification rule. They may pass
 * midnight; equal bounds mean the whole day.
 */
const isWithin = (minute: number, from: number, to: number): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to

/**
 * Parameters for choosing channels by a user's notification rules: engine, transaction, the user's settings record and all channels of the
 * user.
 */
export type ChoiceQuery = {
  readonly engine: Pick<Engine, 'store' | 'secrets' | 'clock'>
  readonly unit: UnitOfWork
  /** Record of the user's settings (collection `user_settings`), with notification rules and channels. */
  readonly preferences: StoredRecord
  /** The user's channels (email, Slack, …) to which the hub can send now, as a list. */
  readonly channels: readonly PersonsChannel[]
}

/** Function from a stored notification to the list of channels (email, Slack, …) that get it. The list is empty if it must not be sent. */
export type ChannelChoice = (notice: Row) => readonly PersonsChannel[]

/**
 * Loads a user's notification rules and resolves to a function that chooses the channels for each of `notices`. The first matching rule
 * decides; without one, or if all channels of the rule were removed, all `channels` get the notification. A "resolved" goes where earlier
 * notifications of its incident went.
 */
export async function chooseChannels(query: ChoiceQuery, notices: readonly Row[]): Promise<ChannelChoice> {
  const { engine, unit, preferences, channels } = query
  const rules = readableRules(preferences['settings'])
  if (rules.length === 0) return () => channels
  const minute = minuteOfDay(engine.clock.now(), quietZoneOf(preferences))
  const addresses = new Set(addressesIn(preferences['settings']))
  const tags = new Map<string, readonly string[]>()
  for (const id of new Set(notices.map(({ system }) => system))) {
    const system = await whereReadable(() => engine.store.load('systems', id, unit))
    tags.set(id, labelsIn(system?.['accessTags']))
  }
  const informed = await loadInformed(query, notices)

  function chooseByRules(notice: Row): readonly PersonsChannel[] {
    const chosen = channelsByRules(rules, { tags: tags.get(notice.system) ?? [], severity: severityOf(notice), minute })?.map((one) =>
      one.trim(),
    )
    if (chosen === undefined || (chosen.length > 0 && !chosen.some((one) => addresses.has(one)))) return channels
    return channels.filter(({ target }) => chosen.includes(target.way === 'mail' ? target.to : target.address))
  }

  // Messages about the start and the end of an alert may be sent together.
  const together = Map.groupBy(
    notices.filter((notice) => !isEnd(notice)),
    ({ incident }) => incident,
  )
  return (notice) => {
    if (!isEnd(notice)) return chooseByRules(notice)
    const [keys, begins] = [informed.get(notice.incident), together.get(notice.incident)]
    if (keys === undefined && begins === undefined) return chooseByRules(notice)
    const others = new Set(begins?.flatMap(chooseByRules))
    return channels.filter((one) => others.has(one) || keys?.has(channelOf(engine.secrets, notice.owner, one.target)) === true)
  }
}

/**
 * Gives the state `quiet` to those notifications for which `choice` returns no channel, so that they are never sent. Resolves to the rest.
 */
export async function withoutUnwanted({ sql }: UnitOfWork, choice: ChannelChoice, notices: readonly Row[]): Promise<readonly Row[]> {
  const unwanted = notices.filter((notice) => choice(notice).length === 0).map(({ id }) => id)
  if (unwanted.length > 0) await sql.updateTable('notices').set({ state: 'quiet' }).where('id', 'in', unwanted).execute()
  return notices.filter(({ id }) => !unwanted.includes(id))
}

/** Returns true for the notification that an alert ended ("resolved"), also for the one to a person to whom the alert was escalated. */
const isEnd = ({ transition }: Row): boolean => transition === 'resolved' || transition.startsWith(RESOLVED_FOR)

/** Time in ms (29 days) for which the deliveries of a notification are certainly stored. */
const DELIVERIES_KEPT_MS = 29 * 86_400_000

/**
 * Loads the channels that got messages about the incidents of the "resolved" notifications in `notices`, as a map from incident id to
 * channel keys. Incidents without earlier notifications, or older than 29 days, are absent.
 */
async function loadInformed({ engine, unit }: ChoiceQuery, notices: readonly Row[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ends = notices.filter(isEnd)
  const [first] = ends
  if (first === undefined) return new Map()
  const earlier = await unit.sql
    .selectFrom('notices')
    .select(['id', 'incident', 'due', 'at'])
    .where(
      'incident',
      'in',
      ends.map(({ incident }) => incident),
    )
    .where('transition', '<>', 'resolved')
    .where('state', 'in', ['handed', 'quiet'])
    .execute()
  const known = earlier.filter(({ due }) => due > engine.clock.now() - DELIVERIES_KEPT_MS)
  if (known.length === 0) return new Map()
  const deliveries = await unit.sql
    .selectFrom('deliveries')
    .select(['channel', 'notices'])
    .where('owner', '=', first.owner)
    .where('at', '>=', Math.min(...known.flatMap(({ at, due }) => [at, due])))
    .execute()
  const incidentOf = new Map(known.map(({ id, incident }) => [id, incident]))
  const informed = new Map(known.map(({ incident }) => [incident, new Set<string>()]))
  for (const { channel, notices: ids } of deliveries) for (const id of textsIn(ids)) informed.get(incidentOf.get(id) ?? '')?.add(channel)
  return informed
}

/** Parses JSON text to a list of texts, such as channel keys. Damaged JSON gives an empty list. */
function textsIn(text: string): readonly string[] {
  try {
    const list = parseJson(text)
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/**
 * Returns the severity (`warning` or `critical`) of a stored notification; `critical` if its alert rule sets none, or if its row is
 * damaged.
 */
function severityOf({ body }: Row): Severity {
  try {
    const stored = parseJson(body)
    return isJsonObject(stored) && stored['severity'] === 'warning' ? 'warning' : 'critical'
  } catch {
    return 'critical'
  }
}
