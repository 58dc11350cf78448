import { textOf, type StoredRecord } from '../records/model/stored-record.ts'
import { ownValue } from '@vedette/protocol/own-value'
import { operatingSystems } from '@vedette/protocol/wire/keys'
import { present } from '@vedette/protocol/wire/present'
import type { MachineFacts, Sample } from '@vedette/protocol/metrics/sample'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { systemDetails } from '../records/collections/system-details.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import type { Writing } from './current-rows.ts'

/**
 * Sample of a system that has facts about its machine, such as host name and kernel, with the system's record before the sample
 * (`previous`).
 */
export type ReportedFacts = { readonly system: string; readonly sample: Pick<Sample, 'machine'>; readonly previous: StoredRecord }

/**
 * Stores the facts about machines in samples (host name, kernel, …) if they changed, in the collection `system_details`. Resolves to a map
 * from system id to all known facts of its machine, also from earlier samples.
 */
export async function storeFacts(
  { records, unit }: Writing,
  samples: readonly ReportedFacts[],
): Promise<ReadonlyMap<string, MachineFacts>> {
  const known = new Map<string, MachineFacts>()
  const news: ReportedFacts[] = []
  for (const one of samples) {
    const shown = shownFacts(one.previous)
    if (shown === undefined || !isIn(shown, one.sample.machine)) news.push(one)
    else known.set(one.system, shown)
  }
  if (news.length === 0) return known
  const ids = news.map(({ system }) => system)
  const stored = new Map((await records.loadMany(systemDetails, ids, unit)).map((record) => [record.id, record]))
  for (const {
    system,
    sample: { machine: facts },
  } of news) {
    const record = stored.get(system)
    known.set(system, { ...(record && toFacts(record)), ...facts })
    if (facts === undefined) continue
    const values = fromFacts(facts)
    if (record === undefined) {
      // Agents repeat the number of threads in each sample until the hub requests all facts.
      if (Object.keys(values).some((field) => field !== 'threads'))
        await records.insert(unit, systemDetails.name, { id: system, system, ...values })
    } else if (Object.entries(values).some(([field, value]) => ownValue(record, field) !== value))
      await records.update(unit, systemDetails.name, system, values)
  }
  return known
}

/**
 * Returns the machine facts in the `info` field of a system's record. `undefined` if it has no host name; the record of `system_details`
 * may still have some facts.
 */
function shownFacts({ info }: StoredRecord): MachineFacts | undefined {
  // The hub stores an object in `info`. Any other value has no such keys.
  const { h: hostname, m: cpuModel, c: cores, t: threads, k: kernel, os, p: podman } = (info ?? {}) as { readonly [key: string]: Json }
  if (typeof hostname !== 'string' || hostname === '') return undefined
  return present<MachineFacts>({
    hostname,
    cpuModel: typeof cpuModel === 'string' ? cpuModel : undefined,
    cores: typeof cores === 'number' ? cores : undefined,
    threads: typeof threads === 'number' ? threads : undefined,
    kernel: typeof kernel === 'string' ? kernel : undefined,
    os: typeof os === 'number' ? operatingSystems[os] : undefined,
    podman: typeof podman === 'boolean' ? podman : undefined,
  })
}

const isIn = (shown: MachineFacts, facts: MachineFacts | undefined): boolean =>
  facts === undefined || Object.entries(facts).every(([name, value]) => ownValue<unknown>(shown, name) === value) // a name of these facts

function fromFacts(facts: MachineFacts): RecordValues {
  const values: Record<string, Json | undefined> = {
    hostname: facts.hostname,
    kernel: facts.kernel,
    cpu: facts.cpuModel,
    cores: facts.cores,
    threads: facts.threads,
    os: facts.os && operatingSystems.indexOf(facts.os),
    os_name: facts.osName,
    arch: facts.architecture,
    memory: facts.totalMemoryBytes,
    podman: facts.podman,
  }
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/**
 * Converts a record of `system_details` to machine facts, such as host name, kernel, CPU and cores. Empty texts, numbers of 0 and a false
 * `podman` mean "unknown" and are left out; 0 as `os` is an operating system.
 */
function toFacts(record: StoredRecord): MachineFacts {
  const text = (field: string) => textOf(record, field) || undefined
  const number = (field: string) => {
    const value = ownValue(record, field)
    return typeof value === 'number' && value > 0 ? value : undefined
  }
  const facts = {
    hostname: text('hostname'),
    kernel: text('kernel'),
    cpuModel: text('cpu'),
    cores: number('cores'),
    threads: number('threads'),
    os: operatingSystems[Number(record['os'])],
    osName: text('os_name'),
    architecture: text('arch'),
    totalMemoryBytes: number('memory'),
    podman: record['podman'] === true ? true : undefined,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
