import type { System } from './system-record.ts'

type Named = Pick<System, 'id' | 'name'>

/**
 * Set of the system names that cannot be a segment of a URL path: browsers resolve `.` and `..`, however they are encoded (WHATWG URL, path
 * state).
 */
const pathSteps: ReadonlySet<string> = new Set(['.', '..'])

/**
 * Returns a function that takes a system and returns its segment of the page's URL. It is the name, or the id when the name is not unique
 * or cannot be a path segment.
 */
export function systemAddresses(systems: readonly Named[]): (system: Named) => string {
  const [seen, notAlone] = [new Set<string>(), new Set(pathSteps)]
  for (const { name } of systems) (seen.has(name) ? notAlone : seen).add(name)
  return ({ id, name }) => (notAlone.has(name) ? id : name)
}
