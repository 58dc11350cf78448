import { recordOf } from './json.ts'

/** Whether the token of a mailed link says itself that its time is over; what cannot be read is the hub's to judge. */
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
