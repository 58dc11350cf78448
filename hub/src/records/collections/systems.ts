import { followTags, resetAlertsOf } from '../../alerts/rules/alert-edits.ts'
import { deleteIncidentsOf } from '../../alerts/transitions/alert-transition.ts'
import { manager, member } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { MOST_TAGS } from '../model/tag.ts'
import { deriveTags } from './system-tags.ts'
import { sharingErrors } from './system-sharing.ts'
import { sentValues } from '../writing/sent-values.ts'
import { deleteEventsOf, noteChanges } from '../../operations/system-events/system-events.ts'

export const systemStatuses = ['up', 'down', 'paused', 'pending'] as const

/**
 * Initial value of the field `info` (JSON) of a system: the usual keys with 0 or empty values. Clients read these keys without checking
 * that they exist.
 */
export const emptyInfo = { u: 0, cpu: 0, mp: 0, dp: 0, v: '', bb: 0, la: [0, 0, 0] } as const

/**
 * Regular expression for a valid port of an agent: a decimal port from 1 to 65535, the path of a Unix socket, or empty for the default
 * port.
 */
const PORT = /^(|\/.*|[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/
const LONGEST = 255

/**
 * Definition of the collection `systems`: the monitored machines. `users` are the accounts with whom a system is shared. Accounts with a
 * granted tag of the system have access, too; admins see all systems.
 */
export const systems: Collection = {
  name: 'systems',
  id: '2hz5ncl8tizk5nx',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'name', required: true },
    { kind: 'select', name: 'status', values: systemStatuses },
    { kind: 'text', name: 'host', required: true, maxLength: LONGEST, pattern: /^\S+$/ },
    { kind: 'text', name: 'port', pattern: PORT },
    { kind: 'json', name: 'info', maxBytes: 2_000_000 },
    { kind: 'relation', name: 'users', to: 'users', many: true, required: true, cascade: true },
    { kind: 'labels', name: 'tags', sparse: true, most: MOST_TAGS },
    // For each tag its sources, such as `admin`: the truth from which `tags` and `accessTags` follow.
    { kind: 'json', name: 'tagSources', sparse: true, derived: true, maxBytes: 100_000 },
    // The tags with a trusted source. Only these give access.
    { kind: 'labels', name: 'accessTags', hidden: true, derived: true },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: member, view: member, create: manager, update: manager, delete: manager },
  keys: 'write',
  unique: [],
  hooks: {
    async derive(write, context) {
      const { values, errors } = await deriveTags(write, context)
      const sent = sentValues(systems, write.body, write.previous ?? {}, write.actor)
      return { values, errors: { ...sharingErrors(write, sent), ...errors } }
    },
    prepareCreate: async (values) => ({ ...values, status: 'pending', info: emptyInfo }),
    prepareUpdate: (next) => (next['status'] === 'paused' ? { ...next, info: emptyInfo } : next),
    followed: async (previous, next, context) => {
      if (previous !== undefined && next !== undefined) {
        await noteChanges(context.unit, [{ system: next.id, previous, next }], context.nowMs)
        await followTags(previous, next, context)
      }
      const isBeginning = next?.['status'] === 'paused' || next?.['status'] === 'pending'
      if (previous !== undefined && next !== undefined && isBeginning && previous['status'] !== next['status'])
        await resetAlertsOf(next, context)
    },
    removed: async (id, unit) => {
      await unit.sql.deleteFrom('history_rows').where('system', '=', id).execute()
      await deleteIncidentsOf(unit, 'system', id)
      await deleteEventsOf(unit, id)
    },
  },
}
