import * as words from '../words/messages.js'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Rules that attributes of the fields set, in the order in which they are reported. */
const problems: readonly (readonly [rule: keyof ValidityState, inWords: (control: Control) => string])[] = [
  ['badInput', ({ type }) => (type === 'number' ? words.problem_not_a_number() : words.problem_incomplete_date())],
  ['valueMissing', () => words.problem_required()],
  ['typeMismatch', ({ type }) => (type === 'email' ? words.problem_not_an_email() : words.problem_not_a_url())],
  ['tooShort', (control) => words.password_hint({ length: control.getAttribute('minlength') ?? '' })],
]

/**
 * The first rule that the value of a control breaks, in the language of the page; `undefined` for a valid one. A rule without words here is
 * in the language of the browser.
 */
export function problemOf(control: Control): string | undefined {
  const { validity } = control
  if (validity.valid) return undefined
  const broken = problems.find(([rule]) => validity[rule])
  return broken === undefined ? control.validationMessage : broken[1](control)
}
