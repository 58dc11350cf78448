import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from './password.ts'

test('verifyPassword accepts the password that was hashed and no other', async () => {
  const hash = await hashPassword('correct horse')
  assert.ok(await verifyPassword('correct horse', hash))
  assert.ok(!(await verifyPassword('correct horsE', hash)))
})

test('hashPassword salts, and says in the hash how it was made', async () => {
  const [one, other] = await Promise.all([hashPassword('same'), hashPassword('same')])
  assert.notEqual(one, other)
  assert.match(one, /^\$scrypt\$ln=16,r=8,p=2\$/)
})

for (const stored of ['', '!', '$scrypt$ln=16,r=8,p=2$$', 'correct horse']) {
  test(`verifyPassword refuses everything for the stored text ${JSON.stringify(stored)}`, async () => {
    assert.ok(!(await verifyPassword('correct horse', stored)))
    assert.ok(!(await verifyPassword('', stored)))
  })
}
