/** SQLite writes smaller and larger powers of ten with an exponent. */
const [LEAST_EXPONENT, MOST_EXPONENT] = [-4, 16]

/**
 * A number as SQLite's `cast(… as text)` writes a REAL: never without a point, such as `42.0`. The fewest digits that mean this number.
 * Source: `%!.17g`, https://sqlite.org/printf.html.
 */
export function sqliteRealText(number: number): string {
  const [mantissa = '0', exponent = '0'] = number.toExponential().split('e')
  const power = Number(exponent)
  if (power < LEAST_EXPONENT || power > MOST_EXPONENT)
    return `${pointed(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  return pointed(String(number))
}

const pointed = (digits: string): string => (digits.includes('.') ? digits : `${digits}.0`)
