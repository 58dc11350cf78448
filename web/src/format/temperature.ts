import { formatAmount } from './bytes.ts'
import { choices } from './choices.ts'

export const fahrenheitOf = (celsius: number): number => (celsius * 9) / 5 + 32

/** `51 °C`, or what that is in the chosen unit. */
export const formatTemperature = (celsius: number, unit = choices().temperature, locale?: string): string =>
  unit === 'fahrenheit' ? `${formatAmount(fahrenheitOf(celsius), locale)} °F` : `${formatAmount(celsius, locale)} °C`
