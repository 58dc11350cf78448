import { globSync } from 'node:fs'
import { importsOf, isTest, readSource, root } from './rules/source-tree.ts'

export type SuiteName = 'short' | 'long' | 'soak' | 'abuse'

const product = ['{protocol,agent,hub,web}/{src,test}/**/*.test.ts', 'e2e/*.test.ts']
const everywhere = [...product, 'tools/**/*.test.ts']
/** In the long suite they run for minutes. */
const hoursLong = ['{agent,hub,protocol}/{soak,fuzz}/*.test.ts']

/**
 * The test files of a suite. `short`: everybody runs these. `long`: every file that has a longer form, and every property of a pure part,
 * many more runs of each. `soak`: every file with a form of hours. `abuse`: programs that hostile peers try to stop. Which files have
 * longer forms is read from them and from what they import of the tests, so that none can be left out.
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

/** More runs of these cost processor time alone: no server, no database. */
const isPureProperty = (path: string): boolean => /^\w+\/src\//.test(path) && importsOf(path).some(({ to }) => to === 'fast-check')

/** The text of a test file and of everything it imports that is not the product's. */
function textOf(path: string, known: Map<string, string>): string {
  const before = known.get(path)
  if (before !== undefined) return before
  // A circle ends here.
  known.set(path, '')
  const own = importsOf(path)
    .map(({ to }) => to)
    .filter((to) => isTest(to) || /^\w+\/(soak|fuzz|abuse)\//.test(to))
  const text = [readSource(path), ...own.map((one) => textOf(one, known))].join('\n')
  known.set(path, text)
  return text
}
