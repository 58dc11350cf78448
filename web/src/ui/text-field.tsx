import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { Field, type FieldProps } from './field.tsx'

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'id'>

/** React component: single-line text field of a form with label, hint and error. All other props are those of the HTML element `input`. */
export const TextField = ({ label, isLabelHidden = false, name, hint, error, className, ...input }: TextFieldProps) => (
  <Field label={label} isLabelHidden={isLabelHidden} name={name} hint={hint} error={error} className={className}>
    {({ className: look, ...control }) => (
      <input {...control} className={cn(look, 'h-9 read-only:bg-sunken read-only:text-muted')} {...input} />
    )}
  </Field>
)
