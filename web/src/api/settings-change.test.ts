import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inverseChange, withChange, type SettingsChange } from './settings-change.ts'

const stored = { unitTemp: 2, timeZone: 'Europe/Berlin', emails: ['a@example.org'], webhooks: ['ntfy://one'] }

test('withChange removes a setting that is null, adds an address once, and keeps the rest', () => {
  assert.deepEqual(withChange(stored, { merge: { unitTemp: 3, timeZone: null }, add: { emails: ['b@example.org', 'a@example.org'] } }), {
    unitTemp: 3,
    emails: ['a@example.org', 'b@example.org'],
    webhooks: ['ntfy://one'],
  })
  assert.deepEqual(withChange({}, { add: { webhooks: ['ntfy://two'] } }), { webhooks: ['ntfy://two'] })
})

for (const change of [
  { merge: { unitTemp: 3, hourFormat: '12h' } },
  { merge: { timeZone: null } },
  { add: { emails: ['a@example.org', 'b@example.org'] } },
  { remove: { webhooks: ['ntfy://one', 'ntfy://none'] } },
] satisfies readonly SettingsChange[]) {
  test(`inverseChange undoes ${JSON.stringify(change)} and keeps later changes`, () => {
    const since = { merge: { layoutWidth: 1680 }, add: { emails: ['c@example.org'] } }
    const shown = withChange(withChange(stored, change), since)
    assert.deepEqual(withChange(shown, inverseChange(stored, change)), withChange(stored, since))
  })
}
