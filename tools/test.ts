import { startPostgresServer } from '../hub/test/postgres-server.ts'
import { ensureAgent } from './build-agent.ts'
import { ensureHub } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'
import { run, seconds } from './run.ts'

/** What everybody runs, and what proves by mass: the same properties and kills, many more of them; and 200 kills a database, and the agent for two hours. */
const suites = {
  short: ['{protocol,agent,hub,web}/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'e2e/*.test.ts'],
  long: [
    '{protocol,agent}/src/**/*.test.ts',
    'hub/src/{records,metrics,fleet}/**/*.test.ts',
    'hub/test/{killed,alerts-killed,notifications-killed}.test.ts',
    'agent/{soak,fuzz}/*.test.ts',
  ],
  soak: ['hub/test/{alerts-killed,notifications-killed}.test.ts', 'agent/{soak,fuzz}/*.test.ts'],
} as const

const soak = process.argv.includes('--soak')
const long = process.argv.includes('--long')
const named = process.argv.slice(2).filter((argument) => argument !== '--long' && argument !== '--soak')
const patterns = named.length > 0 ? named : suites[soak ? 'soak' : long ? 'long' : 'short']

const startedAtMs = Date.now()
if (patterns.some((pattern) => pattern.startsWith('e2e'))) {
  await ensureHub()
  await ensureDashboard()
  await ensureAgent()
}
const given = process.env['VEDETTE_TEST_DATABASE_URL']
const server = given === undefined ? await startPostgresServer() : undefined
try {
  const environment = {
    VEDETTE_TEST_DATABASE_URL: given ?? server?.url ?? '',
    NODE_NO_WARNINGS: '1',
    ...(long ? { VEDETTE_LONG: '1' } : {}),
    ...(soak ? { VEDETTE_SOAK: '1' } : {}),
  }
  const mass = long ? ['--import', './tools/many-runs.ts'] : []
  process.exitCode = await run(
    'node',
    [...mass, '--test', '--test-reporter=./tools/summary-reporter.ts', '--test-concurrency=2', ...patterns],
    { environment },
  )
} finally {
  await server?.stop()
}
console.log(`${soak ? 'The soak' : long ? 'Long tests' : 'Tests'} took ${seconds(startedAtMs)}`)
