import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call, type JsonBody } from '../mailing-hub.ts'
import { CLIENT } from '../oidc-server.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const users = '/api/collections/users'

/** GitHub's documented responses (REST, "OAuth apps" and "users"): a token for the code, then the user and their email addresses. */
async function gitHub(emails: readonly object[], refusal?: string) {
  const asked: string[] = []
  const answer = async (request: IncomingMessage): Promise<object> => {
    const { url = '', headers } = request
    asked.push(`${request.method ?? ''} ${url} ${await text(request)}`)
    if (url === '/login/oauth/access_token' && refusal !== undefined) return { error: refusal, error_description: 'As said.' }
    if (url === '/login/oauth/access_token') return { access_token: 'gho_x', token_type: 'bearer', scope: 'read:user,user:email' }
    if (headers.authorization !== 'Bearer gho_x') return { message: 'Bad credentials' }
    return url === '/api/v3/user' ? { id: 583_231, login: 'octocat', name: 'Octo', avatar_url: 'https://x/y.png', email: null } : emails
  }
  const server = createServer((request, response) => {
    void answer(request).then((body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on a port
  return {
    issuer: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const sent = {
  provider: 'github',
  code: 'the code',
  codeVerifier: 'v'.repeat(43),
  redirectUrl: 'https://hub.example.com/api/oauth2-redirect',
}

async function enter(emails: readonly object[]) {
  const [kind = assert.fail()] = databases
  await using hub = await recordedHub(kind)
  await using server = await gitHub(emails)
  const oauth2 = { enabled: true, createUsers: true, providers: [{ name: 'github', issuer: server.issuer, ...CLIENT }] }
  assert.equal((await call(hub, `PATCH ${users}`, { oauth2 }, { token: await hub.tokenOf('super') })).status, 200)
  const answer = await call(hub, `POST ${users}/auth-with-oauth2`, sent)
  return { ...answer, asked: server.asked }
}

test('a GitHub sign-in uses the primary address if it is verified', async () => {
  const { status, body, asked } = await enter([
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'alice@example.com', primary: true, verified: true },
  ])
  assert.equal(status, 200)
  assert.equal((body['record'] as JsonBody)['id'], dataset.aliases['alice']) // the response of the route
  assert.deepEqual([(body['meta'] as JsonBody)['id'], (body['meta'] as JsonBody)['username']], ['583231', 'octocat']) // the response of the route
  const [first = ''] = asked
  for (const part of ['client_id=hub', 'code=the+code', `code_verifier=${sent.codeVerifier}`, 'redirect_uri=https%3A%2F%2Fhub.example.com'])
    assert.ok(first.includes(part), first)
})

test('a GitHub sign-in with an unverified address is refused', async () => {
  const { status, body } = await enter([{ email: 'alice@example.com', primary: true, verified: false }])
  assert.deepEqual([status, body['message']], [400, 'Failed to authenticate.'])
})

const verdicts = { bad_verification_code: 'accepted', incorrect_client_credentials: 'refused', something_new: 'unclear' }
test('the test of the GitHub provider reports whether GitHub accepts this hub', async () => {
  const [kind = assert.fail()] = databases
  await using hub = await recordedHub(kind)
  const token = await hub.tokenOf('super')
  for (const [refusal, verdict] of Object.entries(verdicts)) {
    await using server = await gitHub([], refusal)
    const oauth2 = { providers: [{ name: 'github', issuer: server.issuer, ...CLIENT }] }
    assert.equal((await call(hub, `PATCH ${users}`, { oauth2 }, { token })).status, 200)
    const { body } = await call(hub, 'POST /api/vedette/providers/github/test', { redirectURL: sent.redirectUrl }, { token })
    assert.deepEqual(body, { verdict, said: `${refusal}: As said.` })
  }
})
