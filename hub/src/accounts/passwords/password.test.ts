import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isOutdated, verifyPassword } from './password.ts'

test('verifyPassword accepts the password that was hashed and no other', async () => {
  const hash = await hashPassword('correct horse')
  assert.ok(await verifyPassword('correct horse', hash))
  assert.ok(!(await verifyPassword('correct horsE', hash)))
})

test('hashPassword uses a random salt and writes the Argon2id parameters into the hash', async () => {
  const [one, other] = await Promise.all([hashPassword('same'), hashPassword('same')])
  assert.notEqual(one, other)
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(isOutdated(one), false)
})

/** Hashes of `correct horse` from earlier versions of this hub and from other hubs. */
const earlier = {
  scrypt: '$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$JfCELMl7b1pl6MB8FZ_l9ZQijZnb3MKoEPvpzK-v-v4',
  bcrypt: '$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e',
}

for (const [kind, hash] of Object.entries(earlier)) {
  test(`verifyPassword verifies a hash of ${kind}, which isOutdated reports`, async () => {
    assert.ok(await verifyPassword('correct horse', hash))
    assert.ok(!(await verifyPassword('correct horses', hash)))
    assert.ok(isOutdated(hash))
  })
}

for (const [cost, expected] of [
  ['09', true],
  ['10', false],
  ['12', false],
] as const)
  test(`isOutdated: ${expected} for bcrypt with a cost of ${Number(cost)}, so that accounts can go back to another hub`, () => {
    assert.equal(isOutdated(`$2a$${cost}$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e`), expected)
  })

test('hashPassword and verifyPassword do not block the event loop', async () => {
  let turns = 0
  let busy = true
  const turn = (): void => {
    turns += 1
    if (busy) setImmediate(turn)
  }
  setImmediate(turn)
  await Promise.all([verifyPassword('x', earlier.bcrypt), ...Array.from({ length: 8 }, () => hashPassword('x'))])
  busy = false
  assert.ok(turns > 100, `${turns} turns of the event loop`)
})

for (const stored of ['', '!', '$scrypt$ln=16,r=8,p=2$$', 'correct horse', '$argon2id$v=19$m=19456,t=2,p=1$$']) {
  test(`verifyPassword refuses every password for the stored text ${JSON.stringify(stored)}`, async () => {
    assert.ok(!(await verifyPassword('correct horse', stored)))
    assert.ok(!(await verifyPassword('', stored)))
  })
}
