import { getJson } from './client.ts'
import { recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'

/** Whether this browser is told, or why it cannot be. `address`: how the person's settings write it. */
export type PushState = { readonly kind: 'insecure' | 'unsupported' | 'denied' | 'off' } | { readonly kind: 'on'; readonly address: string }

/** Beside the page, so that it may speak for all of the hub's pages. */
const WORKER = 'push-worker.js'

/** The facts that decide whether this browser can receive push notifications. */
type Surroundings = { readonly isSecureContext: boolean; readonly isAble: boolean; readonly permission: NotificationPermission }

/** The reason why push notifications are not possible here; undefined when they are. */
export function obstacle({ isSecureContext, isAble, permission }: Surroundings): 'insecure' | 'unsupported' | 'denied' | undefined {
  if (!isSecureContext) return 'insecure'
  if (!isAble) return 'unsupported'
  return permission === 'denied' ? 'denied' : undefined
}

const surroundings = (): Surroundings => {
  const isAble = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  return { isSecureContext, isAble, permission: isAble ? Notification.permission : 'default' }
}

async function readPushState(): Promise<PushState> {
  const kind = obstacle(surroundings())
  if (kind !== undefined) return { kind }
  const registration = await navigator.serviceWorker.getRegistration()
  return stateOf((await registration?.pushManager.getSubscription()) ?? undefined)
}

/** Whether this browser receives notifications. Other pages of it may change that. */
export const pushQuery = serverQuery(keys.push, readPushState, { staleTime: 0 })

/** Asks the person, and then the browser's push service. Rejects where that cannot be reached. */
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

/** A subscription needs a worker that is at work. */
async function activated(registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  return registration.active === null ? navigator.serviceWorker.ready : registration
}

function stateOf(subscription: PushSubscription | undefined): PushState {
  const { endpoint, keys } = subscription?.toJSON() ?? {}
  const address = endpoint === undefined ? undefined : addressOf(endpoint, keys ?? {})
  return address === undefined ? { kind: 'off' } : { kind: 'on', address }
}

/** A subscription in the notation of the settings; undefined for one without keys, which nobody can write to. */
export function addressOf(endpoint: string, { p256dh, auth }: Readonly<Record<string, string>>): string | undefined {
  if (p256dh === undefined || auth === undefined || !endpoint.startsWith('https://')) return undefined
  const { host, pathname, searchParams } = new URL(endpoint)
  const query = new URLSearchParams([...searchParams, ['p256dh', p256dh], ['auth', auth]])
  return `webpush://${host}${pathname}?${query.toString()}`
}
