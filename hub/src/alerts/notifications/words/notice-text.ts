import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../../platform/json.ts'
import { whereReadable } from '../../../records/engine/record-table-store.ts'
import type { RecordStore } from '../../../records/model/record-store.ts'
import { levelKind, conditionKind, type LevelKind } from '../../judging/alert-kinds.ts'
import { forecastWords } from './forecast-words.ts'
import type { NoticeBody } from '../notice.ts'
import type { NoticeWords, TitleAndBody, TransitionNotice } from './notice-words.ts'
import type { ChannelMessage } from '../../../delivery/channels/channel.ts'

/**
 * Text of one notification message to a user, for channels of all kinds (email, Slack, …). `severity` is firing, resolved or info; `level`
 * is warning or critical. `systemName` is `''` for several systems.
 */
export type NoticeText = Pick<ChannelMessage, 'title' | 'body' | 'severity' | 'systemName' | 'level'>

/** Resolves to the functions and texts that render notifications in a language: German for `de`, English for any other value. */
export const noticeWordsIn = async (language: Json | undefined): Promise<NoticeWords> =>
  language === 'de' ? (await import('./german-notice-words.ts')).germanNoticeWords : englishNoticeWords

/**
 * Loads a user's settings (`{}` if none are stored or readable) and the texts of notifications in the settings' `language`, English by
 * default.
 */
export async function loadUserWords(
  records: Pick<RecordStore, 'loadWhere'>,
  owner: string,
): Promise<{ readonly words: NoticeWords; readonly settings: JsonObject }> {
  const [record] = (await whereReadable(() => records.loadWhere('user_settings', { user: owner }))) ?? []
  const stored = record?.['settings']
  const settings = stored !== undefined && isJsonObject(stored) ? stored : {}
  return { words: await noticeWordsIn(settings['language']), settings }
}

/**
 * Loads the functions and texts that render notifications in the language of a user's settings (`language`). English for another value, and
 * without readable settings.
 */
export const loadNoticeWords = async (records: Pick<RecordStore, 'loadWhere'>, owner: string): Promise<NoticeWords> =>
  (await loadUserWords(records, owner)).words

/** Renders the text of one stored notification, without the user's templates. English by default. */
export function textOfNotice({ transition, body }: TransitionNotice, words: NoticeWords = englishNoticeWords): NoticeText {
  const looks = { severity: transition === 'resolved' ? 'resolved' : 'firing', systemName: body.systemName, ...levelOf([body]) } as const
  return { ...(isRepeat(transition) ? repeatText({ transition, body }, words) : words.notice({ transition, body })), ...looks }
}

/**
 * Returns true for the transitions `reminder`, `escalated` and `unreached`: a message about one of them repeats the "fired" text of the
 * alert.
 */
const isRepeat = (transition: TransitionNotice['transition']): boolean => ['reminder', 'escalated', 'unreached'].includes(transition)

function repeatText({ transition, body }: TransitionNotice, words: NoticeWords): TitleAndBody {
  const { lastedMinutes, unansweredMinutes = 0, ownerName, ...fired } = body
  const text = words.notice({ transition: 'fired', body: fired })
  if (transition === 'escalated') return words.escalation(text, unansweredMinutes, ownerName)
  return transition === 'unreached' ? words.unreached(text, unansweredMinutes) : words.reminder(text, lastedMinutes)
}

/**
 * Returns the highest severity of several notifications' alerts as `{ level }`, such as `{ level: 'critical' }`. `{}` if the rule of none
 * of them sets a severity.
 */
function levelOf(bodies: readonly Pick<NoticeBody, 'severity'>[]): Pick<NoticeText, 'level'> {
  if (bodies.every(({ severity }) => severity === undefined)) return {}
  return { level: bodies.every(({ severity }) => severity === 'warning') ? 'warning' : 'critical' }
}

/** Returns an English text of an alert, marked as a reminder, with the time for which the alert has fired, if known. */
function reminderText({ title, body }: TitleAndBody, lastedMinutes: number | undefined): TitleAndBody {
  const lasted = lastedMinutes === undefined ? '' : ` The alert has been active for ${durationOf(lastedMinutes)}.`
  return { title: `Reminder: ${title}`, body: `${body}${body.endsWith('.') ? '' : '.'}${lasted}` }
}

const asSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

function escalationText({ title, body }: TitleAndBody, minutes: number, ownerName: string | undefined): TitleAndBody {
  const first = ownerName === undefined || ownerName === '' ? '' : ` ${ownerName} was notified first.`
  return { title: `Escalated: ${title}`, body: `${asSentence(body)} Nobody acknowledged the alert for ${durationOf(minutes)}.${first}` }
}

const unreachedText = ({ title, body }: TitleAndBody, minutes: number): TitleAndBody => ({
  title: `Escalation reached nobody: ${title}`,
  body: `${asSentence(body)} Nobody acknowledged the alert for ${durationOf(minutes)}, and the last step of its escalation has no recipient any more.`,
})

const durationOf = (minutes: number): string => (minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`)

function wordsOf(notice: TransitionNotice): { readonly title: string; readonly body: string } {
  if (notice.body.kind === 'Status') return statusWords(notice)
  if (notice.body.kind === 'Drive') return driveWords(notice.body)
  if (levelKind(notice.body.kind)?.trend === 'forecast') return forecastWords(notice)
  return conditionKind(notice.body.kind) === undefined ? levelWords(notice) : conditionWords(notice)
}

/**
 * Returns the coloured circle (emoji) at the end of an English title that says that an alert fires. Orange for the severity `warning`, else
 * red.
 */
const circleOf = (severity: NoticeBody['severity']): string => (severity === 'warning' ? '\u{1F7E0}' : '\u{1F534}')

function statusWords({ transition, body: { systemName, reason, severity } }: TransitionNotice) {
  const isUp = transition === 'resolved'
  const sentence = `Connection to ${systemName} is ${isUp ? 'up' : 'down'}`
  const why = isUp || reason === undefined || reason === '' ? '' : `: ${reason}`
  return { title: `${sentence} ${isUp ? '\u2705' : circleOf(severity)}`, body: `${sentence}${why}` }
}

function driveWords({ systemName, target = 'a drive', reason = '' }: NoticeBody) {
  const isFailure = /^failed$/i.test(reason)
  const state = isFailure ? 'failure' : reason.toLowerCase()
  return {
    title: `SMART ${state} on ${systemName}: ${target} ${isFailure ? '\u{1F534}' : '\u{1F7E0}'}`,
    body: `The drive ${target} of ${systemName} judges its own health as ${reason}`,
  }
}

/**
 * Returns true for the alert kinds about systemd services, `SystemdFailed` and `Service`. Other kinds without a threshold are about
 * containers.
 */
export const isOfServices = (kind: string): boolean => kind === 'SystemdFailed' || kind === 'Service'

/**
 * Map from the bad condition of a container or service to the words of a notification, such as `stopped` to "is not running". They continue
 * a sentence. Other conditions give "is not well".
 */
export const conditionPhrases: Readonly<Record<string, string>> = {
  stopped: 'is not running',
  restarting: 'restarts again and again',
  unhealthy: 'is unhealthy',
  failed: 'failed',
  inactive: 'is not active',
}

/**
 * Map from alert kind to the words of a notification at the end of an alert, such as "is active again". They continue a sentence that
 * begins with the target. Other kinds give "runs again".
 */
const recoveryPhrases: Readonly<Record<string, string>> = {
  ContainerHealth: 'is not unhealthy any more',
  SystemdFailed: 'is not failed any more',
  Service: 'is active again',
}

function conditionWords({ transition, body: { systemName, kind, target = '', reason = '', severity } }: TransitionNotice) {
  const isOver = transition === 'resolved'
  const thing = `${isOfServices(kind) ? 'Service' : 'Container'}${target === '' ? '' : ` ${target}`}`
  const what = isOver ? (ownValue(recoveryPhrases, kind) ?? 'runs again') : (ownValue(conditionPhrases, reason) ?? 'is not well')
  return {
    title: `${thing} on ${systemName} ${what} ${isOver ? '\u2705' : circleOf(severity)}`,
    body: `${thing} on ${systemName} ${what}.`,
  }
}

/**
 * Renders title and first line of one message about several containers or services of one system: all recovered, or all failed within 5
 * minutes. `undefined` for any other mix of notifications.
 */
function conditionDigest(all: readonly TransitionNotice[], words: NoticeWords): Omit<NoticeText, 'systemName'> | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const { transition, body } = first
  if (isRepeat(transition)) return undefined
  const isSame = (one: TransitionNotice): boolean =>
    conditionKind(one.body.kind) !== undefined &&
    one.transition === transition &&
    one.body.systemName === body.systemName &&
    isOfServices(one.body.kind) === isOfServices(body.kind)
  if (!all.every(isSame) || (transition !== 'resolved' && !beganTogether(all))) return undefined
  return { ...words.conditions(all.length, first), severity: transition === 'resolved' ? 'resolved' : 'firing' }
}

function conditionsTogether(count: number, { transition, body: { kind, systemName } }: TransitionNotice): TitleAndBody {
  const things = `${count} ${isOfServices(kind) ? 'services' : 'containers'} on ${systemName}`
  return transition === 'resolved'
    ? { title: `${things} are well again \u2705`, body: 'Nothing is wrong any more with:' }
    : { title: `${things} are not well \u{1F534}`, body: 'At the same time:' }
}

/**
 * Map from the name of an alert kind to the words for it inside a sentence of a notification, such as `Disk` to "disk usage". Other kinds
 * appear in lower case.
 */
const kindPhrases: Readonly<Record<string, string>> = {
  Disk: 'disk usage',
  LoadAvg1: '1m load',
  LoadAvg5: '5m load',
  LoadAvg15: '15m load',
  CPUIOWait: 'CPU I/O wait',
  CPUSteal: 'CPU steal time',
  ContainerCPU: 'CPU of container',
  ContainerMemory: 'memory of container',
  DiskRate: 'disk growth',
  MemoryRate: 'memory growth',
  Filesystem: 'usage of',
  Interface: 'traffic of',
  CPU: 'CPU',
  GPU: 'GPU',
}

const labelOf = (kind: string): string => ownValue(kindPhrases, kind) ?? kind.toLowerCase()

const sideOf = (transition: TransitionNotice['transition'], level: LevelKind | undefined): string =>
  (transition !== 'resolved') === (level?.direction !== 'below') ? 'above' : 'below'

const adjectiveOf = (severity: NoticeBody['severity']): string => (severity === undefined ? '' : `${severity} `)

function levelWords({ transition, body }: TransitionNotice) {
  const { systemName, kind, target = '', value, threshold, minutes = 1, severity } = body
  const level = levelKind(kind)
  const side = sideOf(transition, level)
  const unit = level?.unit ?? ''
  const title = `${systemName} ${level?.isOfOne === true ? englishSubject(kind, target) : labelOf(kind)} ${side} ${transition === 'resolved' ? '' : adjectiveOf(severity)}threshold`
  const subject = capitalised(englishSubject(kind, target))
  const limit = threshold === undefined ? '' : ` The threshold is ${englishUnit(threshold, unit)}.`
  if (value === undefined) return { title, body: `${subject} is ${side} the threshold again.${limit}` }
  const shown = englishUnit(Number(value.toFixed(2)), unit, 2)
  return {
    title,
    body: minutes > 1 ? `${subject} averaged ${shown} for the previous ${minutes} minutes.${limit}` : `${subject} is ${shown}.${limit}`,
  }
}

/** Returns the name of a measured value with its target (`''` for none), such as `usage of /srv`. */
export function englishSubject(kind: string, target: string): string {
  if (target === '') return labelOf(kind)
  if (kind === 'Disk') return `usage of ${target}`
  if (kind === 'DiskRate') return `growth of ${target}`
  return kind === 'Temperature' ? `highest sensor ${target}` : `${labelOf(kind)} ${target}`
}

/** Returns a text with its first letter in upper case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns a number with its unit, such as `80%` or `120.00 MB/s`. `digits`: number of decimals; absent: as many as the number has. */
export const englishUnit = (value: number, unit: string, digits?: number): string =>
  `${digits === undefined ? value : value.toFixed(digits)}${unit.startsWith('%') || unit === '°C' || unit === '' ? unit : ` ${unit}`}`

const MOST_LISTED = 40

/** Maximum time between the first and last start of the alerts in a message that calls them simultaneous, in ms: 5 min. */
const TOGETHER_MS = 300_000

function beganTogether(all: readonly TransitionNotice[]): boolean {
  const times = all.map(({ body }) => body.beganMs)
  return Math.max(...times) - Math.min(...times) <= TOGETHER_MS
}

/**
 * Renders title and first line of one message about several systems: all came back, or all went down within 5 minutes. `undefined` for any
 * other mix of notifications.
 */
function statusDigest(all: readonly TransitionNotice[], words: NoticeWords): Omit<NoticeText, 'systemName'> | undefined {
  const [first] = all
  const isSame = ({ transition, body }: TransitionNotice): boolean => body.kind === 'Status' && transition === first?.transition
  if (first === undefined || isRepeat(first.transition) || !all.every(isSame)) return undefined
  const isUp = first.transition === 'resolved'
  if (!isUp && !beganTogether(all)) return undefined
  return { ...words.systems(all.length, isUp), severity: isUp ? 'resolved' : 'firing' }
}

const systemsTogether = (count: number, isUp: boolean): TitleAndBody =>
  isUp
    ? { title: `Connection to ${count} systems is up \u2705`, body: 'They are back:' }
    : {
        title: `Connection to ${count} systems is down \u{1F534}`,
        body: 'They went down together: the cause may be one, such as the connection of the hub itself.',
      }

/** Functions and texts that render all notifications in English. Clients and people's message filters rely on their exact wording. */
export const englishNoticeWords: NoticeWords = {
  language: 'en',
  notice: wordsOf,
  reminder: reminderText,
  escalation: escalationText,
  unreached: unreachedText,
  conditions: conditionsTogether,
  systems: systemsTogether,
  alerts: (count, systems) => `${count} alerts ${typeof systems === 'number' ? `on ${systems} systems` : `on ${systems}`}`,
  more: (count) => `and ${count} more`,
  test: { title: 'Test alert', body: 'This is a test notification from Vedette.' },
  channelFailure: (kind, reason) => ({
    title: `Notifications by ${kind} do not arrive`,
    body: `The last one was given up: ${reason}`,
  }),
  otherChannelFailure: 'Notifications by another channel do not arrive',
}

/**
 * Renders several notifications as one message. Its body lists the titles of the first 40, in the given order, and the number of the
 * others. English by default.
 */
export function textOfDigest(all: readonly TransitionNotice[], words: NoticeWords = englishNoticeWords): NoticeText {
  const lines = all.slice(0, MOST_LISTED).map((notice) => `• ${textOfNotice(notice, words).title}`)
  const more = all.length > MOST_LISTED ? [words.more(all.length - MOST_LISTED)] : []
  const names = new Set(all.map(({ body }) => body.systemName))
  const [only = ''] = names.size === 1 ? names : []
  const level = levelOf(all.map(({ body }) => body))
  const cause = statusDigest(all, words) ?? conditionDigest(all, words)
  if (cause !== undefined) return { ...cause, body: [cause.body, ...lines, ...more].join('\n'), systemName: only, ...level }
  return {
    title: words.alerts(all.length, only === '' ? names.size : only),
    body: [...lines, ...more].join('\n'),
    severity: latestOfEach(all).some(({ transition }) => transition !== 'resolved') ? 'firing' : 'resolved',
    systemName: only,
    ...level,
  }
}

/**
 * Returns only the latest notification of each alert, in a list for one message. An alert that fired and resolved meanwhile is so listed
 * once, as resolved.
 */
const latestOfEach = (all: readonly TransitionNotice[]): readonly TransitionNotice[] => [
  ...new Map(
    all.map((notice) => [JSON.stringify([notice.body.systemName, notice.body.kind, notice.body.target ?? '']), notice] as const),
  ).values(),
]
