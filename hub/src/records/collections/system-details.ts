import { systemMember } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `system_details`: properties of a system's machine that seldom change. A record's id is the system's id.
 * `memory` is in bytes; `os` is 0 Linux, 1 macOS, 2 Windows, 3 FreeBSD.
 */
export const systemDetails: Collection = {
  name: 'system_details',
  id: 'pbc_3116237454',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'text', name: 'hostname' },
    { kind: 'number', name: 'os' },
    { kind: 'text', name: 'os_name' },
    { kind: 'text', name: 'kernel' },
    { kind: 'text', name: 'cpu' },
    { kind: 'text', name: 'arch' },
    { kind: 'number', name: 'cores' },
    { kind: 'number', name: 'threads' },
    { kind: 'number', name: 'memory' },
    { kind: 'flag', name: 'podman' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: systemMember, view: systemMember, create: null, update: null, delete: null },
  keys: 'read',
  unique: [],
}
