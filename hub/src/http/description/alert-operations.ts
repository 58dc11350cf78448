import type { Operation } from './operation.ts'

/** Being told, and what one was told of. */
export const alertOperations: readonly Operation[] = [
  {
    call: 'POST /api/beszel/user-alerts',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'Sets one alert on several systems',
    body: ['name', 'target', 'value', 'min', 'systems', 'overwrite'],
  },
  {
    call: 'DELETE /api/beszel/user-alerts',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'Takes one off several systems',
    body: ['name', 'target', 'systems'],
  },
  {
    call: 'GET /api/vedette/alerts/rehearsal',
    tag: 'alerts',
    asker: 'signed in',
    summary:
      'When an alert would have fired in the days before now, up to 30, held against the stored minutes, and a line of what was measured',
    query: ['system', 'name', 'target', 'value', 'min', 'days'],
  },
  {
    call: 'GET /api/vedette/incidents',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'When one’s own alerts fired, the newest first: `state` is `firing` or `over`, `after` an id to go on from',
    query: ['system', 'state', 'search', 'from', 'to', 'after', 'limit'],
  },
  {
    call: 'GET /api/vedette/incidents/noisy',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'One’s own alerts that fired most in the last 30 days',
  },
  {
    call: 'GET /api/vedette/deliveries',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'What went out to one’s own channels and what came of it, the newest first: `after` is an id to go on from',
    query: ['after', 'limit'],
  },
  {
    call: 'GET /api/vedette/web-push-key',
    tag: 'alerts',
    asker: 'signed in',
    summary: 'What a browser is given to subscribe, in base64url: the hub’s key for Web Push',
  },
]
