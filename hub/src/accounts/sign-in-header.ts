import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import type { ClientAddresses } from '../platform/http/client-addresses.ts'
import { firstTime } from '../platform/limits/first-time.ts'
import type { Log } from '../platform/log.ts'
import type { Engine } from '../records/engine/engine.ts'
import { isEmail } from '../records/model/field-check.ts'
import { badRequest, RecordError } from '../records/model/record-error.ts'
import type { StoredRecord } from '../records/model/stored-record.ts'
import type { FirstRun } from './first-run.ts'
import { createVerifiedUser } from './providers/provider-account.ts'

/** Functions that read the HTTP header in which a reverse proxy sends the email address of a user whom it has signed in. */
export type SignInHeader = {
  /**
   * Returns true if this request has the sign-in header and comes directly from a reverse proxy that the operator listed. Its value is not
   * checked.
   */
  readonly isSentIn: (incoming: IncomingMessage) => boolean
  /**
   * Resolves to the account with the email address in the sign-in header; `undefined` without the header or if no listed proxy sent it.
   * Throws 400 for an invalid header, 403 for another site's page. An unknown address gets an account with the option `createUsers` once
   * the hub has an admin, else 403.
   */
  readonly accountFor: (incoming: IncomingMessage) => Promise<StoredRecord | undefined>
}

type HeaderParts = {
  /** Name of the HTTP header by which a proxy signs users in, in lower case; `undefined` when the operator configured none. */
  readonly name: string | undefined
  /**
   * Functions about the peer of a request. `isNamedProxy`: true when the direct peer is a proxy that the operator listed. `peerOf`: the
   * address of that peer.
   */
  readonly proxies: Pick<ClientAddresses, 'isNamedProxy' | 'peerOf'>
  /** Operator's options. `appUrl`: public URL of the hub. `createUsers`: an unknown email address in the header gets an account. */
  readonly config: { readonly appUrl: string | undefined; readonly createUsers: boolean }
  readonly engine: Engine
  readonly firstRun: Pick<FirstRun, 'isOpen'>
  readonly log: Log
}

/**
 * Creates the functions that sign users in by a header that a reverse proxy sends, if the operator listed that proxy. Returns `undefined`
 * if the operator configured no header.
 */
export function signInHeader({ name: header, proxies, config, engine, firstRun, log }: HeaderParts): SignInHeader | undefined {
  if (header === undefined) return undefined
  const { appUrl, createUsers } = config
  const isNew = firstTime()

  /**
   * Returns the values of the sign-in header in a request; empty unless it comes from a reverse proxy that the operator listed. A header
   * from another address is logged as a warning, once per address.
   */
  const valuesIn = (incoming: IncomingMessage): readonly string[] => {
    const values = valuesOf(incoming, header)
    if (values.length === 0 || proxies.isNamedProxy(incoming)) return values
    const address = proxies.peerOf(incoming)
    if (isNew(address)) log.warn('sign-in header ignored: its sender is not a trusted proxy', { address, header })
    return []
  }

  return {
    isSentIn: (incoming) => valuesIn(incoming).some((value) => value !== ''),
    async accountFor(incoming) {
      const values = valuesIn(incoming)
      const [email = '', ...more] = values
      if (email === '' && more.length === 0) return undefined
      if (!isOwnPage(incoming, appUrl))
        throw new RecordError(403, 'The sign-in header signs in only at the address of the hub (--app-url).')
      if (more.length > 0 || !isEmail(email)) throw badRequest('The sign-in header is not one email address.')
      return accountAt(engine, email, createUsers && !(await firstRun.isOpen()))
    },
  }
}

async function accountAt(engine: Engine, email: string, createUsers: boolean): Promise<StoredRecord> {
  const [known] = await engine.store.loadWhere('users', { email })
  const account = known ?? (createUsers ? await createOnce(engine, email) : undefined)
  if (account === undefined) throw new RecordError(403, 'No account has the email address of the sign-in header.')
  return account
}

async function createOnce(engine: Engine, email: string): Promise<StoredRecord> {
  const password = await engine.hashPassword(randomBytes(32).toString('base64url'))
  return engine.database.write(async (unit) => {
    await unit.alone('accounts at providers')
    const [known] = await engine.store.loadWhere('users', { email }, unit)
    return known ?? createVerifiedUser(engine, { email, name: '', password }, unit)
  })
}

/**
 * Returns the list of values of a request header, one for each line, by the header's name in lower case. Node's `headers` joins repeated
 * lines or drops all but the first.
 */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === name) values.push((rawHeaders[at + 1] ?? '').trim())
  return values
}

/**
 * Returns false if the browser reports that a page of another site or origin sent the request. The cookie for the reverse proxy is sent
 * with such requests too, so the sign-in header does not prove the user's intent.
 */
function isOwnPage({ headers }: IncomingMessage, appUrl: string | undefined): boolean {
  const site = ownValue(headers, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin, host } = headers
  if (origin === undefined) return true
  if (appUrl !== undefined) return new URL(appUrl).origin === origin
  return URL.canParse(origin) && new URL(origin).host === host
}
