/**
 * List of the scopes of API keys. `read`: reads what its owner may read. `write`: also changes systems, their notes and drives, alerts,
 * alert policies and quiet hours. `ingest`: only enrols agents.
 */
export const keyScopes = ['read', 'write', 'ingest'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Use of a route or collection for which an API key needs a scope: `read` or `write`. */
export type KeyUse = Exclude<KeyScope, 'ingest'>

/**
 * Returns true if a key's scope is enough for a route or collection that requires `use`. `write` covers both uses, `read` covers `read`,
 * `ingest` none. Without `use`, no API key has access.
 */
export function scopeCovers(scope: KeyScope, use: KeyUse | undefined): boolean {
  if (use === undefined || scope === 'ingest') return false
  return scope === 'write' || use === 'read'
}

/**
 * Returns true if the scope of an API key allows an action on a collection; `rule` names the action, such as `list`. `keys` is the
 * collection's setting: `read` lets keys only read, `write` also change, `undefined` nothing. The owner's access rules are not checked
 * here.
 */
export function keyMay(scope: KeyScope, { keys }: { readonly keys?: KeyUse }, rule: string): boolean {
  const isRead = rule === 'list' || rule === 'view'
  return keys !== undefined && scopeCovers(scope, isRead ? 'read' : 'write') && (isRead || keys === 'write')
}
