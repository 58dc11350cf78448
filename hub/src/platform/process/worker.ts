import { extname } from 'node:path'
import { isSea } from 'node:sea'
import { parentPort, Worker as NodeWorker, workerData } from 'node:worker_threads'
import { guardObjectPrototype } from '@vedette/protocol/guarded-prototype'
import { atMost } from '../deadline.ts'
import { embeddedThread } from './program-files.ts'
import { QueueFullError, QueueLateError } from '../work-queue.ts'

/**
 * Maximum number of worker threads, 2, that were ended but are still in a system call or SQL statement. At the limit no new thread starts,
 * and requests wait until one has ended.
 */
const MAX_ENDING = 2
/** Maximum time that `close` waits for the worker thread's end, in ms (1 s). A thread ends when its current system call returns. */
const CLOSE_MS = 1000

type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  // Failure of a request: name, message and own properties of the error, which a structured clone of an Error would lose.
  | { readonly kind: 'failure'; readonly error: { readonly name: string; readonly message: string } }

export type WorkerOptions = {
  /**
   * Data for the module of the worker thread. It is passed to the function `open` of {@link serveWorker} when the thread starts. Absent:
   * `undefined` is passed.
   */
  readonly data?: unknown
  /** Maximum number of requests that wait in the queue of the worker thread. One more rejects at once with {@link QueueFullError}. */
  readonly maxWaiting: number
  /**
   * Maximum time of a request in the queue, in ms; after it the request rejects with {@link QueueLateError}. If a new thread must start,
   * its start may take the same time in addition.
   */
  readonly waitMs: number
  /** Maximum execution time of one request in the worker thread, in ms; unlimited by default. */
  readonly runMs?: number
}

/**
 * Worker thread that handles one request (`ask`) after the other. It starts at the first request, and again at the next one after it ended,
 * such as by a timeout.
 */
export type Worker = {
  /**
   * Sends a request to the worker thread and resolves to its result. `onProgress` gets the progress values that the thread sends. Rejects
   * with {@link QueueFullError}, {@link QueueLateError}, the reason passed to `close`, or the error that ended the thread. An error that
   * the request's handler threw is copied (name, message and properties).
   */
  readonly ask: (request: unknown, onProgress?: (progress: unknown) => void) => Promise<unknown>
  readonly isStarted: () => boolean
  /** Ends the worker thread and returns true if it has no requests; otherwise returns false. The next request starts a new thread. */
  readonly endIfIdle: () => boolean
  /** Ends the worker thread and rejects all open requests with `reason`. Resolves when the thread has ended, or after 1 s. */
  readonly close: (reason?: unknown) => Promise<void>
}

type Request = {
  readonly request: unknown
  readonly onProgress: (progress: unknown) => void
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly late: NodeJS.Timeout
}

/**
 * Creates a worker thread, which starts at the first request. `name`: file name of the thread's module without extension, in the directory
 * of the module `from` (an `import.meta.url`). The single executable contains these modules.
 */
export function openWorker(name: string, from: string, { data, maxWaiting, waitMs, runMs }: WorkerOptions): Worker {
  const waiting = new Set<Request>()
  const ending = new Set<Promise<unknown>>()
  let thread: NodeWorker | undefined
  let isReady = false
  let current: Request | undefined
  let deadline: NodeJS.Timeout | undefined
  let closed: { readonly reason: unknown } | undefined

  function start(): NodeWorker {
    const module = isSea() ? embeddedThread(name) : new URL(`${name}${extname(from)}`, from)
    const started = new NodeWorker(module, { workerData: data })
    started.on('message', (message: ThreadMessage) => {
      if (started !== thread) return
      if (message.kind === 'ready') {
        isReady = true
        if (current !== undefined) setDeadline()
      } else if (message.kind === 'progress') current?.onProgress(message.progress)
      else if (message.kind === 'result') settle(({ resolve }) => resolve(message.result))
      else settle(({ reject }) => reject(Object.assign(new Error(message.error.message), message.error)))
    })
    const fail = (error: unknown): void => {
      if (started !== thread) return
      thread = undefined
      settle(({ reject }) => reject(error))
    }
    started.on('error', fail)
    started.on('exit', () => fail(new Error(`Cannot finish: the thread ${name} ended`)))
    isReady = false
    return started
  }

  function setDeadline(): void {
    clearTimeout(deadline)
    const ms = isReady ? runMs : waitMs
    if (ms !== undefined) deadline = setTimeout(giveUp, ms)
  }

  function settle(end: (request: Request) => void): void {
    const done = current
    current = undefined
    clearTimeout(deadline)
    if (done !== undefined) end(done)
    runNext()
  }

  function runNext(): void {
    if (current !== undefined || ending.size >= MAX_ENDING) return
    const [next] = waiting
    // An idle thread does not keep the process alive.
    if (next === undefined) return thread?.unref()
    waiting.delete(next)
    clearTimeout(next.late)
    thread ??= start()
    thread.ref()
    current = next
    setDeadline()
    thread.postMessage(next.request, [])
  }

  function endThread(): void {
    const last = thread
    thread = undefined
    if (last === undefined) return
    last.unref()
    const ended = last.terminate().finally(() => {
      ending.delete(ended)
      runNext()
    })
    ending.add(ended)
  }

  function giveUp(): void {
    endThread()
    settle(({ reject }) => reject(new QueueLateError(`Cannot finish: the thread ${name} took longer than ${isReady ? runMs : waitMs} ms`)))
  }

  return {
    ask(request, onProgress = () => {}) {
      if (closed !== undefined) return Promise.reject(closed.reason)
      if (waiting.size >= maxWaiting) return Promise.reject(new QueueFullError(`Cannot start: ${maxWaiting} others are waiting`))
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const late = setTimeout(() => {
        waiting.delete(one)
        reject(new QueueLateError(`Cannot start: others took longer than ${waitMs} ms`))
      }, waitMs)
      const one: Request = { request, onProgress, resolve, reject, late }
      waiting.add(one)
      runNext()
      return promise
    },
    isStarted: () => thread !== undefined,
    endIfIdle() {
      if (current !== undefined || waiting.size > 0) return false
      endThread()
      return true
    },
    async close(reason = new Error(`Cannot ask: the thread ${name} is closed`)) {
      closed ??= { reason }
      for (const { late, reject } of waiting) {
        clearTimeout(late)
        reject(reason)
      }
      waiting.clear()
      endThread()
      settle(({ reject }) => reject(reason))
      await atMost(CLOSE_MS, Promise.all(ending))
    },
  }
}

type RequestHandler = {
  readonly handle: (request: unknown, onProgress: (progress: unknown) => void) => unknown
  readonly close?: () => void
}

/**
 * Handles requests inside the worker thread that {@link openWorker} starts. `open` receives the worker's `data` and returns the handler of
 * its requests.
 */
export function serveWorker(open: (data: unknown) => RequestHandler): void {
  guardObjectPrototype()
  const port = parentPort
  if (port === null) throw new TypeError('Cannot start: this is the module of a thread of the hub')
  const post = (message: ThreadMessage): void => port.postMessage(message, [])
  const { handle, close } = open(workerData)
  async function answer(request: unknown): Promise<void> {
    try {
      post({ kind: 'result', result: await handle(request, (progress) => post({ kind: 'progress', progress })) })
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      const { name, message } = error
      post({ kind: 'failure', error: { ...Object.fromEntries(Object.entries(error)), name, message } })
    }
  }
  port.on('message', (request: unknown) => void answer(request))
  if (close !== undefined) port.on('close', close)
  post({ kind: 'ready' })
}
