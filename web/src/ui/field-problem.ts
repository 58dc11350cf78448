import * as words from '../words/messages.js'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Each rule that an attribute of a control can set, in the order in which they are reported. */
const problems: readonly (readonly [rule: keyof ValidityState, inWords: (control: Control) => string])[] = [
  ['badInput', ({ type }) => (type === 'number' ? words.problem_not_a_number() : words.problem_incomplete_date())],
  ['valueMissing', () => words.problem_required()],
  ['typeMismatch', ({ type }) => (type === 'email' ? words.problem_not_an_email() : words.problem_not_a_url())],
  ['tooShort', (control) => words.password_hint({ length: attribute(control, 'minlength') })],
  ['tooLong', (control) => words.problem_longer_than({ length: attribute(control, 'maxlength') })],
  ['rangeUnderflow', (control) => words.problem_below({ min: attribute(control, 'min') })],
  ['rangeOverflow', (control) => words.problem_above({ max: attribute(control, 'max') })],
  ['stepMismatch', () => words.problem_not_whole()],
]

/** The first rule that the value of a control breaks, in the language of the page and not of the browser; `undefined` for a valid one. */
export function problemOf(control: Control): string | undefined {
  const { validity } = control
  if (validity.valid) return undefined
  const broken = problems.find(([rule]) => validity[rule])
  return broken === undefined ? control.validationMessage : broken[1](control)
}

const attribute = (control: Control, name: string): string => control.getAttribute(name) ?? ''
