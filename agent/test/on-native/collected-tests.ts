export type CollectedTest = { readonly name: string; readonly run: () => unknown }

type Run = () => unknown

/** No longer than the host lets a turn take: it sees to that by itself. */
type Options = { readonly timeout: number }

let collected: CollectedTest[] = []

/** Takes the place of `test` of `node:test`, with what the unit tests use of it: a name, perhaps a limit of time, and a function without arguments. */
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

/** The tests collected since the last call. */
export function takeTests(): readonly CollectedTest[] {
  const taken = collected
  collected = []
  return taken
}
