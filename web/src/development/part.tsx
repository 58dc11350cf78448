import type { ReactNode } from 'react'

/** React component: section of the development page for the UI component called `name`, with a box for each of its states (`children`). */
export const DevelopmentSection = ({ name, children }: { name: string; children: ReactNode }) => (
  <section aria-label={name} className="flex min-w-0 flex-col gap-3">
    <h2 className="border-b border-border pb-1 text-value font-semibold">{name}</h2>
    <div className="grid min-w-0 gap-4 sm:grid-cols-2 xl:grid-cols-3">{children}</div>
  </section>
)

/**
 * React component: box on the development page with one state of a UI component (`children`) and the state's name. `isWide` makes the box
 * span the full width.
 */
export const State = ({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) => (
  <div className={isWide ? 'col-span-full min-w-0' : 'min-w-0'}>
    <p className="mb-1.5 text-small text-muted">{name}</p>
    {children}
  </div>
)
