import { getJson } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import type { SystemTag } from './system-tags.ts'

/**
 * System behind which another one is, by a tag `behind=NAME`. `problem` says why it silences no alerts: the user sees no system with this
 * name, or systems are behind each other. `undefined`: no problem.
 */
export type Upstream = { readonly name: string; readonly problem: 'unknown' | 'circle' | undefined }

/** Returns true when one of a system's tags has the form `behind=NAME`, so that the system may have upstreams to load. */
export const namesUpstream = (tags: readonly SystemTag[]): boolean => tags.some(({ text }) => text.startsWith('behind='))

/**
 * TanStack Query options for the upstreams of a system: the systems behind which it is by trusted tags `behind=NAME`. The data is a list of
 * their names, each with the problem (if any) because of which it silences no alerts.
 */
export const upstreamsQuery = (systemId: string) =>
  serverQuery([...keys.systemAlerts(systemId), 'upstreams'], async (signal): Promise<readonly Upstream[]> => {
    const answer = recordOf(await getJson(`/api/vedette/systems/${encodeURIComponent(systemId)}/upstreams`, signal))
    return listOf(answer['items']).flatMap((item) => {
      const { name, problem } = recordOf(item)
      const known = problem === 'unknown' || problem === 'circle' ? problem : undefined
      return textOf(name) === undefined ? [] : [{ name: textOf(name) ?? '', problem: known }]
    })
  })
