import { toInfoJson } from '@vedette/protocol/wire/info-json'
import { hashPassword } from '../hub/src/accounts/passwords/password.ts'
import { systemClock } from '../hub/src/platform/clock.ts'
import { collections } from '../hub/src/records/collections/collections.ts'
import { emptyInfo } from '../hub/src/records/collections/systems.ts'
import { tagFields } from '../hub/src/records/model/tag.ts'
import { openDatabase } from '../hub/src/platform/db/open-database.ts'
import { inProcessEventBus } from '../hub/src/platform/events/event-bus.ts'
import { readHubKey } from '../hub/src/fleet/ssh/hub-key.ts'
import { logTo } from '../hub/src/platform/log.ts'
import { recordTableStore } from '../hub/src/records/engine/record-table-store.ts'
import { openSecrets } from '../hub/src/platform/secrets/open-secrets.ts'
import { joinDatabase } from '../hub/src/startup/data-directory.ts'
import { addressOf, tokenOf, type Tokens } from './fleet-report.ts'
import { seedHistory } from './seeded-history.ts'
import { fingerprintOf, machineName, simulatedMachines, type SimulatedMachine } from './simulated-machine.ts'

export const BENCH_PASSWORD = 'bench-password'
export const emailOf = (person: number): string => `person-${person}@example.org`

export type Seed = {
  readonly systems: number
  /** Number of users to create. The first one is an admin; every system is shared with all of them. */
  readonly people: number
  readonly tokens: Tokens
  readonly link: 'websocket' | 'ssh'
  readonly port: number
  /** Status of all systems at the start, `up` by default. Paused systems are not polled and cost the hub no CPU time. */
  readonly status?: 'up' | 'paused'
  /** URL of the PostgreSQL database: `postgres://…`. Without it, the hub's SQLite file in the folder is used. */
  readonly databaseUrl?: string | undefined
  /** Secret key that several hubs of one database share. Absent: the hub makes a key and keeps it in its folder. */
  readonly secretKey?: string
  /** True to give each system of the benchmark's hub an alert rule whose alert fires and recovers often. */
  readonly hasAlerts?: boolean
  /** True to give each system the values of a sample that was just taken, and tags: `env=…`, `site=…` and `role=…`. */
  readonly isFilled?: boolean
  /** Amount of stored history that every system gets: days, and number of containers. Absent: no history. */
  readonly stored?: { readonly days: number; readonly containers: number }
}

/** Value of `info.ct` in the record of a system whose agent is connected by WebSocket: 2. */
const WEBSOCKET_LINK = 2

const UPTIME_SECONDS = 86_400
const SITES = 40
const environments = ['prod', 'staging', 'test'] as const
const roles = ['web', 'db', 'cache', 'queue', 'build'] as const

/**
 * Fills the data folder and database of a stopped hub with users, systems and agent tokens. Resolves with the hub's public key as a line
 * `ssh-ed25519 AAAA…`.
 */
export async function seedHub(
  directory: string,
  { systems, people, tokens, link, port, status = 'up', databaseUrl, secretKey, hasAlerts = false, isFilled = false, stored }: Seed,
): Promise<{ readonly publicLine: string }> {
  const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')
  const database = await openDatabase({
    at: databaseUrl === undefined ? { directory } : { url: databaseUrl },
    bus: inProcessEventBus(),
    log: log('db'),
  })
  try {
    await joinDatabase(directory, database)
    const secrets = await openSecrets({ directory, configured: secretKey, database })
    const store = recordTableStore({ database, collections, secrets, clock: systemClock })
    const password = await hashPassword(BENCH_PASSWORD)
    const ids: string[] = []
    const machineOf = simulatedMachines(0, link)
    await database.write(async (unit) => {
      const users: string[] = []
      for (let person = 0; person < people; person++) {
        const role = person === 0 ? 'admin' : 'user'
        users.push((await store.insert(unit, 'users', { email: emailOf(person), password, role, verified: true })).id)
      }
      const [admin = ''] = users
      if (tokens === 'universal') await store.insert(unit, 'universal_tokens', { user: admin, token: tokenOf(tokens, 0) })
      for (let index = 0; index < systems; index++) {
        const noInfo = link === 'websocket' ? { ...emptyInfo, ct: WEBSOCKET_LINK } : emptyInfo
        const filled = isFilled ? filledFields(machineOf(index), index) : { info: noInfo }
        const address = { host: addressOf(index), port: String(port) }
        const system = await store.insert(unit, 'systems', { name: machineName(index), ...address, status, ...filled, users })
        ids.push(system.id)
        if (hasAlerts) {
          const value = machineOf(index).measure(0, false).cpu?.busyPercent ?? 0
          await store.insert(unit, 'alerts', { user: admin, system: system.id, name: 'CPU', value, min: 1 })
        }
        await store.insert(unit, 'fingerprints', { system: system.id, token: tokenOf(tokens, index), fingerprint: fingerprintOf(index) })
      }
    })
    if (stored !== undefined) await seedHistory(database, log('history'), { systems: ids, ...stored, untilMs: Date.now() })
    return { publicLine: readHubKey(directory).publicLine }
  } finally {
    await database.close()
  }
}

/** Returns the fields of a system with the values of its first sample, which was just taken, and three tags of an admin. */
function filledFields(machine: SimulatedMachine, index: number) {
  const sample = machine.measure(UPTIME_SECONDS + index, true)
  const info = { ...toInfoJson(sample, sample.machine ?? {}, Date.now()) }
  const texts = [`env=${environments[index % environments.length]}`, `site=${index % SITES}`, `role=${roles[index % roles.length]}`]
  return { info, ...tagFields(texts.map((tag) => ({ tag, sources: ['admin'] }))) }
}
