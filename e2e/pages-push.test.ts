import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { CDPSession, Page, Worker } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'

const browser = createECDH('prime256v1')
const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
const ENDPOINT = 'https://push.example:8443/send/a%2Fb?token=x'

/** The browser of these tests has no push service and shows no notifications, so other browsers' responses are simulated. */
const asAnotherBrowser = `
  let subscribed = null
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = () => Promise.resolve('granted')
  PushManager.prototype.getSubscription = () => Promise.resolve(subscribed)
  PushManager.prototype.subscribe = ({ applicationServerKey }) => {
    if (!/^B[\\w-]{86}$/.test(applicationServerKey)) throw new TypeError('The hub gave no key')
    subscribed = {
      toJSON: () => (${JSON.stringify({ endpoint: ENDPOINT, keys })}),
      unsubscribe: () => Promise.resolve((subscribed = null) === null),
    }
    return Promise.resolve(subscribed)
  }`

/** Records, in the worker, the notifications it shows and the pages it opens, in order. */
const noting = `
  globalThis.noted = []
  registration.showNotification = (title, options) => Promise.resolve(void noted.push({ title, ...options }))
  clients.openWindow = (page) => Promise.resolve(void noted.push({ page }))`

type Noted = {
  readonly title?: string
  readonly body?: string
  readonly tag?: string
  readonly data?: object
  readonly actions?: object
  readonly page?: string
}

/** The worker's registration id in the DevTools protocol. */
const registrationOf = (tools: CDPSession): Promise<string> =>
  new Promise((resolve) => {
    tools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const running = versions.find(({ status }) => status === 'activated')
      if (running !== undefined) resolve(running.registrationId)
    })
    void tools.send('ServiceWorker.enable')
  })

describe('browser notifications', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let page: Page

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
  })

  after(async () => {
    await hub[Symbol.asyncDispose]()
  })

  const stored = async (): Promise<readonly unknown[]> => {
    const answer = await hub.send(admin, 'GET', '/api/collections/user_settings/records')
    const { items } = answer as { readonly items: readonly { readonly settings: { readonly webhooks?: readonly unknown[] } }[] } // a list of records
    return items[0]?.settings.webhooks ?? []
  }
  const notifications = () => page.getByRole('region', { name: 'Notifications' })

  test('browser that blocks notifications shows no button to enable them, and the reason', async () => {
    page = await hub.openPage(admin)
    await page.goto('/settings')
    await notifications().getByText('Notifications of this hub are blocked in this browser.').waitFor()
    assert.equal(await notifications().getByRole('button', { name: 'Enable browser notifications' }).count(), 0)
    await page.close()
  })

  test('browser that subscribes becomes a notification channel, until the user stops it', async () => {
    page = await hub.openPage(admin)
    await page.addInitScript({ content: asAnotherBrowser })
    await page.goto('/settings')
    const enabled = settingsStored(page)
    await notifications().getByRole('button', { name: 'Enable browser notifications' }).click()
    await notifications().getByText('Enabled in this browser.').waitFor()
    await notifications().getByText('push.example:8443').waitFor()
    await enabled
    assert.deepEqual(await stored(), [`webpush://push.example:8443/send/a%2Fb?token=x&p256dh=${keys.p256dh}&auth=${keys.auth}`])
    await auditPage(page, 'settings with a browser that is told')
    const disabled = settingsStored(page)
    await notifications().getByRole('button', { name: 'Stop' }).click()
    await notifications().getByText('push.example:8443').waitFor({ state: 'detached' })
    await disabled
    assert.deepEqual(await stored(), [])
    assert.deepEqual(hub.pageErrors, [])
  })

  test('service worker shows each push message, even an invalid one, and opens the page in the message', async () => {
    const tools = await page.context().newCDPSession(page)
    const registrationId = await registrationOf(tools)
    const [worker] = page.context().serviceWorkers()
    assert.ok(worker !== undefined)
    await worker.evaluate(noting)
    const message = { key: 'k1', title: 'web CPU above threshold', body: 'CPU is 93 %.', link: `${hub.address}/system/web` }
    for (const data of [JSON.stringify(message), 'no JSON', '7'])
      await tools.send('ServiceWorker.deliverPushMessage', { origin: hub.address, registrationId, data })
    const shown = (await notedBy(worker, 3)).map(({ title, body, tag, data }) => ({ title, body, tag, data }))
    assert.deepEqual(shown, [
      { title: message.title, body: message.body, tag: 'k1', data: { link: message.link } },
      ...['', ''].map((nothing) => ({ title: 'Vedette', body: nothing, tag: nothing, data: { link: nothing } })),
    ])
    for (const link of [message.link, 'javascript:alert(1)', ''])
      await worker.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
        notification: { close() {}, data: { link: ${JSON.stringify(link)} } } }))`)
    const opened = (await notedBy(worker, 6)).slice(3).map((one) => one.page)
    assert.deepEqual(opened, [message.link, `${hub.address}/`, `${hub.address}/`])

    const acknowledgeLink = `${hub.address}/acknowledge#token`
    const data = JSON.stringify({ ...message, acknowledgeLink })
    await tools.send('ServiceWorker.deliverPushMessage', { origin: hub.address, registrationId, data })
    const [withButton] = (await notedBy(worker, 7)).slice(6)
    assert.deepEqual(
      [withButton?.data, withButton?.actions],
      [{ link: message.link, acknowledgeLink }, [{ action: 'acknowledge', title: 'Acknowledge' }]],
    )
    for (const action of ['acknowledge', ''])
      await worker.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
        action: ${JSON.stringify(action)}, notification: { close() {}, data: ${JSON.stringify(withButton?.data)} } }))`)
    const followed = (await notedBy(worker, 9)).slice(7).map((one) => one.page)
    assert.deepEqual(followed, [acknowledgeLink, message.link])
  })
})

/** All recorded calls, once there are at least that many. */
const notedBy = (worker: Worker, least: number): Promise<readonly Noted[]> =>
  worker.evaluate<readonly Noted[]>(`new Promise((resolve) => {
    const look = () => noted.length >= ${least} && resolve([...noted])
    noted.push = (one) => { Array.prototype.push.call(noted, one); look() }
    look()
  })`)
