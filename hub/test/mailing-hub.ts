import assert from 'node:assert/strict'
import type { TestDatabaseKind } from './databases.ts'
import { recordedHub, type RecordedHub } from './recorded-hub.ts'
import { testSmtp, type TestSmtp } from './smtp-server.ts'

export type JsonBody = { readonly [field: string]: unknown }

type RequestOptions = { readonly token?: string; readonly from?: string; readonly language?: string; readonly browser?: string }

/** Sends a request to the hub from a client address. */
export async function call(
  hub: RecordedHub,
  request: string,
  body: object = {},
  { token = '', from = '192.0.2.1', language = '', browser = 'test' }: RequestOptions = {},
) {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: token, 'content-type': 'application/json', 'accept-language': language, 'user-agent': browser }
  const init = { method, headers, ...(method === 'GET' ? {} : { body: JSON.stringify(body) }) }
  const response = await hub.app.fetch(new Request(`http://hub${path}`, init), { incoming: { socket: { remoteAddress: from } } })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as JsonBody) } // the hub answers objects here
}

export const codeOf = (body: JsonBody, field: string): string | undefined =>
  (body['data'] as { readonly [field: string]: { readonly code: string } })[field]?.code // errors by field

export type MailingHub = { readonly hub: RecordedHub; readonly smtp: TestSmtp } & AsyncDisposable

/** A hub that mails through a server of its own. */
export async function mailingHub(kind: TestDatabaseKind): Promise<MailingHub> {
  const smtp = await testSmtp()
  const hub = await recordedHub(kind)
  const settings = {
    smtp: { enabled: true, host: '127.0.0.1', port: smtp.port },
    meta: { senderAddress: 'tower@example.com', appURL: 'https://hub.example.com' },
  }
  assert.equal((await call(hub, 'PATCH /api/settings', settings, { token: await hub.tokenOf('super') })).status, 200)
  return {
    hub,
    smtp,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]()
      await smtp[Symbol.asyncDispose]()
    },
  }
}
