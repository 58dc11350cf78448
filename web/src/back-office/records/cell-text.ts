/** A value as one line of text; what is empty is nothing. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}
