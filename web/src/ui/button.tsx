import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export type ButtonLook = 'plain' | 'primary' | 'danger' | 'icon'

const looks: Readonly<Record<ButtonLook, string>> = {
  plain: 'border-border bg-surface px-3 hover:bg-hover',
  primary: 'border-accent bg-accent px-3 font-medium text-accent-text hover:bg-[color-mix(in_srgb,var(--accent),var(--text)_20%)]',
  danger: 'border-crit bg-crit px-3 font-medium text-surface hover:bg-[color-mix(in_srgb,var(--crit),var(--text)_20%)]',
  icon: 'w-8 justify-center border-transparent text-muted hover:bg-hover hover:text-text',
}

/** Returns the CSS classes that make an element look like a button of the given style (`look`), for `<button>` and for links. */
export const buttonLook = (look: ButtonLook = 'plain', className?: string): string =>
  cn('inline-flex h-8 shrink-0 items-center gap-2 whitespace-nowrap rounded-control border disabled:opacity-60', looks[look], className)

export function Button({ look = 'plain', className, type = 'button', ...rest }: ComponentProps<'button'> & { look?: ButtonLook }) {
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- one of the three types by its own default
      type={type}
      className={buttonLook(look, className)}
      {...rest}
    />
  )
}
