import { inspect } from 'node:util'
import type { TestEvent } from 'node:test/reporters'

type Sums = { passed: number; failed: number; skipped: number; durationMs: number }
type Result = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** A line for each test file with the time of its tests, every failure in full, what was skipped and why, and a last line with the sums. */
export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, Sums>()
  const notes: string[] = []
  for await (const event of events) {
    if (event.type === 'test:stdout' && event.data.message.startsWith('live part')) notes.push(event.data.message.trim())
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const file = shorten(event.data.file ?? event.data.name)
    const sums = files.get(file) ?? { passed: 0, failed: 0, skipped: 0, durationMs: 0 }
    files.set(file, sums)
    count(sums, event, notes)
    if (event.type === 'test:fail') yield failure(event, file)
  }
  for (const [file, { passed, failed, durationMs }] of files) {
    yield `${failed === 0 ? 'ok  ' : 'FAIL'} ${file} ${passed}, ${(durationMs / 1000).toFixed(1)} s\n`
  }
  for (const note of notes) yield `${note}\n`
  const total = (name: 'passed' | 'failed' | 'skipped') => [...files.values()].reduce((sum, sums) => sum + sums[name], 0)
  yield `${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped\n`
}

function count(sums: Sums, { type, data }: Result, notes: string[]): void {
  if (data.nesting === 0) sums.durationMs += data.details.duration_ms
  if (type === 'test:fail') sums.failed += 1
  else if (data.skip !== undefined && data.skip !== false) {
    sums.skipped += 1
    notes.push(`skipped: ${data.name} (${data.skip})`)
  } else sums.passed += 1
}

function failure({ data }: Extract<Result, { type: 'test:fail' }>, file: string): string {
  const { error } = data.details
  return `\nFAILED ${file}: ${data.name}\n${inspect(error.cause ?? error, { depth: 6 })}\n\n`
}

const shorten = (file: string): string => file.replace(`${process.cwd()}/`, '')
