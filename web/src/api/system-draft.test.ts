import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSystem, emptyDraft } from './system-draft.ts'

const draft = { name: 'atlas', host: '10.0.4.2', port: '45876' }

test('§5 validation: the port defaults to 45876', () => assert.equal(emptyDraft.port, '45876'))

for (const field of ['name', 'host', 'port'] as const) {
  test(`§5 validation: checkSystem requires ${field}`, () =>
    assert.deepEqual(checkSystem({ ...draft, [field]: '  ' }), { [field]: 'required' }))
}

for (const port of ['0', '65536', '45876x', '-1', '4.5']) {
  test(`checkSystem refuses port ${port}`, () => assert.deepEqual(checkSystem({ ...draft, port }), { port: 'notAPort' }))
}

for (const host of ['localhost', 'fe80::1', 'nas.example.org', '/run/agent.sock']) {
  test(`checkSystem accepts host ${host}`, () => assert.deepEqual(checkSystem({ ...draft, host }), {}))
}

test('checkSystem refuses a host with a space and a name of 256 characters', () => {
  assert.deepEqual(checkSystem({ ...draft, host: 'two words', name: 'x'.repeat(256) }), { name: 'tooLong', host: 'notAHost' })
})
