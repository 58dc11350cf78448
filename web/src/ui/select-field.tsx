import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'
import { SelectList, type Choice } from './select-list.tsx'

type SelectFieldProps<T extends string> = FieldProps & {
  choices: readonly Choice<T>[]
  value: T
  onChange: (value: T) => void
}

/**
 * React component: form field with label, hint and error, in which the user selects one of `choices` (value and label) from a dropdown
 * list.
 */
export const SelectField = <T extends string>({ choices, value, onChange, ...field }: SelectFieldProps<T>) => (
  <Field {...field}>
    {({ className, ...control }) => (
      <SelectList
        {...control}
        choices={choices}
        value={value}
        onChange={onChange}
        className={cn(className, field.isLabelHidden === true && 'text-note')}
      />
    )}
  </Field>
)
