import type { DiskAttribute, DiskHealth, DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { ContainerSample, ServiceSample } from '@vedette/protocol/metrics/sample'
import { containerHealths, serviceStates, serviceSubStates } from '@vedette/protocol/wire/keys'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { round2, toMebibytes } from '@vedette/protocol/wire/units'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { together } from '../platform/db/together.ts'
import type { RecordTableStore, RecordChange } from '../records/engine/engine.ts'
import type { Collection } from '../records/model/collection.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import type { StoredRecord } from '../records/model/stored-record.ts'
import { containers } from '../records/collections/containers.ts'
import { systemdServices } from '../records/collections/systemd-services.ts'
import type { AlertWatch } from '../alerts/rules/alert-watch.ts'
import { smartDevices } from '../records/collections/smart-devices.ts'
import { fnv1a } from '../platform/fnv1a.ts'

/**
 * One item that a system has now: a container, service or drive. `key` identifies it within the system; `values` are the field values of
 * its record.
 */
type CurrentRow = { readonly key: string; readonly values: RecordValues }

/**
 * Items that one system has now, such as containers, as its agent reported them. With `isComplete`, stored rows of items that the report
 * lacks are deleted.
 */
type CurrentRows = { readonly system: string; readonly rows: readonly CurrentRow[]; readonly isComplete: boolean }

type RowKind = {
  readonly collection: Collection
  /** Name of the field with the item's key, such as `containerId`, by which stored rows are found. `''`: the row's id is the key. */
  readonly keyColumn: string
  /**
   * Returns the id for the row of a new item. It is called with `attempt` 0 first; while another row has the returned id, again with
   * `attempt` higher by 1, for another id.
   */
  readonly newId: (system: string, key: string, attempt: number) => string
}

export type Writing = {
  readonly records: RecordTableStore
  readonly unit: UnitOfWork
  readonly dialect: Database['dialect']
}

type StoredKey = { readonly id: string; readonly system: string; readonly key: string }

/**
 * Name (`new current rows`) of the database lock for transactions that add rows of containers, services or drives, because two systems may
 * report the same id.
 */
const NEW_ROWS = 'new current rows'

/**
 * Function that inserts rows of new items (containers, services or drives) and deletes rows of missing ones, in the transaction. Resolves
 * to the changes of existing rows, which the caller stores with `updateMany`.
 */
export type StoreRows = () => Promise<readonly RecordChange[]>

/**
 * Compares the items (containers, services or drives) that systems report with the stored rows, which it loads. Resolves to a {@link
 * StoreRows} function that stores the difference. If a system reports a key twice, the last item counts.
 */
async function compare(writing: Writing, kind: RowKind, reports: readonly CurrentRows[]): Promise<StoreRows> {
  const stored = Map.groupBy(await loadKeys(writing, kind, reports), ({ system }) => system)
  return async () => {
    const changes: RecordChange[] = []
    const added: NewRow[] = []
    const removed: string[] = []
    for (const { system, rows, isComplete } of reports) {
      const known = new Map((stored.get(system) ?? []).map((row) => [row.key === '' ? row.id : row.key, row]))
      for (const [key, values] of new Map(rows.map((row) => [row.key, row.values]))) {
        const row = known.get(key)
        known.delete(key)
        if (row === undefined) added.push({ system, key, values })
        else changes.push({ before: { id: row.id, system, [kind.keyColumn]: row.key }, isPartial: true, values })
      }
      if (isComplete) for (const { id } of known.values()) removed.push(id)
    }
    await addRows(writing, kind, added)
    for (const id of removed) await writing.records.remove(writing.unit, kind.collection.name, id)
    return changes
  }
}

async function loadKeys(
  { unit, dialect }: Writing,
  { collection, keyColumn }: RowKind,
  reports: readonly CurrentRows[],
): Promise<readonly StoredKey[]> {
  if (reports.length === 0) return []
  const isReported = dialect.isAmong(sql`r.system`, sql`${JSON.stringify(reports.map(({ system }) => system))}`)
  const { rows } = await sql<StoredKey>`select r.id, r.system, r.${sql.ref(keyColumn)} as key from ${sql.table(collection.name)} as r
    where ${isReported} order by r.seq`.execute(unit.sql)
  return rows
}

type NewRow = CurrentRow & { readonly system: string }

/**
 * Inserts rows for new containers, services or drives. If a new row's id exists already, `newId` creates another one, with a higher
 * `attempt`. Takes a database lock for it.
 */
async function addRows({ records, unit }: Writing, { collection, newId }: RowKind, added: readonly NewRow[]): Promise<void> {
  if (added.length === 0) return
  await unit.alone(NEW_ROWS)
  let left = added
  for (let attempt = 0; left.length > 0; attempt++) {
    const given = left.map((row) => ({ row, id: newId(row.system, row.key, attempt) }))
    const ids = given.map(({ id }) => id)
    const owners = new Map((await records.loadMany(collection, ids, unit)).map((record) => [record.id, record['system']]))
    const free: RecordValues[] = []
    const others: NewRow[] = []
    for (const { row, id } of given) {
      const owner = owners.get(id)
      if (owner !== undefined && owner !== '') {
        others.push(row)
        continue
      }
      // The row's system was deleted, so its id is free.
      if (owner === '') await records.remove(unit, collection.name, id)
      owners.set(id, row.system)
      free.push({ id, system: row.system, ...row.values })
    }
    await records.insertMany(unit, collection, free)
    left = others
  }
}

/** Time in ms (10 min) without a response of Docker or Podman after which the rows of a system's containers are deleted. */
const REMOVED_AFTER_MS = 600_000

const ID_LENGTH = 12

const containerRows: RowKind = { collection: containers, keyColumn: 'containerId', newId: containerRowId }

/** System (by id) with the containers in its sample; `undefined` if Docker or Podman did not respond to the agent. */
export type RunningSample = { readonly system: string; readonly containers: readonly ContainerSample[] | undefined }

/**
 * Compares the running containers of systems with the stored rows. Resolves to a {@link StoreRows} function, which stores the difference.
 * Containers without an id (agents before 0.14) get no rows. Without a response of Docker or Podman, rows that were updated in the last 10
 * min stay.
 */
export async function compareContainers(writing: Writing, samples: readonly RunningSample[], nowMs: number): Promise<StoreRows> {
  const reports: CurrentRows[] = []
  const unanswered: string[] = []
  for (const { system, containers: running } of samples) {
    if (running === undefined) unanswered.push(system)
    else reports.push({ system, isComplete: true, rows: running.flatMap((one) => rowOf(one, nowMs)) })
  }
  const [store, unconfirmed] = await together(compare(writing, containerRows, reports), loadContainersOf(writing, unanswered))
  return async () => {
    const changes = await store()
    for (const { id, ...row } of unconfirmed) {
      const updated = Number(row['updated'])
      // After a clock was set back, the age of a row in the future is unknown.
      if (updated < nowMs - REMOVED_AFTER_MS || updated > nowMs) await writing.records.remove(writing.unit, containers.name, id)
    }
    return changes
  }
}

const systemField = containers.fields.find(({ name }) => name === 'system')

async function loadContainersOf({ records, unit }: Writing, systems: readonly string[]): Promise<readonly StoredRecord[]> {
  return systems.length === 0 || systemField === undefined ? [] : records.loadReferring(containers, systemField, systems, unit)
}

/**
 * Returns the id of a container's row. With `attempt` 0 it is the container's own id, as clients expect, if that is hexadecimal. Otherwise
 * it is a hash of system, container and attempt, for when another system's row has that id.
 */
export function containerRowId(system: string, containerId: string, attempt: number): string {
  if (attempt === 0 && /^[a-f0-9]{6,64}$/.test(containerId)) return containerId
  return createHash('sha256').update(`${system} ${containerId} ${attempt}`).digest('hex').slice(0, ID_LENGTH)
}

function rowOf(container: ContainerSample, nowMs: number): readonly CurrentRow[] {
  if (container.id === undefined) return []
  return [{ key: container.id, values: { ...fromContainer(container), containerId: container.id, updated: nowMs } }]
}

function fromContainer(container: ContainerSample): RecordValues {
  const { name, cpuPercent, memoryBytes, sentBytesPerSecond, receivedBytesPerSecond } = container
  return {
    name,
    status: container.status ?? '',
    health: containerHealths.indexOf(container.health ?? 'none'),
    cpu: round2(cpuPercent ?? 0),
    memory: toMebibytes(memoryBytes ?? 0),
    net: Math.round((sentBytesPerSecond ?? 0) + (receivedBytesPerSecond ?? 0)),
    image: container.image ?? '',
    ports: container.ports ?? '',
    memoryLimit: toMebibytes(container.memoryLimitBytes ?? 0),
    cpuLimit: round2(container.cpuLimitCpus ?? 0),
    ...fromInspection(container),
    unknownFields: unknownFields(container),
  }
}

const fromInspection = ({ restarts = -1, composeProject = '' }: ContainerSample): RecordValues => ({
  restarts: Math.round(restarts),
  composeProject,
})

/**
 * Returns the names of the values that a container's sample lacks, comma-separated: `cpu`, `memory` or `net`; `''` for none. The row stores
 * 0 for them.
 */
const unknownFields = ({ cpuPercent, memoryBytes, sentBytesPerSecond, receivedBytesPerSecond }: ContainerSample): string =>
  [
    cpuPercent === undefined && 'cpu',
    memoryBytes === undefined && 'memory',
    sentBytesPerSecond === undefined && receivedBytesPerSecond === undefined && 'net',
  ]
    .filter((name) => name !== false)
    .join(',')

const serviceRows: RowKind = { collection: systemdServices, keyColumn: 'name', newId: rowId }

type ListedServices = { readonly system: string; readonly services: readonly ServiceSample[] | undefined }

/**
 * Compares the systemd services in samples with the stored rows. Resolves to a {@link StoreRows} function. Most samples have no services
 * and change nothing, because agents list them every ten minutes.
 */
export function compareServices(writing: Writing, samples: readonly ListedServices[], nowMs: number): Promise<StoreRows> {
  const rowOf = (service: ServiceSample) => ({ key: service.name, values: { ...fromService(service), updated: nowMs } })
  const reports = samples.flatMap(({ system, services }) =>
    services === undefined ? [] : [{ system, rows: services.map(rowOf), isComplete: true }],
  )
  return compare(writing, serviceRows, reports)
}

const fromService = (service: ServiceSample): RecordValues => ({
  name: service.name,
  state: serviceStates.indexOf(service.state),
  sub: serviceSubStates.indexOf(service.subState),
  cpu: round2(service.cpuPercent ?? 0),
  cpuPeak: round2(service.cpuPeakPercent ?? 0),
  memory: Math.round(service.memoryBytes ?? 0),
  memPeak: Math.round(service.memoryPeakBytes ?? 0),
})

type DriveRows = {
  readonly db: Database
  readonly records: RecordTableStore
  readonly alerts: Pick<AlertWatch, 'observeDrives'>
  readonly system: string
}

const driveRows: RowKind = { collection: smartDevices, keyColumn: 'device', newId: rowId }

/**
 * Stores the drives of a system (SMART), and notifies its users when a drive's health gets worse. Rows of drives that the report lacks are
 * deleted only if the report's `complete` is true.
 */
export async function storeDrives({ db, records, alerts, system: id }: DriveRows, { devices, complete }: DiskHealthReport): Promise<void> {
  await db.write(async (unit) => {
    const system = await records.load('systems', id, unit)
    if (system === undefined) return
    const before = await records.loadWhere('smart_devices', { system: id }, unit)
    const rows = devices.map((device) => ({ key: device.id, values: { ...fromDrive(device), device: device.id } }))
    const store = await compare({ records, unit, dialect: db.dialect }, driveRows, [{ system: id, rows, isComplete: complete }])
    await records.updateMany(unit, smartDevices, await store())
    await alerts.observeDrives(unit, { system, before })
  }, 'process')
}

export function fromDrive(device: DiskHealth): RecordValues {
  const attributes = device.attributes ?? []
  return {
    name: device.device ?? device.id,
    model: device.model ?? '',
    state: device.status,
    capacity: Math.round(device.capacityBytes ?? 0),
    temp: Math.round(device.celsius ?? 0),
    firmware: device.firmware ?? '',
    serial: device.serial ?? '',
    type: device.type ?? '',
    hours: rawOf(attributes, ['poweronhours', 'poweronhoursandmsec', 'poweronminutes']),
    cycles: rawOf(attributes, ['powercyclecount', 'powercycles', 'startstopcyclecount', 'startstopcount']),
    attributes: attributes.length === 0 ? null : attributes.map(attributeJson),
  }
}

/**
 * Returns the rounded raw value of the first SMART attribute whose name is in `names` (lower-case letters only); 0 if there is none.
 * `poweronminutes` is converted to hours.
 */
function rawOf(attributes: readonly DiskAttribute[], names: readonly string[]): number {
  for (const name of names) {
    const found = attributes.find((one) => one.name.toLowerCase().replaceAll(/[^a-z]/g, '') === name)
    if (found !== undefined) return Math.round(name === 'poweronminutes' ? found.raw / 60 : found.raw)
  }
  return 0
}

/**
 * Converts a SMART attribute to the clients' JSON, such as `{"id":9,"n":"Power_On_Hours","v":99,"rv":412}`. Empty and zero members are left
 * out, except for the name `n` and the raw value `rv`.
 */
function attributeJson(attribute: DiskAttribute): Json {
  const fields: Readonly<Record<string, Json | undefined>> = {
    id: attribute.id || undefined,
    n: attribute.name,
    v: attribute.value || undefined,
    w: attribute.worst || undefined,
    t: attribute.threshold || undefined,
    rv: attribute.raw,
    rs: attribute.rawText || undefined,
    wf: attribute.failed || undefined,
  }
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/**
 * Returns the id for a row of a system by the item's key, such as a service's name: 32-bit FNV-1a in hexadecimal, as existing clients
 * expect. If the id exists already, a higher `attempt` gives another one.
 */
export function rowId(system: string, key: string, attempt = 0): string {
  const hash = fnv1a(system + key + '\0'.repeat(attempt))
  return hash.toString(16).padStart(MIN_LENGTH, '0')
}

const MIN_LENGTH = 6
