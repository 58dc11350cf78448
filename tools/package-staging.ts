import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackageContents } from './package-contents.ts'
import { readSource } from './rules/source-tree.ts'

/**
 * Temporary folder (path) with a package's files at the same paths as on the target machine; disposing it deletes it. Package builders read
 * it.
 */
export type StagedPackage = Disposable & { readonly folder: string }

/**
 * Writes the files of a package into a new temporary folder, at the same paths as on the target machine, and returns the folder. Folders
 * have the mode 755.
 */
export function stagePackage({ files }: PackageContents): StagedPackage {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-package-'))
  chmodSync(folder, 0o755)
  for (const { path, content, mode } of files) {
    const target = join(folder, path)
    const parts = path.split('/').slice(0, -1)
    for (const [at] of parts.entries()) {
      const parent = join(folder, ...parts.slice(0, at + 1))
      mkdirSync(parent, { recursive: true })
      chmodSync(parent, 0o755)
    }
    if ('from' in content) copyFileSync(content.from, target)
    else writeFileSync(target, content.text)
    chmodSync(target, mode)
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Returns the date in epoch seconds (midnight UTC) of the newest version in `CHANGELOG.md` that has a release date; 2026-01-01 when none
 * has one. All file times in packages are this time.
 */
export function releaseSeconds(): number {
  const [, date = '2026-01-01'] = /^## \S+, (\d{4}-\d{2}-\d{2})$/m.exec(readSource('CHANGELOG.md')) ?? []
  return Date.parse(`${date}T00:00:00Z`) / 1000
}
