import { createHash } from 'node:crypto'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { secretBox } from '../src/platform/secrets/secret-box.ts'
import type { TestDatabaseKind } from './databases.ts'
import { httpPeer } from './http-peer.ts'
import { itemsOf, runningHub, type Answer } from './running-hub.ts'
import { behavingSshAgent, bytesOf, documentReply, finish, machineSample } from './scripted-agent.ts'

const KEY = 'the secret key of a hub in this test'
const PASSWORD = 'another good password'
const APP_URL = 'https://hub.example/base'

/** The secrets of the scene's hub, which makes the same tokens. */
export const hubSecrets = secretBox(createHash('sha256').update(KEY).digest())

/** A hub at a place that outlives it, with a secret key that is known. */
export const startLinkedHub = (kind: TestDatabaseKind) =>
  runningHub(kind, [`--secret-key=${KEY}`, `--app-url=${APP_URL}`, '--internal-destinations=true', '--log-level=debug'])

/** The token in the link of a message to the scene's webhook. */
export function tokenIn(message: string): string {
  const { acknowledge } = JSON.parse(message) as { readonly acknowledge: string } // the template of the webhook
  const [page, token = ''] = acknowledge.split('#')
  if (page !== `${APP_URL}/acknowledge`) throw new Error(`the message has no link: ${message}`)
  return token
}

/**
 * A whole hub, a user without rights of an admin, a system that an agent measures, and the messages of two alerts of the user that fired,
 * as a webhook received them.
 */
export async function linkedAlertScene(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const peer = stack.use(await httpPeer())
  const hub = stack.use(await startLinkedHub(kind))
  const { token: admin } = hub.admin
  const email = 'owner@example.com'
  const account = { email, role: 'user', password: PASSWORD, passwordConfirm: PASSWORD, verified: true, name: 'Owner' }
  const owner = String((await hub.call(admin, 'POST /api/collections/users/records', account)).body['id'])
  const { token } = await hub.signIn(email, PASSWORD)
  const { body: settings } = await hub.call(token, 'POST /api/collections/user_settings/records', { user: owner })
  const template = '{"title":"{{title}}","message":"{{message}}","acknowledge":"{{acknowledge}}"}'
  const webhooks = [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template=${template}`]
  const saved = { settings: { emails: [], webhooks } }
  await hub.call(token, `PATCH /api/collections/user_settings/records/${String(settings['id'])}`, saved)

  const { body: about } = await hub.call(admin, 'GET /api/beszel/getkey')
  const { promise: areAlertsSet, resolve: letSpeak } = Promise.withResolvers<void>()
  const agent = stack.use(
    await behavingSshAgent(String(about['key']), {
      behave: async (channel, asked) => {
        await asked
        await areAlertsSet
        finish(channel, bytesOf(encodeEnvelope(documentReply({ ...machineSample, cpu: { busyPercent: 97 } }))))
      },
    }),
  )
  const values = { name: 'web', host: '127.0.0.1', port: String(agent.port), users: [owner] }
  const system = String((await hub.call(admin, 'POST /api/collections/systems/records', values)).body['id'])
  for (const [name, value] of [
    ['CPU', 80],
    ['Memory', 20],
  ] as const)
    await hub.call(token, 'POST /api/collections/alerts/records', { user: owner, system, name, value, min: 1 })
  letSpeak()
  await hub.until(token, 'GET /api/vedette/deliveries', (answer) => {
    const sent = itemsOf(answer).filter(({ state }) => state === 'delivered')
    return sent.length === 2
  })
  const messageOf = (start: string): string => peer.received.find(({ body }) => body.includes(start))?.body ?? ''

  return {
    hub,
    owner,
    ownerToken: token,
    system,
    messages: peer.received,
    cpuLink: tokenIn(messageOf('web CPU above')),
    memoryLink: tokenIn(messageOf('web memory above')),
    /** Pauses the system, which ends its alerts. */
    end: () => hub.call(admin, `PATCH /api/collections/systems/records/${system}`, { status: 'paused' }),
    incidents: async () => itemsOf(await hub.call(token, 'GET /api/vedette/incidents')),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Requests of a client that has only the link. */
export const byLink = (hub: { readonly call: (token: string, request: string, body?: object) => Promise<Answer> }) => ({
  view: (token: unknown) => hub.call('', 'POST /api/vedette/acknowledgement/view', { token }),
  acknowledge: (token: unknown, more: object = {}) => hub.call('', 'POST /api/vedette/acknowledgement', { token, name: 'Ada', ...more }),
})
