import { takeTests } from './collected-tests.ts'
import { nativeHost } from './native-host.ts'
import { listenForTurns, setImmediate } from './turns.ts'

/** A file's path in the repository, and what loads it. */
export type UnitTestFile = readonly [path: string, load: () => Promise<unknown>]

/** A line on standard output: what became of one test. */
type Outcome = { readonly file: string; readonly name: string; readonly error?: string }

const say = (outcome: Outcome): void => nativeHost.print(`${JSON.stringify(outcome)}\n`)

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)

/** Loads one file after the other and runs its tests one after the other, each in a turn of its own. */
export async function runUnitTests(files: readonly UnitTestFile[]): Promise<void> {
  listenForTurns()
  for (const [file, load] of files) {
    await setImmediate()
    try {
      await load()
    } catch (error) {
      say({ file, name: 'can be loaded', error: textOf(error) })
    }
    for (const { name, run } of takeTests()) {
      await setImmediate()
      try {
        await run()
        say({ file, name })
      } catch (error) {
        say({ file, name, error: textOf(error) })
      }
    }
  }
  nativeHost.exit(0)
}
