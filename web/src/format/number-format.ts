const formats = new Map<string, Intl.NumberFormat>()

/** Returns the cached `Intl.NumberFormat` for this locale and these options. Creating one costs more than a hundred uses. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const created = new Intl.NumberFormat(locale, options)
  formats.set(key, created)
  return created
}
