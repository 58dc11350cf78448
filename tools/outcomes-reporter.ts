import type { TestEvent } from 'node:test/reporters'
import { relative } from 'node:path'
import { root } from './rules/source-tree.ts'
import type { TestOutcome } from './compared-runs.ts'

/** Reporter for Node's test runner: yields one line of JSON per test, with file, title, and the error if it failed or was skipped. */
export default async function* outcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { file = '', name, skip } = event.data
    const isSkipped = skip !== undefined && skip !== false
    const error = event.type === 'test:fail' ? event.data.details.error.message : isSkipped ? 'skipped' : undefined
    const outcome: TestOutcome = { file: relative(root, file), name, ...(error === undefined ? {} : { error }) }
    yield `${JSON.stringify(outcome)}\n`
  }
}
