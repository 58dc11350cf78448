import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from './source-tree.ts'

/** The most files that a change of a system may pass between its event and its table row, outside node_modules, `ui/` and `format/`. */
const MOST_FILES = 8

const [client, live, list] = ['api/client.ts', 'api/live.ts', 'api/live-list.ts']
const [page, table] = ['features/fleet/fleet-page.tsx', 'features/fleet/fleet-table.tsx']
/** Wires the list to its query once, when the page is loaded. An event does not run it. */
const queries = 'api/queries.ts'

type Step = { readonly by: string; readonly uses: RegExp; readonly of: string }

/**
 * The calls that carry the value, in their order: `by` imports what it calls from `of`. A file that comes between two of them takes an import
 * away from `by`, and has to be added here.
 */
const way: readonly Step[] = [
  { by: live, uses: /\breadRecordEvent\(/, of: client },
  { by: live, uses: /\breadSystem\(/, of: 'api/system-record.ts' },
  { by: live, uses: /\bsystemsList\.apply\(/, of: queries },
  { by: queries, uses: /\bliveList<System>\(/, of: list },
  { by: page, uses: /\bsystemsQuery\b/, of: queries },
  { by: page, uses: /\bsortSystems\(/, of: 'features/fleet/fleet-model.ts' },
  { by: page, uses: /<FleetTable\b/, of: table },
  { by: table, uses: /<FleetRow\b/, of: 'features/fleet/fleet-row.tsx' },
]

/** Names that a file imports, by the path of their file below web/src. */
function importedNames(path: string): ReadonlyMap<string, string> {
  const imports = readSource(`web/src/${path}`).matchAll(/import (?!type)\{([^}]*)\} from '(\.[^']+)'/g)
  return new Map(
    [...imports].flatMap(([, names = '', from = '']) => {
      const of = new URL(from, `file:///${path}`).pathname.slice(1)
      return names.split(',').map((name) => [name.trim(), of] as const)
    }),
  )
}

test('the way of a live value, from its event to its table row, passes few files', (t) => {
  for (const { by, uses, of } of way) {
    const [name = ''] = /\w+/.exec(uses.exec(withoutImports(by))?.[0] ?? '') ?? []
    assert.equal(importedNames(by).get(name), of, `${by} takes ${uses.source} from ${of}`)
  }
  const files = [...new Set(way.flatMap(({ by, of }) => [by, of]))].filter((file) => file !== queries)
  t.diagnostic(`${files.length} files: ${files.join(', ')}`)
  assert.ok(files.length <= MOST_FILES, `${files.length} files, at most ${MOST_FILES}`)
})

const withoutImports = (path: string): string => readSource(`web/src/${path}`).replaceAll(/^import .*$/gm, '')
