import type { Member } from '../runtime.ts'

/**
 * Returns the members of a parsed JSON value at the given paths, such as `State.Status`, as a list with one entry for each path. A missing
 * member is `null`.
 */
export function membersAt(value: unknown, paths: readonly string[]): readonly Member[] {
  return paths.map((path) => memberAt(value, path.split('.')))
}

function memberAt(value: unknown, [step, ...rest]: readonly string[]): Member {
  if (step === undefined) return typeof value === 'number' ? value : typeof value === 'string' ? wellFormed(value) : null
  if (typeof value !== 'object' || value === null) return null
  if (step === '*') return Object.values(value).map((one) => memberAt(one, rest))
  return !Array.isArray(value) && Object.hasOwn(value, step) ? memberAt(Reflect.get(value, step), rest) : null
}

const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
