import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logTo } from './log.ts'
import { memoryRuntime } from './memory-runtime.ts'
import { byteTools } from './node/byte-tools.ts'

function logged(least: 'debug' | 'info') {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  return { log: logTo(memory.runtime, least), lines: () => memory.logged.map(({ level, text }) => `${level}: ${text}`) }
}

test('logTo writes the message and its fields, with quotes where needed', () => {
  const { log, lines } = logged('info')
  log.warn('Cannot read', { part: 'cpu', reason: 'took "long"', tries: 2, last: undefined })
  assert.deepEqual(lines(), ['warn: Cannot read part=cpu reason="took \\"long\\"" tries=2'])
})

test('logTo writes nothing below its level', () => {
  const { log, lines } = logged('info')
  log.debug('tick')
  assert.deepEqual(lines(), [])
})

test('Log.change logs a state once, logs a different state, and logs the same state again after it was settled', () => {
  const { log, lines } = logged('info')
  for (const reason of ['a', 'a', 'b', 'b']) log.change('topic', 'info', 'State', { reason })
  log.clearTopic('topic')
  log.change('topic', 'info', 'State', { reason: 'b' })
  log.change('other', 'info', 'State', { reason: 'b' })
  assert.deepEqual(lines(), ['info: State reason=a', 'info: State reason=b', 'info: State reason=b', 'info: State reason=b'])
})

for (const [text, written] of [
  ['\u001b[2J', '"\\u001b[2J"'],
  ['a\u009b31m', '"a\\u{9b}31m"'],
  ['\u007f', '"\\u{7f}"'],
  ['\u202eevil', '"\\u{202e}evil"'],
  ['\u2028', '"\\u{2028}"'],
  ['plain', 'plain'],
  ['Grüße', 'Grüße'],
  ['x'.repeat(600), `${'x'.repeat(500)}…`],
] as const) {
  test(`logTo removes terminal control sequences from external text: ${JSON.stringify(text).slice(0, 20)}`, () => {
    const { log, lines } = logged('info')
    log.info('Hub', { reason: text })
    assert.deepEqual(lines(), [`info: Hub reason=${written}`])
  })
}

test('logTo writes one line per entry', () => {
  const { log, lines } = logged('info')
  log.info('Hub', { reason: 'one\ntwo' })
  assert.deepEqual(lines(), ['info: Hub reason="one\\ntwo"'])
})
