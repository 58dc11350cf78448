import * as words from '../words/messages.js'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/**
 * List of HTML validation rules (properties of `ValidityState`), each with the function that returns its translated message. Of several
 * violated rules, the first applies.
 */
const problems: readonly (readonly [rule: keyof ValidityState, inWords: (control: Control) => string])[] = [
  ['badInput', ({ type }) => (type === 'number' ? words.problem_not_a_number() : words.problem_incomplete_date())],
  ['valueMissing', () => words.problem_required()],
  ['typeMismatch', ({ type }) => (type === 'email' ? words.problem_not_an_email() : words.problem_not_a_url())],
  ['tooShort', (control) => words.password_hint({ length: control.getAttribute('minlength') ?? '' })],
]

/**
 * Returns the message of the first HTML validation rule that a form control violates; `undefined` when the control is valid. The browser's
 * own message is used where this project has none.
 */
export function problemOf(control: Control): string | undefined {
  const { validity } = control
  if (validity.valid) return undefined
  const broken = problems.find(([rule]) => validity[rule])
  return broken === undefined ? control.validationMessage : broken[1](control)
}
