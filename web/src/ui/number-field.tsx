import { useContext, useState } from 'react'
import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'
import { FormErrors } from './form-errors.ts'
import { nearestIn } from './number-range.ts'

type NumberFieldProps = FieldProps & {
  /** Number that the number field shows; `undefined` for an empty field. */
  value: number | undefined
  min?: number
  max?: number
  /** Distance between valid numbers of the number field; 1 allows whole numbers only, `any` all numbers. */
  step?: number | 'any'
  /**
   * True when the number field must not stay empty. Outside a form, the last value is restored if the user clears it. In a form, the form
   * reports the empty field as an error.
   */
  required?: boolean
  onCommit: (value: number | undefined) => void
}

/**
 * React component: number field. Outside a form, `onCommit` is called on Enter or blur, with the value limited to the range. In a form, it
 * is called at every change and the form reports range errors.
 */
export function NumberField({ value, min, max, step = 'any', required = false, onCommit, ...field }: NumberFieldProps) {
  const [draft, setDraft] = useState<string>()
  const isInForm = useContext(FormErrors) !== undefined
  const commit = (control: HTMLInputElement) => {
    // In a form, invalid text stays and the form reports it.
    if (draft === undefined || (isInForm && control.validity.badInput)) return
    setDraft(undefined)
    if (isInForm) return
    // The browser keeps invalid text and reports the field as empty.
    if (control.validity.badInput) control.value = ''
    const typed = numberIn(draft)
    if (typed !== undefined || !required) onCommit(typed === undefined ? undefined : nearestIn({ min, max, step }, typed))
  }
  return (
    <Field {...field}>
      {({ className, ...control }) => (
        <input
          {...control}
          type="number"
          inputMode="decimal"
          autoComplete="off"
          min={min}
          max={max}
          step={step}
          required={required}
          value={draft ?? value ?? ''}
          onChange={({ target }) => {
            setDraft(target.value)
            if (isInForm && !target.validity.badInput) onCommit(numberIn(target.value))
          }}
          onBlur={({ target }) => commit(target)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && commit(currentTarget)}
          className={cn(className, 'h-9 tabular-nums')}
        />
      )}
    </Field>
  )
}

/** Returns the number in the typed text of a number field: `undefined` when the text is blank, `NaN` when it is no number. */
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))
