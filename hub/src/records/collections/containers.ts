import { systemMember } from './access-rules.ts'
import type { Collection } from '../model/collection.ts'
import { textOf, type StoredRecord } from '../model/stored-record.ts'
import { randomBytes } from 'node:crypto'

const ID_BYTES = 6

/** What runs on a system now. The id is the container's, or one of our own when another system reports the same. `memory` in MiB, `net` in bytes per second, `updated` epoch ms. */
export const containers: Collection = {
  name: 'containers',
  id: 'pbc_1864144027',
  type: 'base',
  storage: 'table',
  idForm: { minLength: 6, maxLength: 12, pattern: /^[a-f0-9]+$/, generate: () => randomBytes(ID_BYTES).toString('hex') },
  fields: [
    { kind: 'relation', name: 'system', to: 'systems' },
    { kind: 'text', name: 'name' },
    { kind: 'text', name: 'status' },
    { kind: 'number', name: 'health' },
    { kind: 'number', name: 'cpu', max: 100 },
    { kind: 'number', name: 'memory' },
    { kind: 'number', name: 'net' },
    { kind: 'text', name: 'image' },
    { kind: 'text', name: 'ports' },
    { kind: 'number', name: 'updated', required: true, integer: true },
    /** By which the system's engine knows it. */
    { kind: 'text', name: 'containerId', hidden: true },
  ],
  rules: { list: systemMember, view: null, create: null, update: null, delete: null },
  unique: [],
}

/** By which the system's engine knows the container of a row. */
export const engineIdOf = (row: StoredRecord): string => textOf(row, 'containerId') || row.id
