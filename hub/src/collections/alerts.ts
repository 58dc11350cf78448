import type { Collection, HookContext } from '../records/collection.ts'
import { recordDate } from '../records/record-date.ts'
import { idForm } from '../records/record-id.ts'
import type { StoredRecord } from '../records/stored-record.ts'

export const alertNames = [
  'Status',
  'CPU',
  'Memory',
  'Disk',
  'Temperature',
  'Bandwidth',
  'GPU',
  'LoadAvg1',
  'LoadAvg5',
  'LoadAvg15',
  'Battery',
] as const

const own = '@request.auth.id != "" && user = @request.auth.id'
/** An alert tells its owner about the system, so it may only hang on one that its owner may see. */
const ownAndVisible = `${own} && system.users.id ?= @request.auth.id`

/** A person's wishes to be told. */
export const alerts: Collection = {
  name: 'alerts',
  id: 'elngm8x1l60zi2v',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'user', to: 'users', required: true, cascade: true },
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'select', name: 'name', required: true, values: alertNames },
    { kind: 'number', name: 'value' },
    { kind: 'number', name: 'min', integer: true, max: 60 },
    { kind: 'flag', name: 'triggered' },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: own, view: null, create: own, update: own, delete: own, stored: ownAndVisible },
  unique: [{ fields: ['user', 'system', 'name'] }],
  hooks: { followed: keepHistory },
}

/** An alert that becomes true opens a row of the history; one that no longer is, or is no more, closes it. */
export async function keepHistory(
  previous: StoredRecord | undefined,
  next: StoredRecord | undefined,
  { unit, store, nowMs }: HookContext,
): Promise<void> {
  const alert = next ?? previous
  const isTrue = next?.['triggered'] === true
  if (alert === undefined || isTrue === (previous?.['triggered'] === true)) return
  if (isTrue) {
    const { user = '', system = '', name = '', value = 0 } = alert
    await store.insert(unit, 'alerts_history', { user, system, name, value, alert_id: alert.id })
    return
  }
  for (const { id } of await store.loadWhere('alerts_history', { alert_id: alert.id, resolved: '' }, unit))
    await store.update(unit, 'alerts_history', id, { resolved: recordDate(nowMs) })
}
