import { byteScale, formatAmount } from '../format/bytes.ts'

/** `12.3 MB`. */
export function bytesText(bytes: number): string {
  const { unit, divisor } = byteScale(bytes)
  return `${formatAmount(bytes / divisor)} ${unit}`
}
