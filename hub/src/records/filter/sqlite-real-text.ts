// Powers of ten between which SQLite writes a number without exponent.
const [LEAST_POWER, MOST_POWER] = [-4, 16]

/** Maximum number of significant digits that SQLite writes for a floating-point number: 17. */
const DIGITS = 17

/** Approximation of log10(2), 78913 / 2^18, with which SQLite computes decimal exponents when it writes numbers as text. */
const LOG_2 = 78_913 / 2 ** 18

/**
 * Decimal number as text, while a number is written as SQLite writes it: `digits` are its significant digits, and the first of them has the
 * place value 10^`power`.
 */
type Decimal = { readonly digits: string; readonly power: number }

/**
 * Returns a number as SQLite 3.53 writes a REAL with `cast(… as text)`, such as `42.0`, with up to 17 digits. Exact from 1e-10 to 1e19;
 * outside, the last digit may differ. The number must not be NaN. Source: `%!.17g`, https://sqlite.org/printf.html.
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

/**
 * Returns the 18 or 19 significant digits that SQLite computes of a positive number before it rounds. How many follows from the number's
 * binary exponent.
 */
function workingDigits(number: number): Decimal {
  const exponent = Math.floor(Math.log2(number))
  const powerOf2 = 2 ** exponent > number ? exponent - 1 : exponent
  const power = powerOfTen(number.toExponential(DIGITS))
  const [mantissa = ''] = number.toExponential(DIGITS + power - Math.floor(powerOf2 * LOG_2)).split('e')
  return { digits: mantissa.replace('.', ''), power }
}

const powerOfTen = (text: string): number => Number(text.slice(text.indexOf('e') + 1))

/**
 * Returns a shorter decimal for a number's digits, as SQLite tries it; the caller checks that it equals the number. `undefined` if there is
 * none. It rounds nines at places 15 and 16, or drops zeros at places 14 to 16.
 */
function shorterDigits(digits: string, power: number): Decimal | undefined {
  if (digits.startsWith('99', 14)) return oneMore(digits.slice(0, 14).replace(/9+$/, ''), power)
  if (power + 1 >= digits.length || digits.startsWith('000', 13)) return { digits: withoutZeros(digits.slice(0, 13)), power }
  return undefined
}

/**
 * Adds 1 to the last of a decimal number's `digits` and drops zeros at their end. `power` is the power of ten of the first digit; it grows
 * by 1 if all digits were nines.
 */
function oneMore(digits: string, power: number): Decimal {
  const sum = String(BigInt(digits) + 1n)
  return { digits: withoutZeros(sum), power: sum.length > digits.length ? power + 1 : power }
}

const withoutZeros = (digits: string): string => digits.replace(/(?!^)0+$/, '')

const valueOf = ({ digits, power }: Decimal): number => Number(`${digits}e${power - digits.length + 1}`)
