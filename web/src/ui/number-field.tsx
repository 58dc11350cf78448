import { useContext, useState } from 'react'
import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'
import { FormErrors } from './form-errors.ts'
import { nearestIn } from './number-range.ts'

type NumberFieldProps = FieldProps & {
  /** `undefined` is an empty field. */
  value: number | undefined
  min?: number
  max?: number
  /** 1 allows whole numbers only. */
  step?: number | 'any'
  /** Leaving it empty restores the last value. */
  required?: boolean
  onCommit: (value: number | undefined) => void
}

/**
 * A number. What is typed is a draft until Enter is pressed or the field is left; a number out of range becomes the nearest in it then.
 * In a form each key counts, since nothing is stored before the form is sent, and the form says what is out of range.
 */
export function NumberField({ value, min, max, step = 'any', required = false, onCommit, ...field }: NumberFieldProps) {
  const [draft, setDraft] = useState<string>()
  const isInForm = useContext(FormErrors) !== undefined
  const commit = (control: HTMLInputElement) => {
    // In a form, text that is no number stays and the form says so.
    if (draft === undefined || (isInForm && control.validity.badInput)) return
    setDraft(undefined)
    if (isInForm) return
    // The browser keeps text that is no number and reports the field as empty.
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

/** `undefined` for an empty text. */
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))
