/** A number of rounds for each suite: everybody's, the long tests of CI, and the soak of hours. */
export type Rounds = { readonly short: number; readonly long: number; readonly soak: number }

export function roundsOf({ short, long, soak }: Rounds): number {
  if (process.env['VEDETTE_SOAK'] === '1') return soak
  return process.env['VEDETTE_LONG'] === '1' ? long : short
}
