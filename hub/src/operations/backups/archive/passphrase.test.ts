import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BackupRefusedError } from './backup-error.ts'
import { openUnder, sealUnder } from './passphrase.ts'

test('openUnder opens sealed bytes with the same passphrase only, and refuses damaged bytes', async () => {
  const sealed = await sealUnder('correct horse battery', Buffer.from('key'))
  assert.equal((await openUnder('correct horse battery', sealed)).toString(), 'key')
  assert.ok(!(await sealUnder('correct horse battery', Buffer.from('key'))).equals(sealed))
  await assert.rejects(openUnder('correct horse batterY', sealed), BackupRefusedError)
  for (const at of [0, 1, 20, 30, sealed.length - 1]) {
    const damaged = Buffer.from(sealed)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    await assert.rejects(openUnder('correct horse battery', damaged), BackupRefusedError)
  }
  await assert.rejects(openUnder('correct horse battery', sealed.subarray(0, 10)), BackupRefusedError)
})
