import { request, type IncomingMessage } from 'node:http'

/** Id and current status of a system, from one realtime event of the hub. `atMs` is when the event arrived, in ms. */
export type SystemNews = { readonly id: string; readonly status: string; readonly atMs: number }

/** Client of the hub's event stream for changes of systems; `next` waits for an event. Disposing it closes the stream. */
export type StatusStream = Disposable & {
  /**
   * Resolves with the next event of the system `name` for which `fits` returns true. Rejects after `withinMs` ms, or when the hub closes
   * the stream.
   */
  readonly next: (name: string, fits: (news: SystemNews) => boolean, withinMs: number) => Promise<SystemNews>
}

type Wait = { readonly take: (news: SystemNews) => void; readonly fail: (error: Error) => void }

/** Opens `/api/realtime` with this session token and subscribes to all systems. Resolves when the hub has accepted the subscription. */
export async function openStatusStream(url: string, token: string): Promise<StatusStream> {
  const waiting = new Map<string, Set<Wait>>()
  const stream = await openStream(url, token)
  const { promise: id, resolve: onId } = Promise.withResolvers<string>()
  stream.setEncoding('utf8')
  let rest = ''
  stream.on('data', (chunk: string) => {
    const atMs = performance.now()
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.includes('\nevent:PB_CONNECT')) onId(/^id:(.+)$/m.exec(frame)?.[1] ?? '')
      else if (frame.includes('\nevent:systems/')) tell(frame, atMs)
    }
  })
  stream.on('close', () => {
    for (const waits of waiting.values()) for (const { fail } of waits) fail(new Error('The hub ended the event stream'))
  })

  function tell(frame: string, atMs: number): void {
    const { record } = JSON.parse(/^data:(.+)$/m.exec(frame)?.[1] ?? '{}') as {
      readonly record: { readonly id: string; readonly name: string; readonly status: string }
    } // the hub's own format, tested elsewhere
    for (const { take } of waiting.get(record.name) ?? []) take({ id: record.id, status: record.status, atMs })
  }

  const answer = await fetch(`${url}/api/realtime`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: await id, subscriptions: ['systems/*'] }),
  })
  if (answer.status !== 204) throw new Error(`Cannot subscribe to systems: status ${answer.status}`)
  return {
    next(name, fits, withinMs) {
      const { promise, resolve, reject } = Promise.withResolvers<SystemNews>()
      const wait: Wait = { take: (news) => fits(news) && resolve(news), fail: reject }
      const waits = waiting.get(name) ?? new Set()
      waiting.set(name, waits.add(wait))
      const late = setTimeout(() => reject(new Error(`No such event of ${name} within ${withinMs / 1000} s`)), withinMs)
      return promise.finally(() => {
        clearTimeout(late)
        waits.delete(wait)
      })
    },
    [Symbol.dispose]: () => void stream.destroy(),
  }
}

function openStream(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${url}/api/realtime`, { headers: { authorization: token } }, resolve)
      .on('error', reject)
      .end()
  })
}
