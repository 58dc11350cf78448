import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Json } from '@vedette/protocol/wire/stats-json'

export type Person = {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly [claim: string]: Json | undefined
}

export type TestOidc = AsyncDisposable & {
  readonly issuer: string
  /** Sets the person of the next sign-in. */
  readonly expect: (person: string) => void
  /** Signs a person in at the provider's URL. Returns the URL of the redirect back. */
  readonly visit: (authUrl: string, person: string) => Promise<URL>
  /** From now on the published keys are not those that sign. */
  readonly showOtherKeys: () => void
}

export const CLIENT = { clientId: 'hub', clientSecret: 'a secret of the hub' } as const

/** A real OIDC provider on its own port that signs in any person without a proof. */
export async function testOidc(people: Readonly<Record<string, Person>>, redirectUri: string, inIdToken = false): Promise<TestOidc> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  let coming = ''
  let otherKeys: object | undefined
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    cookies: { keys: ['only for a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups', 'teams'] },
    // Else the id token has only the subject, and the userinfo endpoint the rest.
    conformIdTokenClaims: !inIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    jwks: { keys: [{ ...signingKey(), kid: 'own' }] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    loadExistingGrant: async ({ oidc }) => {
      const accountId = oidc.session?.accountId
      const clientId = oidc.client?.clientId
      const grant = new provider.Grant({
        ...(accountId === undefined ? {} : { accountId }),
        ...(clientId === undefined ? {} : { clientId }),
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true)
      void provider.interactionFinished(request, response, { login: { accountId: coming } }, { mergeWithLastSubmission: false })
    else if (request.url === '/jwks' && otherKeys !== undefined)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(otherKeys))
    else void answer(request, response)
  })
  return {
    issuer,
    expect(person) {
      coming = person
    },
    async visit(authUrl, person) {
      coming = person
      const cookies = new Map<string, string>()
      let url = new URL(authUrl)
      while (url.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const set of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null) throw new Error(`The provider sends nobody on: ${response.status} ${await response.text()}`)
        url = new URL(location, url)
      }
      return url
    },
    showOtherKeys() {
      const { d: _, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...shown } = signingKey()
      otherKeys = { keys: [{ ...shown, kid: 'own' }] }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
}
