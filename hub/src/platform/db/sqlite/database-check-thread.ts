import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { serveWorker } from '../../process/worker.ts'
import type { CheckOrder, CheckedDatabase } from './database-check.ts'

const BUSY_TIMEOUT_MS = 5000

serveWorker(() => ({
  handle(request) {
    return check(request as CheckOrder) // from database-check.ts
  },
}))

function check({ path, isInUse }: CheckOrder): CheckedDatabase {
  const url = pathToFileURL(path)
  // Without this, opening a database in WAL mode makes two files beside it.
  if (!isInUse) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    const [first] = database.prepare('pragma quick_check(1)').all()
    const states = database
      .prepare("select name, value from hub_state where name in ('schemaVersion', 'schemaSupport', 'secretProof')")
      .all()
    return {
      damage: first?.['quick_check'] === 'ok' ? undefined : String(first?.['quick_check']),
      states: Object.fromEntries(states.map(({ name, value }) => [String(name), String(value)])),
    }
  } finally {
    database.close()
  }
}
