import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearch } from '../../navigation/search.ts'
import { filterOfParts, logFields, windowIn, type LogValues } from './log-parts.ts'

const NOW_MS = 1_800_000_000_000

const read = (query: Readonly<Record<string, string>>): LogValues => readSearch<LogValues>(logFields, new URLSearchParams(query).toString())

test('filterOfParts combines all selected conditions in one filter', () => {
  for (const [query, filter] of [
    [{}, ''],
    [{ level: 'error' }, 'level = 8'],
    [{ level: 'worse', status: '9xx', kind: 'x' }, ''],
    [{ status: '4xx', user: 'abc' }, 'data.status >= 400 && data.status <= 499 && data.authId = "abc"'],
    [{ text: 'a "b" \\' }, '(message ~ "a \\"b\\" \\\\" || data ~ "a \\"b\\" \\\\")'],
    [{ filter: 'level = 0 || level = 4' }, 'level = 0 || level = 4'],
    [
      { filter: 'level = 0 || level = 4', status: '404', kind: 'hub' },
      '(level = 0 || level = 4) && data.status = null && data.status = 404',
    ],
    [{ address: '10.0.0.1' }, 'data.userIP = "10.0.0.1"'],
  ] as const)
    assert.equal(filterOfParts(read(query)), filter)
})

test('windowIn reads start and end times, or a time span until now', () => {
  assert.deepEqual(windowIn(read({}), NOW_MS), { fromMs: undefined, toMs: undefined, span: 'all' })
  assert.deepEqual(windowIn(read({ span: '1h' }), NOW_MS), { fromMs: NOW_MS - 3_600_000, toMs: undefined, span: '1h' })
  assert.deepEqual(windowIn(read({ span: '1h', from: '5', to: 'x' }), NOW_MS), { fromMs: 5, toMs: undefined, span: undefined })
})
