import { systemClock } from '../src/platform/clock.ts'
import { parseHubConfig, type HubConfig } from '../src/startup/config.ts'
import { openStores, type Stores } from '../src/startup/open-stores.ts'
import { silentLog } from './databases.ts'
import { storePastValues } from './past-history.ts'

const TWO_HOURS_MS = 7_200_000

/** Disk usage in percent of each system, by hours from now (negative). */
const diskUsage: Readonly<Record<string, (hour: number) => number>> = {
  grown: (hour) => 85 + hour / 2,
  copied: (hour) => (hour < -9 ? 30 : 85),
  gapped: (hour) => (hour > -20 && hour < -2 ? Number.NaN : 85 + hour / 20),
  constant: () => 95,
  rotated: (hour) => 60 + ((hour + 240) % 24),
}

/**
 * Adds an admin, and for each course of disk usage a system with a week of history. One agent at `port` serves all of them. Resolves to the
 * admin's id.
 */
export async function addForecastFleet(stores: Stores, port: number): Promise<string> {
  const person = { email: 'ann@example.com', username: 'ann', role: 'admin', verified: true, password: 'none' }
  const owner = await insert(stores, 'users', person)
  const nowMs = Date.now()
  const untilMs = Math.floor(nowMs / TWO_HOURS_MS) * TWO_HOURS_MS
  for (const [name, valueAt] of Object.entries(diskUsage)) {
    const values = { name, host: '127.0.0.1', port: String(port), status: 'up', users: [owner], info: {} }
    const system = await insert(stores, 'systems', values)
    await storePastValues(stores.history, {
      system,
      untilMs,
      days: 7,
      samplesUntilMs: nowMs,
      valuesAt(fromEnd) {
        const hour = fromEnd + (untilMs - nowMs) / 3_600_000
        return { 'disk.usedPercent': valueAt(hour), 'memory.usedPercent': name === 'grown' ? 80 + hour / 2 : 40 }
      },
    })
  }
  return owner
}

export const insert = async (
  { database, store }: Stores,
  collection: string,
  values: Parameters<Stores['store']['insert']>[2],
): Promise<string> => (await database.write((unit) => store.insert(unit, collection, values))).id

/** Opens the database of a hub that does not run, for `use`. */
export async function withStores(config: HubConfig, use: (stores: Stores) => Promise<void>): Promise<void> {
  await using stack = new AsyncDisposableStack()
  await use(await openStores({ config, plainLog: () => silentLog, clock: systemClock, stack }))
}

/** Settings of a hub on a free port with these command line options. */
export function configOf(options: readonly string[]): HubConfig {
  const parsed = parseHubConfig(['--listen=127.0.0.1:0', ...options], {})
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}
