import { ownValue } from '@vedette/protocol/own-value'
import { addressOf, readSearch, textField } from '../navigation/search.ts'

type PageKind = 'backups' | 'import' | 'mail' | 'audit' | 'logs' | 'health' | 'jobs' | 'sign-in'

/**
 * Page of the back-office that the URL shows: `kind`, such as `logs`; for the kind `collection`, the collection's name too. `key` is the
 * React key; a different key mounts the page again.
 */
export type Place =
  | { readonly kind: 'collection'; readonly key: string; readonly collection: string }
  | { readonly kind: PageKind | 'unknown'; readonly key: string }

const pages: Readonly<Record<string, PageKind>> = {
  '/logs': 'logs',
  '/audit': 'audit',
  '/health': 'health',
  '/settings/crons': 'jobs',
  '/settings': 'mail',
  '/settings/mail': 'mail',
  '/settings/backups': 'backups',
  '/settings/import': 'import',
  '/settings/auth-providers': 'sign-in',
}

export const collectionFields = { collection: { ...textField(200), otherwise: 'users' } }

/**
 * Returns the path of the back-office page with the records of the collection with this name, such as `/collections?collection=systems`.
 * For the default collection `users` it is `/collections`.
 */
export const collectionAddress = (collection: string): string => addressOf('/collections', collectionFields, { collection })

/**
 * Returns the page of the back-office (kind, React key, and for records the collection's name) for the path and search string of a URL. The
 * root path gives the page of the collection `users`; an unknown path the kind `unknown`.
 */
export function placeOf(path: string, search: string): Place {
  const page = ownValue(pages, path)
  if (page !== undefined) return { kind: page, key: path }
  if (path !== '/' && path !== '/collections') return { kind: 'unknown', key: path }
  const { collection } = readSearch(collectionFields, search)
  return { kind: 'collection', key: `collection ${collection}`, collection }
}
