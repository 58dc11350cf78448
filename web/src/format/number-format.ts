const formats = new Map<string, Intl.NumberFormat>()

/** A number format, made once: making one costs more than a hundred uses, and a table writes thousands of numbers. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const created = new Intl.NumberFormat(locale, options)
  formats.set(key, created)
  return created
}
