export type CollectedTest = { readonly name: string; readonly run: () => unknown }

type Run = () => unknown

/** Options of a test. The host itself ends a test that takes too long. */
type Options = { readonly timeout: number }

let collected: CollectedTest[] = []

/**
 * Replacement for `test` of `node:test`: collects a test. It accepts a name, optionally a timeout, and a function without arguments. Throws
 * `TypeError` for other arguments.
 */
export function test(name: string, ...more: readonly [Run] | readonly [Options, Run]): void {
  const run = more.at(-1)
  const options = more.length === 1 ? [] : more.slice(0, -1)
  const isUnderstood = options.every((option) => Object.keys(option).join() === 'timeout')
  if (typeof name !== 'string' || typeof run !== 'function' || run.length > 0 || options.length > 1 || !isUnderstood) {
    throw new TypeError(
      `Cannot collect the test ${JSON.stringify(name)}: it is more than a name, a limit of time and a function without arguments`,
    )
  }
  collected.push({ name, run })
}

/** Returns the tests collected since the last call. */
export function takeTests(): readonly CollectedTest[] {
  const taken = collected
  collected = []
  return taken
}
