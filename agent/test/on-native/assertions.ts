import { isDeepEqual, isPartOf } from './deep-equal.ts'

/** Error of a failed assertion. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

/** Second argument of `throws` and `rejects`: a pattern of the error's text, its class, or values of its members. */
type Expected = RegExp | (new (...args: never[]) => unknown) | object | undefined

/** Replacement for `node:assert/strict` with the functions that the unit tests use. `stand-ins.test.ts` compares it with Node's. */
export const assertions = {
  ok: (value: unknown, message?: string): void => holds(Boolean(value), message, () => `${shown(value)} is not true`),
  equal: (actual: unknown, expected: unknown, message?: string): void =>
    holds(Object.is(actual, expected), message, () => `${shown(actual)} is not ${shown(expected)}`),
  notEqual: (actual: unknown, expected: unknown, message?: string): void =>
    holds(!Object.is(actual, expected), message, () => `both are ${shown(actual)}`),
  deepEqual: (actual: unknown, expected: unknown, message?: string): void =>
    holds(isDeepEqual(actual, expected), message, () => `${shown(actual)} is not like ${shown(expected)}`),
  partialDeepStrictEqual: (actual: unknown, expected: unknown, message?: string): void =>
    holds(isPartOf(expected, actual), message, () => `${shown(expected)} is not a part of ${shown(actual)}`),
  match: (text: string, pattern: RegExp, message?: string): void =>
    holds(isFound(text, pattern), message, () => `${shown(text)} does not match ${String(pattern)}`),
  doesNotMatch: (text: string, pattern: RegExp, message?: string): void =>
    holds(!isFound(text, pattern), message, () => `${shown(text)} matches ${String(pattern)}`),
  throws: (work: () => unknown, expected?: Expected, message?: string): void => {
    let thrown: { readonly error: unknown } | undefined
    try {
      work()
    } catch (error) {
      thrown = { error }
    }
    if (thrown === undefined) throw new AssertionFailed(message ?? 'nothing was thrown')
    holds(isExpected(thrown.error, expected), message, () => `another error was thrown: ${String(thrown.error)}`)
  },
  rejects: async (work: Promise<unknown> | (() => Promise<unknown>), expected?: Expected, message?: string): Promise<void> => {
    const outcome = await (typeof work === 'function' ? work() : work).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (outcome === undefined) throw new AssertionFailed(message ?? 'nothing was rejected')
    holds(isExpected(outcome.error, expected), message, () => `it was rejected with another error: ${String(outcome.error)}`)
  },
} as const

function holds(condition: boolean, message: string | undefined, about: () => string): void {
  if (!condition) throw new AssertionFailed(message ?? about())
}

function isFound(text: unknown, pattern: RegExp): boolean {
  if (typeof text !== 'string') throw new AssertionFailed(`${shown(text)} is not a text`)
  return pattern.test(text)
}

function isExpected(error: unknown, expected: Expected): boolean {
  if (expected === undefined) return true
  if (expected instanceof RegExp) return expected.test(String(error))
  if (typeof expected === 'function') return error instanceof expected
  const names = expected instanceof Error ? [...Object.keys(expected), 'name', 'message'] : Object.keys(expected)
  if (typeof error !== 'object' || error === null || names.length === 0) throw new TypeError('Cannot compare this error: nobody did so far')
  return names.every((name) => isDeepEqual(Reflect.get(error, name), Reflect.get(expected, name)))
}

/** Formats a value for a message, at most 2,000 characters. It also handles bytes, maps and bigint. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint' || one === undefined) return String(one)
    if (one instanceof Map || one instanceof Set) return [...one]
    return one instanceof Uint8Array ? Array.from(one) : one
  })
  return text === undefined ? String(value) : text.slice(0, 2000)
}
