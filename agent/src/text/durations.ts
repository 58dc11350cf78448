import { ownValue } from '@vedette/protocol/own-value'
const unitsMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Parses a duration such as `90s`, `2.1s` or `1m30s` into milliseconds; `undefined` for other texts. */
export function parseDurationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)
  let sumMs = 0
  for (const [, amount = '', unit = ''] of parts) sumMs += Number(amount) * (ownValue(unitsMs, unit) ?? 0)
  return sumMs
}
