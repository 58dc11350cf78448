import { globSync } from 'node:fs'
import { importsOf, isTest, readSource, root } from './rules/source-tree.ts'

export type SuiteName = 'short' | 'long' | 'soak' | 'abuse'

const product = ['{protocol,agent,hub,web}/{src,test}/**/*.test.ts', 'e2e/*.test.ts']
const everywhere = [...product, 'program/**/*.test.ts', 'tools/**/*.test.ts']
/** List of the glob patterns of test files that run for minutes in the long suite, and for hours in the soak suite. */
const hoursLong = ['{agent,hub,protocol}/{soak,fuzz}/*.test.ts']

/**
 * Returns the paths of a suite's test files. `short`: all tests outside the folders `fuzz`, `soak` and `abuse`. `long`: those that run
 * longer with `VEDETTE_LONG`, property tests, fuzzing and soak tests. `soak`: files that can run for hours. `abuse`: tests in which hostile
 * peers flood the hub or the agent.
 */
export function suiteOf(name: SuiteName): readonly string[] {
  if (name === 'abuse') return listed(['hub/abuse/*.test.ts', 'agent/test/*-floods.test.ts'])
  if (name === 'short') return listed(everywhere)
  const known = new Map<string, string>()
  const variables = name === 'soak' ? ['VEDETTE_SOAK'] : ['VEDETTE_LONG', 'VEDETTE_SOAK']
  const longer = listed(product).filter(
    (path) => variables.some((variable) => textOf(path, known).includes(variable)) || (name === 'long' && isPureProperty(path)),
  )
  return [...longer, ...listed(hoursLong)]
}

const listed = (patterns: readonly string[]): readonly string[] => globSync(patterns, { cwd: root }).toSorted()

/**
 * Returns true for a test file that must run while no other test runs. It is the one in which three hubs lose their network and are killed:
 * on a busy machine, agents would not find a hub in time.
 */
export const runsAlone = (path: string): boolean => path === 'hub/test/cluster/random-faults.test.ts'

/**
 * Returns true for a property test (random inputs) of code that needs no server or database. The long suite repeats such tests more often,
 * because that costs only CPU time.
 */
const isPureProperty = (path: string): boolean => /^\w+\/src\//.test(path) && importsOf(path).some(({ to }) => to === 'fast-check')

/**
 * Returns the source text of a test file followed by that of all test helpers that it imports, directly or indirectly. `known` is a cache
 * of texts by path.
 */
function textOf(path: string, known: Map<string, string>): string {
  const before = known.get(path)
  if (before !== undefined) return before
  // Ends circular imports.
  known.set(path, '')
  const own = importsOf(path)
    .map(({ to }) => to)
    .filter((to) => isTest(to) || /^\w+\/(soak|fuzz|abuse)\//.test(to))
  const text = [readSource(path), ...own.map((one) => textOf(one, known))].join('\n')
  known.set(path, text)
  return text
}
