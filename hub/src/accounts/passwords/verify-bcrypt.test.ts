import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueLateError } from '../../platform/work-queue.ts'
import { isBcrypt, verifyBcrypt } from './verify-bcrypt.ts'

/** Hashes made by crypt(3) of the C library on Debian. */
const known: readonly (readonly [string, string])[] = [
  ['correct horse', '$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'],
  ['', '$2b$04$CCCCCCCCCCCCCCCCCCCCC.Cg0ly9t/KVBCBYYDfOmZKwry9JuXClC'],
  ['pässwörd ☂', '$2a$05$......................9ps8VHTPWQs8mWJFHrnQ8WPfeD0P1GO'],
  ['x'.repeat(80), '$2y$04$zyxwvutsrqponmlkjihgfeUIb02e2j50rSgXWN4Rr0POqFVytJFRu'],
]

for (const [password, hash] of known) {
  test(`verifyBcrypt agrees with crypt(3): ${JSON.stringify(password.slice(0, 20))}`, async () => {
    assert.ok(isBcrypt(hash))
    assert.equal(await verifyBcrypt(password, hash), true)
    assert.equal(await verifyBcrypt(`${password.slice(0, 70)}!`, hash), false)
  })
}

for (const text of ['', '$2b$04$short', '$2b$31$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e', '$argon2id$v=19$m=1,t=1,p=1$a$b']) {
  test(`isBcrypt is false for ${JSON.stringify(text.slice(0, 12))}`, () => assert.equal(isBcrypt(text), false))
}

test('verifyBcrypt rejects with QueueLateError for a hash that takes too long', async () => {
  const costly = '$2b$16$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'
  await assert.rejects(verifyBcrypt('correct horse', costly, 100), QueueLateError)
})
