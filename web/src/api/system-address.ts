import type { System } from './system-record.ts'

type Named = Pick<System, 'id' | 'name'>

/**
 * Set of the two system names, `.` and `..`, that cannot be a segment of a URL path. Browsers resolve them, even when encoded (WHATWG URL,
 * path state).
 */
const pathSteps: ReadonlySet<string> = new Set(['.', '..'])

/**
 * Returns a function that takes a system and returns its segment of a page's URL path. It is the name, or the id when several of `systems`
 * have the name or it cannot be a path segment.
 */
export function systemAddresses(systems: readonly Named[]): (system: Named) => string {
  const [seen, notAlone] = [new Set<string>(), new Set(pathSteps)]
  for (const { name } of systems) (seen.has(name) ? notAlone : seen).add(name)
  return ({ id, name }) => (notAlone.has(name) ? id : name)
}
