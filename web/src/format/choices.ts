/** How a person wants numbers and times written. */
export type Choices = {
  readonly temperature: 'celsius' | 'fahrenheit'
  readonly network: RateUnit
  readonly disk: RateUnit
  /** Without one, as the locale has it. */
  readonly hours?: 12 | 24 | undefined
  /** An IANA name; without one, the browser's. */
  readonly timeZone?: string | undefined
}

export type RateUnit = 'bytes' | 'bits'

export const defaultChoices: Choices = { temperature: 'celsius', network: 'bytes', disk: 'bytes' }

let shown = defaultChoices

/** What is written everywhere. The same object until something of it changes. */
export const choices = (): Choices => shown

/** What is on the page already is not written anew: who sets them sees to that. */
export function setChoices(next: Choices): void {
  shown = next
}
