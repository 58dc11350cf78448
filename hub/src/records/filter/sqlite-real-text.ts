/** SQLite writes numbers outside these powers of ten with an exponent. */
const [LEAST_POWER, MOST_POWER] = [-4, 16]

/** SQLite writes at most so many digits. */
const DIGITS = 17

/** Its approximation of log10(2), exact for every double. */
const LOG_2 = 78_913 / 2 ** 18

/** The first of the digits has the place 10^`power`. */
type Decimal = { readonly digits: string; readonly power: number }

/**
 * A number as SQLite 3.53 writes a REAL with `cast(… as text)`: always with a point, such as `42.0`, and up to 17 digits, fewer where zeros or nines at their end
 * show that a shorter one is the same number. `number`: not NaN; the last digit may differ outside 1e-10 to 1e19, where SQLite multiplies with rounded powers of ten.
 * Source: `%!.17g`, https://sqlite.org/printf.html.
 */
export function sqliteRealText(number: number): string {
  if (number === 0) return '0.0'
  if (!Number.isFinite(number)) return number < 0 ? '-Inf' : 'Inf'
  const { digits, power } = decimalOf(Math.abs(number))
  const sign = number < 0 ? '-' : ''
  if (power < LEAST_POWER || power > MOST_POWER)
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0')
  return `${sign}${whole}.${digits.slice(power + 1) || '0'}`
}

function decimalOf(number: number): Decimal {
  const { digits, power } = workingDigits(number)
  const shorter = shorterDigits(digits, power)
  if (shorter !== undefined && valueOf(shorter) === number) return shorter
  const isUp = digits.charAt(DIGITS) >= '5'
  return isUp ? oneMore(digits.slice(0, DIGITS), power) : { digits: withoutZeros(digits.slice(0, DIGITS)), power }
}

/** The 18 or 19 digits that SQLite works with: it takes as many as the power of two below the number needs for 18. */
function workingDigits(number: number): Decimal {
  const exponent = Math.floor(Math.log2(number))
  const powerOf2 = 2 ** exponent > number ? exponent - 1 : exponent
  const power = powerOfTen(number.toExponential(DIGITS))
  const [mantissa = ''] = number.toExponential(DIGITS + power - Math.floor(powerOf2 * LOG_2)).split('e')
  return { digits: mantissa.replace('.', ''), power }
}

const powerOfTen = (text: string): number => Number(text.slice(text.indexOf('e') + 1))

/** The shorter number that the digits may stand for: a run of nines from the 16th on backwards is rounded up, one of zeros is cut. */
function shorterDigits(digits: string, power: number): Decimal | undefined {
  if (digits.startsWith('99', 14)) return oneMore(digits.slice(0, 14).replace(/9+$/, ''), power)
  if (power + 1 >= digits.length || digits.startsWith('000', 13)) return { digits: withoutZeros(digits.slice(0, 13)), power }
  return undefined
}

/** The digits with one more in their last place; no digits are zero in the place before the first. */
function oneMore(digits: string, power: number): Decimal {
  const sum = String(BigInt(digits) + 1n)
  return { digits: withoutZeros(sum), power: sum.length > digits.length ? power + 1 : power }
}

const withoutZeros = (digits: string): string => digits.replace(/(?!^)0+$/, '')

const valueOf = ({ digits, power }: Decimal): number => Number(`${digits}e${power - digits.length + 1}`)
