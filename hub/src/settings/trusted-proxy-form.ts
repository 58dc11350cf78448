import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { isNetwork } from '../platform/network/networks.ts'
import { blank } from '../records/model/field-check.ts'
import type { FieldError } from '../records/model/record-error.ts'
import { notNetwork } from './rate-limits-form.ts'
import { textsIn, wrongTexts } from './texts-in.ts'

/**
 * Whom the hub believes who somebody is. `networks`: proxies beside those of `--trusted-proxies`; nobody else is believed.
 * `headers`: which of theirs, the first one that is there; none means the usual ones. `useLeftmostIP`: of a list the first address,
 * for proxies that throw away what a client sent; else the last one that is no proxy's.
 */
export type TrustedProxySettings = {
  readonly headers: readonly string[]
  readonly useLeftmostIP: boolean
  readonly networks: readonly string[]
}

export const defaultTrustedProxy: TrustedProxySettings = { headers: [], useLeftmostIP: false, networks: [] }

const isHeader = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text)

const notHeader = (text: string): FieldError => ({ code: 'validation_invalid_value', message: `"${text}" is no name of a header.` })

export function storedTrustedProxy({ headers, useLeftmostIP, networks }: JsonObject): TrustedProxySettings {
  return {
    headers: textsIn(headers).filter(isHeader),
    useLeftmostIP: useLeftmostIP === true,
    networks: textsIn(networks).filter(isNetwork),
  }
}

/** `isNamed`: whether the operator of the hub named proxies. Headers of nobody would be read from nobody. */
export function wrongTrustedProxy({ headers, useLeftmostIP, networks }: JsonObject, isNamed: boolean): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {}
  const wrongHeaders = wrongTexts(headers, isHeader, notHeader)
  if (wrongHeaders !== undefined) errors['headers'] = wrongHeaders
  if (typeof useLeftmostIP !== 'boolean') errors['useLeftmostIP'] = { code: 'validation_invalid_value', message: 'Must be true or false.' }
  const wrongNetworks = wrongTexts(networks, isNetwork, notNetwork)
  if (wrongNetworks !== undefined) errors['networks'] = wrongNetworks
  else if (textsIn(headers).length > 0 && textsIn(networks).length === 0 && !isNamed) errors['networks'] = blank
  return errors
}
