import { clockNow } from '../format/clock.ts'
import { subscribeTopic, watchConnection } from './client.ts'
import { recordOf } from './json.ts'

/**
 * State of the page's realtime connection to the hub. `idle`: no page needs events; `delayed`: connected, but changes made by other hubs
 * arrive some seconds late. `since`: time of the loss, epoch ms.
 */
export type LiveState =
  | { readonly kind: 'idle' | 'connecting' }
  | { readonly kind: 'live' | 'delayed' }
  | { readonly kind: 'lost'; readonly since: number }

/**
 * Delays in ms between attempts of the first realtime connection to the hub; the last one repeats. The PocketBase SDK uses equal delays for
 * reconnects.
 */
const CONNECT_DELAYS_MS = [200, 300, 500, 1000, 1200, 1500, 2000] as const

let state: LiveState = { kind: 'idle' }
const listeners = new Set<() => void>()

export const liveState = (): LiveState => state

export function onLiveStateChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Longest time in ms, 1,000, that fetching a list waits for the list's realtime subscription. A proxy may block that connection for good.
 */
const CONNECT_WAIT_MS = 1_000

/**
 * Resolves at once when no realtime subscription is pending. Otherwise resolves when it has succeeded, failed or ended, at the latest after
 * 1 s, or when the signal aborts. Lists are fetched afterwards, so that no change is missed.
 */
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
  /**
   * Called after each connect of the realtime connection to the hub. Events before it are lost, so this function must refetch the data.
   * `isAgain` is true after a lost connection, when the hub may have been updated.
   */
  readonly onConnect: (isAgain: boolean) => void
}

/**
 * Subscribes to realtime topics of the hub and calls `onEvent` with topic and data of each event. An unreachable hub is tried again until
 * it responds. Returns the function that unsubscribes. It also sets the page's one connection state, which becomes `idle` at the end.
 */
export function follow({ topics, onEvent, onConnect }: Following): () => void {
  const undo: (() => Promise<void>)[] = []
  let stopped = false
  /**
   * True once the first subscription to all realtime topics has succeeded; `onConnect` was then called. Until then, connect events of the
   * PocketBase SDK are ignored, so that the first connect is not reported twice.
   */
  let isFollowing = false
  let isDelayed = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const keep = (unsubscribe: () => Promise<void>) => {
    undo.push(unsubscribe)
    if (stopped) release()
  }
  // Unsubscribing on a closed stream fails; the result is the same.
  const release = () => undo.splice(0).forEach((unsubscribe) => void unsubscribe().catch(() => undefined))

  const connect = async (attempt: number): Promise<void> => {
    try {
      // Started together, so that the SDK sends them in one request.
      const subscriptions = [
        watchConnection(() => isFollowing && onConnected(), onLost),
        ...topics.map((topic) => subscribeTopic(topic, onEvent)),
        subscribeTopic('delayed', onDelay),
      ]
      // When one subscription fails, the others are undone.
      await Promise.allSettled(subscriptions.map(async (subscription) => keep(await subscription)))
      await Promise.all(subscriptions)
      isFollowing = true
      onConnected()
    } catch {
      // Not reached yet: the state becomes `lost` and the connect is retried.
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
    // The hub sends the `delayed` event again after the next connect.
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
