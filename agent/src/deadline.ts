import type { HttpEvent, HttpRequest, Runtime, RuntimeEvents } from './runtime.ts'

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

export type HttpEnd = Extract<HttpEvent, { readonly kind: 'answer' | 'failed' }>

/** What other parts hear besides timers and HTTP answers, which are promises here. */
export type HeardEvents = Omit<RuntimeEvents, 'onTimer' | 'onHttp'>

/** Promises and timers over the runtime's numbered calls. */
export type Loop = {
  /** Runs `action` once after `delayMs`; the answer cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
  /** The promise's outcome, or `DeadlineExceeded` when it takes longer. What then still comes is ignored. */
  readonly within: <T>(deadlineMs: number, what: string, promise: Promise<T>) => Promise<T>
  /** Never rejects; ends by the request's own deadline. */
  readonly fetch: (request: HttpRequest) => Promise<HttpEnd>
  readonly hear: (events: Partial<HeardEvents>) => void
}

/** Takes over the runtime's events. One per program. */
export function createLoop(runtime: Runtime): Loop {
  const timers = new Map<number, () => void>()
  const requests = new Map<number, (end: HttpEnd) => void>()
  const heard: Partial<HeardEvents>[] = []
  let lastId = 0

  runtime.listen({
    onTimer: (id) => {
      const action = timers.get(id)
      timers.delete(id)
      action?.()
    },
    onHttp: (id, event) => {
      if (event.kind !== 'answer' && event.kind !== 'failed') return
      const settle = requests.get(id)
      requests.delete(id)
      settle?.(event)
    },
    onStream: (id, event) => heard.forEach((one) => one.onStream?.(id, event)),
    onExec: (id, event) => heard.forEach((one) => one.onExec?.(id, event)),
    onWsOpen: (id) => heard.forEach((one) => one.onWsOpen?.(id)),
    onWsMessage: (id, data) => heard.forEach((one) => one.onWsMessage?.(id, data)),
    onWsClose: (id, end) => heard.forEach((one) => one.onWsClose?.(id, end)),
    onSsh: (id, identification, stdin, ended) => heard.forEach((one) => one.onSsh?.(id, identification, stdin, ended)),
    onSshServer: (event) => heard.forEach((one) => one.onSshServer?.(event)),
    onSignalReceived: (name) => heard.forEach((one) => one.onSignalReceived?.(name)),
  })

  const after: Loop['after'] = (delayMs, action) => {
    const id = ++lastId
    timers.set(id, action)
    runtime.timer(id, Math.max(0, delayMs))
    return () => {
      if (timers.delete(id)) runtime.timer(id, -1)
    }
  }

  return {
    after,
    within: (deadlineMs, what, promise) =>
      new Promise((resolve, reject) => {
        const cancel = after(deadlineMs, () => reject(new DeadlineExceeded(`${what} took longer than ${deadlineMs} ms`)))
        promise.then(
          (value) => {
            cancel()
            resolve(value)
          },
          (error: unknown) => {
            cancel()
            reject(error instanceof Error ? error : new Error(String(error)))
          },
        )
      }),
    fetch: (request) =>
      new Promise((resolve) => {
        const id = ++lastId
        requests.set(id, resolve)
        runtime.http(id, request)
      }),
    hear: (events) => {
      heard.push(events)
    },
  }
}
