import { inspect } from 'node:util'
import type { TestEvent } from 'node:test/reporters'
import { remedyOf } from './skip-remedies.ts'
import { HANGS } from './test-deadline.ts'

type Sums = { passed: number; failed: number; skipped: number; durationMs: number }
type Result = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

const SLOWEST_SHOWN = 10
/** Maximum number of last characters of standard error that are shown when a file's process fails although its tests passed. */
const LAST_WORDS_CHARS = 4000

/**
 * Reporter for Node's test runner: yields a line for each finished test file with its duration, and every failure in full. At the end it
 * yields skipped tests with the reason and the command to run them, the slowest files, and the sums.
 */
export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, Sums>()
  const notes: string[] = []
  const skipped = new Map<string, string[]>()
  const lastWords = new Map<string, string>()
  let current: string | undefined
  for await (const event of events) {
    if (isNote(event)) notes.push(event.data.message.trim())
    if (event.type === 'test:stderr') lastWords.set(event.data.file, last(`${lastWords.get(event.data.file) ?? ''}${event.data.message}`))
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const file = shorten(event.data.file ?? event.data.name)
    // The runner reports one file after the other, in their order.
    if (current !== undefined && current !== file) yield lineOf(current, files)
    current = file
    const sums = files.get(file) ?? { passed: 0, failed: 0, skipped: 0, durationMs: 0 }
    files.set(file, sums)
    count(sums, event, skipped)
    if (event.type === 'test:fail') yield failure(event, file, lastWords)
  }
  yield* closing(files, current, [...notes, ...skippedLines(skipped)])
}

function* closing(files: ReadonlyMap<string, Sums>, last: string | undefined, notes: readonly string[]): Generator<string> {
  if (last !== undefined) yield lineOf(last, files)
  for (const note of notes) yield `${note}\n`
  const slowest = [...files].toSorted(([, a], [, b]) => b.durationMs - a.durationMs).slice(0, SLOWEST_SHOWN)
  for (const [file, { durationMs }] of slowest) yield `slowest: ${file} ${inSeconds(durationMs)}\n`
  const total = (name: 'passed' | 'failed' | 'skipped') => [...files.values()].reduce((sum, sums) => sum + sums[name], 0)
  yield `${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped\n`
}

const isNote = (event: TestEvent): event is Extract<TestEvent, { type: 'test:stdout' | 'test:stderr' }> =>
  (event.type === 'test:stdout' && event.data.message.startsWith('live part')) ||
  (event.type === 'test:stderr' && event.data.message.includes(HANGS))

const inSeconds = (durationMs: number): string => `${(durationMs / 1000).toFixed(1)} s`

function lineOf(file: string, files: ReadonlyMap<string, Sums>): string {
  const { passed = 0, failed = 0, durationMs = 0 } = files.get(file) ?? {}
  return `${failed === 0 ? 'ok  ' : 'FAIL'} ${file} ${passed}, ${inSeconds(durationMs)}\n`
}

/** Returns one line for each reason for which tests were skipped, with their number and the command that makes them run. */
function skippedLines(skipped: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...skipped].map(([reason, [first = '', ...others]]) => {
    const names = others.length === 0 ? first : `${first} and ${others.length} more`
    const remedy = remedyOf(reason)
    return `skipped: ${names}: ${reason}${remedy === undefined ? '' : `; to run ${others.length === 0 ? 'it' : 'them'}: ${remedy}`}`
  })
}

function count(sums: Sums, { type, data }: Result, skipped: Map<string, string[]>): void {
  if (data.nesting === 0) sums.durationMs += data.details.duration_ms
  if (type === 'test:fail') sums.failed += 1
  else if (data.skip !== undefined && data.skip !== false) {
    sums.skipped += 1
    const reason = String(data.skip)
    skipped.set(reason, [...(skipped.get(reason) ?? []), data.name])
  } else sums.passed += 1
}

function failure({ data }: Extract<Result, { type: 'test:fail' }>, file: string, lastWords: ReadonlyMap<string, string>): string {
  const { error } = data.details
  const end = endOf(error)
  const words = end === undefined ? '' : `${end}\n${lastWords.get(data.name) ?? lastWords.get(data.file ?? '') ?? ''}\n`
  return `\nFAILED ${file}: ${data.name}\n${words}${inspect(error.cause ?? error, { depth: 6 })}\n\n`
}

/**
 * Returns a sentence, for the summary, with the exit code or signal that ended the process of a failed test file. `undefined` if `error`
 * has neither.
 */
function endOf(error: Error): string | undefined {
  const { exitCode, signal } = error as { readonly exitCode?: number | null; readonly signal?: NodeJS.Signals | null }
  if (typeof signal === 'string') return `The process was ended by ${signal}`
  return typeof exitCode === 'number' ? `The process ended with ${exitCode}` : undefined
}

const last = (text: string): string => text.slice(-LAST_WORDS_CHARS)

const shorten = (file: string): string => file.replace(`${process.cwd()}/`, '')
