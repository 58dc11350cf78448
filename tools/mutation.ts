import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { mutationAreas, type MutationArea } from './mutation-areas.ts'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'

/** Minimum percentage of deliberately changed copies of the source (mutants) that the tests of an area must detect: 85. */
const LEAST_SCORE = 85

const folder = join('.cache', 'mutation')
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => mutationAreas.every((area) => area.name !== name))
if (unknown.length > 0) {
  console.log(`Cannot mutate "${unknown.join(', ')}": the areas are ${mutationAreas.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

mkdirSync(join(root, folder), { recursive: true })
const failed: string[] = []
for (const area of mutationAreas.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const startedAtMs = Date.now()
  const path = join(folder, `${area.name}.json`)
  writeFileSync(join(root, path), JSON.stringify(configOf(area)))
  const status = await run('stryker', ['run', path], { environment: { NODE_NO_WARNINGS: '1' } })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} mutants of ${area.name} (${seconds(startedAtMs)})`)
  if (status !== 0) failed.push(area.name)
}
if (failed.length > 0) {
  console.log(`Tests find less than ${LEAST_SCORE} % of the mutants, or did not run, in: ${failed.join(', ')}`)
  process.exitCode = 1
}

function configOf({ name, sources, tests }: MutationArea): object {
  return {
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    coverageAnalysis: 'perTest',
    // One core remains for other programs.
    concurrency: Math.max(1, availableParallelism() - 1),
    mutate: sources,
    tap: { testFiles: tests, nodeArgs: ['--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'] },
    // Stryker would rewrite the project's own in its copy.
    tsconfigFile: 'none.json',
    tempDirName: '.stryker-tmp',
    ignorePatterns: ['**/dist', 'agent/native', 'bench', 'data', '.cache'],
    reporters: ['clear-text', 'json'],
    clearTextReporter: { allowColor: false, reportTests: false },
    jsonReporter: { fileName: join(folder, `${name}-report.json`) },
    thresholds: { high: 95, low: LEAST_SCORE, break: LEAST_SCORE },
  }
}
