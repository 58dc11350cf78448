import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOf, type Step } from './value-way.ts'

/** Maximum number of files that a change of a system passes through from event to table row, outside node_modules, `ui/` and `format/`. */
const MOST_FILES = 8

const [client, live, list] = ['api/client.ts', 'api/live.ts', 'api/live-list.ts']
const [page, table] = ['features/fleet/fleet-page.tsx', 'features/fleet/fleet-table.tsx']
/** Connects the list to its query once, when the page loads. An event does not run it. */
const queries = 'api/queries.ts'

/** The calls that pass the value on, in order. */
const way: readonly Step[] = [
  { by: live, uses: /\breadRecordEvent\(/, of: client },
  { by: live, uses: /\breadSystem\(/, of: 'api/system-record.ts' },
  { by: live, uses: /\bsystemsList\.receive\(/, of: queries },
  { by: queries, uses: /\bliveList<System>\(/, of: list },
  { by: page, uses: /\bsystemsQuery\b/, of: queries },
  { by: page, uses: /\bsortSystems\(/, of: 'features/fleet/fleet-model.ts' },
  { by: page, uses: /<FleetTable\b/, of: table },
  { by: table, uses: /<FleetRow\b/, of: 'features/fleet/fleet-row.tsx' },
]

test('live values pass through few files from their event to their table row', (t) => {
  const files = filesOf(way).filter((file) => file !== queries)
  t.diagnostic(`${files.length} files: ${files.join(', ')}`)
  assert.ok(files.length <= MOST_FILES, `${files.length} files, at most ${MOST_FILES}`)
})
