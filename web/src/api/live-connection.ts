import { clockNow } from '../format/clock.ts'
import { subscribeTopic, watchConnection } from './client.ts'
import { recordOf } from './json.ts'

/**
 * Whether changes arrive by themselves; idle is a page that waits for none, delayed is a hub that hears of the changes of other hubs some seconds
 * late. `since` is epoch ms of the loss.
 */
export type LiveState =
  | { readonly kind: 'idle' | 'connecting' }
  | { readonly kind: 'live' | 'delayed' }
  | { readonly kind: 'lost'; readonly since: number }

/** Waits between attempts at the first connect; afterwards the client reconnects by itself with the same ones. */
const CONNECT_DELAYS_MS = [200, 300, 500, 1000, 1200, 1500, 2000] as const

let state: LiveState = { kind: 'idle' }
const listeners = new Set<() => void>()

export const liveState = (): LiveState => state

export function onLiveStateChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The longest that a list waits for its events: a proxy may hold a stream back for good. */
const CONNECT_WAIT_MS = 1_000

/** Resolves when a page that has begun to follow topics does, or has failed to; at once where none has begun. */
export function whenFollowed(signal: AbortSignal): Promise<void> {
  if (state.kind !== 'connecting') return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onLiveStateChange(resolve)
  const timer = setTimeout(resolve, CONNECT_WAIT_MS)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
  })
}

function setState(next: LiveState): void {
  if (next.kind === state.kind) return
  state = next
  for (const listener of listeners) listener()
}

export type Following = {
  readonly topics: readonly string[]
  readonly onEvent: (topic: string, data: unknown) => void
  /** Called after each connect: what happened before it was not told and has to be read. `isAgain`: after the hub could not be reached; it may have another version now. */
  readonly onConnect: (isAgain: boolean) => void
}

/** Follows topics until the returned function is called; keeps trying as long as the hub cannot be reached. */
export function follow({ topics, onEvent, onConnect }: Following): () => void {
  const undo: (() => Promise<void>)[] = []
  let stopped = false
  /** From the first time on that all topics are followed: the connects before that one are part of getting there. */
  let isFollowing = false
  let isDelayed = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const keep = (unsubscribe: () => Promise<void>) => {
    undo.push(unsubscribe)
    if (stopped) release()
  }
  // Closing a stream that is already gone fails, and that is as good as closed.
  const release = () => undo.splice(0).forEach((unsubscribe) => void unsubscribe().catch(() => undefined))

  const connect = async (attempt: number): Promise<void> => {
    try {
      // Begun together: the client sends them in one request.
      const subscriptions = [
        watchConnection(() => isFollowing && onConnected(), onLost),
        ...topics.map((topic) => subscribeTopic(topic, onEvent)),
        subscribeTopic('delayed', onDelay),
      ]
      // Where one fails, the others are undone.
      await Promise.allSettled(subscriptions.map(async (subscription) => keep(await subscription)))
      await Promise.all(subscriptions)
      isFollowing = true
      onConnected()
    } catch {
      // Not reached yet: said as "reconnecting", and tried again.
      release()
      if (stopped) return
      onLost()
      timer = setTimeout(() => void connect(attempt + 1), CONNECT_DELAYS_MS[Math.min(attempt, CONNECT_DELAYS_MS.length - 1)])
    }
  }
  const onConnected = () => {
    if (stopped) return
    const isAgain = state.kind === 'lost'
    setState({ kind: isDelayed ? 'delayed' : 'live' })
    onConnect(isAgain)
  }
  const onDelay = (_topic: string, data: unknown) => {
    isDelayed = recordOf(data)['isDelayed'] === true
    if (!stopped && isFollowing && state.kind !== 'lost') setState({ kind: isDelayed ? 'delayed' : 'live' })
  }
  const onLost = () => {
    // The hub says it again after the next connect.
    isDelayed = false
    if (!stopped) setState({ kind: 'lost', since: clockNow() })
  }

  setState({ kind: 'connecting' })
  void connect(0)
  return () => {
    stopped = true
    clearTimeout(timer)
    release()
    setState({ kind: 'idle' })
  }
}
