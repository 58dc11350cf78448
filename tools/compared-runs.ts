/** Result of one test on one of the agent's runtimes (Node.js or native): file, title, and the error's text if the test failed. */
export type TestOutcome = { readonly file: string; readonly name: string; readonly error?: string }

type Runs = {
  readonly native: readonly TestOutcome[]
  readonly node: readonly TestOutcome[]
  /** Map from the path of a test file that only Node.js can run, not the native runtime (QuickJS), to the reason. */
  readonly onlyOnNode: Readonly<Record<string, string>>
}

/**
 * Returns the differences between the runs of the same tests on Node and on QuickJS (native runtime), one sentence each. These are
 * failures, tests that only one runtime ran, and files in `onlyOnNode` without a test on Node.
 */
export function differences({ native, node, onlyOnNode }: Runs): readonly string[] {
  const both = node.filter(({ file }) => onlyOnNode[file] === undefined)
  return [
    ...failures('QuickJS', native),
    ...failures('Node', node),
    ...missingTests(both, native).map((test) => `${test} did not run on QuickJS`),
    ...missingTests(native, both).map((test) => `${test} did not run on Node`),
    ...Object.keys(onlyOnNode)
      .filter((file) => !node.some((outcome) => outcome.file === file))
      .map((file) => `${file} is said to run only on Node, and has no test there`),
  ]
}

const failures = (host: string, outcomes: readonly TestOutcome[]): readonly string[] =>
  outcomes.flatMap(({ file, name, error }) => (error === undefined ? [] : [`${file}: ${name} failed on ${host}: ${error}`]))

/**
 * Compares two runs of the same tests, and returns the titles of the tests in `some` that `others` lacks. A title that `some` has twice and
 * `others` once is returned once.
 */
function missingTests(some: readonly TestOutcome[], others: readonly TestOutcome[]): readonly string[] {
  const left = new Map<string, number>()
  for (const test of others.map(titleOf)) left.set(test, (left.get(test) ?? 0) + 1)
  return some.map(titleOf).filter((test) => {
    const count = left.get(test) ?? 0
    left.set(test, count - 1)
    return count <= 0
  })
}

const titleOf = ({ file, name }: TestOutcome): string => `${file}: ${name}`
