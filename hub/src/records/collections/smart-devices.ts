import { systemManager, systemMember } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'

/**
 * Definition of the collection `smart_devices`: drives, RAID arrays and pools of the systems, with their SMART health. `capacity` is in
 * bytes, `temp` in °C, `hours` and `cycles` count power-on hours and cycles; `attributes` is as agents send it. Rows stay while a system is
 * down.
 */
export const smartDevices: Collection = {
  name: 'smart_devices',
  id: 'pbc_2571630677',
  type: 'base',
  storage: 'table',
  idForm: idForm(10, { minLength: 6, maxLength: 10 }),
  fields: [
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'text', name: 'name' },
    { kind: 'text', name: 'model' },
    { kind: 'text', name: 'state' },
    { kind: 'number', name: 'capacity' },
    { kind: 'number', name: 'temp' },
    { kind: 'text', name: 'firmware' },
    { kind: 'text', name: 'serial' },
    { kind: 'text', name: 'type' },
    { kind: 'number', name: 'hours', integer: true },
    { kind: 'number', name: 'cycles', integer: true },
    { kind: 'json', name: 'attributes', maxBytes: 1_000_000 },
    { kind: 'updated', name: 'updated' },
    // Key that identifies a drive within its system.
    { kind: 'text', name: 'device', hidden: true },
  ],
  rules: { list: systemMember, view: systemMember, create: null, update: null, delete: systemManager },
  keys: 'write',
  unique: [],
}
