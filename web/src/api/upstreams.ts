import { getJson } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import type { SystemTag } from './system-tags.ts'

/**
 * System on which another one depends, such as its router, declared by a tag `behind=NAME`. While it is down, alerts of the other one are
 * silenced. `problem` says why not: no visible system has the name (`unknown`), or the dependency is circular (`circle`).
 */
export type Upstream = { readonly name: string; readonly problem: 'unknown' | 'circle' | undefined }

/**
 * Returns true when one of a system's tags has the form `behind=NAME` (it depends on that system), so that its upstreams must be loaded.
 */
export const namesUpstream = (tags: readonly SystemTag[]): boolean => tags.some(({ text }) => text.startsWith('behind='))

/**
 * TanStack Query options for the systems on which a system depends by trusted tags `behind=NAME`. The data is a list of names, each with
 * the problem (if any) because of which an outage there silences no alerts.
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
