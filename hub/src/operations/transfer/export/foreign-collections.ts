import { accountCollections, dates, systemId, USERS } from './foreign-accounts.ts'
import { field, idField, type ForeignCollection, type ForeignField, type ForeignRules } from './foreign-field.ts'

const SYSTEMS = '2hz5ncl8tizk5nx'

const owner = '@request.auth.id != "" && user = @request.auth.id'
const member = '@request.auth.id != "" && system.users.id ?= @request.auth.id'
const editor = `${member} && @request.auth.role != "readonly"`
const user = '@request.auth.id != "" && users.id ?= @request.auth.id'
const manager = `${user} && @request.auth.role != "readonly"`

const base = (
  name: string,
  id: string,
  rules: ForeignRules,
  { fields, indexes }: Pick<ForeignCollection, 'fields' | 'indexes'>,
): ForeignCollection => ({ id, name, type: 'base', system: false, rules, fields, indexes })

const toUser = (own: { readonly required?: boolean; readonly id?: string } = {}): ForeignField =>
  field('relation', 'user', { collectionId: USERS, ...own })
const toSystem = (own: { readonly required?: boolean; readonly id?: string; readonly cascadeDelete?: boolean } = {}): ForeignField =>
  field('relation', 'system', { collectionId: SYSTEMS, ...own })
const texts = (...names: readonly string[]): readonly ForeignField[] => names.map((name) => field('text', name))
const numbers = (...names: readonly string[]): readonly ForeignField[] => names.map((name) => field('number', name))

const statsOf = (
  name: string,
  id: string,
  index: string,
  ids: { readonly system: string; readonly stats: string; readonly type: string },
) =>
  base(name, id, [member, null, null, null, null], {
    fields: [
      systemId,
      toSystem({ required: true, id: ids.system }),
      field('json', 'stats', { maxSize: 2_000_000, required: true, id: ids.stats }),
      field('select', 'type', { required: true, values: ['1m', '10m', '20m', '120m', '480m'], id: ids.type }),
      ...dates,
    ],
    indexes: [`CREATE INDEX \`${index}\` ON \`${name}\` (\n  \`system\`,\n  \`type\`,\n  \`created\`\n)`],
  })

/** Names of the alert kinds that a Beszel hub supports, such as `Status` and `CPU`. Alerts of other kinds are not exported. */
export const foreignAlertNames = [
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

/**
 * Definitions of all collections of a Beszel hub 0.18.8 for the database that an export writes. They are in the order of that hub's table
 * `_collections`.
 */
export const foreignCollections: readonly ForeignCollection[] = [
  ...accountCollections,
  base('alerts', 'elngm8x1l60zi2v', [owner, null, owner, owner, owner], {
    fields: [
      systemId,
      toUser({ required: true, id: 'hn5ly3vi' }),
      toSystem({ required: true, id: 'g5sl3jdg' }),
      field('select', 'name', { required: true, values: foreignAlertNames, id: 'zj3ingrv' }),
      field('number', 'value', { id: 'o2ablxvn' }),
      field('number', 'min', { max: 60, onlyInt: true, id: 'fstdehcq' }),
      field('bool', 'triggered', { id: '6hgdf6hs' }),
      ...dates,
    ],
    indexes: ['CREATE UNIQUE INDEX `idx_MnhEt21L5r` ON `alerts` (\n  `user`,\n  `system`,\n  `name`\n)'],
  }),
  base('alerts_history', 'pbc_1697146157', [owner, null, null, null, owner], {
    fields: [
      systemId,
      toUser({ required: true }),
      toSystem({ required: true }),
      ...texts('alert_id'),
      field('text', 'name', { required: true }),
      ...numbers('value'),
      field('autodate', 'created'),
      field('date', 'resolved', { id: 'date2276568630' }),
    ],
    indexes: [
      'CREATE INDEX `idx_YdGnup5aqB` ON `alerts_history` (`user`)',
      'CREATE INDEX `idx_taLet9VdME` ON `alerts_history` (`created`)',
    ],
  }),
  statsOf('container_stats', 'juohu4jipgc13v7', 'idx_d87OiXGZD8', { system: 'hutcu6ps', stats: 'r39hhnil', type: 'vo7iuj96' }),
  base('fingerprints', 'pbc_3663931638', [member, member, editor, editor, editor], {
    fields: [
      idField('[a-z0-9]{9}', [9, 15]),
      toSystem({ required: true }),
      field('text', 'token', { autogeneratePattern: '[a-zA-Z9-9]{20}', max: 255, min: 9, required: true }),
      field('text', 'fingerprint', { max: 255, min: 9 }),
      dates[1],
    ],
    indexes: [
      'CREATE INDEX `idx_p9qZlu26po` ON `fingerprints` (`token`)',
      'CREATE UNIQUE INDEX `idx_ngboulGMYw` ON `fingerprints` (`system`)',
    ],
  }),
  statsOf('system_stats', 'ej9oowivz8b2mht', 'idx_GxIee0j', { system: 'h9sg148r', stats: 'azftn0be', type: 'm1ekhli3' }),
  base('user_settings', '4afacsdnlu8q8r2', [owner, null, owner, owner, null], {
    fields: [
      systemId,
      toUser({ required: true, id: 'd5vztyxa' }),
      field('json', 'settings', { maxSize: 2_000_000, id: 'xcx4qgqq' }),
      ...dates,
    ],
    indexes: ['CREATE UNIQUE INDEX `idx_30Lwgf2` ON `user_settings` (`user`)'],
  }),
  base('systems', SYSTEMS, [user, user, manager, manager, manager], {
    fields: [
      systemId,
      field('text', 'name', { required: true, id: '7xloxkwk' }),
      field('select', 'status', { values: ['up', 'down', 'paused', 'pending'], id: 'waj7seaf' }),
      field('text', 'host', { required: true, id: 've781smf' }),
      field('text', 'port', { id: 'pij0k2jk' }),
      field('json', 'info', { maxSize: 2_000_000, id: 'qoq64ntl' }),
      field('relation', 'users', { collectionId: USERS, maxSelect: 2_147_483_647, required: true, id: 'jcarjnjj' }),
      ...dates,
    ],
    indexes: ['CREATE INDEX `idx_systems_status` ON `systems` (`status`)'],
  }),
  base('containers', 'pbc_1864144027', [member, null, null, null, null], {
    fields: [
      idField('[a-f0-9]{6}', [6, 12], '^[a-f0-9]+$'),
      toSystem({ cascadeDelete: false }),
      ...texts('name', 'status'),
      ...numbers('health'),
      field('number', 'cpu', { max: 100, min: 0 }),
      field('number', 'memory', { min: 0 }),
      ...numbers('net'),
      ...texts('image', 'ports'),
      field('number', 'updated', { onlyInt: true, required: true }),
    ],
    indexes: ['CREATE INDEX `idx_JxWirjdhyO` ON `containers` (`updated`)', 'CREATE INDEX `idx_r3Ja0rs102` ON `containers` (`system`)'],
  }),
  base('systemd_services', 'pbc_3494996990', [member, null, null, null, null], {
    fields: [
      idField('[a-z0-9]{10}', [6, 10]),
      ...texts('name'),
      toSystem(),
      field('number', 'state', { onlyInt: true, id: 'number2063623452' }),
      field('number', 'sub', { onlyInt: true }),
      ...numbers('cpu', 'cpuPeak', 'memory', 'memPeak', 'updated'),
    ],
    indexes: [
      'CREATE INDEX `idx_4Z7LuLNdQb` ON `systemd_services` (`system`)',
      'CREATE INDEX `idx_pBp1fF837e` ON `systemd_services` (`updated`)',
    ],
  }),
  base('quiet_hours', 'pbc_451525641', [owner, owner, owner, owner, owner], {
    fields: [
      idField('[a-z0-9]{10}', [10, 10]),
      toUser(),
      toSystem(),
      field('select', 'type', { required: true, values: ['one-time', 'daily'], id: 'select2844932856' }),
      field('date', 'start', { required: true }),
      field('date', 'end', { required: true }),
    ],
    indexes: [
      'CREATE INDEX `idx_q0iKnRP9v8` ON `quiet_hours` (\n  `user`,\n  `system`\n)',
      'CREATE INDEX `idx_6T7ljT7FJd` ON `quiet_hours` (\n  `type`,\n  `end`\n)',
    ],
  }),
  base('smart_devices', 'pbc_2571630677', [member, member, null, null, editor], {
    fields: [
      idField('[a-z0-9]{10}', [10, 10]),
      toSystem({ required: true }),
      ...texts('name', 'model', 'state'),
      ...numbers('capacity', 'temp'),
      ...texts('firmware', 'serial', 'type'),
      field('number', 'hours', { onlyInt: true, id: 'number1234567890' }),
      field('number', 'cycles', { onlyInt: true, id: 'number0987654321' }),
      field('json', 'attributes'),
      dates[1],
    ],
    indexes: ['CREATE INDEX `idx_DZ9yhvgl44` ON `smart_devices` (`system`)'],
  }),
  base('system_details', 'pbc_3116237454', [member, member, null, null, null], {
    fields: [
      systemId,
      toSystem({ required: true }),
      ...texts('hostname'),
      ...numbers('os'),
      ...texts('os_name', 'kernel', 'cpu', 'arch'),
      ...numbers('cores', 'threads', 'memory'),
      field('bool', 'podman'),
      dates[1],
    ],
    indexes: [],
  }),
  base('universal_tokens', 'pbc_3383022248', [null, null, null, null, null], {
    fields: [idField('[a-z0-9]{10}', [10, 10]), toUser({ required: true }), ...texts('token'), field('autodate', 'created')],
    indexes: [
      'CREATE INDEX `idx_iaD9Y2Lgbl` ON `universal_tokens` (`token`)',
      'CREATE UNIQUE INDEX `idx_wdR0A4PbRG` ON `universal_tokens` (`user`)',
    ],
  }),
]
