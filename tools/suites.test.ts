import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTest, listFiles, readSource } from './rules/source-tree.ts'
import { suiteOf } from './suites.ts'

const tests = listFiles().filter((path) => path.endsWith('.test.ts'))

test('every test file is in a suite', () => {
  const inSuites = new Set((['short', 'long', 'soak', 'abuse'] as const).flatMap((name) => suiteOf(name)))
  assert.deepEqual(
    tests.filter((path) => !inSuites.has(path)),
    [],
  )
})

for (const [suite, variable] of [
  ['long', 'VEDETTE_LONG'],
  ['soak', 'VEDETTE_SOAK'],
] as const) {
  test(`every test file that reads ${variable} is in the ${suite} suite`, () => {
    const own = tests.filter((path) => readSource(path).includes(`process.env['${variable}']`))
    assert.ok(own.length > 0)
    assert.deepEqual(
      own.filter((path) => !suiteOf(suite).includes(path)),
      [],
    )
  })
}

test('suiteOf includes test files that import a module with the environment variable of the suite', () => {
  assert.ok(isTest('hub/test/kill-rounds.ts'))
  for (const path of ['hub/test/alerts/alerts-killed.test.ts', 'hub/test/alerts/notifications-killed.test.ts']) {
    assert.ok(!readSource(path).includes('VEDETTE_'))
    assert.ok(suiteOf('long').includes(path) && suiteOf('soak').includes(path), path)
  }
})
