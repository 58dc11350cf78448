/**
 * Returns the value of a record's field as text; an empty string for an empty value. Lists of texts are joined by commas; other lists and
 * objects are JSON.
 */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}
