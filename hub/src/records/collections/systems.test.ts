import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkField } from '../model/field-check.ts'
import { systems } from './systems.ts'

const codeOf = (name: string, value: string) => {
  const field = systems.fields.find((one) => one.name === name)
  assert.ok(field)
  return checkField(field, value)?.code
}

for (const port of ['', '1', '80', '45876', '65535', '/run/agent.sock']) {
  test(`§5 Add System: "${port}" is a port`, () => assert.equal(codeOf('port', port), undefined))
}

for (const port of ['0', '65536', '99999', '7.5', '-1', '080', 'ssh', '1e3']) {
  test(`§5 Add System: "${port}" is not a port`, () => assert.equal(codeOf('port', port), 'validation_invalid_format'))
}

test('§5 Add System: name and host are required and end, and a host has no spaces', () => {
  assert.equal(codeOf('name', ''), 'validation_required')
  assert.equal(codeOf('host', ''), 'validation_required')
  assert.equal(codeOf('name', 'x'.repeat(5000)), undefined)
  assert.equal(codeOf('name', 'x'.repeat(5001)), 'validation_max_text_constraint')
  assert.equal(codeOf('host', 'x'.repeat(256)), 'validation_max_text_constraint')
  assert.equal(codeOf('host', 'a b'), 'validation_invalid_format')
})
