import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { onlyOnNode, unitTestPatterns } from '../agent/test/on-native/unit-test-files.ts'
import { buildScript, cargo } from './cargo.ts'
import { differences, type TestOutcome } from './compared-runs.ts'
import { nativeFolder } from './native-agent.ts'
import { targets } from './native-targets.ts'
import { root } from './rules/source-tree.ts'
import { seconds } from './run.ts'

/** Timeout in ms of a run of the agent's unit tests on one runtime: 3 min. It usually takes seconds. */
const DEADLINE_MS = 180_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Runs the agent's unit tests with a program on the runtime `host` (Node or native) and parses its output, one line of JSON per test.
 * Returns the tests' results and a list of problems, such as output on standard error or a timeout.
 */
function outcomesOf(
  host: string,
  program: string,
  args: readonly string[],
): { outcomes: readonly TestOutcome[]; problems: readonly string[] } {
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  // Both programs write only this shape; any other line would match no test of the other program.
  const outcomes = lines.map((line) => JSON.parse(line) as TestOutcome)
  const last = outcomes.at(-1)
  const problems = [
    ...(stderr === '' ? [] : [`The unit tests on ${host} complained: ${stderr.trim()}`]),
    ...(status === null
      ? [`The unit tests on ${host} did not end within ${DEADLINE_MS} ms; the last was ${last?.file}: ${last?.name}`]
      : []),
  ]
  return { outcomes, problems }
}

// Runs the unit tests of agent and protocol on both hosts. All tests must have equal results.
const startedAtMs = Date.now()
const target = targets.find(({ arch }) => arch === process.arch)
if (target === undefined) throw new Error(`Cannot build the native agent for ${process.arch}`)
await mkdir(nativeFolder, { recursive: true })
await buildScript(['--config', 'unit-tests.config.ts'])
const native = outcomesOf('QuickJS', await cargo(target, 'dev', [], 'unit-tests.js'), [])
const node = outcomesOf('Node', 'node', [
  '--test',
  '--test-isolation=none',
  '--test-reporter=./tools/outcomes-reporter.ts',
  ...globSync([...unitTestPatterns], { cwd: root }),
])
const problems = [...native.problems, ...node.problems, ...differences({ native: native.outcomes, node: node.outcomes, onlyOnNode })]
for (const problem of problems) console.log(problem)
for (const [file, why] of Object.entries(onlyOnNode)) {
  console.log(`only on Node: ${file}, ${node.outcomes.filter((outcome) => outcome.file === file).length} tests: ${why}`)
}
console.log(
  `${native.outcomes.length} unit tests on QuickJS, ${node.outcomes.length} on Node, ${problems.length} problems; took ${seconds(startedAtMs)}`,
)
process.exitCode = problems.length === 0 ? 0 : 1
