import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'

export type Choice<T extends string> = { readonly value: T; readonly label: string; readonly group?: string }

type SelectFieldProps<T extends string> = FieldProps & {
  choices: readonly Choice<T>[]
  value: T
  onChange: (value: T) => void
}

/** One of several, by the browser's own list. Choices of one `group` follow each other. */
export const SelectField = <T extends string>({ choices, value, onChange, ...field }: SelectFieldProps<T>) => (
  <Field {...field}>
    {({ className, ...control }) => (
      <select
        {...control}
        value={value}
        onChange={({ target }) => {
          const choice = choices[target.selectedIndex]
          if (choice !== undefined) onChange(choice.value)
        }}
        className={cn(className, 'h-9', field.isLabelHidden === true && 'text-note')}
      >
        {[...Map.groupBy(choices, ({ group }) => group)].map(([group, members]) => {
          const options = members.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))
          return group === undefined ? (
            options
          ) : (
            <optgroup key={group} label={group}>
              {options}
            </optgroup>
          )
        })}
      </select>
    )}
  </Field>
)
