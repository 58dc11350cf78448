import { systemMember } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

/**
 * Collection `systemd_services`: the units of each system's service manager. `state`: 0 active, 1 inactive, 2 failed, 3 activating, 4
 * deactivating, 5 reloading. `sub`: 0 dead, 1 running, 2 exited, 3 failed, 4 other. `cpu` is percent of the machine, `memory` bytes,
 * `updated` epoch ms.
 */
export const systemdServices: Collection = {
  name: 'systemd_services',
  id: 'pbc_3494996990',
  type: 'base',
  storage: 'table',
  idForm: idForm(10, { minLength: 6, maxLength: 10 }),
  fields: [
    { kind: 'text', name: 'name', required: true },
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'number', name: 'state', integer: true },
    { kind: 'number', name: 'sub', integer: true },
    { kind: 'number', name: 'cpu' },
    { kind: 'number', name: 'cpuPeak' },
    { kind: 'number', name: 'memory' },
    { kind: 'number', name: 'memPeak' },
    { kind: 'number', name: 'updated', required: true, integer: true },
  ],
  rules: { list: systemMember, view: null, create: null, update: null, delete: null },
  keys: 'read',
  unique: [],
}
