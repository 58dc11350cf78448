import type { System } from './system-record.ts'

type Named = Pick<System, 'id' | 'name'>

/** Browsers take these for a step along the path, however they are encoded. Source: WHATWG URL, path state. */
const pathSteps: ReadonlySet<string> = new Set(['.', '..'])

/** The part of a page's address that names its system: the name, or the id where another system has the same name or no path can hold it. */
export function systemAddresses(systems: readonly Named[]): (system: Named) => string {
  const [seen, notAlone] = [new Set<string>(), new Set(pathSteps)]
  for (const { name } of systems) (seen.has(name) ? notAlone : seen).add(name)
  return ({ id, name }) => (notAlone.has(name) ? id : name)
}
