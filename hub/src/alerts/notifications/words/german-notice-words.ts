import { ownValue } from '@vedette/protocol/own-value'
import { conditionKind, levelKind, type LevelKind } from '../../judging/alert-kinds.ts'
import { isInDays, numberIn } from './forecast-words.ts'
import type { NoticeBody } from '../notice.ts'
import type { NoticeWords, TitleAndBody, TransitionNotice } from './notice-words.ts'

const OVER = '\u2705'
const FIRING = '\u{1F534}'
const WARNING = '\u{1F7E0}'

function germanNotice(notice: TransitionNotice): TitleAndBody {
  if (notice.body.kind === 'Status') return statusText(notice)
  if (notice.body.kind === 'Drive') return driveText(notice.body)
  if (levelKind(notice.body.kind)?.trend === 'forecast') return forecastText(notice)
  return conditionKind(notice.body.kind) === undefined ? levelText(notice) : conditionText(notice)
}

/**
 * Returns the coloured circle (emoji) at the end of a German title that says that an alert fires. Orange for the severity `warning`, else
 * red.
 */
const circleOf = (severity: NoticeBody['severity']): string => (severity === 'warning' ? WARNING : FIRING)

function statusText({ transition, body: { systemName, reason = '', severity } }: TransitionNotice): TitleAndBody {
  const isUp = transition === 'resolved'
  const sentence = `Verbindung zu ${systemName} ${isUp ? 'besteht wieder' : 'ist unterbrochen'}`
  return { title: `${sentence} ${isUp ? OVER : circleOf(severity)}`, body: isUp || reason === '' ? sentence : `${sentence}: ${reason}` }
}

function driveText({ systemName, target = 'ein Laufwerk', reason = '' }: NoticeBody): TitleAndBody {
  const isFailure = /^failed$/i.test(reason)
  const state = isFailure ? 'SMART-Fehler' : /^warning$/i.test(reason) ? 'SMART-Warnung' : `SMART-Zustand ${reason}`
  return {
    title: `${state} auf ${systemName}: ${target} ${isFailure ? FIRING : WARNING}`,
    body: `Das Laufwerk ${target} von ${systemName} meldet seinen Zustand als ${reason}`,
  }
}

const isOfServices = (kind: string): boolean => kind === 'SystemdFailed' || kind === 'Service'

/**
 * Map from the bad condition of a container or service, such as `stopped`, to its German words, which continue a sentence (`läuft nicht`).
 */
export const germanConditions: Readonly<Record<string, string>> = {
  stopped: 'läuft nicht',
  restarting: 'startet immer wieder neu',
  unhealthy: 'ist fehlerhaft (unhealthy)',
  failed: 'ist fehlgeschlagen',
  inactive: 'ist nicht aktiv',
}

const recoveries: Readonly<Record<string, string>> = {
  ContainerHealth: 'ist nicht mehr fehlerhaft',
  SystemdFailed: 'ist nicht mehr fehlgeschlagen',
  Service: 'ist wieder aktiv',
}

function conditionText({ transition, body: { systemName, kind, target = '', reason = '', severity } }: TransitionNotice): TitleAndBody {
  const isOver = transition === 'resolved'
  const thing = `${isOfServices(kind) ? 'Dienst' : 'Container'}${target === '' ? '' : ` ${target}`}`
  const state = isOver ? (ownValue(recoveries, kind) ?? 'läuft wieder') : (ownValue(germanConditions, reason) ?? 'ist nicht in Ordnung')
  const sentence = `${thing} auf ${systemName} ${state}`
  return { title: `${sentence} ${isOver ? OVER : circleOf(severity)}`, body: `${sentence}.` }
}

/**
 * Map from alert kind, such as `CPU`, to the German name of its measured value in titles of notifications. Alert kinds without an entry
 * appear by their names.
 */
const labels: Readonly<Record<string, string>> = {
  CPU: 'CPU-Auslastung',
  Memory: 'Speicherauslastung',
  CPUIOWait: 'I/O-Wartezeit der CPU',
  CPUSteal: 'Steal-Zeit der CPU',
  Disk: 'Plattenbelegung',
  Filesystem: 'Belegung von',
  Bandwidth: 'Datenverkehr',
  Interface: 'Datenverkehr von',
  ContainerCPU: 'CPU-Auslastung des Containers',
  ContainerMemory: 'Speicherverbrauch des Containers',
  DiskRate: 'Zuwachs der Platten',
  MemoryRate: 'Zuwachs des Speichers',
  GPU: 'Auslastung der GPU',
  Temperature: 'Temperatur',
  LoadAvg1: 'Last über 1 min',
  LoadAvg5: 'Last über 5 min',
  LoadAvg15: 'Last über 15 min',
  Battery: 'Akkustand',
}

const labelOf = (kind: string): string => ownValue(labels, kind) ?? kind

/** Returns the German name of a measured value with its target (`''` for none), such as `Belegung von /srv`. */
export function germanSubject(kind: string, target: string): string {
  if (target === '') return labelOf(kind)
  if (kind === 'Disk') return `Belegung von ${target}`
  if (kind === 'DiskRate') return `Zuwachs von ${target}`
  return kind === 'Temperature' ? `Temperatur von ${target}` : `${labelOf(kind)} ${target}`
}

const isAbove = (transition: TransitionNotice['transition'], level: LevelKind | undefined): boolean =>
  (transition !== 'resolved') === (level?.direction !== 'below')

function thresholdName(transition: TransitionNotice['transition'], severity: NoticeBody['severity']): string {
  if (transition === 'resolved' || severity === undefined) return 'dem Schwellenwert'
  return severity === 'warning' ? 'der Warnschwelle' : 'der kritischen Schwelle'
}

function levelText({ transition, body }: TransitionNotice): TitleAndBody {
  const { systemName, kind, target = '', value, threshold, minutes = 1, severity } = body
  const level = levelKind(kind)
  const side = isAbove(transition, level) ? 'über' : 'unter'
  const unit = level?.unit ?? ''
  const subject = germanSubject(kind, target)
  const title = `${systemName}: ${level?.isOfOne === true ? subject : labelOf(kind)} ${side} ${thresholdName(transition, severity)}`
  const limit = threshold === undefined ? '' : ` Der Schwellenwert ist ${germanUnit(String(threshold), unit)}.`
  if (value === undefined) return { title, body: `${subject} liegt wieder ${side} dem Schwellenwert.${limit}` }
  const shown = germanUnit(value.toFixed(2), unit)
  const sentence =
    minutes > 1 ? `${subject} lag in den letzten ${minutes} Minuten im Mittel bei ${shown}.` : `${subject} liegt bei ${shown}.`
  return { title, body: `${sentence}${limit}` }
}

function forecastText({ transition, body }: TransitionNotice): TitleAndBody {
  const { systemName, kind, target = '', value, threshold, severity } = body
  const subject = `${kind === 'MemoryForecast' ? 'Der Speicher' : `Die Platte${target === '' ? '' : ` ${target}`}`} von ${systemName}`
  const mark = transition === 'resolved' ? OVER : severity === 'critical' ? FIRING : WARNING
  const limit = threshold === undefined ? '' : ` Der Schwellenwert ist ${germanHours(threshold)}.`
  if (value === undefined)
    return { title: `${subject} wird nicht so bald voll ${mark}`, body: `${subject} füllt sich nicht weiter.${limit}` }
  if (value === 0) return { title: `${subject} ist voll ${mark}`, body: `${subject} ist voll.${limit}` }
  const sentence = `${subject} ist voraussichtlich in ${germanHours(value, 'Tagen')} voll`
  return { title: `${sentence} ${mark}`, body: `${sentence}${rangeText(body.range, value)}.${limit}` }
}

function rangeText(range: NoticeBody['range'], hours: number): string {
  if (range === undefined) return ''
  const [low, high] = [numberIn(range.low, hours), numberIn(range.high, hours)]
  return low === high ? '' : ` (${comma(low)} bis ${comma(high)} ${isInDays(hours) ? 'Tage' : 'h'})`
}

const comma = (number: number): string => String(number).replace('.', ',')

/**
 * Returns hours in German, such as `31 h` or, from 72 h, `3,5 Tage`. `days`: the word for days in the grammatical case of the sentence,
 * `Tage` or `Tagen`.
 */
export const germanHours = (hours: number, days = 'Tage'): string => `${comma(numberIn(hours, hours))} ${isInDays(hours) ? days : 'h'}`

/** Returns a number in German with its unit, such as `93,20 %` for `93.20` and `%`. `''` as unit adds none. */
export const germanUnit = (number: string, unit: string): string => `${number.replace('.', ',')}${unit === '' ? '' : ` ${unit}`}`

const durationOf = (minutes: number): string => (minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`)

const asSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

/** Functions and texts that render all notifications in German. */
export const germanNoticeWords: NoticeWords = {
  language: 'de',
  notice: germanNotice,
  reminder({ title, body }, lastedMinutes) {
    const lasted = lastedMinutes === undefined ? '' : ` Der Alarm ist seit ${durationOf(lastedMinutes)} aktiv.`
    return { title: `Erinnerung: ${title}`, body: `${body}${body.endsWith('.') ? '' : '.'}${lasted}` }
  },
  escalation({ title, body }, minutes, ownerName = '') {
    const first = ownerName === '' ? '' : ` Zuerst wurde ${ownerName} benachrichtigt.`
    return {
      title: `Eskaliert: ${title}`,
      body: `${asSentence(body)} Niemand hat den Alarm ${durationOf(minutes)} lang bestätigt.${first}`,
    }
  },
  unreached: ({ title, body }, minutes) => ({
    title: `Eskalation hat niemanden erreicht: ${title}`,
    body: `${asSentence(body)} Niemand hat den Alarm ${durationOf(minutes)} lang bestätigt, und die letzte Stufe der Eskalation hat keinen Empfänger mehr.`,
  }),
  conditions(count, { transition, body: { kind, systemName } }) {
    const things = `${count} ${isOfServices(kind) ? 'Dienste' : 'Container'} auf ${systemName}`
    return transition === 'resolved'
      ? { title: `${things} sind wieder in Ordnung ${OVER}`, body: 'Wieder in Ordnung:' }
      : { title: `${things} sind nicht in Ordnung ${FIRING}`, body: 'Gleichzeitig:' }
  },
  systems: (count, isUp) =>
    isUp
      ? { title: `Verbindung zu ${count} Systemen besteht wieder ${OVER}`, body: 'Wieder erreichbar:' }
      : {
          title: `Verbindung zu ${count} Systemen ist unterbrochen ${FIRING}`,
          body: 'Sie sind gleichzeitig ausgefallen. Vielleicht haben sie eine gemeinsame Ursache, etwa die Verbindung des Hubs selbst.',
        },
  alerts: (count, systems) => `${count} Alarme auf ${typeof systems === 'number' ? `${systems} Systemen` : systems}`,
  more: (count) => `und ${count} weitere`,
  test: { title: 'Testnachricht', body: 'Das ist eine Testnachricht von Vedette.' },
  channelFailure: (kind, reason) => ({
    title: `Benachrichtigungen per ${kind} kommen nicht an`,
    body: `Die letzte wurde aufgegeben: ${reason}`,
  }),
  otherChannelFailure: 'Benachrichtigungen per einem anderen Kanal kommen nicht an',
}
