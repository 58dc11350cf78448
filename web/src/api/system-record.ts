import type { InfoJson } from '@vedette/protocol/wire/info-json'
import { shownVersion } from '@vedette/protocol/wire/version'
import { idsOf } from './client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf, type JsonRecord } from './json.ts'

export type SystemStatus = 'up' | 'down' | 'paused' | 'pending'

/** One system as the list shows it: who it is, how it is, and the latest values that are known of it. */
export type System = {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly port: string
  readonly status: SystemStatus
  readonly userIds: readonly string[]
  readonly latest: LatestValues
}

/** What the last sample said. Percents are 0–100. */
export type LatestValues = {
  readonly uptimeSeconds: number | undefined
  readonly cpuModel: string | undefined
  readonly cores: number | undefined
  readonly threads: number | undefined
  readonly cpuPercent: number | undefined
  readonly memoryPercent: number | undefined
  readonly diskPercent: number | undefined
  readonly networkBytesPerSecond: number | undefined
  readonly temperatureCelsius: number | undefined
  /** Load averages over 1, 5 and 15 minutes. */
  readonly loads: readonly number[]
  readonly agentVersion: string | undefined
  /** When the sample was taken, epoch ms; hubs that do not say it leave the record's own time of change. */
  readonly sampledAt: number | undefined
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
    latest: readLatest(recordOf(record['info']), timeOf(record['updated'])),
  }
}

const BYTES_PER_MEBIBYTE = 1_048_576

function readLatest(json: JsonRecord, updatedAt: number | undefined): LatestValues {
  // What the hub stored is believed to have these keys and no more: each value is checked where it is read.
  const info: { readonly [K in keyof InfoJson]?: unknown } = json
  const mebibytesPerSecond = numberOf(info.b)
  const version = textOf(info.v)
  const hasSample = Object.keys(json).length > 0
  return {
    uptimeSeconds: numberOf(info.u),
    cpuModel: textOf(info.m),
    cores: numberOf(info.c),
    threads: numberOf(info.t),
    cpuPercent: numberOf(info.cpu),
    memoryPercent: numberOf(info.mp),
    diskPercent: numberOf(info.dp),
    networkBytesPerSecond: numberOf(info.bb) ?? (mebibytesPerSecond === undefined ? undefined : mebibytesPerSecond * BYTES_PER_MEBIBYTE),
    temperatureCelsius: numberOf(info.dt),
    loads: listOf(info.la).flatMap((load) => numberOf(load) ?? []),
    agentVersion: version === undefined ? undefined : shownVersion(version),
    sampledAt: numberOf(info.at) ?? (hasSample ? updatedAt : undefined),
  }
}
