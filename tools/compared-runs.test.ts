import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './compared-runs.ts'

const one = { file: 'agent/src/a.test.ts', name: 'one' }
const two = { file: 'agent/src/a.test.ts', name: 'two' }
const host = { file: 'agent/src/host.test.ts', name: 'three' }
const onlyOnNode = { [host.file]: 'the host itself' }

for (const [what, native, node, expected] of [
  ['the same passed tests', [two, one], [one, two, host], []],
  ['a missing test', [one], [one, two, host], ['agent/src/a.test.ts: two did not run on QuickJS']],
  ['one of two with the same name', [one], [one, one, host], ['agent/src/a.test.ts: one did not run on QuickJS']],
  ['an unknown test', [one, two], [one, host], ['agent/src/a.test.ts: two did not run on Node']],
  ['a failure', [{ ...one, error: '1 is not 2' }], [one, host], ['agent/src/a.test.ts: one failed on QuickJS: 1 is not 2']],
  ['a failure on Node alone', [one], [{ ...one, error: 'no' }, host], ['agent/src/a.test.ts: one failed on Node: no']],
  ['an exception without a test', [one], [one], ['agent/src/host.test.ts is said to run only on Node, and has no test there']],
] as const) {
  test(`differences of two runs: ${what}`, () => assert.deepEqual(differences({ native, node, onlyOnNode }), expected))
}
