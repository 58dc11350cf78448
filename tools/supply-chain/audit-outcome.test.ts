import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditOutcome } from './audit-outcome.ts'

test('auditOutcome accepts only a report as a response', () => {
  for (const printed of [
    '',
    'npm error',
    '{}',
    '{"message":"405 Method Not Allowed"}',
    '{"error":{"summary":"audit endpoint returned an error"}}',
  ])
    assert.equal(auditOutcome(printed).kind, 'not checked', printed)
  assert.deepEqual(auditOutcome('{"message":"405 Method Not Allowed"}'), { kind: 'not checked', why: '405 Method Not Allowed' })
})

test('auditOutcome names each package with a known vulnerability', () => {
  assert.deepEqual(auditOutcome('{"auditReportVersion":2,"vulnerabilities":{}}'), { kind: 'checked', vulnerabilities: [] })
  const report = {
    auditReportVersion: 2,
    vulnerabilities: { ws: { severity: 'high', range: '<8.1', via: [{ title: 'It stops' }, 'other'] } },
  }
  assert.deepEqual(auditOutcome(JSON.stringify(report)), { kind: 'checked', vulnerabilities: ['ws <8.1: high; It stops'] })
})
