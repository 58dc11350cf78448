import { readInfoJson, type SystemInfo } from '@vedette/protocol/wire/info-json'
import { shownVersion } from '@vedette/protocol/wire/version'
import { idsOf } from './client.ts'
import { numberOf, textOf, timeOf, type JsonRecord } from './json.ts'

export type SystemStatus = 'up' | 'down' | 'paused' | 'pending'

/** One system as the list shows it: who it is, how it is, and the latest values that are known of it. */
export type System = {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly port: string
  readonly status: SystemStatus
  readonly userIds: readonly string[]
  /** When it was added, epoch ms. */
  readonly createdMs: number | undefined
  /** Its agent's version as people see it; where a hub does not say when the sample was taken, the record's own time of change. */
  readonly latest: SystemInfo
}

const statuses: readonly SystemStatus[] = ['up', 'down', 'paused', 'pending']

export function readSystem(record: JsonRecord): System {
  return {
    id: textOf(record['id']) ?? '',
    name: textOf(record['name']) ?? '',
    host: textOf(record['host']) ?? '',
    port: textOf(record['port']) ?? `${numberOf(record['port']) ?? ''}`,
    status: statuses.find((status) => status === record['status']) ?? 'pending',
    userIds: idsOf(record['users']),
    createdMs: timeOf(record['created']),
    latest: readLatest(record['info'], timeOf(record['updated'])),
  }
}

function readLatest(stored: unknown, updatedAtMs: number | undefined): SystemInfo {
  const info = readInfoJson(stored)
  const { agentVersion } = info
  if (agentVersion === undefined) return info
  return { ...info, agentVersion: shownVersion(agentVersion), sampledAtMs: info.sampledAtMs ?? updatedAtMs }
}
