import { join } from 'node:path'
import { startPostgresServer } from '../hub/test/postgres-server.ts'
import { makeTemplate } from '../hub/test/postgres-template.ts'
import { ensureAgent } from './build-agent.ts'
import { ensureHub } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'

/** `short`: everybody runs these. `long`: the same properties and kills, many more of them. `soak`: 200 kills a database, and the agent for two hours. `abuse`: programs that hostile peers try to stop. */
const suites = {
  short: ['{protocol,agent,hub,web}/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'e2e/*.test.ts'],
  long: [
    '{protocol,agent}/src/**/*.test.ts',
    'hub/src/{records,metrics,fleet}/**/*.test.ts',
    'hub/test/{killed,alerts-killed,notifications-killed}.test.ts',
    'agent/{soak,fuzz}/*.test.ts',
    'protocol/fuzz/*.test.ts',
  ],
  abuse: ['hub/abuse/*.test.ts', 'agent/test/*-floods.test.ts'],
  soak: ['hub/test/{alerts-killed,history-killed,notifications-killed}.test.ts', 'agent/{soak,fuzz}/*.test.ts', 'protocol/fuzz/*.test.ts'],
} as const

const soak = process.argv.includes('--soak')
const long = process.argv.includes('--long')
const abuse = process.argv.includes('--abuse')
const named = process.argv.slice(2).filter((argument) => !['--long', '--soak', '--abuse'].includes(argument))
const patterns = named.length > 0 ? named : suites[soak ? 'soak' : long ? 'long' : abuse ? 'abuse' : 'short']

const startedAtMs = Date.now()
if (patterns.some((pattern) => pattern.startsWith('e2e'))) {
  await ensureHub()
  await ensureDashboard()
  await ensureAgent()
}
const given = process.env['VEDETTE_TEST_DATABASE_URL']
/** What is asked for by name among these knows no database. */
const withoutDatabase = /^(agent|protocol|web|tools)\//
const server = given !== undefined || patterns.every((pattern) => withoutDatabase.test(pattern)) ? undefined : await startPostgresServer()
const url = given ?? server?.url
const template = url === undefined ? undefined : await makeTemplate(url)
try {
  const environment = {
    VEDETTE_TEST_DATABASE_URL: url ?? '',
    VEDETTE_TEST_TEMPLATE: template?.name ?? '',
    NODE_NO_WARNINGS: '1',
    // Every file is a process, and many start hubs: what V8 made of the sources once is there for all.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'vedette-tests'),
    ...(long ? { VEDETTE_LONG: '1' } : {}),
    ...(soak ? { VEDETTE_SOAK: '1' } : {}),
  }
  const mass = long ? ['--import', './tools/many-runs.ts'] : []
  const deadline = soak ? [] : ['--import', './tools/test-deadline.ts']
  process.exitCode = await run(
    'node',
    [...mass, ...deadline, '--test', '--test-reporter=./tools/summary-reporter.ts', '--test-concurrency=2', ...patterns],
    { environment },
  )
} finally {
  await template?.[Symbol.asyncDispose]()
  await server?.stop()
}
console.log(`${soak ? 'The soak' : long ? 'Long tests' : abuse ? 'Tests of abuse' : 'Tests'} took ${seconds(startedAtMs)}`)
