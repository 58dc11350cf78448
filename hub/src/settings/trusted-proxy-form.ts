import { z } from 'zod'
import { blank } from '../records/model/field-check.ts'
import { flag, invalid, refusedWith } from '../records/model/field-errors.ts'
import { networkList, textList } from './stored-settings.ts'

/**
 * Trusted proxies and their headers with the client's address. `networks` are trusted in addition to `--trusted-proxies`. `headers`: the
 * first one that a request has counts; none means the usual ones. `useLeftmostIP` takes the first address of a list, for proxies that drop
 * the client's own header. Otherwise the last address that is not a proxy counts.
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

/** `isNamed`: whether the operator set trusted proxies. Headers without any trusted proxy are refused, because they would never be read. */
export const trustedProxyForm = (isNamed: boolean) =>
  trustedProxyFields.refine(({ headers, networks }) => headers.length === 0 || networks.length > 0 || isNamed, {
    path: ['networks'],
    ...refusedWith(blank),
  })
