import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './rules/source-tree.ts'
import { suiteOf } from './suites.ts'

/** Group of test files that run in one process, one after the other: name of the group, and paths of the files. */
export type TestProgram = { readonly name: string; readonly files: readonly string[] }

const written = join('.cache', 'test-programs')

/**
 * Maximum number of hub test files that one process runs: 5. With more, loading time is saved, but that process would end after all others.
 */
const HUB_FILES_TOGETHER = 5

const packages = ['hub', 'agent', 'protocol', 'web'] as const

/**
 * Returns the groups of test files of the short suite, each for one process. A group is all unit tests of a package, up to 5 files of one
 * folder of `hub/test`, or all of `tools`. Other files run alone.
 */
export function shortPrograms(): readonly TestProgram[] {
  const left = new Set(suiteOf('short'))
  const take = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: root })
      .toSorted()
      .filter((path) => left.delete(path))
  const units = packages.map((name) => ({ name: `${name}-units`, files: take(`${name}/src/**/*.test.ts`) }))
  const hub = globSync('hub/test/*/', { cwd: root })
    .toSorted()
    .flatMap((folder) => portions(folder.replaceAll('/', '-'), take(`${folder}/*.test.ts`)))
  const tools = { name: 'tools', files: take('tools/**/*.test.ts') }
  const pages = take('e2e/*.test.ts')
  return [...units, ...hub, ...[...pages, ...left].map((path) => ({ name: path, files: [path] })), tools]
}

const portions = (name: string, files: readonly string[]): readonly TestProgram[] =>
  Array.from({ length: Math.ceil(files.length / HUB_FILES_TOGETHER) }, (_, at) => ({
    name: `${name}-${at + 1}`,
    files: files.slice(at * HUB_FILES_TOGETHER, (at + 1) * HUB_FILES_TOGETHER),
  }))

/**
 * Returns the path of the file that Node's test runner runs for a group of test files. For several files, a file that imports them is
 * written.
 */
export function programFile({ name, files }: TestProgram): string {
  const [only, ...others] = files
  if (only !== undefined && others.length === 0) return only
  const path = join(written, `${name}.mjs`)
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), files.map((file) => `await import(${JSON.stringify(join(root, file))})\n`).join(''))
  return path
}
