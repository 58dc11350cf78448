import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

/** Migration 2: adds tables for services and drives of systems, and the Docker id of containers. */
export async function addServicesAndDrives(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  await createCollection(transaction, database, 'systemd_services', {
    name: 'text',
    system: 'text',
    state: 'number',
    sub: 'number',
    cpu: 'number',
    cpuPeak: 'number',
    memory: 'number',
    memPeak: 'number',
    updated: 'number',
  })
  await createCollection(transaction, database, 'smart_devices', {
    system: 'text',
    name: 'text',
    model: 'text',
    state: 'text',
    capacity: 'number',
    temp: 'number',
    firmware: 'text',
    serial: 'text',
    type: 'text',
    hours: 'number',
    cycles: 'number',
    attributes: 'text',
    updated: 'text',
    device: 'text',
  })
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`alter table containers add column ${sql.ref('containerId')} ${text} not null default ''`.execute(transaction)
  for (const statement of indexes) await sql.raw(statement).execute(transaction)
}

const indexes: readonly string[] = [
  `create index systemd_services_system on systemd_services (system)`,
  `create index systemd_services_updated on systemd_services (updated)`,
  `create index smart_devices_system on smart_devices (system)`,
]
