import type { ReactNode, RefObject } from 'react'
import { cn } from './cn.ts'

type ScrollBoxProps = { label: string; className: string; box?: RefObject<HTMLElement | null>; children: ReactNode }

/**
 * React component: scrollable region with the accessible label `label`. It receives keyboard focus, so that arrow keys scroll it. `box` is
 * a React ref of its element.
 */
export const ScrollBox = ({ label, className, box, children }: ScrollBoxProps) => (
  <section
    ref={box}
    aria-label={label}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- not every browser lets the keyboard reach a box because it scrolls
    tabIndex={0}
    className={cn('overflow-auto rounded-control', className)}
  >
    {children}
  </section>
)
