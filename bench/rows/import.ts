import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scratchFolder } from '../../e2e/programs.ts'
import { SQLITE_FILE } from '../../hub/src/platform/db/sqlite/sqlite.ts'
import type { ImportReport } from '../foreign-hub-import.ts'
import type { Row } from '../row.ts'

const SYSTEMS = 1000
const CONTAINERS = 10

const run = promisify(execFile)

/**
 * Runs one of the import benchmark's programs (`program` is its path) with these arguments. Resolves with its standard output, parsed as
 * JSON.
 */
async function report<Report>(program: string, options: readonly string[]): Promise<Report> {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url))
  const { stdout } = await run(process.execPath, [path, ...options])
  return JSON.parse(stdout) as Report // what the program prints
}

/**
 * Benchmark of an import: the history of another hub with 1,000 systems. The time includes the rehearsal (dry run) that counts all rows.
 */
export const foreignHistory: Row = {
  id: 'IM',
  what: `import of another hub's history: ${SYSTEMS.toLocaleString('en')} systems × ${CONTAINERS} containers, 30 days in its five resolutions`,
  async measure() {
    using folder = scratchFolder()
    const file = join(folder.path, 'data.db')
    const { values } = await report<{ readonly values: number }>('foreign-hub.ts', [file, String(SYSTEMS), String(CONTAINERS)])
    const took = await report<ImportReport>('foreign-hub-import.ts', [file, folder.path])
    const bytes = statSync(join(folder.path, SQLITE_FILE)).size
    return [
      { name: 'time', value: (took.planMs + took.writeMs) / 1000, unit: 's', bar: 180 },
      { name: 'of it, the rehearsal', value: took.planMs / 1000, unit: 's' },
      { name: 'CPU', value: (took.planCpuMs + took.writeCpuMs) / 1000, unit: 's' },
      { name: 'highest resident memory', value: took.residentMebibytes, unit: 'MiB', bar: 300 },
      { name: 'rows', value: took.rows, unit: '' },
      { name: 'values in them', value: values / 1e6, unit: 'M' },
      { name: 'the database', value: bytes / 1e6, unit: 'MB' },
      { name: 'estimated growth', value: took.estimatedBytes / 1e6, unit: 'MB' },
    ]
  },
}
