import { ownValue } from '@vedette/protocol/own-value'
import type { PartKind } from './alert-kinds.ts'
import { filterOf, getJson, listRecords } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { listOf, recordOf, textOf } from './json.ts'

/**
 * Object from kind of part (container, service, filesystem, network interface) to the list of the names of a system's parts of that kind.
 */
export type SystemParts = Readonly<Record<PartKind, readonly string[]>>

/** Name of the root filesystem of a system in alert rules, `root`, in place of the filesystem's own name. */
const ROOT_DISK = 'root'

/**
 * TanStack Query options for the names of a system's parts (containers, services, filesystems, interfaces), which alert rules can watch;
 * the data is a `SystemParts`. Filesystems and interfaces come from the last one-minute record.
 */
export const systemPartsQuery = (systemId: string) =>
  serverQuery(
    keys.systemParts(systemId),
    async (signal): Promise<SystemParts> => {
      const [container, service, { filesystem, interfaces }] = await Promise.all([
        namesIn('containers', systemId, signal),
        namesIn('systemd_services', systemId, signal),
        lastMeasured(systemId, signal),
      ])
      return { container, service, filesystem, interface: interfaces }
    },
    { staleTime: 0 },
  )

async function namesIn(collection: string, systemId: string, signal: AbortSignal): Promise<readonly string[]> {
  const query = { fields: 'name', sort: 'name', filter: filterOf('system = {:systemId}', { systemId }) }
  const records = await listRecords(collection, query, signal)
  return [...new Set(records.flatMap(({ name }) => textOf(name) ?? []))]
}

async function lastMeasured(systemId: string, signal: AbortSignal) {
  const query = new URLSearchParams({
    filter: filterOf("system = {:systemId} && type = '1m'", { systemId }),
    sort: '-created',
    perPage: '1',
    skipTotal: '1',
    fields: 'stats',
  })
  const page = recordOf(await getJson(`/api/collections/system_stats/records?${query.toString()}`, signal))
  const stats = recordOf(recordOf(listOf(page['items'])[0])['stats'])
  const named = (key: string): string[] => Object.keys(recordOf(ownValue(stats, key))).toSorted()
  return { filesystem: [...(stats['dp'] === undefined ? [] : [ROOT_DISK]), ...named('efs')], interfaces: named('ni') }
}
