import assert from 'node:assert/strict'
import { chmodSync, chownSync, linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { giveFolder } from './folder-owner.ts'

const USER = 65_532

const isRoot = process.platform === 'linux' && process.getuid?.() === 0

describe('giveFolder', { skip: !isRoot && 'only root on Linux changes owners' }, () => {
  const scratch = (): Disposable & { readonly path: string } => {
    const path = mkdtempSync(join(tmpdir(), 'vedette-owner-'))
    return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
  }
  const ownerOf = (path: string) => [lstatSync(path).uid, lstatSync(path).gid]

  test('gives the folder and all that is in it', () => {
    using folder = scratch()
    const data = join(folder.path, 'data')
    mkdirSync(join(data, 'backups', 'old'), { recursive: true })
    const file = join(data, 'backups', 'old', 'a.zip')
    writeFileSync(file, '')
    giveFolder(data, USER)
    for (const path of [data, join(data, 'backups'), join(data, 'backups', 'old'), file]) assert.deepEqual(ownerOf(path), [USER, USER])
    assert.deepEqual(ownerOf(folder.path), [0, 0])
  })

  test('refuses a folder that is a symbolic link, and follows none inside', () => {
    using folder = scratch()
    const at = (name: string): string => join(folder.path, name)
    mkdirSync(at('elsewhere'))
    writeFileSync(at('elsewhere/file'), '')
    symlinkSync(at('elsewhere'), at('link'))
    assert.throws(() => giveFolder(at('link'), USER), { code: 'ENOTDIR' })
    mkdirSync(at('data'))
    symlinkSync(at('elsewhere'), at('data/folder'))
    symlinkSync(at('elsewhere/file'), at('data/file'))
    giveFolder(at('data'), USER)
    for (const name of ['data', 'data/folder', 'data/file']) assert.deepEqual(ownerOf(at(name)), [USER, USER], name)
    for (const name of ['elsewhere', 'elsewhere/file']) assert.deepEqual(ownerOf(at(name)), [0, 0], name)
  })

  test('leaves files with a second hard link, folders for everyone, and folders of the user', () => {
    using folder = scratch()
    const at = (name: string): string => join(folder.path, name)
    for (const name of ['linked', 'shared', 'own']) {
      mkdirSync(at(name))
      writeFileSync(at(`${name}/file`), '')
    }
    linkSync(at('linked/file'), at('second'))
    chmodSync(at('shared'), 0o1777)
    chownSync(at('own'), USER, 0)
    for (const name of ['linked', 'shared', 'own']) giveFolder(at(name), USER)
    assert.deepEqual(
      ['linked', 'linked/file', 'shared', 'own', 'own/file'].map((name) => lstatSync(at(name)).uid),
      [USER, 0, 0, USER, 0],
    )
  })
})
