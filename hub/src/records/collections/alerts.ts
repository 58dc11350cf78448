import { alertErrors } from '../../alerts/judging/alert-errors.ts'
import { severities } from '../../alerts/judging/judgement.ts'
import { followAlert, replaceInherited } from '../../alerts/rules/alert-edits.ts'
import { deleteAlertStates } from '../../alerts/transitions/alert-transition.ts'
import { owner, ownerWithSystem } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { LONGEST_TARGET } from '../../alerts/rules/user-alerts.ts'

/**
 * List of the names of all alert kinds, such as `CPU` or `Status`. The first ones watch a whole system and exist in old clients; the last
 * ones, such as `Container`, watch a part of a system.
 */
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
  'ContainerHealth',
  'SystemdFailed',
  'CPUIOWait',
  'CPUSteal',
  'DiskForecast',
  'MemoryForecast',
  'DiskRate',
  'MemoryRate',
  'ContainerStopped',
  'Container',
  'ContainerCPU',
  'ContainerMemory',
  'Service',
  'Filesystem',
  'Interface',
] as const

/**
 * Definition of the collection `alerts`: the alert rules of users on single systems. `value` is the threshold. `min` is the number of
 * minutes over which the value is averaged, or for which the condition must last.
 */
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
    { kind: 'text', name: 'target', sparse: true, maxLength: LONGEST_TARGET },
    { kind: 'number', name: 'value' },
    { kind: 'number', name: 'min', integer: true, max: 60 },
    { kind: 'flag', name: 'triggered' },
    // True for an alert that a policy set. It exists while it is pending or fires, and becomes the user's own when a client changes it.
    { kind: 'flag', name: 'inherited', sparse: true, derived: true },
    // Threshold at which the alert of a policy resolves; 0 for the same as `value`.
    { kind: 'number', name: 'clear', sparse: true, derived: true },
    // Severity with which the alert fires at `value`, or by its condition; empty for critical.
    { kind: 'select', name: 'severity', sparse: true, values: severities },
    // Threshold at which the alert of a policy fires as a warning, if `warningMinutes` is not 0.
    { kind: 'number', name: 'warning', sparse: true, derived: true },
    { kind: 'number', name: 'warningMinutes', sparse: true, derived: true },
    // Severity of the firing alert; empty while it does not fire.
    { kind: 'text', name: 'firing', sparse: true, derived: true },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: owner, view: null, create: owner, update: owner, delete: owner, stored: ownerWithSystem },
  keys: 'write',
  unique: [{ fields: ['user', 'system', 'name', 'target'] }],
  hooks: {
    derive: async () => ({ values: { inherited: false, clear: 0, warning: 0, warningMinutes: 0 }, errors: {} }),
    prepareCreate: async (values, context) => {
      await replaceInherited(values, context)
      return values
    },
    check: alertErrors,
    followed: followAlert,
    removed: (id, unit) => deleteAlertStates(unit, id),
  },
}
