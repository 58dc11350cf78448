import { globSync } from 'node:fs'
import { join } from 'node:path'
import { unitTestsOf } from './suites.ts'
import { root } from './rules/source-tree.ts'

/** Runs the unit tests of a package in this process. A process for each file would spend most of its time on loading the same modules. */
export async function importTests(name: string): Promise<void> {
  for (const path of globSync(unitTestsOf(name), { cwd: root }).toSorted()) await import(join(root, path))
}
