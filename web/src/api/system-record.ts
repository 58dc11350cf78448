import { readInfoJson, type SystemInfo } from '@vedette/protocol/wire/info-json'
import { isVedette, shownVersion } from '@vedette/protocol/wire/version'
import { idsOf } from './client.ts'
import { numberOf, textOf, timeOf, type JsonRecord } from './json.ts'
import { readTags, type SystemTag } from './system-tags.ts'

export type SystemStatus = 'up' | 'down' | 'paused' | 'pending'

/** System as the list of systems shows it, from a record of the hub: name, address, status, tags and latest values. */
export type System = {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly port: string
  readonly status: SystemStatus
  readonly userIds: readonly string[]
  /** List of the system's tags with their sources, in the order in which the hub sends them. */
  readonly tags: readonly SystemTag[]
  /** Time at which the system was added to the hub, in epoch ms; `undefined` when unknown. */
  readonly createdMs: number | undefined
  /**
   * Latest values of the system, such as CPU use. `sampledAtMs` is the time of the last sample (epoch ms) or, if an agent does not send it,
   * of the record's last update. It is `undefined` before the first sample.
   */
  readonly latest: SystemInfo
  /**
   * True when the system's agent is a Vedette agent, whose version can be compared with the hub's. False for other agents, and before the
   * first sample.
   */
  readonly hasOwnAgent: boolean
}

const statuses: readonly SystemStatus[] = ['up', 'down', 'paused', 'pending']

export function readSystem(record: JsonRecord): System {
  const info = readInfoJson(record['info'])
  return {
    id: textOf(record['id']) ?? '',
    name: textOf(record['name']) ?? '',
    host: textOf(record['host']) ?? '',
    port: textOf(record['port']) ?? `${numberOf(record['port']) ?? ''}`,
    status: statuses.find((status) => status === record['status']) ?? 'pending',
    userIds: idsOf(record['users']),
    tags: readTags(record['tags'], record['tagSources']),
    createdMs: timeOf(record['created']),
    latest: withShownVersion(info, timeOf(record['updated'])),
    hasOwnAgent: isVedette(info.agentVersion),
  }
}

function withShownVersion(info: SystemInfo, updatedAtMs: number | undefined): SystemInfo {
  const { agentVersion } = info
  if (agentVersion === undefined) return info
  return { ...info, agentVersion: shownVersion(agentVersion), sampledAtMs: info.sampledAtMs ?? updatedAtMs }
}
