import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NoticeBody, Transition } from '../notice.ts'
import { levelKinds } from '../../judging/alert-kinds.ts'
import type { Severity } from '../../judging/judgement.ts'
import { germanNoticeWords } from './german-notice-words.ts'
import type { NoticeWords } from './notice-words.ts'
import { textOfDigest, textOfNotice } from './notice-text.ts'

const told = (transition: Transition, body: Partial<NoticeBody>) => ({
  transition,
  body: { systemName: 'web', kind: 'CPU', beganMs: 0, ...body },
})

for (const [one, title, body] of [
  [
    told('fired', { value: 93.204, threshold: 80, minutes: 10 }),
    'web CPU above threshold',
    'CPU averaged 93.20% for the previous 10 minutes. The threshold is 80%.',
  ],
  [told('resolved', { value: 20, threshold: 80, minutes: 1 }), 'web CPU below threshold', 'CPU is 20.00%. The threshold is 80%.'],
  [
    told('fired', { kind: 'Disk', target: '/data', value: 91, threshold: 90, minutes: 5 }),
    'web disk usage above threshold',
    'Usage of /data averaged 91.00% for the previous 5 minutes. The threshold is 90%.',
  ],
  [
    told('fired', { kind: 'Temperature', target: 'nvme', value: 71.5, threshold: 70, minutes: 2 }),
    'web temperature above threshold',
    'Highest sensor nvme averaged 71.50°C for the previous 2 minutes. The threshold is 70°C.',
  ],
  [
    told('fired', { kind: 'Bandwidth', value: 120, threshold: 100, minutes: 1 }),
    'web bandwidth above threshold',
    'Bandwidth is 120.00 MB/s. The threshold is 100 MB/s.',
  ],
  [
    told('fired', { kind: 'LoadAvg5', value: 12.5, threshold: 10, minutes: 1 }),
    'web 5m load above threshold',
    '5m load is 12.50. The threshold is 10.',
  ],
  [
    told('fired', { kind: 'Battery', value: 15, threshold: 20, minutes: 1 }),
    'web battery below threshold',
    'Battery is 15.00%. The threshold is 20%.',
  ],
  [
    told('resolved', { kind: 'Battery', value: 30, threshold: 20, minutes: 1 }),
    'web battery above threshold',
    'Battery is 30.00%. The threshold is 20%.',
  ],
  [told('resolved', {}), 'web CPU below threshold', 'CPU is below the threshold again.'],
  [told('fired', { kind: 'Status', reason: 'No answer' }), 'Connection to web is down 🔴', 'Connection to web is down: No answer'],
  [told('resolved', { kind: 'Status', reason: 'No answer' }), 'Connection to web is up ✅', 'Connection to web is up'],
  [
    told('worse', { kind: 'Drive', target: '/dev/sda', reason: 'FAILED' }),
    'SMART failure on web: /dev/sda 🔴',
    'The drive /dev/sda of web judges its own health as FAILED',
  ],
  [
    told('worse', { kind: 'Drive', target: '/dev/sda', reason: 'WARNING' }),
    'SMART warning on web: /dev/sda 🟠',
    'The drive /dev/sda of web judges its own health as WARNING',
  ],
  [
    told('fired', { kind: 'Filesystem', target: '/data', value: 91, threshold: 90, minutes: 1 }),
    'web usage of /data above threshold',
    'Usage of /data is 91.00%. The threshold is 90%.',
  ],
  [
    told('fired', { kind: 'ContainerMemory', target: 'db', value: 2048, threshold: 1024, minutes: 5 }),
    'web memory of container db above threshold',
    'Memory of container db averaged 2048.00 MB for the previous 5 minutes. The threshold is 1024 MB.',
  ],
  [
    told('fired', { kind: 'DiskForecast', target: '/srv', value: 31.4, range: { low: 26.1, high: 40.4 }, threshold: 48, minutes: 10 }),
    'Disk /srv of web is expected to be full in 31 h \u{1F7E0}',
    'Disk /srv of web is expected to be full in 31 h (26 to 40 h). The threshold is 48 h.',
  ],
  [
    told('fired', { kind: 'DiskForecast', target: 'root', value: 100, range: { low: 90, high: 148 }, threshold: 168, minutes: 10 }),
    'Disk root of web is expected to be full in 4.2 days \u{1F7E0}',
    'Disk root of web is expected to be full in 4.2 days (3.8 to 6.2 days). The threshold is 7 days.',
  ],
  [
    told('fired', { kind: 'DiskForecast', target: 'root', value: 0, range: { low: 0, high: 0 }, threshold: 48, minutes: 10 }),
    'Disk root of web is full \u{1F7E0}',
    'Disk root of web is full. The threshold is 48 h.',
  ],
  [
    told('resolved', { kind: 'DiskForecast', target: 'root', threshold: 48, minutes: 10 }),
    'Disk root of web is not expected to be full soon \u2705',
    'Disk root of web stopped growing. The threshold is 48 h.',
  ],
  [
    told('fired', { kind: 'MemoryForecast', value: 3.26, threshold: 24, minutes: 10 }),
    'Memory of web is expected to be full in 3.3 h \u{1F7E0}',
    'Memory of web is expected to be full in 3.3 h. The threshold is 24 h.',
  ],
  [
    told('fired', { kind: 'DiskRate', target: '/srv', value: 7.5, threshold: 5, minutes: 10 }),
    'web disk growth above threshold',
    'Growth of /srv averaged 7.50%/h for the previous 10 minutes. The threshold is 5%/h.',
  ],
  [
    told('fired', { kind: 'Container', target: 'db', reason: 'stopped' }),
    'Container db on web is not running \u{1F534}',
    'Container db on web is not running.',
  ],
  [
    told('resolved', { kind: 'SystemdFailed', target: 'cron.service' }),
    'Service cron.service on web is not failed any more \u2705',
    'Service cron.service on web is not failed any more.',
  ],
] as const)
  test(`textOfNotice: ${title}`, () => {
    const severity = one.transition === 'resolved' ? 'resolved' : 'firing'
    assert.deepEqual(textOfNotice(one), { title, body, severity, systemName: 'web' })
  })

test('textOfDigest: the title counts the alerts, and the body lists at most 40', () => {
  const many = Array.from({ length: 50 }, (_, at) => told('fired', { systemName: `s${at}`, kind: 'Status' }))
  const digest = textOfDigest(many)
  assert.deepEqual([digest.title, digest.severity, digest.systemName], ['Connection to 50 systems is down \u{1F534}', 'firing', ''])
  assert.equal(digest.body.split('\n').length, 42)
  assert.ok(digest.body.endsWith('\nand 10 more'))
  const own = textOfDigest([told('resolved', {}), told('resolved', { kind: 'Memory' })])
  assert.deepEqual([own.title, own.severity, own.systemName], ['2 alerts on web', 'resolved', 'web'])
})

test('textOfDigest: the title counts alerts and systems when the kinds differ', () => {
  const some = [
    { transition: 'fired' as const, body: { systemName: 'web', kind: 'Status', beganMs: 0 } },
    { transition: 'fired' as const, body: { systemName: 'db', kind: 'CPU', value: 90, threshold: 80, minutes: 1, beganMs: 0 } },
  ]
  assert.equal(textOfDigest(some).title, '2 alerts on 2 systems')
})

test('textOfNotice: the severity is in the title, and in the colour of the circle', () => {
  const titles = (words?: NoticeWords) =>
    (['warning', 'critical'] as const).flatMap((severity) => [
      textOfNotice(told('worse', { value: 95, severity }), words).title,
      textOfNotice(told('fired', { kind: 'Status', severity }), words).title,
    ])
  assert.deepEqual(titles(), [
    'web CPU above warning threshold',
    'Connection to web is down \u{1F7E0}',
    'web CPU above critical threshold',
    'Connection to web is down \u{1F534}',
  ])
  assert.deepEqual(titles(germanNoticeWords), [
    'web: CPU-Auslastung über der Warnschwelle',
    'Verbindung zu web ist unterbrochen \u{1F7E0}',
    'web: CPU-Auslastung über der kritischen Schwelle',
    'Verbindung zu web ist unterbrochen \u{1F534}',
  ])
})

test('textOfDigest is about resolved alerts if each of them ended, also those that began in it', () => {
  const notice = (transition: Transition, target: string) => ({ transition, body: { systemName: 'web', kind: 'CPU', target, beganMs: 0 } })
  const severityOf = (...all: Parameters<typeof textOfDigest>[0]) => textOfDigest(all).severity
  assert.equal(severityOf(notice('fired', 'a'), notice('resolved', 'a')), 'resolved')
  assert.equal(severityOf(notice('fired', 'a'), notice('resolved', 'b')), 'firing')
  assert.equal(severityOf(notice('resolved', 'a'), notice('fired', 'a')), 'firing')
})

test('textOfDigest has the highest severity of its alerts', () => {
  const levelOf = (...all: readonly (Severity | undefined)[]) =>
    textOfDigest(all.map((severity) => told('fired', severity === undefined ? {} : { severity }))).level
  assert.deepEqual(
    [levelOf('warning', 'warning'), levelOf('warning', 'critical'), levelOf('warning', undefined)],
    ['warning', 'critical', 'critical'],
  )
  assert.equal(levelOf(undefined, undefined), undefined)
})

const german = germanNoticeWords

for (const [one, title, body] of [
  [
    told('fired', { value: 93.204, threshold: 80.5, minutes: 10 }),
    'web: CPU-Auslastung über dem Schwellenwert',
    'CPU-Auslastung lag in den letzten 10 Minuten im Mittel bei 93,20 %. Der Schwellenwert ist 80,5 %.',
  ],
  [
    told('resolved', { kind: 'Disk', target: '/data', value: 20, threshold: 80, minutes: 1 }),
    'web: Plattenbelegung unter dem Schwellenwert',
    'Belegung von /data liegt bei 20,00 %. Der Schwellenwert ist 80 %.',
  ],
  [
    told('fired', { kind: 'Temperature', target: 'nvme', value: 71.5, threshold: 70, minutes: 1 }),
    'web: Temperatur über dem Schwellenwert',
    'Temperatur von nvme liegt bei 71,50 °C. Der Schwellenwert ist 70 °C.',
  ],
  [
    told('fired', { kind: 'Battery', value: 15, threshold: 20, minutes: 1 }),
    'web: Akkustand unter dem Schwellenwert',
    'Akkustand liegt bei 15,00 %. Der Schwellenwert ist 20 %.',
  ],
  [
    told('fired', { kind: 'LoadAvg5', value: 12.5, threshold: 10, minutes: 1 }),
    'web: Last über 5 min über dem Schwellenwert',
    'Last über 5 min liegt bei 12,50. Der Schwellenwert ist 10.',
  ],
  [
    told('fired', { kind: 'ContainerMemory', target: 'db', value: 2048, threshold: 1024, minutes: 1 }),
    'web: Speicherverbrauch des Containers db über dem Schwellenwert',
    'Speicherverbrauch des Containers db liegt bei 2048,00 MB. Der Schwellenwert ist 1024 MB.',
  ],
  [told('resolved', {}), 'web: CPU-Auslastung unter dem Schwellenwert', 'CPU-Auslastung liegt wieder unter dem Schwellenwert.'],
  [
    told('fired', { kind: 'DiskForecast', target: '/srv', value: 31.4, range: { low: 26.1, high: 40.4 }, threshold: 48, minutes: 10 }),
    'Die Platte /srv von web ist voraussichtlich in 31 h voll \u{1F7E0}',
    'Die Platte /srv von web ist voraussichtlich in 31 h voll (26 bis 40 h). Der Schwellenwert ist 48 h.',
  ],
  [
    told('fired', { kind: 'DiskForecast', target: 'root', value: 100, range: { low: 90, high: 148 }, threshold: 168, minutes: 10 }),
    'Die Platte root von web ist voraussichtlich in 4,2 Tagen voll \u{1F7E0}',
    'Die Platte root von web ist voraussichtlich in 4,2 Tagen voll (3,8 bis 6,2 Tage). Der Schwellenwert ist 7 Tage.',
  ],
  [
    told('fired', { kind: 'Status', reason: 'No answer' }),
    'Verbindung zu web ist unterbrochen 🔴',
    'Verbindung zu web ist unterbrochen: No answer',
  ],
  [told('resolved', { kind: 'Status' }), 'Verbindung zu web besteht wieder ✅', 'Verbindung zu web besteht wieder'],
  [
    told('worse', { kind: 'Drive', target: '/dev/sda', reason: 'FAILED' }),
    'SMART-Fehler auf web: /dev/sda 🔴',
    'Das Laufwerk /dev/sda von web meldet seinen Zustand als FAILED',
  ],
  [
    told('fired', { kind: 'Container', target: 'db', reason: 'stopped' }),
    'Container db auf web läuft nicht 🔴',
    'Container db auf web läuft nicht.',
  ],
  [
    told('resolved', { kind: 'SystemdFailed', target: 'cron.service' }),
    'Dienst cron.service auf web ist nicht mehr fehlgeschlagen ✅',
    'Dienst cron.service auf web ist nicht mehr fehlgeschlagen.',
  ],
  [
    told('reminder', { kind: 'Status', lastedMinutes: 150 }),
    'Erinnerung: Verbindung zu web ist unterbrochen 🔴',
    'Verbindung zu web ist unterbrochen. Der Alarm ist seit 3 h aktiv.',
  ],
] as const)
  test(`textOfNotice in German: ${title}`, () => {
    const { severity } = textOfNotice(one)
    assert.deepEqual(textOfNotice(one, german), { title, body, severity, systemName: 'web' })
  })

test('textOfNotice has a German name for each alert kind with a threshold', () => {
  for (const { name } of levelKinds)
    assert.doesNotMatch(textOfNotice(told('fired', { kind: name }), german).title, new RegExp(`: ${name} `))
})

test('textOfDigest in German has the same severity, system and number of lines as in English', () => {
  const down = (transition: Transition, count: number) =>
    Array.from({ length: count }, (_, at) => told(transition, { systemName: `s${at}`, kind: 'Status' }))
  const stopped = (transition: Transition) => ['a', 'b'].map((target) => told(transition, { kind: 'Container', target, reason: 'stopped' }))
  for (const [all, title] of [
    [down('fired', 50), 'Verbindung zu 50 Systemen ist unterbrochen 🔴'],
    [down('resolved', 3), 'Verbindung zu 3 Systemen besteht wieder ✅'],
    [stopped('fired'), '2 Container auf web sind nicht in Ordnung 🔴'],
    [stopped('resolved'), '2 Container auf web sind wieder in Ordnung ✅'],
    [[told('resolved', {}), told('fired', { kind: 'Memory' })], '2 Alarme auf web'],
    [[told('fired', {}), told('fired', { systemName: 'db', kind: 'Memory' })], '2 Alarme auf 2 Systemen'],
  ] as const) {
    const [english, text] = [textOfDigest(all), textOfDigest(all, german)]
    assert.equal(text.title, title)
    assert.deepEqual([text.severity, text.systemName], [english.severity, english.systemName])
    assert.equal(text.body.split('\n').length, english.body.split('\n').length)
  }
})
