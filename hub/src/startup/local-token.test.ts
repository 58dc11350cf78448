import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLocalToken, writeEnrollFolder } from './local-token.ts'

test('writeEnrollFolder writes the public key, and a token that it keeps', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'vedette-enroll-'))
  try {
    const folder = join(scratch, 'enroll')
    const file = writeEnrollFolder(folder, 'ssh-ed25519 first')
    const token = readLocalToken(file)
    assert.match(token ?? '', /^[0-9a-f-]{36}$/)
    assert.deepEqual([statSync(folder).mode & 0o777, statSync(file).mode & 0o777], [0o700, 0o600])
    assert.equal(readLocalToken(writeEnrollFolder(folder, 'ssh-ed25519 second')), token)
    assert.equal(readFileSync(join(folder, 'id_ed25519.pub'), 'utf8'), 'ssh-ed25519 second\n')
    writeFileSync(join(scratch, 'file'), '')
    assert.throws(() => writeEnrollFolder(join(scratch, 'file'), ''), { name: 'DataDirectoryUnusableError' })
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
