import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMemoryFolder } from './memory-folder.ts'

const root = join(import.meta.dirname, '..', '..')

/** A file below the root of the repository, a text that it has once, and the replacement of the text. */
export type SourceChange = readonly [file: string, text: string, replacement: string]

/** Disposing it removes the copy. `program` starts the hub. */
export type ChangedBuild = Disposable & { readonly program: string }

/** Copies the sources of the hub, adds files by their paths, and changes the copy. Fails when a file does not have the text of a change exactly once. */
export function changedBuild(changes: readonly SourceChange[], added: Readonly<Record<string, string>> = {}): ChangedBuild {
  const folder = makeMemoryFolder('vedette-changed-')
  for (const name of ['hub', 'protocol']) {
    const isNeeded = (path: string): boolean => !path.endsWith('.test.ts')
    cpSync(join(root, name, 'src'), join(folder, name, 'src'), { recursive: true, filter: isNeeded })
    cpSync(join(root, name, 'package.json'), join(folder, name, 'package.json'))
  }
  linkPackages(join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(added)) writeFileSync(join(folder, file), text)
  for (const [file, text, replacement] of changes) {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    assert.equal(before.split(text).length, 2, `${file} has "${text}" once`)
    writeFileSync(
      path,
      before.replace(text, () => replacement),
    )
  }
  return {
    program: join(folder, 'hub/src/main.ts'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The packages of the repository, but the protocol of the copy. */
function linkPackages(to: string): void {
  mkdirSync(join(to, '@vedette'), { recursive: true })
  symlinkSync(join(to, '..', 'protocol'), join(to, '@vedette', 'protocol'))
  const from = join(root, 'node_modules')
  for (const name of readdirSync(from)) if (name !== '@vedette' && !name.startsWith('.')) symlinkSync(join(from, name), join(to, name))
}
