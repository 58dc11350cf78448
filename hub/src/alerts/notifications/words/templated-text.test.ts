import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { conditionKinds } from '../../judging/condition-kinds.ts'
import { levelKinds } from '../../judging/alert-kinds.ts'
import { placeholders, renderedLimits } from '../../messages/message-template.ts'
import type { NoticeBody, Transition } from '../notice.ts'
import { germanNoticeWords } from './german-notice-words.ts'
import { englishNoticeWords, textOfNotice } from './notice-text.ts'
import { templatedTexts } from './templated-text.ts'

const LINK = 'https://hub.example/system/web'
const ALL = '{system}|{alert}|{target}|{state}|{severity}|{value}|{threshold}|{minutes}|{since}|{reason}'
const NOON_MS = Date.UTC(2026, 0, 10, 12)

const cases: readonly (readonly [transition: Transition, body: Partial<NoticeBody>, english: string, german: string])[] = [
  [
    'fired',
    { value: 93.2, threshold: 80, minutes: 10, beganMs: NOON_MS },
    'web|CPU||firing|critical|93.20%|80%|10|Jan 10, 2026, 05:45 PM GMT+5:45|',
    'web|CPU-Auslastung||aktiv|kritisch|93,20 %|80 %|10|10. Jan. 2026, 17:45 GMT+5:45|',
  ],
  [
    'worse',
    { kind: 'Disk', target: '/srv', value: 91, threshold: 90.5, minutes: 1, severity: 'critical' },
    'web|Usage of /srv|/srv|worse|critical|91.00%|90.5%|1||',
    'web|Belegung von /srv|/srv|schlimmer|kritisch|91,00 %|90,5 %|1||',
  ],
  [
    'reminder',
    { kind: 'Container', target: 'db', reason: 'stopped', minutes: 5, lastedMinutes: 30, severity: 'warning' },
    'web|Container db|db|still firing|warning|||5||is not running',
    'web|Container db|db|weiterhin aktiv|Warnung|||5||läuft nicht',
  ],
  [
    'resolved',
    { kind: 'DiskForecast', target: 'root', value: 100, threshold: 48 },
    'web|Disk forecast root|root|resolved|critical|4.2 days|48 h|||',
    'web|Prognose der Platte root|root|beendet|kritisch|4,2 Tage|48 h|||',
  ],
  [
    'fired',
    { kind: 'Status', reason: 'No answer' },
    'web|Connection||firing|critical|||||No answer',
    'web|Verbindung||aktiv|kritisch|||||No answer',
  ],
  [
    'worse',
    { kind: 'Drive', target: '/dev/sda', reason: 'FAILED' },
    'web|Drive /dev/sda|/dev/sda|worse||||||FAILED',
    'web|Laufwerk /dev/sda|/dev/sda|schlimmer||||||FAILED',
  ],
]

for (const [transition, body, english, german] of cases)
  for (const [words, expected] of [
    [englishNoticeWords, english],
    [germanNoticeWords, german],
  ] as const)
    test(`templatedTexts: ${words.language}, ${body.kind ?? 'CPU'} ${transition}`, () => {
      const textOf = templatedTexts(words, { timeZone: 'Asia/Kathmandu', messageTemplates: { title: '{state}', text: ALL } })
      const notice = { transition, body: { systemName: 'web', kind: 'CPU', beganMs: 0, ...body } }
      assert.equal(textOf(notice, LINK).body, expected)
    })

test('templatedTexts keeps the standard text without a template and for one that renders nothing', () => {
  const notice = { transition: 'resolved' as const, body: { systemName: 'web', kind: 'CPU', beganMs: 0 } }
  const standard = textOfNotice(notice, englishNoticeWords)
  for (const messageTemplates of [{}, { title: '', text: '' }, { title: ' {value} ', text: '{target}\n' }, null, 7])
    assert.deepEqual(templatedTexts(englishNoticeWords, { messageTemplates })(notice, LINK), standard)
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(...placeholders.map((name) => `{${name}}`), '$&', '\n', '\u0000'),
)
const numberOrNone = fc.option(fc.double({ noDefaultInfinity: true, noNaN: true }), { nil: undefined })
const body: fc.Arbitrary<NoticeBody> = fc
  .record({
    systemName: hostile,
    kind: fc.oneof(
      fc.constantFrom('Status', 'Drive', ...levelKinds.map(({ name }) => name), ...conditionKinds.map(({ name }) => name)),
      hostile,
    ),
    target: fc.option(hostile, { nil: undefined }),
    value: numberOrNone,
    threshold: numberOrNone,
    minutes: numberOrNone,
    reason: fc.option(hostile, { nil: undefined }),
    beganMs: fc.double({ noDefaultInfinity: true, noNaN: true }),
    lastedMinutes: numberOrNone,
  })
  .map(({ systemName, kind, beganMs, ...rest }) => ({
    systemName,
    kind,
    beganMs,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  }))
const notices = fc.record({ transition: fc.constantFrom<Transition>('fired', 'worse', 'reminder', 'resolved'), body })
const languages = fc.constantFrom(englishNoticeWords, germanNoticeWords)
const pieces = fc.oneof(fc.constantFrom(...placeholders.map((name) => `{${name}}`)), fc.string({ maxLength: 5 }))
const templates = fc.array(pieces, { maxLength: 400 }).map((parts) => parts.join(''))

test('templatedTexts never fails and keeps the limits, for any notification and template', () => {
  fc.assert(
    fc.property(notices, languages, templates, templates, (notice, words, title, text) => {
      const standard = textOfNotice(notice, words)
      const rendered = templatedTexts(words, { messageTemplates: { title, text } })(notice, LINK)
      assert.ok(rendered.title.length <= Math.max(renderedLimits.title, standard.title.length))
      assert.ok(rendered.body.length <= Math.max(renderedLimits.text, standard.body.length))
      assert.ok(rendered.title !== '' && rendered.body !== '')
    }),
  )
})

test('templatedTexts: the template {text} gives the standard text', () => {
  fc.assert(
    fc.property(notices, languages, (notice, words) => {
      const standard = textOfNotice(notice, words).body
      assert.equal(templatedTexts(words, { messageTemplates: { text: '{text}' } })(notice, LINK).body, standard)
    }),
  )
})

test('templatedTexts never expands an inserted value', () => {
  const marked = fc.record({ transition: fc.constantFrom<Transition>('fired', 'resolved'), body })
  fc.assert(
    fc.property(marked, languages, fc.constantFrom(...placeholders), (notice, words, inner) => {
      const systemName = `{${inner}}`
      const settings = { messageTemplates: { title: '<{system}>', text: '<{system}>' } }
      const rendered = templatedTexts(words, settings)({ ...notice, body: { ...notice.body, systemName } }, LINK)
      assert.deepEqual([rendered.title, rendered.body], [`<${systemName}>`, `<${systemName}>`])
    }),
  )
})
