import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAddress, parseAgentAddress } from './agent-address.ts'

const cases = [
  ['10.0.0.1', '45876', '10.0.0.1:45876'],
  ['nas.example', '', 'nas.example:45876'],
  ['::1', '1', '[::1]:1'],
  ['[fd00::2]', '65535', '[fd00::2]:65535'],
  ['/run/agent.sock', '', '/run/agent.sock'],
  ['10.0.0.1', '0', undefined],
  ['10.0.0.1', '65536', undefined],
  ['10.0.0.1', '80a', undefined],
  ['', '80', undefined],
] as const

for (const [host, port, expected] of cases) {
  test(`parseAgentAddress of host "${host}" and port "${port}" is ${expected}`, () => {
    const address = parseAgentAddress(host, port)
    assert.equal(address && describeAddress(address), expected)
  })
}
