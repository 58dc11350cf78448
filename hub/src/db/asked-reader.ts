import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { QuestionTooSlowError } from './database-failures.ts'
import { FOLD_LOG } from './fold-log.ts'
import type { Tables } from './schema.ts'
import { asObjects, type FoundRows } from './sqlite-connection.ts'

/** To the thread and back; the first word from it is that it is there. */
export type Question = { readonly sql: string; readonly parameters: readonly unknown[] }
export type Answer = 'ready' | FoundRows | { readonly failure: string }

/** Questions that may wait for their turn. */
const MOST_WAITING = 1_000
/** Threads that have been ended but still finish their last statement: SQLite looks up from one only when it is done. */
const MOST_ENDING = 2

type Waiting = Question & { readonly resolve: (rows: unknown[]) => void; readonly reject: (error: Error) => void }

export type AskedReader = {
  readonly kysely: Kysely<Tables>
  /** Folds the log into the file, after the questions that wait; undefined when there is no thread, which is not started for this. */
  readonly foldLog: () => Promise<unknown> | undefined
  readonly close: () => Promise<void>
}

/**
 * Reads what clients ask for in a thread with a connection of its own that cannot write, so that no question of theirs holds
 * up anything else. Started when first asked; one question at a time; one that is not answered in time rejects with
 * {@link QuestionTooSlowError}, and its thread is ended.
 */
export function openAskedReader(path: string, deadlineMs: number): AskedReader {
  const waiting: Waiting[] = []
  const ending = new Set<Promise<unknown>>()
  let worker: Worker | undefined
  let ready = false
  let asked: Waiting | undefined
  let deadline: NodeJS.Timeout | undefined
  let open = true

  function start(): Worker {
    // Beside this file, among the sources as in the bundle.
    const thread = new URL(`asked-reader-thread${extname(import.meta.url)}`, import.meta.url)
    const started = new Worker(thread, { workerData: path })
    started.on('message', (answer: Answer) => {
      if (started !== worker) return
      if (answer === 'ready') {
        ready = true
        hurry()
      } else settle(({ resolve, reject }) => ('rows' in answer ? resolve(asObjects(answer)) : reject(new Error(answer.failure))))
    })
    started.on('error', (error) => {
      if (started !== worker) return
      forget()
      settle(({ reject }) => reject(error instanceof Error ? error : new Error(String(error))))
    })
    return started
  }

  function forget(): void {
    worker = undefined
    ready = false
  }

  /** From when a question is with a thread that can answer. */
  function hurry(): void {
    if (ready && asked !== undefined) deadline = setTimeout(giveUp, deadlineMs)
  }

  function settle(end: (question: Waiting) => void): void {
    const answered = asked
    asked = undefined
    clearTimeout(deadline)
    if (answered !== undefined) end(answered)
    askNext()
  }

  function askNext(): void {
    if (asked !== undefined) return
    if (ending.size >= MOST_ENDING) return
    const question = waiting.shift()
    // A thread with nothing to do keeps no process alive.
    if (question === undefined) return worker?.unref()
    worker ??= start()
    worker.ref()
    asked = question
    hurry()
    worker.postMessage({ sql: question.sql, parameters: question.parameters } satisfies Question, [])
  }

  function giveUp(): void {
    if (worker !== undefined) endThread(worker)
    forget()
    settle(({ reject }) => reject(new QuestionTooSlowError(`Cannot answer: reading took longer than ${deadlineMs} ms`)))
  }

  function endThread(one: Worker): void {
    one.unref()
    const ended = one.terminate().finally(() => {
      ending.delete(ended)
      askNext()
    })
    ending.add(ended)
  }

  function ask(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      if (!open) return reject(new Error('Cannot read: the database is closed'))
      if (waiting.length >= MOST_WAITING) return reject(new QuestionTooSlowError('Cannot answer: too many questions are waiting'))
      waiting.push({ sql, parameters, resolve, reject })
      askNext()
    })
  }

  const connection: DatabaseConnection = {
    // What a statement's rows look like is for the one who wrote it to say.
    executeQuery: async <R>({ sql, parameters }: Question): Promise<QueryResult<R>> => ({ rows: (await ask(sql, parameters)) as R[] }),
    streamQuery: () => {
      throw new Error('Cannot stream what clients ask for')
    },
  }
  return {
    kysely: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createDriver: () => readingDriver(connection),
      },
    }),
    foldLog: () => (worker === undefined ? undefined : ask(FOLD_LOG, [])),
    async close() {
      open = false
      const closed = new Error('Cannot read: the database is closed')
      for (const { reject } of waiting.splice(0)) reject(closed)
      const last = worker
      forget()
      settle(({ reject }) => reject(closed))
      // A thread in the middle of a long statement is not waited for.
      if (last !== undefined) await Promise.race([last.terminate(), new Promise((resolve) => setTimeout(resolve, deadlineMs).unref())])
    },
  }
}

/** One connection for everybody: the thread answers one after the other anyway. */
function readingDriver(connection: DatabaseConnection): Driver {
  const refuse = async (): Promise<void> => {
    throw new Error('Cannot begin a transaction where clients are answered')
  }
  const nothing = async (): Promise<void> => {}
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: nothing,
    destroy: nothing,
  }
}
