import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import { problemOf } from './field-problem.ts'
import { FormErrors, type FieldErrors } from './form-errors.ts'

/**
 * Function that returns the trimmed text of a form field by name; passwords are not trimmed. `''` when the field is empty. Throws
 * RangeError when no field has that name.
 */
export type TextOf = (name: string) => string

type FormProps = {
  /** Called on submit when all fields are valid. `textOf` returns the text of a field by its name; `form` is the HTML form element. */
  onSubmit: (textOf: TextOf, form: HTMLFormElement) => void
  /**
   * Function that validates the form's texts, called on submit together with the HTML validation of the fields. Returns error messages by
   * field name; an empty object when valid.
   */
  check?: (textOf: TextOf) => FieldErrors
  /** Error messages about the values that the hub rejected at the last submission, as an object by field name. */
  refused?: FieldErrors
  className?: string
  children: ReactNode
}

const none: FieldErrors = {}

/**
 * React component: HTML form that shows errors beside its fields and focuses the first invalid one. After the first submission, a field is
 * validated at each edit. The fields inside belong to the form by their `name`.
 */
export function Form({ onSubmit, check, refused = none, className = 'flex flex-col gap-3', children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState(none)
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const [attempts, setAttempts] = useState(0)
  // Errors for which the focus was last moved. Typing removes errors and must not move the focus.
  const focusedFor = useRef('0 {}')
  const submission = `${attempts} ${JSON.stringify(refused)}`
  useEffect(() => {
    if (focusedFor.current === submission) return
    focusedFor.current = submission
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [submission])

  // After a failed submission, each change validates the field again, with the check function that knows the change.
  const [recheck, setRecheck] = useState<{ readonly name: string }>()
  useEffect(() => {
    if (recheck === undefined || form.current === null) return
    const { name } = recheck
    const problem = ownValue(problemsOf(form.current, check), name)
    setProblems((current) => ({ ...without(current, [name]), ...(problem === undefined ? none : { [name]: problem }) }))
  }, [recheck, check])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React passes the event on to the form that opened a dialog, although the dialog is not part of it.
    event.stopPropagation()
    const sent = event.currentTarget
    const found = problemsOf(sent, check)
    const isValid = Object.keys(found).length === 0
    setProblems(found)
    setAttempts(attempts + 1)
    if (!isValid) return
    setEdited(new Set())
    setRecheck(undefined)
    onSubmit(textReader(sent), sent)
  }
  const edit = ({ target }: FormEvent<HTMLFormElement>) => {
    const name = target instanceof Element ? target.getAttribute('name') : null
    if (name === null) return
    if (attempts > 0) setRecheck({ name })
    if (ownValue(refused, name) !== undefined) setEdited(new Set([...edited, name]))
  }

  return (
    <form ref={form} noValidate className={className} onSubmit={submit} onChange={edit}>
      <FormErrors value={{ ...without(refused, [...edited]), ...problems }}>{children}</FormErrors>
    </form>
  )
}

const without = (errors: FieldErrors, names: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)))

const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement,
  )

/**
 * Returns the error messages of a form as an object by field name, from the fields' HTML validation and from `check`. Empty when all fields
 * are valid.
 */
function problemsOf(form: HTMLFormElement, check: FormProps['check']): FieldErrors {
  const problems: { [name: string]: string } = { ...check?.(textReader(form)) }
  for (const control of controlsOf(form)) {
    const problem = control.willValidate ? problemOf(control) : undefined
    if (problem !== undefined) setOwnValue(problems, control.name, problem)
  }
  return problems
}

function textReader(form: HTMLFormElement): TextOf {
  const controls = controlsOf(form)
  return (name) => {
    const control = controls.find((one) => one.name === name)
    if (control === undefined) throw new RangeError(`Cannot read "${name}": no such field`)
    return control.type === 'password' ? control.value : control.value.trim()
  }
}
