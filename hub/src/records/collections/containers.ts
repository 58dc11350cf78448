import { systemMember } from './access-rules.ts'
import type { Collection } from '../model/collection.ts'
import { textOf, type StoredRecord } from '../model/stored-record.ts'
import { randomBytes } from 'node:crypto'

const ID_BYTES = 6

/**
 * Definition of the collection `containers`: the current containers of the systems. `memory` and `memoryLimit` are in MiB, `net` in bytes a
 * second, `cpuLimit` in CPUs, `updated` in epoch ms. `unknownFields` lists which of `cpu`, `memory` and `net` are 0 because they are
 * unknown, such as `cpu,net`.
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
    // Container id in Docker or Podman.
    { kind: 'text', name: 'containerId', hidden: true },
  ],
  rules: { list: systemMember, view: null, create: null, update: null, delete: null },
  keys: 'read',
  unique: [],
}

/**
 * Returns a container's id in Docker or Podman, from its record. It may differ from the record's id, which is generated if another system
 * has a container with the same id.
 */
export const engineIdOf = (row: StoredRecord): string => textOf(row, 'containerId') || row.id
