import { compileWords } from './dashboard.ts'
import { run, seconds } from './run.ts'

type Step = readonly [name: string, program: string, ...args: readonly string[]]

const steps: readonly Step[] = [
  ['format', 'oxfmt', '--check', '.'],
  ['words', ...compileWords],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the protocol, bare language', 'tsc', '-p', 'protocol/tsconfig.json'],
  ['types of the agent, bare language', 'tsc', '-p', 'agent/tsconfig.json'],
  ['types of the dashboard', 'tsc', '-p', 'web/tsconfig.json'],
  ['unused code', 'knip', '--no-progress'],
  ['house rules', 'node', '--test', 'tools/rules/*.test.ts'],
  ['build', 'node', 'tools/build.ts'],
  ['sizes', 'node', 'tools/sizes.ts'],
]

const failed: string[] = []
for (const [name, program, ...args] of steps) {
  const startedAtMs = Date.now()
  const status = await run(program, args)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(startedAtMs)})`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) {
  console.log(`Failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
