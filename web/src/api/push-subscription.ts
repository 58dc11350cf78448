import { getJson } from './client.ts'
import { recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'

/**
 * State of push notifications in this browser: on, off, or the reason why they are impossible. When on, `address` is the browser's
 * subscription as a `webpush://` URL, as the settings store it.
 */
export type PushState = { readonly kind: 'insecure' | 'unsupported' | 'denied' | 'off' } | { readonly kind: 'on'; readonly address: string }

/** URL, relative to the base URL, of the service worker script that shows push notifications. Its scope covers all pages of the hub. */
const WORKER = 'push-worker.js'

/**
 * Facts of the browser that decide whether push notifications are possible: HTTPS, the user's permission, and `isAble`, whether it has all
 * needed APIs.
 */
type PushSupport = { readonly isSecureContext: boolean; readonly isAble: boolean; readonly permission: NotificationPermission }

/**
 * Returns the reason why this browser cannot receive push notifications: `insecure` (no HTTPS), `unsupported` or `denied`. `undefined` when
 * it can.
 */
export function pushObstacle({ isSecureContext, isAble, permission }: PushSupport): 'insecure' | 'unsupported' | 'denied' | undefined {
  if (!isSecureContext) return 'insecure'
  if (!isAble) return 'unsupported'
  return permission === 'denied' ? 'denied' : undefined
}

const pushSupport = (): PushSupport => {
  const isAble = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  return { isSecureContext, isAble, permission: isAble ? Notification.permission : 'default' }
}

async function readPushState(): Promise<PushState> {
  const kind = pushObstacle(pushSupport())
  if (kind !== undefined) return { kind }
  const registration = await navigator.serviceWorker.getRegistration()
  return stateOf((await registration?.pushManager.getSubscription()) ?? undefined)
}

/**
 * TanStack Query options for the state of push notifications in this browser; the data is a `PushState`. It is always refetched, because
 * another tab may change it.
 */
export const pushQuery = serverQuery(keys.push, readPushState, { staleTime: 0 })

/**
 * Asks the user for permission and subscribes this browser to Web Push. Resolves to the new state of push notifications, also when the user
 * refuses. Rejects when the hub or the browser's push service cannot be reached.
 */
export async function subscribeHere(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState()
  const key = textOf(recordOf(await getJson('/api/vedette/web-push-key', undefined))['key']) ?? ''
  const registration = await navigator.serviceWorker.register(new URL(WORKER, document.baseURI))
  const { pushManager } = await activated(registration)
  return stateOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
}

export async function unsubscribeHere(): Promise<PushState> {
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  return { kind: 'off' }
}

/**
 * Waits until the service worker for push notifications is active, which `pushManager.subscribe` requires. Resolves with the registration
 * of the active worker.
 */
async function activated(registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  return registration.active === null ? navigator.serviceWorker.ready : registration
}

function stateOf(subscription: PushSubscription | undefined): PushState {
  const { endpoint, keys } = subscription?.toJSON() ?? {}
  const address = endpoint === undefined ? undefined : channelAddressOf(endpoint, keys ?? {})
  return address === undefined ? { kind: 'off' } : { kind: 'on', address }
}

/**
 * Returns the address (`webpush://…` URL) that the user's settings store for a browser's push subscription with this endpoint and keys.
 * `undefined` if keys are missing or the endpoint is not https.
 */
export function channelAddressOf(endpoint: string, { p256dh, auth }: Readonly<Record<string, string>>): string | undefined {
  if (p256dh === undefined || auth === undefined || !endpoint.startsWith('https://')) return undefined
  const { host, pathname, searchParams } = new URL(endpoint)
  const query = new URLSearchParams([...searchParams, ['p256dh', p256dh], ['auth', auth]])
  return `webpush://${host}${pathname}?${query.toString()}`
}
