import { serveWorker } from '../../process/worker.ts'
import type { ClientQuery } from './client-reader.ts'
import { CHECKPOINT } from './wal-checkpoint.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

serveWorker((data) => {
  if (typeof data !== 'string') throw new TypeError('Cannot read for clients: the path of the database is missing')
  const reading = openSqliteConnection(data, 'read')
  let folding: SqliteConnection | undefined
  return {
    handle(request) {
      const { sql, parameters } = request as ClientQuery // from client-reader.ts
      if (sql !== CHECKPOINT) return reading.find(sql, parameters)
      // A read-only connection cannot run a WAL checkpoint.
      folding ??= openSqliteConnection(data, 'write')
      return folding.find(CHECKPOINT, [])
    },
    close() {
      folding?.close()
      reading.close()
    },
  }
})
