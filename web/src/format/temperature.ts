import { withUnit } from './bytes.ts'
import type { Formats } from './formats.ts'

export const fahrenheitOf = (celsius: number): number => (celsius * 9) / 5 + 32

/** Returns a temperature, given in °C, as text in the unit of the user's settings: `51 °C` or `124 °F`. */
export const formatTemperature = (celsius: number, formats: Pick<Formats, 'locale' | 'temperature'>): string =>
  formats.temperature === 'fahrenheit' ? withUnit(fahrenheitOf(celsius), '°F', formats) : withUnit(celsius, '°C', formats)
