import { recordOf } from './json.ts'

/**
 * Returns true when the token of a mailed link (a JWT) has expired by its own `exp` claim. False for a token that cannot be parsed; the hub
 * decides then.
 */
export function isLinkExpired(token: string, nowMs: number): boolean {
  const exp = claimsOf(token)['exp']
  return typeof exp === 'number' && exp * 1000 <= nowMs
}

function claimsOf(token: string): ReturnType<typeof recordOf> {
  try {
    return recordOf(JSON.parse(atob(token.split('.')[1] ?? '')))
  } catch {
    return {}
  }
}
