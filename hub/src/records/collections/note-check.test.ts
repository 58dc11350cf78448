import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { linksProblem, valuesProblem } from './note-check.ts'

const link = (url: string, name = 'Rack'): Json => ({ name, url })

const refusedLinks: readonly (readonly [what: string, links: Json])[] = [
  ['a text', 'https://example.com'],
  ['an object', { name: 'Rack', url: 'https://example.com' }],
  ['a list of texts', ['https://example.com']],
  ['a script', [link('javascript:alert(1)')]],
  ['a script with spaces before it', [link(' javascript:alert(1)')]],
  ['data', [link('data:text/html,x')]],
  ['a file', [link('file:///etc/passwd')]],
  ['no scheme', [link('example.com')]],
  ['no host', [link('https://')]],
  ['a missing address', [{ name: 'Rack' }]],
  ['an address that is a number', [{ name: 'Rack', url: 7 }]],
  ['a name that is a list', [{ name: ['Rack'], url: 'https://example.com' }]],
  ['a further key', [{ name: 'Rack', url: 'https://example.com', onclick: 'x' }]],
  ['a long name', [link('https://example.com', 'x'.repeat(81))]],
  ['a long address', [link(`https://example.com/${'x'.repeat(2000)}`)]],
  ['one bad link among good ones', [link('https://example.com'), link('ftp://example.com')]],
  ['21 links', Array.from({ length: 21 }, () => link('https://example.com'))],
]

test('links with another shape or scheme are refused', () => {
  for (const [what, links] of refusedLinks) assert.notEqual(linksProblem(links), undefined, what)
  for (const links of [
    null,
    [],
    [link('https://example.com/a?b#c')],
    [link('HTTP://10.0.0.1:8006', '')],
    [{ url: 'https://[::1]/' }],
    Array.from({ length: 20 }, () => link('https://example.com')),
  ])
    assert.equal(linksProblem(links), undefined, JSON.stringify(links))
})

const fields = [
  { id: 'rack', name: 'Rack', kind: 'text' },
  { id: 'units', name: 'Units', kind: 'number' },
  { id: 'bought', name: 'Bought', kind: 'date' },
  { id: 'cost', name: 'Cost', kind: 'price' },
]

test('values must fit the kinds of their fields', () => {
  const problem = (values: Json, known: Json = null) => valuesProblem(values, known, fields)
  for (const values of [null, {}, { rack: 'A 7', units: 0, bought: '2024-02-29', cost: 12.5 }, { units: -2 }])
    assert.equal(problem(values), undefined, JSON.stringify(values))
  for (const values of [
    'rack',
    [],
    { rack: 7 },
    { rack: '' },
    { rack: 'x'.repeat(501) },
    { units: '7' },
    { units: null },
    { cost: '12.50' },
    { cost: [12] },
    { bought: '2023-02-29' },
    { bought: '29.02.2024' },
    { bought: '2024-02-29T00:00:00Z' },
    { bought: '0000-00-00' },
    { unknown: 'x' },
    JSON.parse('{"__proto__":"x"}') as Json,
    { constructor: 'x' },
  ])
    assert.equal(problem(values)?.code, 'validation_invalid_values', JSON.stringify(values))
  // The field `old` was deleted. An editor that sends all values again must not fail on it.
  assert.equal(problem({ old: 'x', rack: 'B' }, { old: 'x' }), undefined)
  assert.notEqual(problem({ old: 'y' }, { old: 'x' }), undefined)
  assert.equal(problem({ toString: 'x' }, {})?.code, 'validation_invalid_values')
})
