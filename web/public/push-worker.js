// Shows what the hub has to tell while no page of it is open. It keeps nothing and answers no page's requests.
const TITLE = 'Vedette'

const textOf = (value) => (typeof value === 'string' ? value : '')

function messageOf(data) {
  try {
    const message = data.json()
    return typeof message === 'object' && message !== null ? message : {}
  } catch {
    return {}
  }
}

// A browser takes away the right to push from who shows nothing: what cannot be read is shown as well.
self.addEventListener('push', (event) => {
  const { key, title, body, link, acknowledgeLink } = messageOf(event.data)
  const canAcknowledge = textOf(acknowledgeLink) !== ''
  const shown = self.registration.showNotification(textOf(title) || TITLE, {
    body: textOf(body),
    // A repeat takes the place of the one that is there.
    tag: textOf(key),
    icon: new URL('static/favicon.svg', self.registration.scope).href,
    data: { link: textOf(link), ...(canAcknowledge ? { acknowledgeLink } : {}) },
    actions: canAcknowledge ? [{ action: 'acknowledge', title: 'Acknowledge' }] : [],
  })
  event.waitUntil(shown)
})

/** The page a notice is about; of another address than this hub's own, only what a browser opens as a page. */
function pageOf(link) {
  const { scope } = self.registration
  const page = URL.canParse(link) ? new URL(link) : new URL(scope)
  return page.protocol === 'https:' || page.protocol === 'http:' ? page.href : scope
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { link = '', acknowledgeLink = '' } = event.notification.data ?? {}
  event.waitUntil(self.clients.openWindow(pageOf(event.action === 'acknowledge' ? acknowledgeLink : link)))
})

// Of two generations the newer one takes over at once: there is nothing to be lost between them.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
