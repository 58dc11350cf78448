import type { ReactNode } from 'react'

type CardProps = { title: string; description: string; children: ReactNode }

/** A part of a page with a title and a grey line that says what it shows. */
export const Card = ({ title, description, children }: CardProps) => (
  <section aria-label={title} className="card min-w-0 px-4 pt-3.5 pb-4">
    <h2 className="font-semibold">{title}</h2>
    <p className="mb-2 text-note text-muted">{description}</p>
    {children}
  </section>
)
