import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLinkExpired } from './mailed-link.ts'

const tokenOf = (claims: object): string => `head.${btoa(JSON.stringify(claims))}.signature`

test('isLinkExpired compares the expiry time of the link, in seconds', () => {
  assert.ok(isLinkExpired(tokenOf({ exp: 10 }), 10_000))
  assert.ok(!isLinkExpired(tokenOf({ exp: 10 }), 9999))
})

for (const token of ['', 'nonsense', 'a.b.c', tokenOf({}), tokenOf({ exp: 'soon' }), tokenOf([])])
  test(`isLinkExpired is false for ${JSON.stringify(token.slice(0, 20))}, which only the hub can check`, () =>
    assert.ok(!isLinkExpired(token, 1e15)))
