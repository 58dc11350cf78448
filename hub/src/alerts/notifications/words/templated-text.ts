import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { asOneLine, renderTemplate, type Placeholder, type TemplateValues } from '../../messages/message-template.ts'
import { messageTemplates } from '../../messages/message-settings.ts'
import { knownZone } from '../../judging/zone-clock.ts'
import { textOfNotice, type NoticeText } from './notice-text.ts'
import type { NoticeWords, TransitionNotice } from './notice-words.ts'
import { englishFacts, germanFacts, type FactWords } from './fact-words.ts'

/** Maximum distance of a date from 1970 in ms: 8.64e15 (ECMAScript 21.4.1.1). A time beyond it has no text. */
const MOST_MS = 8.64e15

/** Function that renders the message about one alert from its notification. `link` is the URL of the system's page. */
export type TextOfAlert = (notice: TransitionNotice, link: string) => NoticeText

/**
 * Creates the function that renders messages about one alert by the templates in a user's settings. The standard text replaces a missing
 * template and one that renders only white space. Times are in the zone `timeZone` of the settings, else in UTC.
 */
export function templatedTexts(words: NoticeWords, settings: JsonObject): TextOfAlert {
  const { title: titleTemplate, text: textTemplate } = messageTemplates(settings) ?? {}
  const zone = knownZone(settings['timeZone']) ?? 'UTC'
  return (notice, link) => {
    const standard = textOfNotice(notice, words)
    const values = valuesOf(notice, { standard, words, zone, link })
    const title = titleTemplate === undefined ? undefined : renderTemplate('title', titleTemplate, values)
    const body = textTemplate === undefined ? undefined : renderTemplate('text', textTemplate, values)
    return {
      ...standard,
      ...(title === undefined ? {} : { title: asOneLine(title) }),
      ...(body === undefined ? {} : { body }),
    }
  }
}

type ValueContext = { readonly standard: NoticeText; readonly words: NoticeWords; readonly zone: string; readonly link: string }

function valuesOf(notice: TransitionNotice, { standard, words, zone, link }: ValueContext): TemplateValues {
  const facts: FactWords = words.language === 'de' ? germanFacts : englishFacts
  const { systemName, target = '', minutes, beganMs, kind, severity, value, threshold } = notice.body
  // A rule without severity is critical. A drive has no rule.
  const level = kind === 'Drive' ? undefined : (severity ?? 'critical')
  const all: readonly (readonly [Placeholder, string | undefined])[] = [
    ['system', systemName],
    ['alert', facts.alert(kind, target)],
    ['target', target],
    ['state', facts.state(notice.transition)],
    ['severity', level && facts.severity(level)],
    ['value', value === undefined ? undefined : facts.number(kind, value, 2)],
    ['threshold', threshold === undefined ? undefined : facts.number(kind, threshold)],
    ['minutes', minutes === undefined ? undefined : String(minutes)],
    ['since', timeIn(beganMs, zone, words.language)],
    ['reason', facts.reason(notice.body)],
    ['link', link],
  ]
  const known = all.flatMap(([name, text]) => (text === undefined ? [] : [[name, asOneLine(text)] as const]))
  return new Map<Placeholder, string>([['title', standard.title], ['text', standard.body], ...known])
}

/**
 * Returns a time (epoch ms) with its zone, such as `Jan 10, 2026, 12:00 PM UTC`. `undefined` for 0 (unknown) and for a time beyond the
 * range of dates.
 */
function timeIn(atMs: number, zone: string, language: 'en' | 'de'): string | undefined {
  if (!(atMs > 0 && atMs <= MOST_MS)) return undefined
  const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  // The format of English separates the time of day by U+202F, which some receivers cannot show.
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-US', { ...parts, timeZone: zone }).format(atMs).replaceAll('\u202F', ' ')
}
