import { systemMember } from './access-rules.ts'
import type { Collection } from '../model/collection.ts'
import { textOf, type StoredRecord } from '../model/stored-record.ts'
import { randomBytes } from 'node:crypto'

const ID_BYTES = 6

/**
 * Current containers of a system. The id is the container's, or a generated one if another system has it already. `memory` in MiB, `net` in
 * bytes per second, `updated` epoch ms. `memoryLimit` in MiB and `cpuLimit` in CPUs exist only where the container has the limit,
 * `restarts` and `composeProject` only where the agent sends them. `unknownFields`: which of `cpu`, `memory` and `net` are 0 because they
 * are not known, such as `cpu,net`.
 */
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
    { kind: 'number', name: 'memoryLimit', sparse: true },
    { kind: 'number', name: 'cpuLimit', sparse: true },
    { kind: 'number', name: 'restarts', sparse: true, integer: true, empty: -1 },
    { kind: 'text', name: 'composeProject', sparse: true },
    { kind: 'text', name: 'unknownFields', sparse: true },
    /** The id in the system's container engine. */
    { kind: 'text', name: 'containerId', hidden: true },
  ],
  rules: { list: systemMember, view: null, create: null, update: null, delete: null },
  unique: [],
}

/** The container's id in the system's container engine. */
export const engineIdOf = (row: StoredRecord): string => textOf(row, 'containerId') || row.id
