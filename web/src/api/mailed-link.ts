import { recordOf } from './json.ts'

/**
 * Returns true when the token (JWT) of an emailed link has expired at `nowMs` by its claim `exp`. Returns false for a token that cannot be
 * parsed; the hub then decides.
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
