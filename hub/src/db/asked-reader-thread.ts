import { parentPort, workerData } from 'node:worker_threads'
import type { Answer, Question } from './asked-reader.ts'
import { openSqliteConnection } from './sqlite-connection.ts'

// A thread that reads for clients, one question after the other, until its port closes.
const port = parentPort
if (port === null || typeof workerData !== 'string') throw new TypeError('Cannot read for clients: this is a thread of the hub')
const connection = openSqliteConnection(workerData, 'read')

port.on('message', ({ sql, parameters }: Question) => {
  port.postMessage(answer(sql, parameters))
})
port.on('close', () => connection.close())
port.postMessage('ready' satisfies Answer, [])

function answer(sql: string, parameters: readonly unknown[]): Answer {
  try {
    return connection.find(sql, parameters)
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
