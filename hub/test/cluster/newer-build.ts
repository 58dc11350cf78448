import { changedBuild, type ChangedBuild, type SourceChange } from '../changed-build.ts'

export const NEWER_VERSION = '99.1.0'
/** Scheme of a channel that only the newer hub knows; its messages are those of Gotify. */
export const NEWER_CHANNEL = 'later'
/** Fields that the newer hub adds to records, events and messages. */
const FIELD = 'addedLater'

const migration = `import { sql } from 'kysely'
export async function addLater(transaction) {
  await sql\`alter table systems add column "${FIELD}" text not null default ''\`.execute(transaction)
}
`

/** Changes that make the next release of the sources. */
const changes: readonly SourceChange[] = [
  ['protocol/src/wire/version.ts', "VEDETTE_VERSION = '", `VEDETTE_VERSION = '${NEWER_VERSION}' // '`],
  [
    'hub/src/platform/db/migrations/all-migrations.ts',
    'import type { Tables }',
    "import { addLater } from './later.ts'\nimport type { Tables }",
  ],
  ['hub/src/platform/db/migrations/all-migrations.ts', '\n  ],\n  contractions', '\n    addLater,\n  ],\n  contractions'],
  [
    'hub/src/records/collections/systems.ts',
    "    { kind: 'created', name: 'created' },",
    `    { kind: 'text', name: '${FIELD}', generate: () => 'new' },\n    { kind: 'created', name: 'created' },`,
  ],
  [
    'hub/src/platform/cluster/nats-messages.ts',
    'const data = encoded(message)',
    `const isObject = typeof message === 'object' && message !== null && !Array.isArray(message)
      const data = encoded(isObject ? { ...message, ${FIELD}: [1] } : message)`,
  ],
  ['hub/src/fleet/agents-of-hubs.ts', 'JSON.stringify(question)', `JSON.stringify({ ...question, ${FIELD}: [1] })`],
  [
    'hub/src/fleet/agents-of-hubs.ts',
    'success ? await respondTo(own, question) : UNKNOWN',
    `{ ...(success ? await respondTo(own, question) : UNKNOWN), ${FIELD}: [1] }`,
  ],
  ['hub/src/startup/hubs/streams-of-hubs.ts', 'JSON.stringify(request)', `JSON.stringify({ ...request, ${FIELD}: [1] })`],
  [
    'hub/src/platform/cluster/change-journal.ts',
    'JSON.stringify({ action, collection, record, previous })',
    `JSON.stringify({ action, collection, record, previous, ${FIELD}: [1] })`,
  ],
  ['hub/src/delivery/channels/kinds/gotify.ts', "schemes: ['gotify']", `schemes: ['gotify', '${NEWER_CHANNEL}']`],
  ['hub/src/startup/hubs/relay-events.ts', 'record: changed, ...before }', `record: changed, ...before, ${FIELD}: [1] }`],
]

/**
 * A hub of the next release, made from the same sources: another version, a column more, a channel more, a field more in each message to other
 * hubs, and the further changes.
 */
export const newerBuild = (further: readonly SourceChange[] = []): ChangedBuild =>
  changedBuild([...changes, ...further], { 'hub/src/platform/db/migrations/later.ts': migration })
