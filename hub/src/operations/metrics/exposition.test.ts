import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { exposition, formatFor, labelText, type ExpositionFormat } from './exposition.ts'
import { families } from './families.ts'

const small = {
  a_ratio: { type: 'gauge', help: 'First.' },
  b_bytes: { type: 'counter', help: 'Second.' },
  c: { type: 'info', help: 'Third.' },
} as const

function textOf(format: ExpositionFormat): string {
  const all = exposition(small, 10)
  all.add('b_bytes', 'x="1"', 5)
  all.add('a_ratio', '', 0.25)
  all.add('c', 'version="1"', 1)
  all.add('b_bytes', 'x="2"', 6e21)
  return [...all.parts(format)].join('')
}

test('exposition writes families in the order of their definitions, each in one block, and the end of OpenMetrics', () => {
  assert.deepEqual(textOf('openmetrics').split('\n'), [
    '# TYPE a_ratio gauge',
    '# UNIT a_ratio ratio',
    '# HELP a_ratio First.',
    'a_ratio 0.25',
    '# TYPE b_bytes counter',
    '# UNIT b_bytes bytes',
    '# HELP b_bytes Second.',
    'b_bytes_total{x="1"} 5',
    'b_bytes_total{x="2"} 6e+21',
    '# TYPE c info',
    '# HELP c Third.',
    'c_info{version="1"} 1',
    '# EOF',
    '',
  ])
})

test('exposition names samples in the Prometheus format, which has no units, info families and end', () => {
  assert.deepEqual(
    textOf('prometheus')
      .split('\n')
      .filter((line) => line.startsWith('#')),
    [
      '# TYPE a_ratio gauge',
      '# HELP a_ratio First.',
      '# TYPE b_bytes_total counter',
      '# HELP b_bytes_total Second.',
      '# TYPE c_info gauge',
      '# HELP c_info Third.',
    ],
  )
})

test('exposition leaves out values that are not finite, families without samples, and samples beyond its maximum', () => {
  const all = exposition(small, 2)
  assert.equal(all.add('a_ratio', 'x="1"', Number.NaN), true)
  assert.equal(all.add('a_ratio', 'x="1"', Number.POSITIVE_INFINITY), true)
  assert.deepEqual(
    [1, 2, 3].map((value) => all.add('b_bytes', `x="${value}"`, value)),
    [true, true, false],
  )
  assert.equal([...all.parts('openmetrics')].join('').match(/^b_bytes_total/gm)?.length, 2)
  assert.ok(![...all.parts('openmetrics')].join('').includes('a_ratio'))
})

test('labelText escapes any value so that it stays one line and can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 150 }), (value) => {
      const text = labelText([['name', value]])
      assert.ok(!text.includes('\n'))
      const [, inner = ''] = /^name="((?:[^"\\]|\\[\\n"])*)"$/.exec(text) ?? assert.fail(text)
      const back = inner.replaceAll(/\\([\\n"])/g, (_, one: string) => (one === 'n' ? '\n' : one))
      assert.equal(back, value.slice(0, 200).toWellFormed())
    }),
  )
})

test('formatFor returns the Prometheus format only if the header names it and not OpenMetrics', () => {
  assert.equal(formatFor(''), 'openmetrics')
  assert.equal(formatFor('*/*'), 'openmetrics')
  assert.equal(formatFor('text/plain; version=0.0.4'), 'prometheus')
  assert.equal(formatFor('application/openmetrics-text; version=1.0.0; q=0.6, text/plain; version=0.0.4; q=0.4'), 'openmetrics')
})

test('names of metric families follow the rules of Prometheus: prefix, base units, and no suffix of another type', () => {
  for (const [name, { help }] of Object.entries(families)) {
    assert.match(name, /^vedette_[a-z0-9]+(?:_[a-z0-9]+)*$|^vedette_(?:hub|system)$/)
    assert.doesNotMatch(name, /_(?:total|info|count|sum|bucket|created)$|percent|milliseconds|megabytes|kilobytes/)
    assert.match(help, /^[A-Z0-9][^\\\n"]*\.$/)
  }
})
