import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { databaseFailure } from './database-failures.ts'
import { openSqliteConnection } from './sqlite/sqlite-connection.ts'

test('databaseFailure is "full" for a write without disk space, and the next write with space succeeds', () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-full-'))
  const connection = openSqliteConnection(join(directory, 'small.sqlite'), 'write')
  try {
    connection.run('create table things (bytes blob); pragma max_page_count = 20')
    const insert = (): void => connection.run('insert into things values (zeroblob(100000))')
    assert.throws(insert, (error) => databaseFailure(error) === 'full')
    connection.run('pragma max_page_count = 1000')
    insert()
    assert.deepEqual(connection.find('select count(*) from things', []).rows, [[1]])
  } finally {
    connection.close()
    rmSync(directory, { recursive: true })
  }
})

test('databaseFailure is "full" when SQLite cannot extend its shared-memory file', () => {
  const error = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4874 })
  assert.equal(databaseFailure(error), 'full')
})

test('databaseFailure reads the cause of an error, too', () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  assert.equal(databaseFailure(new Error('Cannot store', { cause: full })), 'full')
  assert.equal(databaseFailure(new Error('anything else')), undefined)
})
