import { ownValue } from '@vedette/protocol/own-value'
import { conditionKind, levelKind } from '../../judging/alert-kinds.ts'
import type { Severity } from '../../judging/judgement.ts'
import type { NoticeBody, Transition } from '../notice.ts'
import { hoursInWords } from './forecast-words.ts'
import { germanConditions, germanHours, germanSubject, germanUnit } from './german-notice-words.ts'
import { capitalised, conditionPhrases, englishSubject, englishUnit, isOfServices } from './notice-text.ts'

/**
 * Set of words in one language (English or German) for the placeholders of message templates: names of alert kinds, states, severities,
 * values and reasons.
 */
export type FactWords = {
  /**
   * Function that returns the name of an alert for message templates: its kind's name with the target (`''` for none), such as `Usage of
   * /srv`.
   */
  readonly alert: (kind: string, target: string) => string
  readonly state: (transition: Transition) => string
  readonly severity: (severity: Severity) => string
  /**
   * Function that returns a value or threshold as text with the unit of the alert kind, such as `93.20%`. `digits`: number of decimals;
   * absent: as many as the number has. Forecasts ignore `digits`.
   */
  readonly number: (kind: string, value: number, digits?: number) => string
  /**
   * Function that returns the cause of an alert as text, such as `is not running`; for `Status` and `Drive` the stored text. `undefined` if
   * there is none.
   */
  readonly reason: (body: NoticeBody) => string | undefined
}

const isForecast = (kind: string): boolean => levelKind(kind)?.trend === 'forecast'
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const englishStates = {
  fired: 'firing',
  worse: 'worse',
  reminder: 'still firing',
  escalated: 'escalated',
  unreached: 'escalated to nobody',
  resolved: 'resolved',
} as const

export const englishFacts: FactWords = {
  alert(kind, target) {
    if (kind === 'Status') return 'Connection'
    if (kind === 'Drive') return joined('Drive', target)
    if (isForecast(kind)) return kind === 'MemoryForecast' ? 'Memory forecast' : joined('Disk forecast', target)
    if (conditionKind(kind) !== undefined) return joined(isOfServices(kind) ? 'Service' : 'Container', target)
    return capitalised(englishSubject(kind, target))
  },
  state: (transition) => englishStates[transition],
  severity: (severity) => severity,
  number: (kind, value, digits) => (isForecast(kind) ? hoursInWords(value) : englishUnit(value, levelKind(kind)?.unit ?? '', digits)),
  reason: ({ kind, reason }) =>
    reason === undefined || conditionKind(kind) === undefined ? reason : (ownValue(conditionPhrases, reason) ?? 'is not well'),
}

const germanStates = {
  fired: 'aktiv',
  worse: 'schlimmer',
  reminder: 'weiterhin aktiv',
  escalated: 'eskaliert',
  unreached: 'an niemanden eskaliert',
  resolved: 'beendet',
} as const

export const germanFacts: FactWords = {
  alert(kind, target) {
    if (kind === 'Status') return 'Verbindung'
    if (kind === 'Drive') return joined('Laufwerk', target)
    if (isForecast(kind)) return kind === 'MemoryForecast' ? 'Prognose des Speichers' : joined('Prognose der Platte', target)
    if (conditionKind(kind) !== undefined) return joined(isOfServices(kind) ? 'Dienst' : 'Container', target)
    return germanSubject(kind, target)
  },
  state: (transition) => germanStates[transition],
  severity: (severity) => (severity === 'warning' ? 'Warnung' : 'kritisch'),
  number: (kind, value, digits) =>
    isForecast(kind)
      ? germanHours(value)
      : germanUnit(digits === undefined ? String(value) : value.toFixed(digits), levelKind(kind)?.unit ?? ''),
  reason: ({ kind, reason }) =>
    reason === undefined || conditionKind(kind) === undefined ? reason : (ownValue(germanConditions, reason) ?? 'ist nicht in Ordnung'),
}
