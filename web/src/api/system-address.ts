import type { System } from './system-record.ts'

type Named = Pick<System, 'id' | 'name'>

/** Browsers take these for a step along the path, however they are encoded. Source: WHATWG URL, path state. */
const pathSteps: ReadonlySet<string> = new Set(['.', '..'])

/** What stands for a system in its page's address: its name, or its id where others have that name or no path can hold it. */
export function systemAddresses(systems: readonly Named[]): (system: Named) => string {
  const [seen, notAlone] = [new Set<string>(), new Set(pathSteps)]
  for (const { name } of systems) (seen.has(name) ? notAlone : seen).add(name)
  return ({ id, name }) => (notAlone.has(name) ? id : name)
}
