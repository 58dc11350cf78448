import { ownValue } from '@vedette/protocol/own-value'
import { levelKind, conditionKind } from '../judging/alert-kinds.ts'
import type { NoticeBody, Transition } from './notice-outbox.ts'
import { forecastWords } from './forecast-words.ts'
import type { ChannelMessage } from '../../delivery/channels/channel.ts'

/** Rendered text of one message to a user, for all kinds of channels: title, body, severity and system name. */
export type NoticeText = Pick<ChannelMessage, 'title' | 'body' | 'severity' | 'systemName'>

type TransitionNotice = { readonly transition: Transition; readonly body: NoticeBody }

/** Renders the text of one stored notification: title, body, severity and system name. */
export function textOfNotice({ transition, body }: TransitionNotice): NoticeText {
  if (transition === 'reminder') return reminderText(body)
  const { title, body: text } = wordsOf({ transition, body })
  return { title, body: text, severity: transition === 'resolved' ? 'resolved' : 'firing', systemName: body.systemName }
}

/** Renders a reminder: the text of the "fired", marked as a reminder, with the time for which the alert has fired. */
function reminderText(body: NoticeBody): NoticeText {
  const { lastedMinutes, ...fired } = body
  const { title, body: text, ...rest } = textOfNotice({ transition: 'fired', body: fired })
  const lasted = lastedMinutes === undefined ? '' : ` The alert has been active for ${durationOf(lastedMinutes)}.`
  return { ...rest, title: `Reminder: ${title}`, body: `${text}${text.endsWith('.') ? '' : '.'}${lasted}` }
}

const durationOf = (minutes: number): string => (minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`)

function wordsOf(notice: TransitionNotice): { readonly title: string; readonly body: string } {
  if (notice.body.kind === 'Status') return statusWords(notice)
  if (notice.transition === 'worse') return driveWords(notice.body)
  if (levelKind(notice.body.kind)?.trend === 'forecast') return forecastWords(notice)
  return conditionKind(notice.body.kind) === undefined ? levelWords(notice) : conditionWords(notice)
}

function statusWords({ transition, body: { systemName, reason } }: TransitionNotice) {
  const isUp = transition === 'resolved'
  const sentence = `Connection to ${systemName} is ${isUp ? 'up' : 'down'}`
  const why = isUp || reason === undefined || reason === '' ? '' : `: ${reason}`
  return { title: `${sentence} ${isUp ? '\u2705' : '\u{1F534}'}`, body: `${sentence}${why}` }
}

function driveWords({ systemName, target = 'a drive', reason = '' }: NoticeBody) {
  const isFailure = /^failed$/i.test(reason)
  const state = isFailure ? 'failure' : reason.toLowerCase()
  return {
    title: `SMART ${state} on ${systemName}: ${target} ${isFailure ? '\u{1F534}' : '\u{1F7E0}'}`,
    body: `The drive ${target} of ${systemName} judges its own health as ${reason}`,
  }
}

const isOfServices = (kind: string): boolean => kind === 'SystemdFailed' || kind === 'Service'

/**
 * Map from the bad condition of a container or service to the words of a notification, such as `stopped` to "is not running". They continue
 * a sentence. Other conditions give "is not well".
 */
const conditionPhrases: Readonly<Record<string, string>> = {
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

function conditionWords({ transition, body: { systemName, kind, target = '', reason = '' } }: TransitionNotice) {
  const isOver = transition === 'resolved'
  const thing = `${isOfServices(kind) ? 'Service' : 'Container'}${target === '' ? '' : ` ${target}`}`
  const what = isOver ? (ownValue(recoveryPhrases, kind) ?? 'runs again') : (ownValue(conditionPhrases, reason) ?? 'is not well')
  return { title: `${thing} on ${systemName} ${what} ${isOver ? '\u2705' : '\u{1F534}'}`, body: `${thing} on ${systemName} ${what}.` }
}

/**
 * Renders one message for several containers or services of one system that failed, or recovered, together. `undefined` for any other mix
 * of notifications.
 */
function conditionDigest(all: readonly TransitionNotice[]): Pick<NoticeText, 'title' | 'body' | 'severity'> | undefined {
  const [first] = all
  if (first === undefined) return undefined
  const { transition, body } = first
  if (transition === 'reminder') return undefined
  const isSame = (one: TransitionNotice): boolean =>
    conditionKind(one.body.kind) !== undefined &&
    one.transition === transition &&
    one.body.systemName === body.systemName &&
    isOfServices(one.body.kind) === isOfServices(body.kind)
  if (!all.every(isSame)) return undefined
  const things = `${all.length} ${isOfServices(body.kind) ? 'services' : 'containers'} on ${body.systemName}`
  if (transition === 'resolved')
    return { title: `${things} are well again \u2705`, body: 'Nothing is wrong any more with:', severity: 'resolved' }
  return { title: `${things} are not well \u{1F534}`, body: 'At the same time:', severity: 'firing' }
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

function levelWords({ transition, body }: TransitionNotice) {
  const { systemName, kind, target = '', value, threshold, minutes = 1 } = body
  const level = levelKind(kind)
  const isBeyond = transition === 'fired'
  const side = isBeyond === (level?.direction !== 'below') ? 'above' : 'below'
  const unit = level?.unit ?? ''
  const title = `${systemName} ${level?.isOfOne === true ? subjectOf(kind, target) : labelOf(kind)} ${side} threshold`
  const subject = capitalised(subjectOf(kind, target))
  const limit = threshold === undefined ? '' : ` The threshold is ${withUnit(threshold, unit)}.`
  if (value === undefined) return { title, body: `${subject} is ${side} the threshold again.${limit}` }
  const shown = withUnit(Number(value.toFixed(2)), unit, 2)
  return {
    title,
    body: minutes > 1 ? `${subject} averaged ${shown} for the previous ${minutes} minutes.${limit}` : `${subject} is ${shown}.${limit}`,
  }
}

function subjectOf(kind: string, target: string): string {
  if (target === '') return labelOf(kind)
  if (kind === 'Disk') return `usage of ${target}`
  if (kind === 'DiskRate') return `growth of ${target}`
  return kind === 'Temperature' ? `highest sensor ${target}` : `${labelOf(kind)} ${target}`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const withUnit = (value: number, unit: string, digits?: number): string =>
  `${digits === undefined ? value : value.toFixed(digits)}${unit.startsWith('%') || unit === '°C' || unit === '' ? unit : ` ${unit}`}`

const MOST_LISTED = 40

/** Renders one message for several systems that went down, or came back, together. `undefined` for any other mix of notifications. */
function statusDigest(all: readonly TransitionNotice[]): Pick<NoticeText, 'title' | 'body' | 'severity'> | undefined {
  const [first] = all
  const isSame = ({ transition, body }: TransitionNotice): boolean => body.kind === 'Status' && transition === first?.transition
  if (first === undefined || first.transition === 'reminder' || !all.every(isSame)) return undefined
  if (first.transition === 'resolved')
    return { title: `Connection to ${all.length} systems is up \u2705`, body: 'They are back:', severity: 'resolved' }
  return {
    title: `Connection to ${all.length} systems is down \u{1F534}`,
    body: 'They went down together: the cause may be one, such as the connection of the hub itself.',
    severity: 'firing',
  }
}

/** Renders several notifications as one message: title, body that lists up to 40 of them, severity and system name. */
export function textOfDigest(all: readonly TransitionNotice[]): NoticeText {
  const lines = all.slice(0, MOST_LISTED).map((notice) => `• ${textOfNotice(notice).title}`)
  const more = all.length > MOST_LISTED ? [`and ${all.length - MOST_LISTED} more`] : []
  const names = new Set(all.map(({ body }) => body.systemName))
  const [only] = names.size === 1 ? names : ['']
  const cause = statusDigest(all) ?? conditionDigest(all)
  if (cause !== undefined) return { ...cause, body: [cause.body, ...lines, ...more].join('\n'), systemName: only ?? '' }
  return {
    title: `${all.length} alerts ${only === '' || only === undefined ? `on ${names.size} systems` : `on ${only}`}`,
    body: [...lines, ...more].join('\n'),
    severity: all.some(({ transition }) => transition !== 'resolved') ? 'firing' : 'resolved',
    systemName: only ?? '',
  }
}
