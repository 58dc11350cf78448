import { join } from 'node:path'
import { browserProgram } from '../e2e/browser.ts'
import { startPostgresServer } from '../hub/test/postgres-server.ts'
import { makeTemplate } from '../hub/test/postgres-template.ts'
import { ensureHub } from './build-hub.ts'
import { ensureProgramParts } from './build-program.ts'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'
import { runsAlone, suiteOf } from './suites.ts'
import { programFile, shortPrograms } from './test-programs.ts'

const soak = process.argv.includes('--soak')
const long = process.argv.includes('--long')
const abuse = process.argv.includes('--abuse')
const named = process.argv.slice(2).filter((argument) => !['--long', '--soak', '--abuse'].includes(argument))
const patterns =
  named.length > 0 ? named : soak ? suiteOf('soak') : long ? suiteOf('long') : abuse ? suiteOf('abuse') : shortPrograms().map(programFile)

const startedAtMs = Date.now()
if (patterns.some((pattern) => pattern.startsWith('e2e'))) {
  await ensureHub()
  // With dashboard, documents and the agent, which it contains.
  await ensureProgramParts()
  // Unpacked once here, before several test files would do it concurrently.
  await browserProgram()
}
const given = process.env['VEDETTE_TEST_DATABASE_URL']
/** Regular expression that matches the paths of test files (agent, protocol, web, tools) that run without a PostgreSQL database. */
const withoutDatabase = /^(agent|protocol|web|tools)\//
const server = given !== undefined || patterns.every((pattern) => withoutDatabase.test(pattern)) ? undefined : await startPostgresServer()
const url = given ?? server?.url
const template = url === undefined ? undefined : await makeTemplate(url)
try {
  const environment = {
    VEDETTE_TEST_DATABASE_URL: url ?? '',
    VEDETTE_TEST_TEMPLATE: template?.name ?? '',
    NODE_NO_WARNINGS: '1',
    // Every test file is a process, and many start hubs: they share V8's cache of compiled sources.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'vedette-tests'),
    ...(long ? { VEDETTE_LONG: '1' } : {}),
    ...(soak ? { VEDETTE_SOAK: '1' } : {}),
  }
  const mass = long ? ['--import', './tools/many-runs.ts'] : []
  const deadline = soak ? [] : ['--import', './tools/test-deadline.ts']
  const runTests = async (files: readonly string[], atOnce: number): Promise<number> =>
    run('node', [...mass, ...deadline, '--test', '--test-reporter=./tools/summary-reporter.ts', `--test-concurrency=${atOnce}`, ...files], {
      environment,
    })
  const alone = long ? patterns.filter(runsAlone) : []
  const together = patterns.filter((pattern) => !alone.includes(pattern))
  const failures = together.length > 0 ? await runTests(together, 4) : 0
  process.exitCode = failures || (alone.length > 0 ? await runTests(alone, 1) : 0)
} finally {
  await template?.[Symbol.asyncDispose]()
  await server?.stop()
}
if (soak && named.length === 0) process.exitCode = (await run('node', ['tools/mutation.ts'])) || process.exitCode
console.log(`${soak ? 'The soak' : long ? 'Long tests' : abuse ? 'Tests of abuse' : 'Tests'} took ${seconds(startedAtMs)}`)
