import { parentPort, workerData } from 'node:worker_threads'
import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import type { Answer, Question } from './client-reader.ts'
import { FOLD_LOG } from './fold-log.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

// A thread that reads for clients, one question after the other, until its port closes.
guardObjectPrototype()
const port = parentPort
if (port === null || typeof workerData !== 'string') throw new TypeError('Cannot read for clients: this is a thread of the hub')
const path = workerData
const connection = openSqliteConnection(path, 'read')
let folding: SqliteConnection | undefined

port.on('message', ({ sql, parameters }: Question) => {
  port.postMessage(answer(sql, parameters))
})
port.on('close', () => {
  folding?.close()
  connection.close()
})
port.postMessage('ready' satisfies Answer, [])

function answer(sql: string, parameters: readonly unknown[]): Answer {
  try {
    return sql === FOLD_LOG ? foldLog() : connection.find(sql, parameters)
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** Who only reads cannot, so this takes a connection of its own; what it waits for the disk holds nobody else up. */
function foldLog(): Answer {
  folding ??= openSqliteConnection(path, 'write')
  return folding.find(FOLD_LOG, [])
}
