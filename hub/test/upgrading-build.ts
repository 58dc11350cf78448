import { changedBuild, type ChangedBuild } from './changed-build.ts'

export const UPGRADED_VERSION = '99.2.0'

/** Environment variable with the path of a FIFO. The migration waits there until somebody has opened the FIFO and closed it. */
const GATE = 'UPGRADE_TEST_GATE'

const migration = `import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
export async function addZone(transaction) {
  await sql\`alter table systems add column zone text\`.execute(transaction)
  if (process.env['${GATE}'] !== undefined) readFileSync(process.env['${GATE}'])
}
`

/** A hub of a later version, whose one migration more can be stopped in the middle: see {@link gated}. */
export const upgradingBuild = (): ChangedBuild =>
  changedBuild(
    [
      ['protocol/src/wire/version.ts', "VEDETTE_VERSION = '", `VEDETTE_VERSION = '${UPGRADED_VERSION}' // '`],
      [
        'hub/src/platform/db/migrations/all-migrations.ts',
        'import type { Tables }',
        "import { addZone } from './add-zone.ts'\nimport type { Tables }",
      ],
      ['hub/src/platform/db/migrations/all-migrations.ts', '\n  ],\n  contractions', '\n    addZone,\n  ],\n  contractions'],
    ],
    { 'hub/src/platform/db/migrations/add-zone.ts': migration },
  )

/** Environment of a hub whose migration stops at the FIFO at this path. */
export const gated = (fifo: string): Readonly<Record<string, string>> => ({ [GATE]: fifo })
