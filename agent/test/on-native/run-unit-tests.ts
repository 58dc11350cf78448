import { takeTests } from './collected-tests.ts'
import { nativeHost } from './native-host.ts'
import { listenForTurns, setImmediate } from './turns.ts'

/** Path of a test file in the repository, with the function that loads it. */
export type UnitTestFile = readonly [path: string, load: () => Promise<unknown>]

/** Result of one test, printed as a line of JSON. */
type Outcome = { readonly file: string; readonly name: string; readonly error?: string }

const say = (outcome: Outcome): void => nativeHost.print(`${JSON.stringify(outcome)}\n`)

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)

/** Loads the test files one after the other and runs their tests in sequence, each in its own turn of the event loop. */
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
