import { ownValue } from '@vedette/protocol/own-value'
import type { Address } from './address.ts'

/** The page an address leads to. `key`: another one, another page. */
export type Place =
  | { readonly kind: 'collection'; readonly key: string; readonly collection: string }
  | { readonly kind: 'backups' | 'mail' | 'audit' | 'logs' | 'health' | 'jobs' | 'sign-in' | 'unknown'; readonly key: string }

const pages: Readonly<Record<string, 'backups' | 'mail' | 'audit' | 'logs' | 'health' | 'jobs' | 'sign-in'>> = {
  '/logs': 'logs',
  '/audit': 'audit',
  '/health': 'health',
  '/settings/crons': 'jobs',
  '/settings': 'mail',
  '/settings/mail': 'mail',
  '/settings/backups': 'backups',
  '/settings/auth-providers': 'sign-in',
}

/** Addresses as existing links have them: without anything, the people. */
export function placeOf({ path, query }: Address): Place {
  const page = ownValue(pages, path)
  if (page !== undefined) return { kind: page, key: path }
  if (path !== '/' && path !== '/collections') return { kind: 'unknown', key: path }
  const collection = query['collection'] ?? 'users'
  return { kind: 'collection', key: `collection ${collection}`, collection }
}
