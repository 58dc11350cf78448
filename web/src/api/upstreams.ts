import { getJson } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import type { SystemTag } from './system-tags.ts'

/**
 * System behind which another one is, by a tag `behind=NAME`. `problem`: why it silences no alerts (no system has this name, or systems are
 * behind each other); `undefined`: none.
 */
export type Upstream = { readonly name: string; readonly problem: 'unknown' | 'circle' | undefined }

/** Returns true when one of a system's tags names an upstream (`behind=NAME`), so that {@link upstreamsQuery} has something to load. */
export const namesUpstream = (tags: readonly SystemTag[]): boolean => tags.some(({ text }) => text.startsWith('behind='))

/** TanStack Query options for the upstreams of a system that tags of admins and of their enrolment tokens name. */
export const upstreamsQuery = (systemId: string) =>
  serverQuery([...keys.systemAlerts(systemId), 'upstreams'], async (signal): Promise<readonly Upstream[]> => {
    const answer = recordOf(await getJson(`/api/vedette/systems/${encodeURIComponent(systemId)}/upstreams`, signal))
    return listOf(answer['items']).flatMap((item) => {
      const { name, problem } = recordOf(item)
      const known = problem === 'unknown' || problem === 'circle' ? problem : undefined
      return textOf(name) === undefined ? [] : [{ name: textOf(name) ?? '', problem: known }]
    })
  })
