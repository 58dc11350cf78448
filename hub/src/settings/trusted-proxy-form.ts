import { z } from 'zod'
import { blank } from '../records/model/field-check.ts'
import { flag, invalid, refusedWith } from '../records/model/field-errors.ts'
import { networkList, textList } from './stored-settings.ts'

/**
 * The proxies whose headers name the client. `networks`: proxies beside those of `--trusted-proxies`; nobody else is believed.
 * `headers`: the first of them that a request has counts; none means the usual ones. `useLeftmostIP`: of a list the first address,
 * for proxies that drop the header of the client; else the last one that is no proxy's.
 */
export type TrustedProxySettings = {
  readonly headers: readonly string[]
  readonly useLeftmostIP: boolean
  readonly networks: readonly string[]
}

export const defaultTrustedProxy: TrustedProxySettings = { headers: [], useLeftmostIP: false, networks: [] }

const isHeader = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)

export const trustedProxyFields = z.object({
  headers: textList(isHeader, (name) => invalid(`"${name}" is no name of a header.`)),
  useLeftmostIP: flag,
  networks: networkList,
})

/** `isNamed`: the operator of the hub named proxies. Without a proxy nobody's headers would be read. */
export const trustedProxyForm = (isNamed: boolean) =>
  trustedProxyFields.refine(({ headers, networks }) => headers.length === 0 || networks.length > 0 || isNamed, {
    path: ['networks'],
    ...refusedWith(blank),
  })
