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
import { atMost } from '../../deadline.ts'
import { QuestionTooSlowError } from '../database-failures.ts'
import { FOLD_LOG } from './fold-log.ts'
import type { Tables } from '../schema.ts'
import { asObjects, type FoundRows } from './sqlite-connection.ts'

/** To the thread and back; the first word from it is that it is there. */
export type Question = { readonly sql: string; readonly parameters: readonly unknown[] }
export type Answer = 'ready' | FoundRows | { readonly failure: string }

/** Questions that may wait for their turn. */
const MOST_WAITING = 1_000
/** Threads that have been ended but still finish their last statement: SQLite looks up from one only when it is done. */
const MOST_ENDING = 2

/** How long one question may take. */
export type QuestionDeadlines = {
  /** In the thread. */
  readonly runMs: number
  /** In the queue, and again until a thread that was just started is ready. */
  readonly waitMs: number
}

type Waiting = Question & {
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: Error) => void
  readonly patience: NodeJS.Timeout
}

export type ClientReader = {
  readonly kysely: Kysely<Tables>
  /** Folds the log into the file, after the questions that wait; undefined when there is no thread, which is not started for this. */
  readonly foldLog: () => Promise<unknown> | undefined
  readonly close: () => Promise<void>
}

/**
 * Reads what clients ask for in a thread with a connection of its own that cannot write, so that no question of theirs holds
 * up anything else. Started when first asked; one question at a time; one that is not answered in time rejects with
 * {@link QuestionTooSlowError}, and its thread is ended. So does one that waits too long for its turn.
 */
export function openClientReader(path: string, { runMs, waitMs }: QuestionDeadlines): ClientReader {
  const waiting = new Set<Waiting>()
  const ending = new Set<Promise<unknown>>()
  let worker: Worker | undefined
  let ready = false
  let asked: Waiting | undefined
  let deadline: NodeJS.Timeout | undefined
  let open = true

  function start(): Worker {
    // Beside this file, among the sources as in the bundle.
    const thread = new URL(`client-reader-thread${extname(import.meta.url)}`, import.meta.url)
    const started = new Worker(thread, { workerData: path })
    started.on('message', (answer: Answer) => {
      if (started !== worker) return
      if (answer === 'ready') {
        ready = true
        if (asked !== undefined) hurry()
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

  function hurry(): void {
    clearTimeout(deadline)
    deadline = setTimeout(giveUp, ready ? runMs : waitMs)
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
    const [question] = waiting
    // A thread with nothing to do keeps no process alive.
    if (question === undefined) return worker?.unref()
    waiting.delete(question)
    clearTimeout(question.patience)
    worker ??= start()
    worker.ref()
    asked = question
    hurry()
    worker.postMessage({ sql: question.sql, parameters: question.parameters } satisfies Question, [])
  }

  function giveUp(): void {
    if (worker !== undefined) endThread(worker)
    forget()
    settle(({ reject }) => reject(new QuestionTooSlowError(`Cannot answer: reading took longer than ${runMs} ms`)))
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
      if (waiting.size >= MOST_WAITING) return reject(new QuestionTooSlowError('Cannot answer: too many questions are waiting'))
      const leave = (): void => {
        waiting.delete(question)
        reject(new QuestionTooSlowError(`Cannot answer: the question waited longer than ${waitMs} ms for its turn`))
      }
      const question: Waiting = { sql, parameters, resolve, reject, patience: setTimeout(leave, waitMs) }
      waiting.add(question)
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
      for (const { reject, patience } of waiting) {
        clearTimeout(patience)
        reject(closed)
      }
      waiting.clear()
      const last = worker
      forget()
      settle(({ reject }) => reject(closed))
      // A thread in the middle of a long statement is not waited for.
      if (last !== undefined) await atMost(runMs, last.terminate())
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
