import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMemoryFolder } from '../memory-folder.ts'

const root = join(import.meta.dirname, '..', '..', '..')
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

/** Changes of the sources: file, text, its replacement. */
const changes: readonly (readonly [file: string, text: string, replacement: string])[] = [
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

/** A hub of the next release, made from the same sources: another version, a column more, a channel more, and a field more in each message to other hubs. */
export function newerBuild(): Disposable & { readonly program: string } {
  const folder = makeMemoryFolder('vedette-newer-')
  for (const name of ['hub', 'protocol']) {
    const isNeeded = (path: string): boolean => !path.endsWith('.test.ts')
    cpSync(join(root, name, 'src'), join(folder, name, 'src'), { recursive: true, filter: isNeeded })
    cpSync(join(root, name, 'package.json'), join(folder, name, 'package.json'))
  }
  linkPackages(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'hub/src/platform/db/migrations/later.ts'), migration)
  for (const [file, text, replacement] of changes) {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    assert.equal(before.split(text).length, 2, `${file} has "${text}" once`)
    writeFileSync(
      path,
      before.replace(text, () => replacement),
    )
  }
  return {
    program: join(folder, 'hub/src/main.ts'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The packages of the repository, but the protocol of the copy. */
function linkPackages(to: string): void {
  mkdirSync(join(to, '@vedette'), { recursive: true })
  symlinkSync(join(to, '..', 'protocol'), join(to, '@vedette', 'protocol'))
  const from = join(root, 'node_modules')
  for (const name of readdirSync(from)) if (name !== '@vedette' && !name.startsWith('.')) symlinkSync(join(from, name), join(to, name))
}
