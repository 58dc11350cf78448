import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword, refusePassword } from './password.ts'

test('isPassword accepts the password of a hash and no other', async () => {
  const hash = await hashPassword('correct horse')
  assert.ok(await isPassword('correct horse', hash))
  assert.ok(!(await isPassword('correct horse ', hash)))
  assert.ok(!(await isPassword('', hash)))
})

test('hashPassword salts: one password has many hashes', async () => {
  assert.notEqual(await hashPassword('same'), await hashPassword('same'))
})

test('isPassword takes one spelling of a letter for another', async () => {
  assert.ok(await isPassword('caf\u00e9 bar', await hashPassword('cafe\u0301 bar')))
})

for (const hash of ['', 'plain', 'scrypt$1$1$1$AA$AA', `md5$${'x'.repeat(40)}`]) {
  test(`isPassword fits nothing to "${hash.slice(0, 20)}"`, async () => {
    assert.ok(!(await isPassword('', hash)))
  })
}

test('refusePassword is always wrong', async () => {
  assert.equal(await refusePassword('anything'), false)
})
